import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { startPostgres } from '../helpers/postgres.ts'
import { type Child, startChild } from './parts/child.ts'
import { cores, takeLoadCore } from './parts/cores.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { postgresTime } from './parts/postgres-time.ts'
import { openReaders } from './parts/readers.ts'
import { bound, fact, figure, type Line, option, ratio, report, written } from './parts/report.ts'
import { interleave, percentile, ratioOf, spreadOf } from './parts/samples.ts'
import { volley } from './parts/volley.ts'
import { type SignedWebhook, signWebhooks } from './parts/webhooks.ts'
import type { MoveOutcome } from './subjects/move.ts'

export const name = 'engines'
export const title = 'PostgreSQL beside SQLite: processor time of process and database, several processes, moving over'

const connections = 16
const people = 150
const poolSize = 10
const eventsPerSecond = 200
const drainMs = 120_000
/** Enough connections to keep both sides busy. */
const floodConnections = 64
const warmVolleys = 3
const volleysPerRound = 2
/** The bare elements need only this share of the product's pages for a stable figure. */
const bareShare = 0.5
/** A minute after its start a backend deletes old data. Its commits invalidate caches and must not count. */
const untilRestMs = 70_000
const restMs = 3000
const arriveMs = 30_000
/** With fewer messages, one-time costs would outweigh the figure. */
const enoughMessages = 100_000

type Postgres = Awaited<ReturnType<typeof startPostgres>>
const urlOf = ({ port }: Postgres, database: string) =>
  `postgres://postgres@127.0.0.1:${port}/${database}?pool=${poolSize}`

/** The servers on one database. */
interface Backend {
  readonly servers: readonly Child[]
  /** Counts rows directly in the database. */
  count(where: string, table?: string): Promise<number>
  /** Processor time of the processes and their database since their start, without that of `count`; microseconds. */
  time(): Promise<number>
  close(): Promise<void>
}

const timeOf = async (servers: readonly Child[]) =>
  (await Promise.all(servers.map(server => server.read()))).reduce((sum, { cpu }) => sum + cpu, 0)

const connect = async (postgres: Postgres, database: string) => {
  const client = new pg.Client({ host: '127.0.0.1', port: postgres.port, user: 'postgres', database })
  await client.connect()
  return client as pg.Client & { readonly processID: number }
}

const ask = async (postgres: Postgres, database: string, statement: string) => {
  const client = await connect(postgres, database)
  try {
    return (await client.query(statement)).rows[0] as { count: string } | undefined
  } finally {
    await client.end()
  }
}

const onPostgres = async (
  place: Installation,
  postgres: Postgres,
  database: string,
  processes: number,
  dataDir: string,
): Promise<Backend> => {
  const env = { ...place.env, DATA_DIR: dataDir, DATABASE_URL: urlOf(postgres, database) }
  const servers: Child[] = []
  for (let i = 0; i < processes; i += 1) servers.push(await startChild('server/main.ts', { env }))
  const looker = await connect(postgres, database)
  return {
    servers,
    count: async (where, table = 'webhook_journal') =>
      Number((await looker.query(`select count(*) from ${table} where ${where}`)).rows[0].count),
    time: async () => (await timeOf(servers)) + postgresTime(postgres.pid, database, looker.processID),
    close: () => looker.end(),
  }
}

const onSqlite = async (place: Installation): Promise<Backend> => {
  const servers = [await startChild('server/main.ts', { env: place.env })]
  return {
    servers,
    async count(where, table = 'webhook_journal') {
      const db = new Sqlite(place.databasePath, { readonly: true })
      try {
        return db.prepare(`select count(*) from ${table} where ${where}`).pluck().get() as number
      } finally {
        db.close()
      }
    },
    time: () => timeOf(servers),
    close: async () => undefined,
  }
}

const drained = async ({ count }: Backend) => {
  for (const begin = performance.now(); (await count('state = 0')) > 0; await pause(50))
    if (performance.now() - begin > drainMs) throw new Error('Webhooks are still waiting to be derived')
}

/**
 * Distributes `count` requests over the product's servers, each as busy as a single one would be. Returns the processor
 * time of each request in microseconds.
 */
const shoot = async (
  backend: Pick<Backend, 'servers' | 'time'>,
  count: number,
  request: (i: number) => Buffer,
  after = async () => {},
) => {
  const { servers } = backend
  const share = Math.ceil(count / servers.length)
  const before = await backend.time()
  const outcomes = await Promise.all(
    servers.map(({ port }, at) => volley({ port, connections, count: share, request: i => request(at * share + i) })),
  )
  await after()
  const faults = outcomes.reduce((sum, outcome) => sum + outcome.faults, 0)
  if (faults) throw new Error(`${faults} of ${count} answers were no success: the round is void`)
  return ((await backend.time()) - before) / (share * servers.length)
}

/**
 * The cost of four processes relative to one without any coordination: they render the product's elements from memory.
 * Processes on one core evict each other's processor caches.
 */
const bareFourToOne = async (place: Installation, { rounds, count }: { rounds: number; count: number }) => {
  const path = `/org/${place.org.slug}/c/${place.longChat}`
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
  const peers: Child[] = []
  const backendOf = (servers: readonly Child[]) => ({ servers, time: () => timeOf(servers) })
  try {
    for (let i = 0; i < 5; i += 1)
      peers.push(
        await startChild('test/bench/peers/ssr.ts', { env: place.env, args: [path, place.cookies[0] as string] }),
      )
    const [one, four] = [backendOf(peers.slice(0, 1)), backendOf(peers.slice(1))]
    const round = (backend: typeof one) => shoot(backend, Math.round(count * bareShare), () => request)
    await round(one)
    for (const _ of four.servers) await round(four)
    return await interleave(rounds, { one: () => round(one), four: () => round(four) })
  } finally {
    await Promise.all(peers.map(peer => peer.stop()))
  }
}

const units = ['inbox page', 'list', 'durable webhook'] as const
type Unit = (typeof units)[number]
/** Can be run one by one, because together they take long. */
const parts = ['pages', 'lists', 'webhooks', 'inserts', 'across', 'move'] as const
type Part = (typeof parts)[number]
const unitOf: Partial<Record<Part, Unit>> = { pages: 'inbox page', lists: 'list', webhooks: 'durable webhook' }
const goals: Record<Unit, number> = { 'inbox page': 2, list: 2.5, 'durable webhook': 3 }
const backends = ['sqlite', 'one', 'four'] as const

const perUnit = async (
  place: Installation,
  all: Record<(typeof backends)[number], Backend>,
  asked: readonly Unit[],
  { rounds, count }: { rounds: number; count: number },
): Promise<Line[]> => {
  const get = (path: string) => (i: number) =>
    Buffer.from(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-language: es\r\ncookie: ${place.cookies[i % people]}\r\n\r\n`,
    )
  let sent = 0
  const webhooks = async (backend: Backend) => {
    sent += 1
    const hooks = signWebhooks(place, count, `e${sent}x`)
    return shoot(
      backend,
      count,
      i => hooks[i]?.request as Buffer,
      () => drained(backend),
    )
  }
  const ways: Record<Unit, (backend: Backend) => Promise<number>> = {
    'inbox page': backend => shoot(backend, count, get(`/org/${place.org.slug}/c/${place.longChat}`)),
    list: backend => shoot(backend, count, get('/api/whatsapp/conversations?pageSize=50')),
    'durable webhook': webhooks,
  }
  const lines: Line[] = []
  for (const unit of asked) {
    // Warms up each process as often as the single one, so that compilation and caches do not count.
    for (const backend of backends) for (const _ of all[backend].servers) await ways[unit](all[backend])
    const spent = await interleave(rounds, {
      sqlite: () => ways[unit](all.sqlite),
      one: () => ways[unit](all.one),
      four: () => ways[unit](all.four),
    })
    lines.push(
      figure(`${unit}: SQLite, processor time`, spreadOf(spent.sqlite), 'µs'),
      figure(`${unit}: PostgreSQL, one process`, spreadOf(spent.one), 'µs'),
      figure(`${unit}: PostgreSQL, four processes`, spreadOf(spent.four), 'µs'),
      ratio(`${unit}: PostgreSQL to SQLite`, ratioOf(spent.one, spent.sqlite), goals[unit], false),
      ratio(`${unit}: four processes to one`, ratioOf(spent.four, spent.one), 1.15, false),
    )
    if (unit !== 'inbox page') continue
    const bare = await bareFourToOne(place, { rounds, count })
    const machine = ratioOf(bare.four, bare.one).median
    lines.push(
      figure('the same elements bare, from memory: four processes to one', ratioOf(bare.four, bare.one), '×'),
      ratio(
        'inbox page: four to one, to the same bare',
        ratioOf(
          spent.four,
          spent.one.map(each => each * machine),
        ),
        1.15,
        false,
      ),
    )
  }
  if (!sent) return lines
  const found = await Promise.all(
    backends.map(async backend => [
      await all[backend].count("wamid like 'wamid.HBgNNTQ5MTEe%'", 'message'),
      await all[backend].count('state = 1'),
    ]),
  )
  const expected = backends.flatMap(backend => {
    const each = count * (rounds + all[backend].servers.length)
    return [each, each]
  })
  lines.push(
    fact(
      'each webhook once in journal and messages, of all three',
      `${found.flat().join(', ')} of ${expected.join(', ')}`,
      found.flat().every((each, i) => each === expected[i]),
    ),
  )
  return lines
}

/** A bare receiver on the same server of PostgreSQL. */
const onBare = async (place: Installation, postgres: Postgres, database: string): Promise<Backend> => {
  const url = `postgres://postgres@127.0.0.1:${postgres.port}/${database}`
  const { id, appSecret } = place.connection
  const server = await startChild('test/bench/peers/insert.ts', { args: [url, String(poolSize), id, appSecret] })
  const looker = await connect(postgres, database)
  return {
    servers: [server],
    count: async () => 0,
    time: async () => (await timeOf([server])) + postgresTime(postgres.pid, database, looker.processID),
    close: () => looker.end(),
  }
}

interface Taken {
  readonly perSecond: number
  /** Processor time per webhook until all were answered, and until all were applied; microseconds. */
  readonly answered: number
  readonly derived: number
}

/** Sends webhooks as fast as they are answered. */
const flood = async (backend: Backend, hooks: readonly SignedWebhook[]): Promise<Taken> => {
  const count = hooks.length
  const [{ port }] = backend.servers as [Child]
  const before = await backend.time()
  const { seconds, faults } = await volley({
    port,
    connections: floodConnections,
    count,
    request: i => hooks[i]?.request as Buffer,
  })
  const answered = (await backend.time()) - before
  if (faults) throw new Error(`${faults} of ${count} answers were no success: the round is void`)
  await drained(backend)
  return { perSecond: count / seconds, answered: answered / count, derived: ((await backend.time()) - before) / count }
}

/**
 * Compares storing webhooks with a bare receiver. Load and both sides share the machine, so the processor time until
 * the answers is compared. The product's later work on a webhook is a figure of its own.
 */
const againstInserts = async (
  place: Installation,
  one: Backend,
  bare: Backend,
  { rounds, count }: { rounds: number; count: number },
): Promise<Line[]> => {
  let sent = 0
  const volleyAt = (backend: Backend) => () => {
    sent += 1
    return flood(backend, signWebhooks(place, count, `b${sent}x`))
  }
  const ways = { subject: volleyAt(one), bare: volleyAt(bare) }
  for (let warm = 0; warm < warmVolleys; warm += 1) for (const warmUp of Object.values(ways)) await warmUp()
  const { subject, bare: peer } = await interleave(rounds * volleysPerRound, ways)
  const each = (taken: readonly Taken[], what: keyof Taken) => taken.map(one => one[what])
  return [
    figure('webhook on PostgreSQL, processor time until its answer', spreadOf(each(subject, 'answered')), 'µs'),
    figure(
      `bare pg, one INSERT and COMMIT each, pool of ${poolSize}, the same`,
      spreadOf(each(peer, 'answered')),
      'µs',
    ),
    ratio('bare pg to webhook, processor time', ratioOf(each(peer, 'answered'), each(subject, 'answered')), 2.5),
    figure('webhook, with what is derived of it later', spreadOf(each(subject, 'derived')), 'µs'),
    figure('webhooks answered', spreadOf(each(subject, 'perSecond')), '/s'),
    figure('bare pg, the same', spreadOf(each(peer, 'perSecond')), '/s'),
    figure('webhooks to bare pg, answers a second', ratioOf(each(subject, 'perSecond'), each(peer, 'perSecond')), '×'),
  ]
}

/** An event is created in one process and read from another one's stream. */
const acrossProcesses = async (
  place: Installation,
  four: Backend,
  env: Record<string, string>,
  seconds: number,
): Promise<Line[]> => {
  const ringer = await startChild('test/bench/subjects/live.ts', { env, args: [place.org.id] })
  try {
    const port = (four.servers[0] as Child).port
    const readers = await openReaders({ port, count: 1, cookies: place.cookies, timesFrom: () => true })
    const [reader] = readers.list
    const ring = async (seconds: number) => {
      const before = reader?.delays.length ?? 0
      const made = await ringer.ask<number>('ring', { perSecond: eventsPerSecond, seconds, padding: 120 })
      for (let waited = 0; (reader?.delays.length ?? 0) < before + made && waited < arriveMs; waited += 50)
        await pause(50)
      return made
    }
    const warm = await ring(1)
    const made = await ring(seconds)
    readers.close()
    const delays = reader?.delays.slice(warm) ?? []
    return [
      bound(`event of one process at another's tab, ${eventsPerSecond}/s, p99`, percentile(delays, 0.99), 'ms', 50),
      figure('the same, p50', spreadOf([percentile(delays, 0.5)]), 'ms'),
      fact(
        'every event there once, in order',
        `${delays.length} of ${made}, ${reader?.gaps} gaps`,
        delays.length === made && reader?.gaps === 0,
      ),
    ]
  } finally {
    await ringer.stop()
  }
}

const moving = async (postgres: Postgres, messages: number): Promise<Line[]> => {
  const place = await openInstallation({ conversations: Math.max(1, Math.round(messages / 100)), messages })
  const mover = await startChild('test/bench/subjects/move.ts', { env: place.env, flags: ['--expose-gc'] })
  try {
    await ask(postgres, 'postgres', 'create database moved')
    const idle = (await mover.settle()).resident
    const outcome = await mover.ask<MoveOutcome>('move', { to: urlOf(postgres, 'moved') })
    if (outcome.fault) throw new Error(outcome.fault)
    const there = Number((await ask(postgres, 'moved', 'select count(*) from message'))?.count)
    return [
      figure(`moving ${written(messages)} messages (${written(outcome.rows)} rows)`, spreadOf([outcome.seconds]), 's'),
      ...(messages < enoughMessages
        ? []
        : [bound('the same for a million', (outcome.seconds * 1_000_000) / messages, 's', 120)]),
      bound('its memory above idle', (outcome.peak - idle) / 2 ** 20, 'MB', 150),
      fact('all messages there', `${there} of ${messages}`, there === messages),
    ]
  } finally {
    await mover.stop()
    place.remove()
  }
}

/** Runs parts of the benchmark with all three backends. */
const inBackends = async (
  place: Installation,
  postgres: Postgres,
  folder: string,
  children: Child[],
  wanted: readonly Part[],
  args: readonly string[],
): Promise<Line[]> => {
  const volume = { rounds: option(args, 'rounds', 5), count: option(args, 'count', 3000) }
  await ask(postgres, 'postgres', 'create database one')
  const mover = await startChild('test/bench/subjects/move.ts', { env: place.env })
  const moved = await mover.ask<MoveOutcome>('move', { to: urlOf(postgres, 'one') })
  await mover.stop()
  if (moved.fault) throw new Error(moved.fault)
  for (const copy of ['four', 'bare']) await ask(postgres, 'postgres', `create database ${copy} template one`)
  const all = {
    sqlite: await onSqlite(place),
    one: await onPostgres(place, postgres, 'one', 1, join(folder, 'one')),
    four: await onPostgres(place, postgres, 'four', 4, join(folder, 'four')),
  }
  children.push(...all.sqlite.servers, ...all.one.servers, ...all.four.servers)
  try {
    await pause(untilRestMs)
    const before = await all.four.time()
    await pause(restMs)
    const rest = ((await all.four.time()) - before) / restMs
    const asked = wanted.flatMap(part => unitOf[part] ?? [])
    const lines = [
      ...(await perUnit(place, all, asked, volume)),
      figure('at rest: four processes and their database', spreadOf([rest]), 'ms/s'),
    ]
    if (wanted.includes('inserts')) {
      const bare = await onBare(place, postgres, 'bare')
      children.push(...bare.servers)
      lines.push(...(await againstInserts(place, all.one, bare, volume)))
      await bare.close()
    }
    const env = { ...place.env, DATA_DIR: join(folder, 'four'), DATABASE_URL: urlOf(postgres, 'four') }
    if (wanted.includes('across'))
      lines.push(...(await acrossProcesses(place, all.four, env, option(args, 'seconds', 10))))
    return lines
  } finally {
    for (const backend of backends) await all[backend].close()
  }
}

export async function run(args: readonly string[]): Promise<boolean> {
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined
  const wanted = parts.filter(part => only === undefined || part === only)
  if (!wanted.length) throw new Error(`--only is one of ${parts.join(', ')}, not ${only}`)
  const [rounds, count] = [option(args, 'rounds', 5), option(args, 'count', 3000)]
  const postgres = await startPostgres({ isDurable: true })
  const conversations = option(args, 'conversations', 10_000)
  const place = await openInstallation({ conversations, messages: conversations * 10, people })
  const folder = mkdtempSync(join(tmpdir(), 'recado-bench-engines-'))
  const children: Child[] = []
  try {
    takeLoadCore()
    const lines = wanted.some(part => part !== 'move')
      ? await inBackends(place, postgres, folder, children, wanted, args)
      : []
    await Promise.all(children.splice(0).map(child => child.stop()))
    if (wanted.includes('move')) lines.push(...(await moving(postgres, option(args, 'messages', 1_000_000))))
    return report(args, lines, [
      `${rounds} rounds of ${count} each over ${connections} connections a process, ${people} people in turn, ${conversations} conversations`,
      `PostgreSQL waits for the disk at each commit; ${cores}; parts, each alone with --only: ${parts.join(', ')}`,
    ])
  } finally {
    await Promise.all(children.map(child => child.stop()))
    await postgres.stop()
    place.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}
