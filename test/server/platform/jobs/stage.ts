import type { Test } from 'tap'
import { Type } from 'typebox'
import { newId } from '#server/platform/crypto/ids.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { createListeners } from '#server/platform/events/listeners.ts'
import { createWrites } from '#server/platform/events/writes.ts'
import { type JobKind, longestGapMs, type NewJob } from '#server/platform/jobs/job.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import type { ProcessHost } from '#server/platform/jobs/workers/process-host.ts'
import { type HandClock, handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { keptLog } from '#test/helpers/log.ts'

export const Words = Type.Object({ word: Type.String() })
export type Words = { word: string }

/** Several processes in one; `die` leaves everything as it is. */
export const aMachine = () => {
  const gone = new Set<number>()
  let pids = 0
  let passed = 0
  return {
    host: (): ProcessHost => {
      pids += 1
      return { name: 'this machine', pid: pids, isGone: pid => gone.has(pid) }
    },
    /** Milliseconds of a clock that never jumps. */
    passed: () => passed,
    pass: (ms: number) => {
      passed += ms
    },
    die: (host: ProcessHost) => gone.add(host.pid),
  }
}

export const aStage = async (t: Test, options: { clock?: HandClock; databases?: Databases } = {}) => {
  const databases = options.databases ?? (await freshDatabases())
  const clock = options.clock ?? handClock()
  const log = keptLog()
  const machine = aMachine()
  const writes = createWrites({ databases, log, listeners: createListeners() })

  const aProcess = <P = undefined>(kind: Partial<JobKind<typeof Words, P>> = {}, at: Partial<ProcessHost> = {}) => {
    const host = { ...machine.host(), ...at }
    const jobs = createJobs({ databases, writes, clock, log, ids: newId, host, monotonicMs: machine.passed })
    const queue = jobs.register<typeof Words, P>({
      name: 'test',
      payload: Words,
      atOnce: 16,
      looksWithinMs: longestGapMs,
      run: async () => undefined,
      ...kind,
    })
    t.teardown(() => jobs.stop())
    const add = async (orgId: string, some: readonly (Omit<NewJob<Words>, 'payload'> & { word: string })[]) => {
      const count = await inTransaction(databases, trx =>
        queue.add(
          trx,
          orgId,
          some.map(({ word, ...rest }) => ({ payload: { word }, ...rest })),
        ),
      )
      queue.wake()
      return count
    }
    return { jobs, queue, add, host }
  }
  const rows = () => databases.read.selectFrom('job').selectAll().orderBy('seq').execute()
  const states = async () => (await rows()).map(row => row.state)
  const later = async (ms: number, ...processes: { jobs: { idle(): Promise<void> } }[]) => {
    clock.advance(ms)
    for (const one of processes) await one.jobs.idle()
  }
  return { databases, clock, log, machine, aProcess, rows, states, later }
}
