import { Type } from 'typebox'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Job, Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { FileStorage } from '#server/platform/storage/storage.ts'
import { longestRequestedWaitMs } from '#server/whatsapp/errors/errors.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { mediaApi } from '#shared/media/api.ts'
import { createDownload, type DownloadParts, downloadCodeOf, noRoom, notConnected } from './download.ts'
import { mediaErrors } from './errors.ts'
import {
  changeMedia,
  findMedia,
  findMediaByProvider,
  findMediaOrganization,
  findPending,
  type MediaFacts,
  type PendingMedia,
} from './store.ts'

interface MediaParts extends DownloadParts {
  databases: Databases
  log: Log
  jobs: Jobs
  writes: Pick<Writes, 'run'>
  readonly numbers: DownloadParts['numbers'] & {
    markReauthorise(orgId: string, connectionId: string, reason: string): Promise<void>
  }
  /** Emits that these messages changed. */
  emitChanges(write: OrgWrite, messageIds: readonly string[]): Promise<void>
}

export interface MediaService {
  service: ServiceOf<typeof mediaApi, OrgCaller>
  /** Files that waited for their number are fetched in the commit that connects it. */
  listener: TransactionListener<'connection.changed'>
  /** The organization of a file, for addresses without one. Undefined: no such file. */
  organizationOf(id: string): Promise<string | undefined>
  /** A file this viewer sees. Undefined also if its message was deleted. */
  find(viewer: Viewer, id: string): Promise<MediaFacts | undefined>
  /** A file this viewer sees, by WhatsApp's id of it. Undefined also if its message was deleted. */
  findByProvider(viewer: Viewer, providerId: string): Promise<MediaFacts | undefined>
  /** The bytes of a stored file. @see FileStorage */
  read: FileStorage['read']
  /** Removes every file of an organization. */
  removeAll(orgId: string): Promise<void>
  /** Queues the download of these files, in the caller's transaction. */
  enqueue(write: OrgWrite, mediaIds: readonly string[]): Promise<void>
}

const fetchesAtOnce = 8
/** Slow downloads of one organization must not use all places. */
const fetchesPerOrg = 4
const maxTries = 6
/** Pauses after each attempt: some hours in total. Meta's ids live for a week. */
const gapsMs = [10_000, 60_000, 600_000, 3_600_000, 4 * 3_600_000]
const storageTroubleMs = 60_000

/** A file whose number is disconnected is fetched when it is connected; until then this often, to notice expiry. */
const notConnectedMs = 4 * 3_600_000

/** An upload without a write for this long was abandoned. */
const abandonedMs = 60 * 60 * 1000

const MediaJob = Type.Object({ mediaId: Type.String() })
type MediaJob = Job<{ mediaId: string }>

/** True if a further attempt would fail in the same way. */
const isLasting = (error: unknown): boolean =>
  (error instanceof WhatsAppError && error.retry === 'never') ||
  ['EXPIRED', 'NO_PICTURE', noRoom].includes(downloadCodeOf(error))

/**
 * Downloads customers' files from Meta. A failed attempt is repeated for hours, also after a crash. The message is
 * shown meanwhile.
 */
export function createMediaFetcher(parts: MediaParts): MediaService {
  const { databases, clock, log, jobs, writes, numbers, storage, quota } = parts
  const download = createDownload(parts)
  let sweeping: Promise<unknown> | undefined

  /** Half-written files of a dead process are deleted before anything is written. */
  const sweep = () => {
    const abandoned = databases.signals.isShared ? clock.now().getTime() - abandonedMs : undefined
    sweeping ??= storage.sweep(abandoned).catch(error => {
      sweeping = undefined
      throw error
    })
    return sweeping
  }

  /** Stores the file's new state and emits the changed message. */
  const settle = async (
    write: OrgWrite,
    media: { id: string; messageId: string },
    from: 'pending' | 'failed',
    change: Parameters<typeof changeMedia>[4],
  ): Promise<boolean> => {
    const isDone = await changeMedia(write.db, write.orgId, media.id, from, change)
    if (isDone) await parts.emitChanges(write, [media.messageId])
    return isDone
  }

  const givenUp = (media: PendingMedia, code: string): Outcome => ({
    kind: 'failed',
    reason: code,
    write: many => settle(many.of(media.orgId), media, 'pending', { state: 'failed', error: code }),
  })

  const outcomeOf = async (media: PendingMedia, tries: number, error: unknown): Promise<Outcome> => {
    const code = downloadCodeOf(error)
    const isRefused = error instanceof WhatsAppError && error.retry === 'credentials'
    if (isRefused) await numbers.markReauthorise(media.orgId, media.connectionId, code)
    if (isRefused || code === notConnected) {
      log.warn({ orgId: media.orgId, mediaId: media.id, code }, 'a file waits for its number')
      return { kind: 'waits', afterMs: notConnectedMs, reason: notConnected }
    }
    const isFinal = isLasting(error) || tries >= maxTries
    const facts = { orgId: media.orgId, mediaId: media.id, code, tries }
    if (code === 'STORAGE') log.error({ ...facts, err: error }, 'a file could not be stored')
    else log.warn(facts, isFinal ? 'a file could not be fetched and is given up' : 'a file could not be fetched yet')
    if (isFinal) return givenUp(media, code)
    const askedMs = error instanceof WhatsAppError ? (error.retryAfterMs ?? 0) : 0
    const gapMs = gapsMs[tries - 1] ?? (gapsMs.at(-1) as number)
    return { kind: 'retry', afterMs: Math.max(askedMs, gapMs), reason: code }
  }

  const fetchOne = async (job: MediaJob, media: PendingMedia, signal: AbortSignal): Promise<Outcome> => {
    try {
      await sweep()
    } catch (error) {
      log.error({ err: error }, 'files cannot be stored: check MEDIA_URL, or DATA_DIR and its owner')
      return { kind: 'waits', afterMs: storageTroubleMs, reason: 'STORAGE' }
    }
    try {
      const { path, size, sha256, mime, picture } = await download(media, signal)
      const sides = { width: picture?.width ?? null, height: picture?.height ?? null }
      const change = { state: 'stored', path, size, sha256, mime, ...sides, error: null } as const
      return {
        kind: 'done',
        write: many => {
          const write = many.of(media.orgId)
          write.afterCommit(() => void quota.notifyOwners(media.orgId))
          return settle(write, media, 'pending', change)
        },
      }
    } catch (error) {
      return signal.aborted ? { kind: 'released' } : outcomeOf(media, job.attempts, error)
    }
  }

  const queue = jobs.register<typeof MediaJob, PendingMedia>({
    name: 'media',
    looksWithinMs: Math.max(longestRequestedWaitMs, notConnectedMs, ...gapsMs),
    payload: MediaJob,
    atOnce: fetchesAtOnce,
    perOrg: fetchesPerOrg,
    tries: maxTries,
    gapsMs,
    isKept: false,
    async claimed({ db }, claimed) {
      const ids = claimed.map(job => job.payload.mediaId)
      const pending = await findPending(db, ids)
      return new Map(
        claimed.map(job => {
          const media = pending.get(job.payload.mediaId)
          return [job.seq, media?.orgId === job.orgId ? { ready: media } : { over: { kind: 'done' } }]
        }),
      )
    },
    run: async (job, { ready, signal }) => (ready ? fetchOne(job, ready, signal) : undefined),
    lost({ orgId, payload, attempts }) {
      if (attempts < maxTries) return { kind: 'retry', reason: 'LOST' }
      return {
        kind: 'failed',
        reason: 'LOST',
        async write({ db, of }) {
          const media = (await findPending(db, [payload.mediaId])).get(payload.mediaId)
          if (media?.orgId === orgId) await settle(of(orgId), media, 'pending', { state: 'failed', error: 'STORAGE' })
        },
      }
    },
  })

  const enqueue = async ({ db, orgId, afterCommit }: OrgWrite, mediaIds: readonly string[]) => {
    if (!mediaIds.length) return
    await queue.add(
      db,
      orgId,
      mediaIds.map(mediaId => ({ payload: { mediaId }, uniqueKey: mediaId })),
    )
    afterCommit(queue.wake)
  }

  return {
    service: {
      async retryMedia(member, { params }) {
        const media = await findMedia(databases.read, member, params.id)
        if (!media) throw mediaErrors.NOT_FOUND()
        const isAgain = await writes.run(media.orgId, actorOf(member), async write => {
          if (!(await settle(write, media, 'failed', { state: 'pending', error: null }))) return false
          await enqueue(write, [media.id])
          return true
        })
        if (!isAgain) throw mediaErrors.NOT_FAILED()
        return { success: true }
      },
    },
    listener: {
      name: 'media',
      on: ['connection.changed'],
      async handle({ db, orgId, afterCommit }, events) {
        if (!events.some(({ data }) => data.status === 'connected')) return
        if (await queue.hasten(db, orgId, notConnected)) afterCommit(queue.wake)
      },
    },
    organizationOf: id => findMediaOrganization(databases.read, id),
    find: (viewer, id) => findMedia(databases.read, viewer, id),
    findByProvider: (viewer, providerId) => findMediaByProvider(databases.read, viewer, providerId),
    read: storage.read,
    removeAll: orgId => storage.removeBelow(orgId),
    enqueue,
  }
}
