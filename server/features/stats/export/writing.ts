import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { type ActingParts, findActingCaller } from '#server/identity/auth/acting-callers.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { type Job, longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { Language } from '#shared/kernel/language.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { type ExportFailure, exportsMaxBytes } from '#shared/stats/export.ts'
import type { ShowPart } from '#shared/stats/filter.ts'
import type { Cohort, SegmentPosition } from '../cohort-store.ts'
import type { SegmentFacts } from '../figures/segment-facts.ts'
import { isOfNow, isShown } from '../figures/show.ts'
import { listItems } from '../segment-items.ts'
import { walkSegments } from '../segment-walk.ts'
import { type RequestParts, resolveRequest, type StatsRequest } from '../stats-request.ts'
import { segmentHead, segmentLine } from './lines.ts'
import { endExport, findExport, findExportUse, insertPart, type StoredExport, updateExport } from './store.ts'

export interface WritingParts extends RequestParts, ActingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'register'>
  readonly writes: Pick<Writes, 'run'>
  translate(language: Language, key: string): string
  /** Rows of one part. For tests. */
  readonly rowsPerPart?: number
}

const compress = promisify(gzip)
const tries = 5
/** Naming more segments at once would hold the event loop for more than some milliseconds. */
const namedAtOnce = 50

/** Null: the caller may export the segments of everybody. Otherwise only those that this person has. */
export const ownerLimit = (caller: OrgCaller): string | null => {
  if (roleCan(caller.role, 'data:export')) return null
  return caller.kind === 'key' ? caller.creatorId : caller.userId
}

/** Changes whenever the caller sees other segments. */
export const rightsHash = (caller: OrgCaller): string =>
  createHash('sha256')
    .update(JSON.stringify([ownerLimit(caller), caller.scope]))
    .digest('base64url')

/** Undefined: there is nothing that this caller may export. */
const cohortFor = (caller: OrgCaller, { cohort, period }: StatsRequest, part: ShowPart): Cohort | undefined => {
  const owner = ownerLimit(caller)
  if (!cohort || (owner !== null && ![undefined, owner].includes(cohort.ownerId as string | undefined)))
    return undefined
  return { ...cohort, ...(owner === null ? {} : { ownerId: owner }), ...(isOfNow(part) ? {} : { period }) }
}

const placeOf = ({ startedAt, id }: SegmentFacts): SegmentPosition => ({
  started_at: new Date(startedAt).toISOString(),
  id,
})

/** The job that writes a file, part by part. A process that begins it again goes on behind the last part. */
export function createExportWriting(parts: WritingParts) {
  const { databases, clock, jobs, writes, translate, rowsPerPart = 1_000 } = parts
  const { read, turn } = databases
  const by = systemActor('statistics')

  const end = async (write: OrgWrite, id: string, state: 'done' | 'stopped' | 'failed', failure?: ExportFailure) => {
    const one = await findExport(write.db, write.orgId, id)
    if (one?.state === 'running')
      await endExport(write.db, write.orgId, id, { state, failure: failure ?? null, at: isoNow(clock) })
  }

  /** Everything that a running export is made from, by the rights of now. */
  const open = async (orgId: string, one: StoredExport) => {
    const { author_kind: kind, author_id: id, author_name: name, language } = one
    const caller = await findActingCaller(read, orgId, { kind, id, name, language }, parts)
    if (!caller || !roleCan(caller.role, 'stats:read')) return undefined
    const { filter } = one.request
    const request = await resolveRequest(databases, caller, { now: Date.parse(one.created_at), query: filter }, parts)
    const cohort = cohortFor(caller, request, filter)
    async function* segments(after?: SegmentPosition) {
      if (!cohort) return
      for await (const slice of walkSegments(databases, {
        isJob: true,
        viewer: caller as OrgCaller,
        cohort,
        clocks: request.clocks,
        after,
      }))
        yield slice.filter(segment => isShown(segment, filter, request.measure))
    }
    return { caller, language, segments }
  }
  type Opened = NonNullable<Awaited<ReturnType<typeof open>>>

  const linesOf = async ({ caller, language }: Opened, segments: readonly SegmentFacts[]): Promise<string> => {
    const lines: string[] = []
    for (let from = 0; from < segments.length; from += namedAtOnce) {
      const items = await listItems(read, caller, segments.slice(from, from + namedAtOnce))
      lines.push(...items.map(item => segmentLine(item, language, translate)))
      await turn.giveWay()
    }
    return lines.join('')
  }

  /** The part as it continues `one`. Undefined: the export was stopped, deleted or begun again meanwhile. */
  const write = async (
    opened: Opened,
    one: StoredExport,
    segments: readonly SegmentFacts[],
  ): Promise<StoredExport | undefined> => {
    const head = one.parts ? '' : segmentHead(opened.language, translate)
    const body = await compress(Buffer.from(head + (await linesOf(opened, segments))))
    const last = segments.at(-1)
    return writes.run(one.org_id, by, async open => {
      const now = await findExport(open.db, one.org_id, one.id)
      if (now?.state !== 'running' || now.parts !== one.parts || now.rights !== one.rights) return undefined
      const { bytes } = await findExportUse(open.db, one.org_id)
      if (bytes + body.byteLength > exportsMaxBytes) {
        await end(open, one.id, 'failed', 'noRoom')
        return undefined
      }
      await insertPart(open.db, one.org_id, now, { body, rows: segments.length, last: last && placeOf(last) })
      return findExport(open.db, one.org_id, one.id)
    })
  }

  /** Counts first, so that the progress has a whole. False: it does not go on. */
  const count = async ({ caller, segments }: Opened, one: StoredExport, signal: AbortSignal) => {
    const rights = rightsHash(caller)
    if (one.row_count !== null && one.rights === rights) return one
    let rows = 0
    for await (const slice of segments()) {
      rows += slice.length
      if (signal.aborted) return undefined
    }
    return writes.run(one.org_id, by, async ({ db }) => {
      const now = await findExport(db, one.org_id, one.id)
      // Parts that were written with other rights cannot be continued.
      if (now?.state !== 'running' || now.parts) return undefined
      await updateExport(db, one.org_id, one.id, {
        rights,
        row_count: rows,
        is_own: ownerLimit(caller) === null ? 0 : 1,
      })
      return findExport(db, one.org_id, one.id)
    })
  }

  const givenUp = ({ orgId, payload }: Job<Static<typeof Payload>>, reason?: string): Outcome => ({
    ...(reason === undefined ? { kind: 'done' } : { kind: 'failed', reason }),
    write: many => end(many.of(orgId), payload.exportId, 'failed', reason === 'NO_RIGHTS' ? 'noRights' : 'broken'),
  })

  const work = async (job: Job<Static<typeof Payload>>, signal: AbortSignal): Promise<Outcome | undefined> => {
    const { orgId } = job
    const found = await findExport(read, orgId, job.payload.exportId)
    if (found?.state !== 'running') return undefined
    const opened = await open(orgId, found)
    if (!opened) return givenUp(job, 'NO_RIGHTS')
    if (found.parts && found.rights !== rightsHash(opened.caller)) return givenUp(job, 'NO_RIGHTS')
    let one = await count(opened, found, signal)
    const after = one?.place_at && one.place_id ? { started_at: one.place_at, id: one.place_id } : undefined
    let pending: SegmentFacts[] = []
    if (one)
      for await (const slice of opened.segments(after)) {
        pending.push(...slice)
        while (one && pending.length >= rowsPerPart) {
          if (signal.aborted) return { kind: 'released' }
          one = await write(opened, one, pending.slice(0, rowsPerPart))
          pending = pending.slice(rowsPerPart)
        }
        if (!one) break
      }
    if (signal.aborted) return { kind: 'released' }
    // The file of nothing has its first line.
    if (one && (pending.length || !one.parts)) one = await write(opened, one, pending)
    if (!one) return { kind: 'again', afterMs: 0 }
    const isDone = await writes.run(orgId, by, async open => {
      const now = await findExport(open.db, orgId, found.id)
      if (now?.state !== 'running' || now.parts !== one.parts) return false
      await end(open, found.id, 'done')
      return true
    })
    return isDone ? undefined : { kind: 'again', afterMs: 0 }
  }

  const Payload = Type.Object({ exportId: Type.String() })
  const queue = jobs.register({
    name: 'stats.export',
    looksWithinMs: longestGapMs,
    payload: Payload,
    lane: 'bulk',
    atOnce: 2,
    perOrg: 1,
    tries,
    isKept: false,
    async run(job, { signal }) {
      try {
        return await work(job, signal)
      } catch (error) {
        // Days that no longer fit: trying again does not help.
        if (error instanceof AppError && error.status < 500) return givenUp(job, error.code)
        throw error
      }
    },
    lost: job => (job.attempts < tries ? { kind: 'retry', reason: 'LOST' } : givenUp(job, 'LOST')),
  })

  return {
    /** Queues the job, in the transaction that stores the export. */
    async begin({ db, orgId, afterCommit }: OrgWrite, id: string): Promise<void> {
      await queue.add(db, orgId, [{ payload: { exportId: id }, uniqueKey: id }])
      afterCommit(queue.wake)
    },
    stop: (write: OrgWrite, id: string) => end(write, id, 'stopped'),
  }
}
