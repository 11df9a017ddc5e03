import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BrowserContext, CDPSession, Locator, Page } from 'playwright'
import { bring, launch } from './parts/browser.ts'
import { startChild } from './parts/child.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { bound, fact, figure, type Line, option, report } from './parts/report.ts'
import { percentile, spreadOf } from './parts/samples.ts'
import type { UploadTask, UploadWord } from './parts/uploader.ts'
import { signWebhooks } from './parts/webhooks.ts'

export const name = 'chat'
export const title =
  'The inbox in a browser: a message painted, a chat opened, typing, scrolling; a file of 100 MB taken'

const perSecond = 50
const showWithinMs = 20_000
const slowdown = 4
const restMs = 120
const fileBytes = 100 * 1024 * 1024
/** As many chats as are read beside the file, to subtract the memory that they alone take. */
const idleReads = 2000
const post = (url: string, request: Buffer): Promise<Response> => {
  const text = request.toString('utf8')
  const head = text.slice(0, text.indexOf('\r\n\r\n'))
  const path = head.split(' ')[1] ?? ''
  const signature = /x-hub-signature-256: ?(\S+)/i.exec(head)?.[1] ?? ''
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    body: text.slice(text.indexOf('\r\n\r\n') + 4),
  })
}

/** Waits until the page is hydrated and has loaded its idle parts. */
const settle = async (page: Page, address: string): Promise<void> => {
  await page.goto(address)
  await page.locator('.tooltip').waitFor({ state: 'attached' })
  await page.waitForTimeout(1500)
}

const pageAt = async (context: BrowserContext, address: string): Promise<Page> => {
  const page = await context.newPage()
  page.setDefaultTimeout(showWithinMs)
  await settle(page, address)
  return page
}

/** The time from sending a webhook until its text is in the list, plus one frame. */
const painted = async (page: Page, url: string, place: Installation, seconds: number): Promise<number[]> => {
  const webhooks = signWebhooks(place, perSecond * seconds, `chat${Date.now() % 1_000_000}`, 40)
  await page.evaluate(() => {
    const seen = new Map<string, number>()
    Object.assign(window, { seen })
    const list = document.querySelector('.inbox-list') ?? document.body
    new MutationObserver(() => {
      for (const row of list.querySelectorAll('.row-last')) {
        const mark = /\((\d+)\)$/.exec(row.textContent ?? '')?.[1]
        if (mark === undefined || seen.has(mark)) continue
        seen.set(mark, Number.NaN)
        requestAnimationFrame(() => seen.set(mark, performance.timeOrigin + performance.now()))
      }
    }).observe(list, { childList: true, subtree: true, characterData: true })
  })
  const sent = new Map<string, number>()
  for (const [i, { request }] of webhooks.entries()) {
    sent.set(String(i), performance.timeOrigin + performance.now())
    void post(url, request).catch(() => undefined)
    await page.waitForTimeout(1000 / perSecond)
  }
  await page.waitForTimeout(2000)
  const seen = await page.evaluate(() => [...(window as unknown as { seen: Map<string, number> }).seen])
  return seen.flatMap(([mark, at]) => (Number.isNaN(at) ? [] : [at - (sent.get(mark) ?? at)]))
}

/** Two fully visible rows. Clicking another one would scroll the list and render it again. */
const rowsInSight = async (page: Page) => {
  const ids = await page.evaluate(() => {
    const box = document.querySelector('.inbox-list .rows')?.getBoundingClientRect()
    return [...document.querySelectorAll<HTMLElement>('.inbox-list a.row')]
      .filter(row => {
        const { top, bottom } = row.getBoundingClientRect()
        return box !== undefined && top >= box.top && bottom <= box.bottom
      })
      .map(row => row.dataset.id)
  })
  return [2, 3].map(i => page.locator(`.inbox-list a.row[data-id="${ids[i]}"]`))
}

/** The time from a click on another chat's row until its thread is shown, plus one frame. */
const opened = async (page: Page, times: number): Promise<number[]> => {
  const found: number[] = []
  const rows = await rowsInSight(page)
  for (let turn = 0; turn < times; turn += 1) {
    const row = rows[turn % 2] as Locator
    await page.evaluate(() => {
      const isThere = (path: string) =>
        location.pathname !== path &&
        document.querySelector('.thread .said') &&
        !document.querySelector('.thread-skeleton')
      const painted = new Promise<number>(resolve => {
        const path = location.pathname
        const begin = ({ timeStamp }: Event) => {
          const look = () => {
            if (isThere(path)) requestAnimationFrame(() => resolve(performance.now() - timeStamp))
            else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        }
        addEventListener('click', begin, { capture: true, once: true })
      })
      Object.assign(window, { painted })
    })
    // A pointer hovers before it clicks.
    await row.hover()
    await page.waitForTimeout(restMs)
    await row.click()
    found.push(await page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted))
    await page.waitForTimeout(300)
  }
  return found
}

const frameMs = 1000 / 60

/**
 * The page's processor time for a key and the frame that shows it, and the elapsed time. A key comes at any moment of a
 * frame, so the elapsed time contains a wait of up to one frame.
 */
const typed = async (page: Page, selector: string, letters: number) => {
  const devtools = await page.context().newCDPSession(page)
  await page.bringToFront()
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busy = async () => {
    const { metrics } = (await devtools.send('Performance.getMetrics')) as {
      metrics: { name: string; value: number }[]
    }
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  }
  await page.locator(selector).last().click()
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(window, { times })
    addEventListener(
      'keydown',
      () => {
        const began = performance.now()
        const channel = new MessageChannel()
        // The frame is painted.
        channel.port1.onmessage = () => times.push(performance.now() - began)
        setTimeout(() => channel.port2.postMessage(0), 0)
      },
      { capture: true },
    )
  })
  const work: number[] = []
  for (let letter = 0; letter < letters; letter += 1) {
    const before = await busy()
    await page.keyboard.press('a')
    await page.waitForTimeout(4 * frameMs)
    work.push((await busy()) - before)
  }
  return { work, taken: await page.evaluate(() => (window as unknown as { times: number[] }).times) }
}

/** Frames a second while an element is scrolled, and the highest number of DOM nodes. */
const scrolled = async (page: Page, devtools: CDPSession, selector: string, by: number) => {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const heap = async () => {
    await devtools.send('HeapProfiler.collectGarbage')
    const { usedSize } = (await devtools.send('Runtime.getHeapUsage')) as { usedSize: number }
    return usedSize / 1024 / 1024
  }
  const before = await heap()
  const { frames, nodes } = await page.evaluate(
    ({ selector, by }) =>
      new Promise<{ frames: number; nodes: number }>(resolve => {
        const box = document.querySelector(selector) as HTMLElement
        const began = performance.now()
        let count = 0
        let nodes = 0
        const step = () => {
          box.scrollTop += by
          count += 1
          nodes = Math.max(nodes, document.querySelectorAll('*').length)
          if (performance.now() - began < 4000) requestAnimationFrame(step)
          else resolve({ frames: count / ((performance.now() - began) / 1000), nodes })
        }
        requestAnimationFrame(step)
      }),
    { selector, by },
  )
  const grown = (await heap()) - before
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return { frames, nodes, grown }
}

const inBrowser = async (url: string, place: Installation, args: readonly string[]): Promise<Line[]> => {
  const browser = await launch()
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'es-AR' })
    await bring(context, url, place.cookies[0] as string)
    const page = await pageAt(context, `${url}/org/${place.org.slug}/c/${place.longChat}`)
    const devtools = await context.newCDPSession(page)
    const thread = await scrolled(page, devtools, '.messages', -60)
    const list = await scrolled(
      page,
      devtools,
      '.inbox-list .list-scroll, .inbox-list [data-scroller], .inbox-list .rows',
      60,
    )
    await opened(page, 4)
    const clicks = await opened(page, option(args, 'rounds', 20))
    // Few of the seeded chats have an open window.
    const [customer] = signWebhooks(place, 1, `in${Date.now() % 1_000_000}`, 1)
    if (customer) await post(url, customer.request)
    await settle(page, `${url}/org/${place.org.slug}/c/5491140000000`)
    const keys = await typed(page, '.composer textarea', 60)
    // The cost of a letter in an empty page on this machine.
    const bare = await context.newPage()
    await bare.setContent('<textarea></textarea>')
    const bareKeys = await typed(bare, 'textarea', 60)
    await bare.close()
    const news = await painted(page, url, place, option(args, 'seconds', 10))
    return [
      bound('a new message to painted, 50 a second, p95', percentile(news, 0.95), 'ms', 150),
      figure('  seen of them', spreadOf([news.length]), ''),
      bound('a conversation pressed to its thread painted, warm, p95', percentile(clicks, 0.95), 'ms', 100),
      bound('typing in the composer, processor time of a letter, p95', percentile(keys.work, 0.95), 'ms', 16),
      figure('  the same in a page that has nothing but a field', spreadOf([percentile(bareKeys.work, 0.95)]), 'ms'),
      figure(
        `  until its frame is drawn, of which up to ${frameMs.toFixed(1)} ms wait for it, p95`,
        spreadOf([percentile(keys.taken, 0.95)]),
        'ms',
      ),
      bound('frames a second, thread, slowed', thread.frames, '', 50, true),
      bound('frames a second, list, slowed', list.frames, '', 50, true),
      bound('nodes of the page at most', Math.max(thread.nodes, list.nodes), '', 1500),
      figure('heap grown by scrolling', spreadOf([thread.grown + list.grown]), 'MB'),
    ]
  } finally {
    await browser.close()
  }
}

const uploading = async (server: Awaited<ReturnType<typeof startChild>>, place: Installation): Promise<Line[]> => {
  const headers = { cookie: place.cookies[0] as string, 'x-organization': place.org.slug }
  const read = async () => {
    const began = performance.now()
    await (await fetch(`${server.url}/api/whatsapp/conversations`, { headers })).arrayBuffer()
    return performance.now() - began
  }
  const reads = async (while_: () => boolean) => {
    const times: number[] = []
    while (while_()) times.push(await read())
    return times
  }
  for (let warm = 0; warm < 50; warm += 1) await read()
  const idle: number[] = []
  for (let one = 0; one < idleReads; one += 1) idle.push(await read())
  const [customer] = signWebhooks(place, 1, `up${Date.now() % 1_000_000}`, 1)
  if (customer) await post(server.url, customer.request)
  const before = await server.read()
  await server.peak()
  const task: UploadTask = {
    url: `${server.url}/api/whatsapp/messages`,
    headers,
    numberTel: '5491140000000',
    bytes: fileBytes,
  }
  const worker = new Worker(new URL('./parts/uploader.ts', import.meta.url), { workerData: task })
  const next = async () => (await once(worker, 'message'))[0] as UploadWord
  await next()
  let isUp = true
  const upload = next().finally(() => {
    isUp = false
  })
  const beside = await reads(() => isUp)
  const status = await upload
  const peak = await server.peak()
  return [
    bound('memory grown by a file of 100 MB', (peak.resident - before.resident) / 1024 / 1024, 'MB', 30),
    bound('p99 of a list read beside it, to idle', percentile(beside, 0.99) / percentile(idle, 0.99), '×', 2),
    fact('it was taken', String(status), status === 202),
    figure('  reads beside it', spreadOf([beside.length]), ''),
  ]
}

/** `--conversations N --messages N --rounds N --seconds N`. */
export async function run(args: readonly string[]): Promise<boolean> {
  const volume = {
    conversations: option(args, 'conversations', 10_000),
    messages: option(args, 'messages', 200_000),
  }
  const place = await openInstallation({ ...volume, people: 1 })
  const server = await startChild('server/main.ts', { env: place.env })
  try {
    const seen = args.includes('--no-browser') ? [] : await inBrowser(server.url, place, args)
    const taken = await uploading(server, place)
    return report(
      args,
      [...seen, ...taken],
      [`Chromium at 1440 px; slowed: ${slowdown} ×; list of ${volume.conversations} conversations`],
    )
  } finally {
    await server.stop()
    place.remove()
  }
}
