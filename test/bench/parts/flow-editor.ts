import type { BrowserContext, Page } from 'playwright'
import { freePort } from '#test/crash/server-process.ts'
import { bring, launch } from './browser.ts'
import { frameModule, scriptsBeyond } from './built-scripts.ts'
import { startChild } from './child.ts'
import { callAs } from './flow-sessions.ts'
import type { Installation } from './installation.ts'
import { bound, figure, type Line } from './report.ts'
import { median, percentile, spreadOf } from './samples.ts'

const slowdown = 4
/** A new window of Chromium first loads hundreds of files of its own, for its address bar. */
const windowMs = 3000
const dragMs = 1500
const liveStep = '.react-flow__node .flow-card'
const name = 'Grande'
const typed = 'Hola, ¿te ayudo en algo?'

/** A flow with the highest number of steps: questions and messages in a row. */
const large = (nodes: number) => ({
  name,
  triggers: [{ id: 't', kind: 'manual' }],
  graph: {
    nodes: [
      { id: 's', type: 'start', position: { x: 0, y: 0 } },
      ...Array.from({ length: nodes - 1 }, (_, i) => ({
        id: `n${i}`,
        type: i % 3 ? 'message' : 'question',
        position: { x: 340 * (1 + (i % 25)), y: 220 * Math.floor(i / 25) },
        data: i % 3 ? { text: `Mensaje ${i}` } : { text: `¿Pregunta ${i}?`, variable: `v${i}`, ends: ['invalid'] },
      })),
    ],
    edges: Array.from({ length: nodes - 1 }, (_, i) => ({ source: i ? `n${i - 1}` : 's', target: `n${i}` })),
  },
})

const editorModule = 'client/flows/flow-page.tsx'
/** Modules that its page loads by itself. */
const withIt = ['client/flows/canvas/canvas.tsx', 'client/flows/editor/editor-presence.tsx']

/** Frames a second while the pointer drags a step. */
const drag = async (page: Page): Promise<number> => {
  const card = page.locator('.react-flow__node[data-id="n0"]')
  const box = await card.boundingBox()
  if (!box) throw new Error('No step is in sight')
  const [x, y] = [box.x + box.width / 2, box.y + 20]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 10, y + 10)
  // Only during the drag, because counting frames slows typing.
  await page.evaluate(() => {
    const frames = { count: 0, from: performance.now(), isOver: false }
    const next = () => {
      frames.count += 1
      if (!frames.isOver) requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
    Object.assign(window, { frames })
  })
  const until = Date.now() + dragMs
  for (let i = 0; Date.now() < until; i += 1) await page.mouse.move(x + 60 * Math.sin(i / 8), y + 40 * Math.cos(i / 8))
  const perSecond = await page.evaluate(() => {
    const { frames } = window as unknown as { frames: { count: number; from: number; isOver: boolean } }
    frames.isOver = true
    return (frames.count * 1000) / (performance.now() - frames.from)
  })
  await page.mouse.up()
  return perSecond
}

/** Milliseconds from each key event to the frame that shows it. */
const type = async (page: Page, field: string): Promise<number[]> => {
  await page.locator(field).first().click()
  await page.evaluate(() => {
    const keys: number[] = []
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        const channel = new MessageChannel()
        channel.port1.onmessage = () => void keys.push(performance.now() - timeStamp)
        requestAnimationFrame(() => channel.port2.postMessage(0))
      },
      { capture: true },
    )
    Object.assign(window, { keys })
  })
  await page.keyboard.type(typed, { delay: 120 })
  await page.waitForTimeout(300)
  return page.evaluate(() => (window as unknown as { keys: number[] }).keys)
}

const windowOf = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage()
  await page.waitForTimeout(windowMs)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return page
}

/** The cost of a letter in an empty page on this machine. */
const typeAlone = async (context: BrowserContext): Promise<number[]> => {
  const page = await windowOf(context)
  await page.setContent('<textarea rows="4"></textarea>')
  const keys = await type(page, 'textarea')
  await page.close()
  return keys
}

/** Milliseconds from a click on the flow in the list to its canvas, in an idle page. */
const openFromList = async (context: BrowserContext, listUrl: string, name: string): Promise<number> => {
  const page = await windowOf(context)
  await page.goto(listUrl)
  await page.waitForTimeout(windowMs)
  await page.evaluate(canvas => {
    const thereMs = new Promise<number>(resolve =>
      addEventListener(
        'click',
        ({ timeStamp }) => {
          const look = () => {
            if (!document.querySelector(canvas)) requestAnimationFrame(look)
            else requestAnimationFrame(() => resolve(performance.now() - timeStamp))
          }
          look()
        },
        { capture: true, once: true },
      ),
    )
    Object.assign(window, { thereMs })
  }, liveStep)
  await page.getByRole('link', { name }).click()
  const ms = await page.evaluate(() => (window as unknown as { thereMs: Promise<number> }).thereMs)
  await page.close()
  return ms
}

/** Opens a large flow, drags in it and types, in Chromium with a slower processor. */
export async function measureEditor(place: Installation, env: Record<string, string>, nodes: number, rounds: number) {
  const weight = scriptsBeyond([editorModule, ...withIt], [frameModule]) / 1024
  // Pages at an address other than the configured one may not change anything.
  const port = String(await freePort())
  const address = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` }
  const server = await startChild('server/main.ts', { env: { ...env, ...address } })
  const browser = await launch()
  const seen: number[] = []
  const opened: number[] = []
  const fromList: number[] = []
  const frames: number[] = []
  const keys: number[] = []
  const bareKeys: number[] = []
  try {
    const { id } = await callAs<{ id: string }>(server, place, '/whatsapp/flows', large(nodes), server.url)
    const url = `${server.url}/org/${place.org.slug}/flow/${id}`
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'es-AR' })
    await bring(context, server.url, place.cookies[0] as string)
    for (let round = 0; round <= rounds; round += 1) {
      const page = await windowOf(context)
      await page.addInitScript(canvas => {
        const thereMs = (what: string) =>
          new Promise<number>(resolve => {
            const look = () => {
              if (!document.querySelector(what)) requestAnimationFrame(look)
              else requestAnimationFrame(() => resolve(performance.now()))
            }
            requestAnimationFrame(look)
          })
        const times = Promise.all([thereMs('.flow-board .flow-card'), thereMs(canvas)])
        Object.assign(window, { times })
      }, liveStep)
      await page.goto(url)
      const [seenMs, openedMs] = await page.evaluate(
        () => (window as unknown as { times: Promise<[number, number]> }).times,
      )
      await page.locator('.tooltip').waitFor({ state: 'attached' })
      await page.waitForTimeout(1500)
      // The first round fills the caches of browser and server.
      if (round) {
        seen.push(seenMs)
        opened.push(openedMs)
        frames.push(await drag(page))
        await page.waitForTimeout(500)
        await page.locator('.react-flow__node[data-id="n0"]').locator('.flow-card-head').click()
        keys.push(...(await type(page, '.flow-panel textarea')))
      }
      await page.close()
      if (round) bareKeys.push(...(await typeAlone(context)))
      const fromListMs = await openFromList(context, `${server.url}/org/${place.org.slug}/flow`, name)
      if (round) fromList.push(fromListMs)
    }
  } finally {
    await browser.close()
    await server.stop()
  }
  const slow = `${nodes} nodes, processor ${slowdown} × slower`
  const lines: Line[] = [
    bound(`${slow}: its beginning is seen`, median(seen) / 1000, 's', 1.5),
    bound(`${slow}: opened, to be drawn in`, median(opened) / 1000, 's', 1.5),
    bound(`${slow}: the same from the list`, median(fromList) / 1000, 's', 1.5),
    bound(`${slow}: dragged`, median(frames), 'frames a second', 50, true),
    bound(`${slow}: typed, median`, median(keys), 'ms', 32),
    figure('  the same in a page that has nothing but a field', spreadOf([median(bareKeys)]), 'ms'),
    figure(`${slow}: typed, p95`, spreadOf([percentile(keys, 0.95)]), 'ms'),
    bound('scripts of the editor beyond those of the frame', weight, 'KB', 140),
  ]
  return lines
}
