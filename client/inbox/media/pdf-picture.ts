import { GlobalWorkerOptions, getDocument } from 'pdfjs-dist'
import PdfWorker from 'pdfjs-dist/build/pdf.worker.min.mjs?worker'
import jbig2 from 'pdfjs-dist/wasm/jbig2.wasm?url'
import openjpeg from 'pdfjs-dist/wasm/openjpeg.wasm?url'
import qcms from 'pdfjs-dist/wasm/qcms_bg.wasm?url'
import { download } from '#client/app/upload.ts'

/** As wide as a bubble on a fine screen, and as high as what is shown of a page. */
const [widthPx, heightPx] = [640, 320]
/** Whatever is in the file, nobody waits longer for a picture of it. */
const mostMs = 15_000

/** What reads the pictures that scanners put into files; had when a page has one. */
const decoders: Readonly<Record<string, string>> = {
  'jbig2.wasm': jbig2,
  'openjpeg.wasm': openjpeg,
  'qcms_bg.wasm': qcms,
}
class Decoders {
  readonly fetch = async ({ filename }: { filename: string }): Promise<Uint8Array> => {
    const address = decoders[filename]
    if (!address) throw new Error(`There is no ${filename}`)
    return new Uint8Array(await (await download(address)).arrayBuffer())
  }
}

const timeout = (ms: number) =>
  new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('The first page takes too long')), ms)
  })

/**
 * The upper part of a file's first page as an address of a picture. Of a large file only what that takes is loaded.
 * Nothing in it runs. @throws what the file cannot be drawn for
 */
export async function drawFirstPage(url: string): Promise<string> {
  GlobalWorkerOptions.workerPort ??= new PdfWorker()
  const task = getDocument({
    url,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    BinaryDataFactory: Decoders,
    useWorkerFetch: false,
    verbosity: 0,
  })
  const draw = async (): Promise<Blob> => {
    const page = await (await task.promise).getPage(1)
    const scale = widthPx / page.getViewport({ scale: 1 }).width
    const viewport = page.getViewport({ scale })
    const canvas = document.createElement('canvas')
    canvas.width = widthPx
    canvas.height = Math.min(heightPx, Math.ceil(viewport.height))
    await page.render({ canvas, viewport }).promise
    return new Promise((resolve, reject) => {
      canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error('The page is no picture'))), 'image/png')
    })
  }
  try {
    return URL.createObjectURL(await Promise.race([draw(), timeout(mostMs)]))
  } finally {
    await task.destroy()
  }
}
