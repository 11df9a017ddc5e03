import type { Browser, Page } from 'playwright'
import { bring, launch } from './parts/browser.ts'
import { startChild } from './parts/child.ts'
import { openInstallation } from './parts/installation.ts'
import { bound, fact, figure, type Line, option, report } from './parts/report.ts'
import { median, spreadOf } from './parts/samples.ts'

export const name = 'weight'
export const title =
  "Bytes on the wire of a first visit, and first paint under Lighthouse's mobile throttling (4 × slower processor, 150 ms, 1.6 Mbit/s) set in the browser itself: not a Lighthouse run"

/** Lighthouse's `mobileSlow4G` as it stands in its constants: what a request waits for and what the line carries. */
const mobile = {
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
  offline: false,
}
const mobileSlowdown = 4
/** Lighthouse's mobile screen. */
const screen = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }

/** A chunk of some lines is larger in brotli than without. */
const smallBytes = 1500

interface Visit {
  /** Bytes as they came over the wire, by kind. */
  readonly bytes: ReadonlyMap<string, number>
  /** Scripts that came without brotli. */
  readonly unpacked: readonly string[]
  readonly firstPaint: number
  readonly shift: number
}

const paintOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<{ firstPaint: number; shift: number }>(resolve => {
        let shift = 0
        new PerformanceObserver(list => {
          for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
            if (!entry.hadRecentInput) shift += entry.value
        }).observe({ type: 'layout-shift', buffered: true })
        const [paint] = performance.getEntriesByName('first-contentful-paint')
        setTimeout(() => resolve({ firstPaint: paint?.startTime ?? Number.NaN, shift }), 300)
      }),
  )

/** One visit of a browser that has never been there. */
const visit = async (browser: Browser, url: string, cookie: string | undefined, isSlow: boolean): Promise<Visit> => {
  const context = await browser.newContext({ ...screen, locale: 'es-AR', timezoneId: 'America/Argentina/Buenos_Aires' })
  try {
    const page = await context.newPage()
    if (cookie) await bring(context, url, cookie)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    if (isSlow) {
      await devtools.send('Network.emulateNetworkConditions', mobile)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: mobileSlowdown })
    }
    const kinds = new Map<string, { kind: string; url: string; coding: string }>()
    const bytes = new Map<string, number>()
    const unpacked: string[] = []
    devtools.on('Network.responseReceived', ({ requestId, type, response }) =>
      kinds.set(requestId, {
        kind: type,
        url: response.url,
        coding: response.headers['content-encoding'] ?? response.headers['Content-Encoding'] ?? '',
      }),
    )
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const found = kinds.get(requestId)
      if (!found) return
      // What `modulepreload` brings is a script too, whatever the browser calls it.
      const kind = new URL(found.url).pathname.endsWith('.js') ? 'Script' : found.kind
      bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength)
      if (kind === 'Script' && found.coding !== 'br' && encodedDataLength > smallBytes) unpacked.push(found.url)
    })
    await page.goto(url, { waitUntil: 'load' })
    // The stream of events stays open, so the network never falls silent; hydration and late chunks need a moment.
    await page.waitForTimeout(isSlow ? 2500 : 1500)
    return { bytes, unpacked, ...(await paintOf(page)) }
  } finally {
    await context.close()
  }
}

const kilobytes = (visit: Visit, kind: string) => (visit.bytes.get(kind) ?? 0) / 1024
const total = (visit: Visit) => [...visit.bytes.values()].reduce((sum, bytes) => sum + bytes, 0) / 1024

export async function run(args: readonly string[]): Promise<boolean> {
  const rounds = option(args, 'rounds', 5)
  const place = await openInstallation({ conversations: 500, messages: 50_000 })
  const server = await startChild('server/main.ts', { env: place.env })
  const browser = await launch()
  try {
    const inboxUrl = `${server.url}/org/${place.org.slug}/c/${place.longChat}`
    // The server's own first rendering is not the browser's matter.
    for (const url of [`${server.url}/login`, inboxUrl])
      await fetch(url, { headers: { cookie: place.cookies[0] as string } })
    const login = await visit(browser, `${server.url}/login`, undefined, false)
    const inbox = await visit(browser, inboxUrl, place.cookies[0], false)
    const slow: Visit[] = []
    const slowLogin: Visit[] = []
    for (let round = 0; round < rounds; round += 1) {
      slow.push(await visit(browser, inboxUrl, place.cookies[0], true))
      slowLogin.push(await visit(browser, `${server.url}/login`, undefined, true))
    }
    const shifts = [login, inbox, ...slow, ...slowLogin].map(each => each.shift)
    const weigh = (what: string, each: Visit, goal: number): Line[] => [
      bound(`${what}: JavaScript`, kilobytes(each, 'Script'), 'KB', goal),
      ...['Document', 'Stylesheet'].map(kind =>
        figure(`${what}: ${kind.toLowerCase()}`, spreadOf([kilobytes(each, kind)]), 'KB'),
      ),
      figure(`${what}: everything`, spreadOf([total(each)]), 'KB'),
    ]
    const unpacked = [...login.unpacked, ...inbox.unpacked]
    return report(
      args,
      [
        ...weigh('login', login, 150),
        ...weigh('inbox', inbox, 220),
        fact('every script came in brotli', unpacked.join(' ') || 'all', unpacked.length === 0),
        bound('layout shift, largest of all visits', Math.max(...shifts), '', 0),
        bound('inbox: first contentful paint, throttled', median(slow.map(each => each.firstPaint)), 'ms', 1200),
        figure('inbox: the same, all rounds', spreadOf(slow.map(each => each.firstPaint)), 'ms'),
        figure('login: first contentful paint, throttled', spreadOf(slowLogin.map(each => each.firstPaint)), 'ms'),
      ],
      [`a fresh browser profile each visit; throttled: median of ${rounds}; KB are 1,024 bytes with headers`],
    )
  } finally {
    await browser.close()
    await server.stop()
    place.remove()
  }
}
