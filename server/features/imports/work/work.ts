import { type Static, Type } from 'typebox'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { type Job, longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { ImportFailure } from '#shared/imports/states.ts'
import { createArchiveTaking, type Run } from '../archive/taking.ts'
import { RemoteTrouble, retryAfterMs } from '../chatwoot/api/client.ts'
import { ImportReleased } from '../reading/record-source.ts'
import { findImport, type StoredImport, updateImport } from '../store.ts'
import { discardImport, undoImport } from '../undoing/undoing.ts'
import { isFetched } from './fetched.ts'
import { createFetching, troublesAtMost } from './fetching.ts'
import type { WorkParts } from './parts.ts'
import { announceState, changeImport } from './state-changes.ts'
import { ImportStopped } from './stopped.ts'
import { createStops } from './stops.ts'
import { surveyImport } from './surveying.ts'
import { createTaking } from './taking.ts'

const Payload = Type.Object({ importId: Type.String() })
type ImportJob = Job<Static<typeof Payload>>
const tries = 5
/** A restart of Chatwoot is shorter. Its files that do not come then either are left out. */
const silentGapsMs = [15_000, 300_000]

type ImportWorkParts = WorkParts & Pick<Parameters<typeof createFetching>[0], 'vault' | 'outbound'>

/** The limit that a person has to make room under before the import can go on. */
const limitReached = (error: unknown): ImportFailure | undefined => {
  if (!(error instanceof AppError)) return undefined
  if (error.code === 'MEDIA_NO_ROOM') return 'noRoom'
  return error.code === 'APP_TOO_MANY_KEPT' ? 'tooMany' : undefined
}

/** Waits as long as Chatwoot asks to, within a limit. */
async function waitForSource(
  parts: Pick<WorkParts, 'writes' | 'clock'>,
  orgId: string,
  one: StoredImport,
  trouble: RemoteTrouble,
): Promise<Outcome | undefined> {
  const troubles = (one.remote?.troubles ?? 0) + 1
  const isOver = troubles >= troublesAtMost.limited
  await changeImport(parts, orgId, one, {
    ...(one.remote ? { remote: { ...one.remote, troubles: isOver ? 0 : troubles } } : {}),
    ...(isOver ? { state: 'paused', failure: 'unreachable' } : {}),
  })
  if (isOver) return undefined
  return { kind: 'waits', afterMs: retryAfterMs(trouble, parts.clock.now().getTime()), reason: 'SOURCE_BUSY' }
}

/** The job of an import: it looks through the file, takes its messages in, or removes them again, as its state says. */
export function createImportWork(parts: ImportWorkParts) {
  const { databases, clock, jobs } = parts
  const { read } = databases
  const stops = createStops(databases)
  const taking = createTaking(parts)
  const archiveTaking = createArchiveTaking(parts)

  const work = (orgId: string, one: StoredImport, run: Run): Promise<Outcome | undefined> | undefined => {
    if (one.state === 'reading') return isFetched(one) ? surveyImport(parts, orgId, one, run) : undefined
    if (one.state === 'running')
      return one.source === 'whatsapp' ? taking.take(orgId, one, run.signal) : archiveTaking.take(orgId, one, run)
    if (one.state === 'undoing') return undoImport(parts, orgId, one, run.signal)
    return one.state === 'discarding' ? discardImport(parts, orgId, one) : undefined
  }

  const giveUp = ({ orgId, payload }: ImportJob, failure: ImportFailure = 'broken'): Outcome => ({
    kind: 'failed',
    reason: 'LOST',
    write: async many => {
      const write = many.of(orgId)
      const one = await findImport(write.db, orgId, payload.importId)
      if (!one || !['reading', 'running', 'undoing'].includes(one.state)) return
      // What came in stays, and a person resumes it.
      const state = one.state === 'running' ? 'paused' : 'failed'
      const ended = state === 'failed' ? { ended_at: isoNow(clock) } : {}
      await updateImport(write.db, orgId, one.id, { state, failure, ...ended })
      announceState(write, { id: one.id, state })
    },
  })

  /** @throws errors after which the job is tried again */
  const outcomeOfError = async (job: ImportJob, one: StoredImport, error: unknown): Promise<Outcome | undefined> => {
    const { orgId, attempts } = job
    if (error instanceof RemoteTrouble && error.reason === 'limited') return waitForSource(parts, orgId, one, error)
    if (error instanceof RemoteTrouble)
      return { kind: 'retry', afterMs: silentGapsMs[attempts - 1] ?? longestGapMs, reason: 'SOURCE_BUSY' }
    const limit = one.state === 'running' ? limitReached(error) : undefined
    if (error instanceof ImportStopped)
      await changeImport(parts, orgId, one, { state: 'failed', failure: error.failure, ended_at: isoNow(clock) })
    else if (limit) await changeImport(parts, orgId, one, { state: 'paused', failure: limit })
    else if (attempts >= tries)
      return giveUp(job, error instanceof AppError && error.code === 'APP_UNAVAILABLE' ? 'storage' : 'broken')
    else throw error
    return undefined
  }

  const tryWork = async (job: ImportJob, one: StoredImport, signal: AbortSignal): Promise<Outcome | undefined> => {
    try {
      return await work(job.orgId, one, { signal, attempts: job.attempts })
    } catch (error) {
      if (error instanceof ImportReleased || signal.aborted) return { kind: 'released' }
      return outcomeOfError(job, one, error)
    }
  }

  const queue = jobs.register({
    name: 'imports.work',
    looksWithinMs: longestGapMs,
    payload: Payload,
    lane: 'bulk',
    atOnce: 4,
    perOrg: 1,
    tries,
    isKept: false,
    async run(job, context) {
      const { orgId, payload } = job
      const one = await findImport(read, orgId, payload.importId)
      if (!one) return undefined
      return stops.during(one, context.signal, signal => tryWork(job, one, signal))
    },
    lost: job => (job.attempts < tries ? { kind: 'retry', reason: 'LOST' } : giveUp(job)),
  })

  /** Queues a job, in the transaction that changes the state. Jobs of one import run one after another. */
  const begin = async ({ db, orgId, afterCommit }: OrgWrite, id: string): Promise<void> => {
    await queue.add(db, orgId, [{ payload: { importId: id }, orderKey: id }])
    afterCommit(queue.wake)
  }
  return {
    begin,
    beginFetching: createFetching({ ...parts, begin, stops }).begin,
    stop: stops.stop,
  }
}

export type ImportWork = ReturnType<typeof createImportWork>
