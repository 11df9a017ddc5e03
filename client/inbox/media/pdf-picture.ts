import { GlobalWorkerOptions, getDocument } from 'pdfjs-dist'
import PdfWorker from 'pdfjs-dist/build/pdf.worker.min.mjs?worker'
import jbig2 from 'pdfjs-dist/wasm/jbig2.wasm?url'
import openjpeg from 'pdfjs-dist/wasm/openjpeg.wasm?url'
import qcms from 'pdfjs-dist/wasm/qcms_bg.wasm?url'
import { download } from '#client/app/calls/upload.ts'

/*
 * Drawn in the browser and not on the server, where it would be work on strangers' files beside everybody's calls, and one
 * more file to keep, move and erase.
 */

/** Bubble width on a high-resolution screen, and the height of the visible part. */
const [widthPx, heightPx] = [640, 320]
/** Limit for any file. */
const maxMs = 15_000

/** Decoders for images in scanned files, loaded when a page needs one. */
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
 * Renders the upper part of a file's first page and returns the image's address. Only the needed part of a large file
 * is loaded. Scripts in it do not run. @throws when it cannot be rendered
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
    return URL.createObjectURL(await Promise.race([draw(), timeout(maxMs)]))
  } finally {
    await task.destroy()
  }
}
