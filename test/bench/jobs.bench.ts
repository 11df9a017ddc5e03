import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Type } from 'typebox'
import { newId } from '#server/platform/crypto/ids.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import { createListeners } from '#server/platform/events/listeners.ts'
import { createWrites } from '#server/platform/events/writes.ts'
import { longestGapMs } from '#server/platform/jobs/job.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import { jobStore } from '#server/platform/jobs/store.ts'
import { systemClock } from '#server/platform/time/clock.ts'
import { bound, figure, ratio, report } from './parts/report.ts'
import { interleave, percentile, ratioOf, spreadOf } from './parts/samples.ts'

export const name = 'jobs'
export const title = 'Jobs a second in batches of 100, and a person behind 100,000 bulk jobs'

const log = pino({ level: 'silent' })
const Payload = Type.Object({ id: Type.String() })
const batch = 100
const rounds = 5
const bulkJobs = 100_000
const replies = 300

const aDatabase = async (): Promise<{ databases: Databases; close(): Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-bench-jobs-'))
  const databases = openDatabase(join(folder, 'recado.db'))
  await migrate(databases.write)
  return {
    databases,
    async close() {
      await databases.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const aRunner = (databases: Databases, run: (job: { payload: { id: string } }) => Promise<undefined>) => {
  const parts = { databases, clock: systemClock, log, ids: newId }
  const writes = createWrites({ ...parts, listeners: createListeners() })
  const jobs = createJobs({ ...parts, writes })
  const queue = jobs.register({ name: 'bench', looksWithinMs: longestGapMs, payload: Payload, atOnce: batch, run })
  return { jobs, queue, writes }
}

/** Adds and runs jobs through the whole runner, each batch's commits on disk before the next. Returns jobs a second. */
const throughRunner = async (databases: Databases, batches: number): Promise<number> => {
  let left = 0
  let done = () => undefined as undefined
  const { jobs, queue } = aRunner(databases, async () => {
    left -= 1
    if (left === 0) done()
    return undefined
  })
  jobs.start()
  await jobs.idle()
  const begin = performance.now()
  for (let i = 0; i < batches; i += 1) {
    left = batch
    const over = new Promise<void>(resolve => {
      done = () => void resolve() as undefined
    })
    await inTransaction(databases, trx =>
      queue.add(
        trx,
        'org',
        Array.from({ length: batch }, (_, n) => ({ payload: { id: `${i} ${n}` }, lane: 'person' as const })),
      ),
    )
    queue.wake()
    await over
  }
  await jobs.idle()
  const perSecond = (batches * batch * 1000) / (performance.now() - begin)
  await jobs.stop()
  return perSecond
}

/** The same rows, each added, claimed and ended in commits of its own. Returns jobs a second. */
const oneByOne = async (databases: Databases, count: number): Promise<number> => {
  const queue = 'peer/0/org/'
  const begin = performance.now()
  for (let i = 0; i < count; i += 1) {
    const at = new Date().toISOString()
    const row = {
      orgId: 'org',
      kind: 'peer',
      lane: 0,
      queue,
      orderKey: null,
      paceKey: '',
      uniqueKey: null,
      payload: `{"id":"${i}"}`,
      state: 'waiting' as const,
      dueAt: at,
      addedAt: at,
      trace: null,
      blocked: 0,
    }
    await inTransaction(databases, trx => jobStore.add(trx, [row]))
    const [job] = await inTransaction(databases, trx => jobStore.claim(trx, [{ queue, limit: 1 }], { owner: 'peer' }))
    const ended = { seq: job?.seq as number, to: { state: 'done' as const, isKept: true } }
    await inTransaction(databases, trx => jobStore.end(trx, 'peer', [ended], at))
  }
  return (count * 1000) / (performance.now() - begin)
}

/** A person's jobs, one after another, as for replies. Returns the ms from before each commit to its handler. */
const aReplier = async (databases: Databases, bulkPerSecond?: number) => {
  const begun = new Map<string, () => void>()
  const { jobs, queue, writes } = aRunner(databases, async job => {
    begun.get(job.payload.id)?.()
    return undefined
  })
  await inTransaction(databases, async trx => {
    await jobs.setPace(trx, 'org', 'number', bulkPerSecond ?? null)
    // Without a rate the number is paused, so all its jobs wait.
    if (bulkPerSecond === undefined) await jobs.rest(trx, 'org', 'number', 3_600_000)
  })
  jobs.start()
  await jobs.idle()
  return {
    async reply(id: string): Promise<number> {
      const starts = new Promise<void>(resolve => begun.set(id, resolve))
      const at = performance.now()
      await writes.run('org', systemActor('bench'), write =>
        queue.addAndBegin(write, { payload: { id }, lane: 'person', orderKey: id }),
      )
      await starts
      return performance.now() - at
    },
    stop: jobs.stop,
  }
}

/** Alternates the ways, so that other work on the machine affects all of them alike. */
const replyTimes = async <Name extends string>(ways: Record<Name, Databases>, bulkPerSecond?: number) => {
  const names = Object.keys(ways) as Name[]
  const repliers = await Promise.all(names.map(name => aReplier(ways[name], bulkPerSecond)))
  const times = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Name, number[]>
  for (let i = 0; i < replies; i += 1)
    for (let turn = 0; turn < names.length; turn += 1) {
      const at = (i + turn) % names.length
      times[names[at] as Name].push(await (repliers[at] as (typeof repliers)[number]).reply(`reply ${i}`))
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  for (const replier of repliers) await replier.stop()
  return times
}

const fillWithBulk = async (databases: Databases) => {
  const { queue } = aRunner(databases, async () => undefined)
  for (let from = 0; from < bulkJobs; from += 1000)
    await inTransaction(databases, trx =>
      queue.add(
        trx,
        'org',
        Array.from({ length: 1000 }, (_, n) => ({
          payload: { id: `bulk ${from + n}` },
          lane: 'bulk' as const,
          orderKey: `c ${from + n}`,
          paceKey: 'number',
        })),
      ),
    )
}

export async function run(args: readonly string[]): Promise<boolean> {
  const speed = await aDatabase()
  const empty = await aDatabase()
  const full = await aDatabase()
  const leaving = await aDatabase()
  await fillWithBulk(full.databases)
  await fillWithBulk(leaving.databases)
  await throughRunner(speed.databases, 20)
  const rates = await interleave(rounds, {
    batched: () => throughRunner(speed.databases, 100),
    single: () => oneByOne(speed.databases, 500),
  })
  const waits: Record<'empty' | 'full' | 'leaving', number[][]> = { empty: [], full: [], leaving: [] }
  for (let i = 0; i < rounds; i += 1) {
    const times = await replyTimes({ empty: empty.databases, full: full.databases })
    waits.empty.push(times.empty)
    waits.full.push(times.full)
    waits.leaving.push((await replyTimes({ leaving: leaving.databases }, 80)).leaving)
  }
  const p99 = (some: readonly number[][]) => some.map(times => percentile(times, 0.99))
  for (const one of [speed, empty, full, leaving]) await one.close()
  const batched = spreadOf(rates.batched)
  return report(args, [
    bound('added and ended, durable, batches of 100', batched.median, 'a second', 15_000, true),
    figure('each in commits of its own', spreadOf(rates.single), 'a second'),
    ratio('to commits of its own', ratioOf(rates.batched, rates.single), 3),
    figure("a person's job begins after, nothing waiting, p99", spreadOf(p99(waits.empty)), 'ms'),
    figure('with 100,000 bulk jobs waiting, p99', spreadOf(p99(waits.full)), 'ms'),
    ratio('to nothing waiting, p99', ratioOf(p99(waits.full), p99(waits.empty)), 1.2, false),
    figure('with 80 of them leaving a second, p99', spreadOf(p99(waits.leaving)), 'ms'),
  ])
}
