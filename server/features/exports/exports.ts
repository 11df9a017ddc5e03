import type { Readable } from 'node:stream'
import { mediaPath } from '#server/messaging/media/path.ts'
import { actorOf, systemActor } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Member } from '#server/platform/http/actor.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import type { ByteRange } from '#server/platform/storage/storage.ts'
import { isoIn, isoNow } from '#server/platform/time/clock.ts'
import { archiveKeptDays, type OrgArchive, orgArchiveFile, type orgExportApi } from '#shared/exports/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { createMaking, type MakingParts } from './archive/making.ts'
import {
  deleteArchive,
  findArchive,
  insertArchive,
  listEndedBefore,
  type StoredArchive,
  withdrawArchive,
} from './archive/store.ts'
import { exportErrors } from './errors.ts'
import { countContents } from './store.ts'

interface ExportParts extends MakingParts {
  readonly ids: (at?: number) => string
  readonly log: Log
}

interface FinishedArchive {
  readonly size: number
  readonly etag: string
  /** ISO 8601 */
  readonly madeAt: string
  open(range?: ByteRange): Promise<Readable>
}

const keptMs = archiveKeptDays * 86_400_000
const prunedAtOnce = 50

const present = (one: StoredArchive): OrgArchive => {
  const { state, failure, contacts, messages, size, created_at: createdAt, ended_at: endedAt } = one
  const isDone = state === 'done' && endedAt !== null
  return {
    state,
    failure,
    contacts,
    messages,
    size,
    createdAt,
    endedAt,
    author: one.author_name,
    done: Math.min(one.written, messages),
    expiresAt: isDone ? new Date(Date.parse(endedAt) + keptMs).toISOString() : null,
    url: isDone ? `/api${orgArchiveFile.path}?organization=${one.org_id}` : null,
  }
}

/** A site administrator who impersonates a member must not download the organization's customers. */
const requireOwnSession = (caller: Member): void => {
  if (caller.impersonatedBy) throw exportErrors.NOT_WHILE_IMPERSONATING()
}

/** An organization's data as one archive: asked for by a call, made by a job, kept for some days. */
export function createExports(parts: ExportParts) {
  const { databases, clock, ids, writes, storage, log } = parts
  const { read } = databases
  const making = createMaking(parts)

  const removeFile = (orgId: string, path: string) =>
    storage.remove(path).catch(error => log.error({ err: errorFacts(error), orgId }, 'an archive could not be deleted'))

  const removeArchive = async ({ db, orgId, afterCommit }: OrgWrite, one: StoredArchive) => {
    await deleteArchive(db, orgId, one.id)
    afterCommit(() => void removeFile(orgId, one.path))
  }

  const service: ServiceOf<typeof orgExportApi, Member> = {
    /** @throws EXPORTS_NOT_WHILE_IMPERSONATING, EXPORTS_UNDER_WAY */
    async begin(caller) {
      requireOwnSession(caller)
      const { orgId, userId, name, language } = caller
      const counts = await countContents(read, orgId)
      return writes.run(orgId, actorOf(caller), async write => {
        const before = await findArchive(write.db, orgId)
        if (before?.state === 'running') throw exportErrors.UNDER_WAY()
        if (before) await removeArchive(write, before)
        const id = ids(clock.now().getTime())
        await insertArchive(write.db, orgId, {
          id,
          author_id: userId,
          author_name: name,
          language,
          ...counts,
          path: mediaPath(orgId, id),
          created_at: isoNow(clock),
        })
        await making.begin(write, id)
        return present((await findArchive(write.db, orgId)) as StoredArchive)
      })
    },

    async getArchive({ orgId }) {
      const one = await findArchive(read, orgId)
      return { archive: one ? present(one) : null }
    },

    remove: caller =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const one = await findArchive(write.db, caller.orgId)
        if (one) await removeArchive(write, one)
        return { success: true }
      }),
  }

  return {
    service,

    /** @throws EXPORTS_NOT_FOUND, EXPORTS_NOT_READY, EXPORTS_NOT_WHILE_IMPERSONATING */
    async openArchive(caller: Member): Promise<FinishedArchive> {
      requireOwnSession(caller)
      const one = await findArchive(read, caller.orgId)
      if (!one) throw exportErrors.NOT_FOUND()
      if (one.state !== 'done' || one.size === null || one.ended_at === null) throw exportErrors.NOT_READY()
      if (one.ended_at < isoIn(clock, -keptMs)) throw exportErrors.NOT_FOUND()
      return {
        size: one.size,
        etag: `"${one.id}"`,
        madeAt: one.created_at,
        async open(range) {
          const bytes = await storage.read(one.path, range)
          if (bytes) return bytes
          log.error({ orgId: caller.orgId }, 'an archive is missing where files are kept')
          throw exportErrors.NOT_FOUND()
        },
      }
    },

    listener: {
      name: 'archives of erased contacts',
      on: ['contact.erased'],
      essential: true,
      async handle(write) {
        const { db, orgId } = write
        const one = await findArchive(db, orgId)
        if (!one) return
        await withdrawArchive(db, orgId, isoNow(clock))
        write.afterCommit(() => void removeFile(orgId, one.path))
      },
    } satisfies TransactionListener,

    /** Deletes expired archives; returns how many. */
    async prune(): Promise<number> {
      const rows = await listEndedBefore(read, isoIn(clock, -keptMs), prunedAtOnce)
      for (const { id, org_id: orgId, path } of rows) {
        await storage.remove(path)
        await writes.run(orgId, systemActor('exports'), ({ db }) => deleteArchive(db, orgId, id))
      }
      return rows.length
    },
  }
}

export type Exports = ReturnType<typeof createExports>
