import type { ServerResponse } from 'node:http'
import type { Page } from '#client/app/pages.tsx'
import type { Log } from '#server/platform/log/log.ts'
import type { PageAssets } from './assets.ts'
import type { Coding } from './compression.ts'
import { PageStream, type Piece } from './page-stream.ts'

/** Everything about one page view that is known before the first byte. */
interface View {
  readonly page: Page
  readonly raw: ServerResponse
  readonly headers: Readonly<Record<string, string | number | string[]>>
  readonly nonce: string
  readonly coding: Coding | undefined
  /** Facts and texts as JSON. */
  readonly boot: readonly Piece[]
  readonly assets: PageAssets
  /** Wait for all data, for crawlers that run no scripts. */
  readonly isWhole: boolean
  readonly isHead: boolean
  readonly timeoutMs: number
  readonly log: Log
  /** The page to send when the shell itself could not be rendered. */
  plainError(): string
}

type Ending = 'done' | 'shellError' | 'clientGone' | 'timeout'

const script = (nonce: string, text: string) => (text ? `<script nonce="${nonce}">${text}</script>` : '')

/**
 * Prints JSON as data. A running script would have to be compiled before the first paint. The script behind it takes
 * the last such element so far: code of the page that already runs may have put an element between both.
 */
const data = (json: string) => `<script type="application/json">${json}</script>`
const handOver = (nonce: string, answers: string) =>
  answers &&
  data(answers) +
    script(
      nonce,
      '(self.__queries=self.__queries||[]).push([...document.querySelectorAll("script[type=\\"application/json\\"]")].at(-1).text)',
    )

/**
 * Streams a page. Shell ready: headers and first bytes are sent. Shell error: a plain 500. Later error: logged, and its
 * boundary shows it. Client gone or timeout: rendering is aborted. Crawler: everything is awaited.
 * Resolves when nothing more will be written.
 */
export function streamPage(view: View): Promise<Ending> {
  const { page, raw, nonce, assets, log } = view
  return new Promise(resolve => {
    let isOver = false
    let hasShell = false
    let wasCut = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const finish = (ending: Ending) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      page.close()
      resolve(ending)
    }

    const around = {
      head: () => assets.head(page.modules, nonce) + page.takeStyles() + script(nonce, page.earlyScript),
      afterShell: () => [
        '<script id="page-boot" type="application/json">',
        ...view.boot,
        '</script>',
        handOver(nonce, page.takeAnswers()),
        script(nonce, `self.__staticRouterHydrationData=${page.routerState}`),
        assets.entry(page.modules, page.wideModules, nonce),
      ],
      ahead: () => page.takeStyles() + handOver(nonce, page.takeAnswers()),
    }
    const out = new PageStream(raw, around, view.coding)
    out.once('end', () => finish(wasCut ? 'timeout' : 'done'))

    const send = () => {
      hasShell = true
      raw.writeHead(page.status, {
        ...view.headers,
        ...(view.coding ? { 'content-encoding': view.coding } : {}),
      } as never)
      if (view.isHead) {
        raw.end()
        finish('done')
        rendering.abort()
      } else rendering.pipe(out as unknown as NodeJS.WritableStream)
    }

    const rendering = page.render({
      nonce,
      // Finished content is written in place instead of being moved by a script, so the page is complete without JavaScript.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onShellReady: () => {
        if (!view.isWhole && !isOver) send()
      },
      onAllReady: () => {
        if (view.isWhole && !isOver) send()
      },
      onShellError: () => {
        if (isOver) return
        if (!wasCut) log.error('the page could not begin')
        const body = view.plainError()
        raw.writeHead(500, { ...view.headers, 'content-length': Buffer.byteLength(body) } as never)
        raw.end(view.isHead ? undefined : body)
        finish(wasCut ? 'timeout' : 'shellError')
      },
      onError: error => {
        if (!isOver && !wasCut) log.error({ err: error }, 'a part of the page could not be rendered')
      },
    })

    raw.once('close', () => {
      if (isOver) return
      finish('clientGone')
      rendering.abort(new Error('The reader went away'))
    })
    timer = setTimeout(() => {
      wasCut = true
      log.warn({ timeoutMs: view.timeoutMs, hasShell }, 'the page took too long and was cut')
      // The browser asks for the data of boundaries that are still pending.
      rendering.abort(new Error('The page took too long'))
    }, view.timeoutMs)
  })
}
