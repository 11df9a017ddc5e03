import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { actorOf, systemActor } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { type Clock, isoIn } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import {
  exportKeptDays,
  exportsAtOnce,
  exportsMaxBytes,
  exportsPerAuthor,
  exportsPerOrg,
  type StatsExport,
  type statsExportApi,
  statsExportFile,
} from '#shared/stats/export.ts'
import { isOfNow } from '../figures/show.ts'
import { resolveRequest } from '../stats-request.ts'
import { exportErrors } from './errors.ts'
import {
  type Author,
  deleteExports,
  findExport,
  findExportUse,
  findPart,
  insertExport,
  listEndedBefore,
  listExportsOf,
  type StoredExport,
  withdrawExports,
} from './store.ts'
import { createExportWriting, ownerLimit, rightsHash, type WritingParts } from './writing.ts'

const decompress = promisify(gunzip)
const keptMs = exportKeptDays * 86_400_000
const prunedAtOnce = 100

interface ExportParts extends WritingParts {
  readonly clock: Clock
  readonly ids: (at?: number) => string
}

/** A file would name an organization's customers to who administers the site. */
const requireOwnSession = (caller: OrgCaller): void => {
  if (caller.kind === 'person' && caller.impersonatedBy) throw exportErrors.NOT_WHILE_IMPERSONATING()
}

const authorOf = (caller: OrgCaller): Author => ({ kind: caller.kind, id: callerId(caller) })

const present = (one: StoredExport): StatsExport => {
  const hasFile = one.state === 'done'
  return {
    id: one.id,
    state: one.state,
    failure: one.failure,
    from: one.first_day,
    to: one.last_day,
    unknown: [...one.request.unknown],
    isOwn: one.is_own === 1,
    rows: one.row_count,
    done: one.done,
    createdAt: one.created_at,
    endedAt: one.ended_at,
    expiresAt: hasFile && one.ended_at ? new Date(Date.parse(one.ended_at) + keptMs).toISOString() : null,
    url: hasFile ? `/api${statsExportFile.path.replace(':id', one.id)}?organization=${one.org_id}` : null,
  }
}

/** Files of segments: asked for by a call, written by a job, kept for some days, and fetched by who asked for them. */
export function createStatsExports(parts: ExportParts) {
  const { databases, clock, ids, writes } = parts
  const { read } = databases
  const writing = createExportWriting(parts)

  /** @throws STATS_EXPORTS_NOT_FOUND, also for one of somebody else */
  const getOwn = async (db: typeof read, caller: OrgCaller, id: string): Promise<StoredExport> => {
    const one = await findExport(db, caller.orgId, id)
    const author = authorOf(caller)
    if (!one || one.author_kind !== author.kind || one.author_id !== author.id) throw exportErrors.NOT_FOUND()
    return one
  }

  /** Makes room for one more. @throws STATS_EXPORTS_UNDER_WAY, STATS_EXPORTS_TOO_MANY, STATS_EXPORTS_NO_ROOM */
  const requireRoom = async ({ db, orgId }: OrgWrite, author: Author) => {
    const own = await listExportsOf(db, orgId, author, exportsPerOrg)
    if (own.some(({ state }) => state === 'running')) throw exportErrors.UNDER_WAY()
    const old = own.slice(exportsPerAuthor - 1).map(({ id }) => id)
    if (old.length) await deleteExports(db, orgId, old)
    const use = await findExportUse(db, orgId)
    if (use.running >= exportsAtOnce) throw exportErrors.TOO_MANY()
    if (use.count >= exportsPerOrg || use.bytes >= exportsMaxBytes) throw exportErrors.NO_ROOM()
  }

  const service: ServiceOf<typeof statsExportApi, OrgCaller> = {
    /** @throws STATS_EXPORTS_NOT_WHILE_IMPERSONATING, InvalidInput for days that cannot be, and what `requireRoom` throws */
    async begin(caller, { body }) {
      requireOwnSession(caller)
      const now = clock.now()
      const { period, unknown } = await resolveRequest(
        databases,
        caller,
        { now: now.getTime(), query: body, part: 'body' },
        parts,
      )
      const { days: _days, ...asked } = body
      const filter = { ...asked, from: period.from, to: period.to }
      const isNow = isOfNow(body)
      return writes.run(caller.orgId, actorOf(caller), async write => {
        const author = authorOf(caller)
        await requireRoom(write, author)
        const id = ids(now.getTime())
        await insertExport(write.db, caller.orgId, {
          id,
          author_kind: author.kind,
          author_id: author.id,
          author_name: caller.name,
          language: caller.language,
          request: { filter, unknown },
          first_day: isNow ? null : period.from,
          last_day: isNow ? null : period.to,
          is_own: ownerLimit(caller) === null ? 0 : 1,
          created_at: now.toISOString(),
        })
        await writing.begin(write, id)
        return present(await getOwn(write.db, caller, id))
      })
    },

    listExports: async caller => ({
      items: (await listExportsOf(read, caller.orgId, authorOf(caller), exportsPerAuthor)).map(present),
    }),

    getExport: async (caller, { params }) => present(await getOwn(read, caller, params.id)),

    stop: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        await getOwn(write.db, caller, params.id)
        await writing.stop(write, params.id)
        return present(await getOwn(write.db, caller, params.id))
      }),

    remove: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        const { id } = await getOwn(db, caller, params.id)
        await deleteExports(db, orgId, [id])
        return { success: true }
      }),
  }

  async function* piecesOf({ org_id: orgId, id, parts: count }: StoredExport) {
    for (let number = 0; number < count; number += 1) {
      const body = await findPart(read, orgId, id, number)
      if (!body) throw new Error('An export was deleted while it was downloaded')
      yield await decompress(body)
    }
  }

  return {
    service,

    /** @throws STATS_EXPORTS_NOT_FOUND, _NOT_READY, _RIGHTS_CHANGED, _NOT_WHILE_IMPERSONATING */
    async openFile(caller: OrgCaller, id: string): Promise<{ body: Readable; from: string | null; to: string | null }> {
      requireOwnSession(caller)
      const one = await getOwn(read, caller, id)
      if (one.state !== 'done') throw exportErrors.NOT_READY()
      if (one.ended_at && one.ended_at < isoIn(clock, -keptMs)) throw exportErrors.NOT_FOUND()
      if (one.rights !== rightsHash(caller)) throw exportErrors.RIGHTS_CHANGED()
      return { body: Readable.from(piecesOf(one), { objectMode: false }), from: one.first_day, to: one.last_day }
    },

    /** Files may name an erased contact: they are deleted, and what is being written begins again. */
    listener: {
      name: 'statistics exports of erased contacts',
      on: ['contact.erased'],
      essential: true,
      handle: ({ db, orgId }) => withdrawExports(db, orgId),
    } satisfies TransactionListener,

    /** Deletes files whose days are over; returns how many. */
    async prune(): Promise<number> {
      const rows = await listEndedBefore(read, isoIn(clock, -keptMs), prunedAtOnce)
      for (const [orgId, own] of Map.groupBy(rows, row => row.org_id))
        await writes.run(orgId, systemActor('statistics'), ({ db }) =>
          deleteExports(
            db,
            orgId,
            own.map(({ id }) => id),
          ),
        )
      return rows.length
    },
  }
}

export type StatsExports = ReturnType<typeof createStatsExports>
