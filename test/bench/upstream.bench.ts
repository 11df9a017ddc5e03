import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { type Child, metered, startChild } from './parts/child.ts'
import { cores, takeLoadCore } from './parts/cores.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { bound, fact, figure, type Line, option, ratio, report } from './parts/report.ts'
import { interleave, percentile, ratioOf, spreadOf } from './parts/samples.ts'
import { loadTool, saturate } from './parts/saturation.ts'

export const name = 'upstream'
export const title = 'In front of a product API: a call that passes, a page of three calls, events of its stream'

const connections = 16
const people = 150
const path = '/api/whatsapp/template'
/** The slowest of the three calls of a page takes this long at the product API. */
const delays = { '/verify/waba': 50, '/whatsapp/conversations': 80, '/whatsapp/chats/': 100 }
const slowestMs = 100

type Servers = Record<'recado' | 'proxy', Child>

/** One address at each, as much as goes. */
const reads = async (
  what: string,
  servers: Servers,
  { place, paths, args }: { place: Installation; paths: Record<keyof Servers, string>; args: readonly string[] },
): Promise<Line[]> => {
  const [rounds, seconds] = [option(args, 'rounds', 5), option(args, 'seconds', 3)]
  const headers = place.cookies.map(cookie => ({ cookie }))
  const shoot = (who: keyof Servers) => () =>
    metered(servers[who], () => saturate({ url: servers[who].url + paths[who], headers, connections, seconds }))
  const contestants = { recado: shoot('recado'), proxy: shoot('proxy') }
  for (const warmUp of Object.values(contestants)) await warmUp()
  const results = await interleave(rounds, contestants)
  const cpu = (who: keyof Servers) => results[who].map(({ cpuEach }) => cpuEach)
  return [
    figure(`${what}, processor time: recado`, spreadOf(cpu('recado')), 'µs'),
    figure(`${what}, processor time: bare @fastify/http-proxy`, spreadOf(cpu('proxy')), 'µs'),
    ratio(`${what}, to bare @fastify/http-proxy`, ratioOf(cpu('recado'), cpu('proxy')), 1.5, false),
  ]
}

/** The address under which members load the file of the first message. */
const fileAddress = async (recado: Child, place: Installation): Promise<string> => {
  const headers = { cookie: place.cookies[0] as string }
  const response = await fetch(`${recado.url}/api/whatsapp/chats/5491170010000`, { headers })
  const { items } = (await response.json()) as { items: { media?: { url: string } }[] }
  return items.find(({ media }) => media)?.media?.url as string
}

/** A chat with its list and number: the time beyond the slowest call. */
const pages = async (recado: Child, api: Child, place: Installation, count: number): Promise<Line[]> => {
  const [cookie] = place.cookies as [string]
  const open = async () => {
    const began = performance.now()
    const response = await fetch(`${recado.url}/org/${place.org.slug}/c/5491170010000`, { headers: { cookie } })
    const text = await response.text()
    return {
      ms: performance.now() - began,
      isWhole: response.status === 200 && text.includes('mensaje 49 de un pedido'),
    }
  }
  for (let i = 0; i < 20; i += 1) await open()
  await api.ask('delay', { delays })
  const times: number[] = []
  let isWhole = true
  const before = await api.ask<number>('asked')
  for (let i = 0; i < count; i += 1) {
    const page = await open()
    times.push(page.ms - slowestMs)
    isWhole &&= page.isWhole
    await pause(30)
  }
  const calls = ((await api.ask<number>('asked')) - before) / count
  await api.ask('delay', { delays: {} })
  return [
    bound('page of a chat, beyond its slowest call, median', percentile(times, 0.5), 'ms', 15),
    figure('page of a chat, beyond its slowest call, p95', spreadOf([percentile(times, 0.95)]), 'ms'),
    fact('every page whole', `${count} pages, ${calls.toFixed(1)} calls each`, isWhole),
  ]
}

const events = async (recado: Child, api: Child, place: Installation, perSecond: number, seconds: number) => {
  const db = new Sqlite(place.databasePath, { readonly: true })
  const last = db.prepare('select last_id from upstream_stream').pluck()
  const stored = db.prepare('select count(*) from upstream_event').pluck()
  try {
    for (
      let waited = 0;
      waited < 15_000 && !(await api.ask<{ streams: number }>('ring', { perSecond: 1, seconds: 0 })).streams;
      waited += 100
    )
      await pause(100)
    const ring = async (rate: number, duration: number) => {
      const rung = await api.ask<{ made: number; last: number }>('ring', { perSecond: rate, seconds: duration })
      const began = performance.now()
      while (Number(last.get()) < rung.last && performance.now() - began < 60_000) await pause(5)
      return { ...rung, behindMs: performance.now() - began }
    }
    await ring(200, 2)
    const stopAt = Number(stored.get())
    await recado.peak()
    const before = await recado.read()
    const rung = await ring(perSecond, seconds)
    const after = await recado.read()
    const count = Number(stored.get()) - stopAt
    return [
      bound(`${perSecond} events a second: the last one stored after`, rung.behindMs, 'ms', 1_000),
      figure('processor time of an event', spreadOf([(after.cpu - before.cpu) / rung.made]), 'µs'),
      figure('longest hold of the event loop meanwhile', spreadOf([(await recado.peak()).heldMs]), 'ms'),
      fact('every event stored once', `${count} of ${rung.made}`, count === rung.made),
    ]
  } finally {
    db.close()
  }
}

export async function run(args: readonly string[]): Promise<boolean> {
  const place = await openInstallation({ conversations: 0, messages: 0, people })
  // An organization with a number of its own keeps its own database.
  const db = new Sqlite(place.databasePath)
  db.prepare('update wa_connection set disconnected_at = updated_at').run()
  db.close()
  takeLoadCore()
  const api = await startChild('test/bench/peers/upstream.ts', { args: [place.org.id], isBesideLoad: true })
  const env = { ...place.env, PRODUCT_API_URL: api.url, OUTBOUND_ALLOW: '127.0.0.1' }
  const recado = await startChild('server/main.ts', { env })
  const proxy = await startChild('test/bench/peers/proxy.ts', { args: [api.url] })
  try {
    const servers = { recado, proxy }
    const file = await fileAddress(recado, place)
    const lines = [
      ...(await reads('a file of 48 KB', servers, { place, args, paths: { recado: file, proxy: '/api/files/1' } })),
      ...(await reads('30 templates', servers, { place, args, paths: { recado: path, proxy: path } })),
      ...(await pages(recado, api, place, option(args, 'pages', 100))),
      ...(await events(recado, api, place, option(args, 'events', 1_000), option(args, 'for', 10))),
    ]
    return report(args, lines, [`${loadTool} over ${connections} connections, ${people} people in turn; ${cores}`])
  } finally {
    await Promise.all([recado.stop(), proxy.stop(), api.stop()])
    place.remove()
  }
}
