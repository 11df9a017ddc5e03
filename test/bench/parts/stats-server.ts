import { setTimeout as pause } from 'node:timers/promises'
import { frameModule, scriptsBeyond } from './built-scripts.ts'
import { startChild } from './child.ts'
import { takeLoadCore } from './cores.ts'
import type { Installation } from './installation.ts'
import { bound, figure, type Line } from './report.ts'
import { percentile, spreadOf } from './samples.ts'
import { volley } from './volley.ts'
import { signWebhooks } from './webhooks.ts'

const goals = { pageMs: 120, othersRatio: 2, scriptKilobytes: 30, sharePercent: 10 }
const pageModule = 'client/stats/page.tsx'
const [othersPerSecond, othersSeconds, pages, inbound] = [100, 6, 60, 3_000]
/** By then V8 has compiled the page on the one core that the server has. The first ones take up to 300 ms. */
const warmUps = 60
/** The segment job begins two seconds after a message. */
const followedMs = 4_000

/**
 * The page of statistics on a server: its first HTML, what other requests wait meanwhile, its scripts, and which share of
 * an inbound message's processor time its segments take.
 * @param perMessageUs processor time of reading one message into segments, in slices of ten
 */
export async function measureStatsServer(
  place: Installation,
  { days, perMessageUs }: { days: number; perMessageUs: number },
): Promise<Line[]> {
  takeLoadCore()
  const child = await startChild('server/main.ts', { env: place.env })
  const [cookie] = place.cookies as [string]
  const page = `${child.url}/org/${place.org.slug}/stats?days=${days}`
  const others = Buffer.from(
    `GET /api/whatsapp/conversations HTTP/1.1\r\nhost: 127.0.0.1\r\nx-organization: ${place.org.slug}\r\ncookie: ${cookie}\r\n\r\n`,
  )
  const openPages = async (count: number): Promise<number[]> => {
    const times: number[] = []
    for (let i = 0; i < count; i += 1) {
      const began = performance.now()
      const response = await fetch(page, { headers: { cookie, 'accept-language': 'es' } })
      const html = await response.text()
      times.push(performance.now() - began)
      if (response.status !== 200 || !html.includes('stats-heat')) throw new Error('The page has no figures')
    }
    return times
  }
  const askOthers = async () => {
    const count = othersPerSecond * othersSeconds
    const { last, faults } = await volley({
      ...{ port: child.port, connections: 16, count, rate: othersPerSecond },
      request: () => others,
    })
    if (faults) throw new Error(`${faults} of ${count} other requests failed`)
    return percentile(last, 0.99)
  }
  try {
    await openPages(warmUps)
    await askOthers()
    const times = await openPages(pages)
    const idle = await askOthers()
    let isAsking = true
    const opening = (async () => {
      while (isAsking) await openPages(1)
    })()
    const meanwhile = await askOthers()
    isAsking = false
    await opening
    const hooks = signWebhooks(place, inbound, 'stats')
    const before = await child.read()
    const { faults } = await volley({
      ...{ port: child.port, connections: 16, count: inbound, rate: 300 },
      request: i => hooks[i]?.request as Buffer,
    })
    if (faults) throw new Error(`${faults} webhooks failed`)
    await pause(followedMs)
    const inboundUs = ((await child.read()).cpu - before.cpu) / inbound
    return [
      bound(`page of ${days} days with comparison, whole HTML, p95`, percentile(times, 0.95), 'ms', goals.pageMs),
      figure('p99 of other requests, without the page', spreadOf([idle]), 'ms'),
      bound('p99 of other requests while it is asked for again and again', meanwhile / idle, '×', goals.othersRatio),
      bound(
        'scripts beyond the frame, brotli',
        scriptsBeyond([pageModule], [frameModule]) / 1000,
        'KB',
        goals.scriptKilobytes,
      ),
      figure('an inbound message, all that follows from it', spreadOf([inboundUs]), 'µs'),
      bound('share of it that segments take', (100 * perMessageUs) / inboundUs, '%', goals.sharePercent),
    ]
  } finally {
    await child.stop()
  }
}
