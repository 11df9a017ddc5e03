import { type Static, Type } from 'typebox'
import { type ActingParts, findActingCaller } from '#server/identity/auth/acting-callers.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { type Job, longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { FileStorage } from '#server/platform/storage/storage.ts'
import { type Clock, isoNow, monotonicMs } from '#server/platform/time/clock.ts'
import type { ArchiveFailure } from '#shared/exports/api.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import type { createContents } from '../contents.ts'
import { zip } from '../zip.ts'
import { findArchive, type StoredArchive, updateRunning } from './store.ts'
import './table.ts'

export interface MakingParts extends ActingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'register'>
  readonly writes: Pick<Writes, 'run'>
  readonly notify: Notify['notify']
  readonly storage: Pick<FileStorage, 'read' | 'write' | 'remove'>
  readonly contents: ReturnType<typeof createContents>
}

const Payload = Type.Object({ id: Type.String() })
const tries = 5
/** The progress is written this often. */
const progressMs = 2_000
/** Each message is written as a line of a table, in a page and as a record. */
const formsOfMessage = 3
const by = systemActor('exports')

class Stopped extends Error {}

/** The job that makes an archive. A process that begins it again begins a new file. */
export function createMaking(parts: MakingParts) {
  const { databases, clock, jobs, writes, notify, storage, contents } = parts
  const { read } = databases

  const end = async (write: OrgWrite, id: string, failure: ArchiveFailure) => {
    await updateRunning(write.db, write.orgId, id, { state: 'failed', failure, ended_at: isoNow(clock) })
  }

  /** Writes the progress now and then. @throws Stopped if the archive was deleted meanwhile, or the process ends */
  async function* watched(orgId: string, one: StoredArchive, caller: OrgCaller, signal: AbortSignal) {
    let written = 0
    let saidAt = monotonicMs()
    const onMessages = (count: number) => {
      written += count
    }
    const wanted = { caller, at: clock.now(), onMessages }
    for await (const piece of zip(contents(wanted))) {
      if (signal.aborted) throw new Stopped()
      yield piece
      if (monotonicMs() - saidAt < progressMs) continue
      saidAt = monotonicMs()
      const changes = { written: Math.floor(written / formsOfMessage) }
      const isRunning = await writes.run(orgId, by, ({ db }) => updateRunning(db, orgId, one.id, changes))
      if (!isRunning) throw new Stopped()
    }
  }

  const work = async ({ orgId, payload }: Job<Static<typeof Payload>>, signal: AbortSignal) => {
    const one = await findArchive(read, orgId)
    if (one?.id !== payload.id || one.state !== 'running') return undefined
    const author = { kind: 'person', id: one.author_id, name: one.author_name, language: one.language } as const
    const caller = await findActingCaller(read, orgId, author, parts)
    if (!caller || !roleCan(caller.role, 'data:export')) {
      await writes.run(orgId, by, write => end(write, one.id, 'noRights'))
      return undefined
    }
    try {
      const { size } = await storage.write(one.path, watched(orgId, one, caller, signal))
      const isDone = await writes.run(orgId, by, async write => {
        const changes = { state: 'done', size, written: one.messages, ended_at: isoNow(clock) } as const
        if (!(await updateRunning(write.db, orgId, one.id, changes))) return false
        const words = { key: 'archiveReady', params: {} }
        await notify(write, { userIds: [one.author_id], words })
        return true
      })
      if (!isDone) await storage.remove(one.path)
      return undefined
    } catch (error) {
      if (signal.aborted) return { kind: 'released' } satisfies Outcome
      if (error instanceof Stopped) return undefined
      throw error
    }
  }

  const givenUp = ({ orgId, payload }: Job<Static<typeof Payload>>, failure: ArchiveFailure): Outcome => ({
    kind: 'failed',
    reason: failure,
    write: many => end(many.of(orgId), payload.id, failure),
  })

  const queue = jobs.register({
    name: 'exports.archive',
    looksWithinMs: longestGapMs,
    payload: Payload,
    lane: 'bulk',
    atOnce: 1,
    perOrg: 1,
    tries,
    isKept: false,
    async run(job, { signal }) {
      try {
        return await work(job, signal)
      } catch (error) {
        if (job.attempts < tries) throw error
        const isFull = error instanceof AppError && error.code === 'APP_UNAVAILABLE'
        return givenUp(job, isFull ? 'noDisk' : 'broken')
      }
    },
    lost: job => (job.attempts < tries ? { kind: 'retry', reason: 'LOST' } : givenUp(job, 'broken')),
  })

  return {
    /** Queues the job, in the transaction that stores the archive. */
    async begin({ db, orgId, afterCommit }: OrgWrite, id: string): Promise<void> {
      await queue.add(db, orgId, [{ payload: { id }, uniqueKey: id }])
      afterCommit(queue.wake)
    },
  }
}
