import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import type { BulkSend, BulkSendReport } from '#shared/bulk-sends/sends.ts'
import { readSum, root, runProgram } from '#test/stages/stage.ts'
import { type Child, metered, startChild } from './parts/child.ts'
import { cores, takeLoadCore } from './parts/cores.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { bound, fact, figure, type Line, option, report } from './parts/report.ts'
import { percentile, spreadOf } from './parts/samples.ts'
import { volley } from './parts/volley.ts'

export const name = 'bulk'
export const title =
  'One template to many: planned, sent at a pace, what it costs, gone on with, killed (--only plan,slow,fast,resume,killed)'

interface Taken {
  readonly times: readonly number[]
  readonly receivers: readonly string[]
}

interface World {
  readonly server: Child
  readonly graph: Child
  readonly place: Installation
  readonly call: Call
  readonly template: string
}

/** Calls the product's API as a person. */
const caller =
  (server: () => Child, place: Installation) =>
  async <T>(method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${server().port}/api${path}`, {
      method,
      headers: {
        cookie: place.cookies[0] as string,
        origin: 'http://localhost',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
type Call = ReturnType<typeof caller>

const phoneOf = (i: number) => `54911${40_000_000 + i}`
const csvOf = (count: number, from = 0): string => {
  const lines = Array.from({ length: count }, (_, i) => `+${phoneOf(from + i)},Ana ${from + i}`)
  return `telefono,nombre\n${lines.join('\n')}\n`
}

const requestFor = (template: string, count: number, from: number) => ({
  template,
  audience: { csv: { text: csvOf(count, from), phoneColumn: 'telefono' } },
  values: { body: { '1': { from: 'column', text: 'nombre' } } },
})

/** Creates a bulk send and waits until its recipients are stored. */
const prepare = async (call: Call, template: string, count: number, from: number): Promise<string> => {
  const { id } = await call<BulkSend>('POST', '/whatsapp/bulk-sends', {
    ...requestFor(template, count, from),
    limits: { failedPercent: null, optedOutPercent: null },
  })
  for (;;) {
    const { state, counts } = await call<BulkSendReport>('GET', `/whatsapp/bulk-sends/${id}`)
    if (state === 'ready') {
      if (counts.planned !== count) throw new Error(`${counts.planned} of ${count} are planned`)
      return id
    }
    await pause(50)
  }
}

const until = async (graph: Child, count: number): Promise<void> => {
  while ((await graph.ask<number>('count')) < count) await pause(20)
}

/** The highest number of these times within any one second. */
const mostInASecond = (times: readonly number[]): number => {
  let most = 0
  for (let from = 0, to = 0; to < times.length; to += 1) {
    while ((times[to] as number) - (times[from] as number) >= 1000) from += 1
    most = Math.max(most, to - from + 1)
  }
  return most
}

const meanOf = (times: readonly number[]): number =>
  ((times.length - 1) * 1000) / ((times.at(-1) as number) - (times[0] as number))

/** Chats read a second: a light load for a process. */
const rate = 20
const readsIn = (seconds: number): number => Math.round(rate * seconds)

/** Reads chats one after another. Returns the ms to each one's last byte. */
const readChats = async (server: Child, place: Installation, seconds: number): Promise<Float64Array> => {
  const requests = place.phones.map(phone =>
    Buffer.from(
      `GET /api/whatsapp/chats/${phone} HTTP/1.1\r\nhost: localhost\r\ncookie: ${place.cookies[0]}\r\nconnection: keep-alive\r\n\r\n`,
    ),
  )
  const { last, faults } = await volley({
    ...{ port: server.port, connections: 8, count: readsIn(seconds), rate },
    request: i => requests[i % requests.length] as Buffer,
  })
  if (faults) throw new Error(`${faults} reads were refused`)
  return last
}

/** The cost of a file with `count` rows: checking, planning and storing it. */
const plans = async (count: number, { server, call, template }: World): Promise<Line[]> => {
  await pause(3000)
  await server.peak()
  await pause(1000)
  const idle = (await server.peak()).resident
  const timed = async (work: () => Promise<unknown>) => {
    const from = performance.now()
    await work()
    return { seconds: (performance.now() - from) / 1000, ...(await server.peak()) }
  }
  const request = requestFor(template, count, 0)
  const steps = {
    'looked at row by row': await timed(() => call('POST', '/whatsapp/bulk-sends/file', { csv: request.audience.csv })),
    planned: await timed(() => call('POST', '/whatsapp/bulk-sends/plan', request)),
    'written down': await timed(() => prepare(call, template, count, 0)),
  }
  const of = Object.values(steps)
  const people = count.toLocaleString('en')
  return [
    ...Object.entries(steps).map(([what, { seconds }]) => bound(`${people} rows of a file, ${what}`, seconds, 's', 20)),
    bound('memory above idle, at most', (Math.max(...of.map(one => one.resident)) - idle) / 2 ** 20, 'MB', 150),
    bound('event loop held, at most', Math.max(...of.map(one => one.heldMs)), 'ms', 50),
  ]
}

const sendsAt = async (
  perSecond: number,
  seconds: number,
  world: World & { from: number },
): Promise<{ lines: Line[]; cpuEach: number; body: string }> => {
  const { server, graph, place, call, template, from } = world
  const count = perSecond * seconds
  await call('PUT', '/whatsapp/bulk-pace', { perSecond })
  const id = await prepare(call, template, count, from)
  await readChats(server, place, 5)
  const reads = readsIn(seconds - 3)
  const quiet = await metered(server, async () => ({
    requests: reads,
    idle: await readChats(server, place, seconds - 3),
  }))
  const run = await metered(server, async () => {
    await call('POST', `/whatsapp/bulk-sends/${id}/start`)
    await until(graph, 1)
    const busy = await readChats(server, place, seconds - 3)
    await until(graph, count)
    return { requests: count, busy }
  })
  await pause(500)
  const body = await graph.ask<string>('body')
  const { times, receivers } = await graph.ask<Taken>('taken')
  const mean = meanOf(times)
  const at = `at ${perSecond} a second`
  const [idleP99, busyP99] = [percentile(quiet.idle, 0.99), percentile(run.busy, 0.99)]
  return {
    // Without the cost of the chats read meanwhile.
    cpuEach: run.cpuEach - (quiet.cpuEach * reads) / count,
    body,
    lines: [
      bound(`${at}: mean pace away from it`, (Math.abs(mean - perSecond) * 100) / perSecond, '%', 2),
      bound(`${at}: most in any second`, mostInASecond(times), '', perSecond),
      fact(
        `${at}: each once`,
        `${new Set(receivers).size} of ${count}`,
        new Set(receivers).size === count && times.length === count,
      ),
      figure(`${at}: a chat read, p99, idle`, spreadOf([idleP99]), 'ms'),
      figure(`${at}: a chat read, p99, meanwhile`, spreadOf([busyP99]), 'ms'),
      bound(`${at}: to idle`, busyP99 / idleP99, '×', 2),
    ],
  }
}

/** The process is killed when half of the messages are sent, and another one continues. */
const goesOn = async (count: number, world: World & { restart(): Promise<Child> }): Promise<Line[]> => {
  const { server, graph, place, call, template } = world
  await call('PUT', '/whatsapp/bulk-pace', { perSecond: 1000 })
  const id = await prepare(call, template, count, 300_000)
  await graph.ask('taken')
  await call('POST', `/whatsapp/bulk-sends/${id}/start`)
  await until(graph, Math.floor(count / 2))
  await server.kill()
  const killedAt = Number(process.hrtime.bigint()) / 1e6
  const before = await graph.ask<number>('count')
  await world.restart()
  const readyAt = Number(process.hrtime.bigint()) / 1e6
  await until(graph, before + 1)
  const states = async () => (await call<BulkSendReport>('GET', `/whatsapp/bulk-sends/${id}`)).counts
  while ((await states()).planned) await pause(200)
  await pause(2000)
  const { times, receivers } = await graph.ask<Taken>('taken')
  const first = times.find(at => at > killedAt) ?? Number.NaN
  const arrived = new Set(receivers)
  const db = new Sqlite(place.databasePath, { readonly: true })
  const rows = db.prepare('select given, state from bulk_recipient where send_id = ?').all(id) as {
    given: string
    state: string
  }[]
  db.close()
  // The call was under way: the outcome is unknown, so it stays unconfirmed and is not sent again.
  const unconfirmed = rows.filter(({ given, state }) => state === 'queued' && !arrived.has(given)).length
  const lost = rows.filter(({ given, state }) => state !== 'queued' && !arrived.has(given)).length
  return [
    bound(
      `killed with ${before} of ${count} sent: first one after it is ready`,
      Math.max(0, first - readyAt) / 1000,
      's',
      3,
    ),
    fact('lost', String(lost + count - rows.length), lost === 0 && rows.length === count),
    fact('doubled', String(receivers.length - arrived.size), receivers.length === arrived.size),
    { what: 'under way when it was killed, unconfirmed', value: String(unconfirmed), figure: unconfirmed },
  ]
}

/** Kills the process repeatedly on both engines. The program prints its own lines and compares our rows with Meta's. */
const killed = async (args: readonly string[]): Promise<Line[]> => {
  const [people, kills] = [option(args, 'people', 5000), option(args, 'kills', 20)]
  const load = ['--people', String(people), '--bulk-kills', String(kills), '--pace', String(option(args, 'pace', 120))]
  const words = [`${root}test/crash/run.ts`, '--only', 'bulk', '--rounds', '1', ...load]
  const lines: Line[] = []
  for (const [engine, more] of [
    ['one process on SQLite', []],
    ['two processes on PostgreSQL', ['--postgres']],
  ] as const) {
    const { failed } = readSum(await runProgram(process.execPath, [...words, ...more], { show: true }))
    lines.push(fact(`${engine}, killed ${kills} times in a send to ${people}`, `${failed} claims failed`, !failed))
  }
  return lines
}

const parts = ['plan', 'slow', 'fast', 'resume', 'killed'] as const
type Part = (typeof parts)[number]

/** `--only plan,fast`: the parts to measure; default: all. @throws for an unknown part */
const partsOf = (args: readonly string[]): ReadonlySet<string> => {
  const at = args.indexOf('--only')
  const wanted = at < 0 ? [...parts] : (args[at + 1] ?? '').split(',')
  const strange = wanted.filter(one => !parts.includes(one as Part))
  if (strange.length) throw new Error(`There is no part "${strange.join(', ')}". There are: ${parts.join(', ')}`)
  return new Set(wanted)
}

export async function run(args: readonly string[]): Promise<boolean> {
  const plays = partsOf(args)
  const place = await openInstallation({ conversations: 500, messages: 20_000 })
  takeLoadCore()
  const graph = await startChild('test/bench/peers/many.ts', { isBesideLoad: true })
  const env = { ...place.env, GRAPH_URL: graph.url }
  let server = await startChild('server/main.ts', { env })
  const restart = async () => {
    server = await startChild('server/main.ts', { env })
    return server
  }
  const call = caller(() => server, place)
  const lines: Line[] = []
  try {
    await call('POST', '/whatsapp/template/sync')
    const { items } = await call<{ items: { id: string }[] }>('GET', '/whatsapp/template?status=APPROVED')
    const template = items[0]?.id as string
    const world = { server, graph, place, call, template }
    const seconds = option(args, 'seconds', 20)
    if (plays.has('plan')) lines.push(...(await plans(option(args, 'planned', 100_000), world)))
    if (plays.has('slow'))
      lines.push(...(await sendsAt(option(args, 'slow', 80), seconds, { ...world, from: 0 })).lines)
    if (plays.has('fast')) {
      const sent = await sendsAt(option(args, 'fast', 1000), seconds, { ...world, from: 100_000 })
      lines.push(...sent.lines)
      const post = await startChild('test/bench/peers/post.ts')
      const url = `${graph.url}/v25.0/106540352242922/messages`
      const few = { url, body: sent.body, count: 5000, atOnce: 16 }
      await post.ask('post', few)
      const bare = await metered(post, async () => ({
        requests: await post.ask<number>('post', { ...few, count: 20_000 }),
      }))
      await post.stop()
      lines.push(
        figure('processor time of one of them', spreadOf([sent.cpuEach]), 'µs'),
        figure('of one of a bare loop that posts the same with undici', spreadOf([bare.cpuEach]), 'µs'),
        bound('the first to the second', sent.cpuEach / bare.cpuEach, '×', 3),
      )
    }
    if (plays.has('resume')) lines.push(...(await goesOn(option(args, 'resumed', 100_000), { ...world, restart })))
    if (plays.has('killed')) lines.push(...(await killed(args)))
    return report(args, lines, [cores])
  } finally {
    await Promise.all([server.stop(), graph.stop()])
    place.remove()
  }
}
