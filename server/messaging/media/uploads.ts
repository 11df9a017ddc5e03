import { Type } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Job, Outcome } from '#server/platform/jobs/job.ts'
import type { JobQueue, Jobs } from '#server/platform/jobs/jobs.ts'
import type { Lane } from '#server/platform/jobs/lane.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { FileStorage } from '#server/platform/storage/storage.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { longestRequestedWaitMs, waitingReasonOf } from '#server/whatsapp/errors/errors.ts'
import { WhatsAppError, type WhatsAppNumber } from '#server/whatsapp/provider.ts'
import type { WaitingReason } from '#shared/inbox/messages.ts'
import {
  deleteUpload,
  deleteUploadsBefore,
  findSentMedia,
  findUpload,
  listUnsent,
  type SentMedia,
  saveUpload,
} from './uploads-store.ts'

interface UploadsParts {
  databases: Databases
  clock: Clock
  log: Log
  jobs: Jobs
  storage: Pick<FileStorage, 'withBlob'>
  numbers: {
    findClient(
      orgId: string,
      connectionId: string,
    ): Promise<{ number: WhatsAppNumber; connection: { status: string } } | undefined>
    markReauthorise(orgId: string, connectionId: string, reason: string): Promise<void>
  }
  /** Changes the message whose file waits or cannot be uploaded. */
  applyDelivery(
    write: OrgWrite,
    target: { messageId: string },
    change:
      | { kind: 'failed'; code: string; detail?: string; at: string }
      | { kind: 'waiting'; reason: WaitingReason; until: string; at: string },
    parts: { clock: Clock },
  ): Promise<void>
}

/** A file and the number it is uploaded to. */
interface UploadOf {
  messageId: string
  fileId: string
  connectionId: string
}

/** WhatsApp's copy of a file. `isFresh`: just made, so WhatsApp cannot have lost it. */
export interface UploadedFile {
  providerId: string
  isFresh: boolean
}

/** Uploads files of outbound messages to WhatsApp. Messages name them by the id of that copy. */
export interface Uploads {
  /** Queues the upload before its message, with the same order key. */
  enqueue(write: OrgWrite, of: UploadOf & { orderKey: string; paceKey: string; lane: Lane }): Promise<void>
  /** Cancels uploads whose messages will not be sent. */
  cancel(db: Db, orgId: string, messageIds: readonly string[]): Promise<void>
  /** The first job with an order key, if it is an upload that was tried already. */
  findRetrying(
    db: Db,
    orgId: string,
    orderKey: string,
  ): Promise<Awaited<ReturnType<JobQueue<unknown>['listLine']>>[number] | undefined>
  /** WhatsApp's copy. Uploads the file if there is none that lives long enough. @throws WhatsAppError */
  ensure(
    number: WhatsAppNumber,
    orgId: string,
    of: Omit<UploadOf, 'messageId'>,
    signal: AbortSignal,
  ): Promise<UploadedFile>
  /**
   * WhatsApp's copy of another feature's file. Uploads the file if there is none that lives long enough. @throws
   * WhatsAppError
   */
  ensureShared(
    number: WhatsAppNumber,
    file: SentMedia,
    connectionId: string,
    signal: AbortSignal,
  ): Promise<UploadedFile>
  forgetShared(file: SentMedia, connectionId: string, providerId: string): Promise<void>
  /** WhatsApp no longer knows its copy. */
  forget(orgId: string, of: Omit<UploadOf, 'messageId'>, providerId: string): Promise<void>
  /** Deletes rows of copies that WhatsApp has deleted. Returns how many. */
  prune(): Promise<number>
}

/** Meta keeps a copy for thirty days, and a message may wait some hours with it. */
const copyLifeMs = 29 * 24 * 3_600_000
const uploadsAtOnce = 16
/** Large files of one organization must not use all places. */
const uploadsPerOrg = 4
const maxTries = 7
const prunedAtOnce = 500
const gapsMs = [2_000, 10_000, 30_000, 2 * 60_000, 5 * 60_000, 15 * 60_000]

const Upload = Type.Object({ messageId: Type.String(), fileId: Type.String(), connectionId: Type.String() })

/** The file is missing on our disk, so retrying does not help. */
const missing = () =>
  new WhatsAppError({ code: 'FILE_MISSING', retry: 'never', message: 'the file is not there any more' })

export function createUploads(parts: UploadsParts): Uploads {
  const { databases, clock, log, jobs, storage, numbers, applyDelivery } = parts

  const keyOf = (file: SentMedia, connectionId: string) => ({ connectionId, sha256: file.sha256, mime: file.mime })

  const copy = async (number: WhatsAppNumber, file: SentMedia, connectionId: string, signal: AbortSignal) => {
    const key = keyOf(file, connectionId)
    const known = await findUpload(databases.read, file.orgId, key, isoIn(clock, -copyLifeMs))
    if (known) return { providerId: known.providerId, isFresh: false }
    const providerId = await storage.withBlob(file.path, bytes => number.uploadFile({ bytes, mime: file.mime }, signal))
    if (providerId === 'missing') {
      log.error({ orgId: file.orgId, mediaId: file.id }, 'the file of a message is missing where files are kept')
      throw missing()
    }
    await saveUpload(databases.write, file.orgId, key, { providerId, at: isoNow(clock) })
    return { providerId, isFresh: true }
  }

  const givenUp = ({ orgId, payload }: Job<UploadOf>, code: string, detail?: string): Outcome => ({
    kind: 'failed',
    reason: code,
    write: many =>
      applyDelivery(
        many.of(orgId),
        payload,
        { kind: 'failed', code, at: isoNow(clock), ...(detail ? { detail } : {}) },
        { clock },
      ),
  })

  const outcomeOf = async (job: Job<UploadOf>, error: WhatsAppError): Promise<Outcome | undefined> => {
    const { orgId, attempts, payload } = job
    const { code, detail } = error
    log.warn({ orgId, mediaId: payload.fileId, code, attempts }, 'a file could not be uploaded')
    if (error.retry === 'credentials') {
      await numbers.markReauthorise(orgId, payload.connectionId, code)
      // The message fails when it is sent.
      return undefined
    }
    if (error.retry === 'never' || attempts >= maxTries) return givenUp(job, code, detail)
    const afterMs = Math.max(error.retryAfterMs ?? 0, gapsMs[attempts - 1] ?? (gapsMs.at(-1) as number))
    const until = isoIn(clock, afterMs)
    const change = { kind: 'waiting', reason: waitingReasonOf(code), until, at: isoNow(clock) } as const
    return {
      kind: 'retry',
      afterMs,
      reason: code,
      write: many => applyDelivery(many.of(orgId), payload, change, { clock }),
    }
  }

  const queue = jobs.register<typeof Upload, SentMedia>({
    name: 'media.upload',
    looksWithinMs: Math.max(longestRequestedWaitMs, ...gapsMs),
    payload: Upload,
    lane: 'person',
    atOnce: uploadsAtOnce,
    perOrg: uploadsPerOrg,
    tries: maxTries,
    gapsMs,
    isKept: false,
    async claimed({ db }, claimed) {
      const unsent = await listUnsent(
        db,
        claimed.map(job => job.payload.fileId),
      )
      return new Map(
        claimed.map(job => {
          const file = unsent.get(job.payload.fileId)
          return [job.seq, file?.orgId === job.orgId ? { ready: file } : { over: { kind: 'done' } }]
        }),
      )
    },
    async run(job, { ready, signal }) {
      const { connectionId } = job.payload
      const client = ready && (await numbers.findClient(job.orgId, connectionId))
      // Without a number the message fails on its own.
      if (!client || client.connection.status === 'reauthorise') return undefined
      try {
        await copy(client.number, ready, connectionId, signal)
        return undefined
      } catch (error) {
        if (signal.aborted) return { kind: 'released' }
        if (error instanceof WhatsAppError) return outcomeOf(job, error)
        throw error
      }
    },
    // An unused copy does no harm, so it is uploaded again.
    lost: job => (job.attempts < maxTries ? { kind: 'retry', reason: 'LOST' } : givenUp(job, 'UPLOAD_FAILED')),
  })

  return {
    async enqueue({ db, orgId }, { orderKey, paceKey, lane, ...payload }) {
      await queue.add(db, orgId, [{ payload, orderKey, paceKey, lane, uniqueKey: payload.messageId }])
    },
    async cancel(db, orgId, messageIds) {
      if (messageIds.length) await queue.cancel(db, orgId, messageIds)
    },
    async findRetrying(db, orgId, orderKey) {
      const [first] = await queue.listLine(db, orgId, orderKey, [])
      return first?.state === 'retrying' ? first : undefined
    },
    async ensure(number, orgId, { fileId, connectionId }, signal) {
      const file = await findSentMedia(databases.read, orgId, fileId)
      if (!file) throw missing()
      return copy(number, file, connectionId, signal)
    },
    ensureShared: copy,
    forgetShared: (file, connectionId, providerId) =>
      deleteUpload(databases.write, file.orgId, keyOf(file, connectionId), providerId),
    async forget(orgId, { fileId, connectionId }, providerId) {
      const file = await findSentMedia(databases.read, orgId, fileId)
      if (file) await deleteUpload(databases.write, orgId, keyOf(file, connectionId), providerId)
    },
    prune() {
      const before = isoIn(clock, -copyLifeMs)
      return inBatches(prunedAtOnce, limit => deleteUploadsBefore(databases.write, before, limit))
    },
  }
}
