import type { UploadedFile, Uploads } from '#server/messaging/media/uploads.ts'
import type { Log } from '#server/platform/log/log.ts'
import { monotonicMs } from '#server/platform/time/clock.ts'
import { mayMeanLostFile } from '#server/whatsapp/errors/code-meanings.ts'
import { WhatsAppError, type WhatsAppNumber } from '#server/whatsapp/provider.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'
import { type HeaderFile, namedFiles, withCopies } from './header-files.ts'

export interface MessageFileParts {
  readonly log: Log
  readonly uploads: Pick<Uploads, 'ensure' | 'forget' | 'ensureShared' | 'forgetShared'>
  /** Our files in template headers, and the links that name them. */
  readonly headerFiles: {
    idOf(link: string): string | undefined
    list(orgId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Omit<HeaderFile, 'orgId'>>>
    /** Records that a message of the conversation carries these files. */
    markSent(orgId: string, ids: readonly string[], conversationId: string): Promise<void>
  }
}

interface OfMessage {
  readonly content: OutboundMessage
  readonly connectionId: string
  readonly conversationId: string
}

type HeaderCopy = UploadedFile & { readonly file: HeaderFile; readonly name: string | null }

/** The content to send, with WhatsApp's media ids in place of our files. */
interface Ready {
  readonly content: OutboundMessage
  readonly uploaded?: UploadedFile
  readonly headers?: ReadonlyMap<string, HeaderCopy>
}

interface CachedUpload {
  until: number
  copy: Promise<HeaderCopy>
  /** Absent while the upload is under way. */
  providerId?: string
}

/** Bulk sends name the same file hundreds of times a second, so an upload is cached this long. */
const cachedMs = 10_000
const maxCached = 100

const missing = () =>
  new WhatsAppError({ code: 'FILE_MISSING', retry: 'never', message: 'the file is not there any more' })

/** Uploads the files of a message that is about to be sent. */
export const createMessageFile = ({ log, uploads, headerFiles }: MessageFileParts) => {
  /** Includes uploads under way, so that concurrent messages share one upload. */
  const cached = new Map<string, CachedUpload>()
  const keyOf = (connectionId: string, fileId: string) => `${connectionId} ${fileId}`
  const recall = (key: string): Promise<HeaderCopy> | undefined => {
    const one = cached.get(key)
    return one && monotonicMs() < one.until ? one.copy : undefined
  }
  const remember = (key: string, making: Promise<HeaderCopy>): Promise<HeaderCopy> => {
    if (cached.size >= maxCached)
      for (const [other, { providerId }] of cached) if (providerId !== undefined) cached.delete(other)
    const one: CachedUpload = { until: Number.POSITIVE_INFINITY, copy: making }
    cached.set(key, one)
    making.then(
      copy => {
        one.copy = Promise.resolve({ ...copy, isFresh: false })
        one.providerId = copy.providerId
        one.until = monotonicMs() + cachedMs
      },
      () => cached.get(key) === one && cached.delete(key),
    )
    return making
  }

  const copiesOf = async (
    number: WhatsAppNumber,
    { orgId, ids, connectionId }: { orgId: string; ids: readonly string[]; connectionId: string },
    signal: AbortSignal,
  ) => {
    let kept: ReturnType<typeof headerFiles.list> | undefined
    const make = async (id: string): Promise<HeaderCopy> => {
      kept ??= headerFiles.list(orgId, ids)
      const found = (await kept).get(id)
      if (!found) throw missing()
      const file = { ...found, orgId }
      return { ...(await uploads.ensureShared(number, file, connectionId, signal)), file, name: file.name }
    }
    const copies = new Map<string, HeaderCopy>()
    for (const id of ids) {
      const key = keyOf(connectionId, id)
      copies.set(id, await (recall(key) ?? remember(key, make(id))))
    }
    return copies
  }

  const ready = async (number: WhatsAppNumber, orgId: string, message: OfMessage, signal: AbortSignal) => {
    const { content, connectionId, conversationId } = message
    if (content.type === 'file')
      return {
        content,
        uploaded: await uploads.ensure(number, orgId, { fileId: content.fileId, connectionId }, signal),
      }
    if (content.type !== 'template') return { content }
    const ids = namedFiles(content.template, headerFiles.idOf)
    if (!ids.length) return { content }
    const headers = await copiesOf(number, { orgId, ids, connectionId }, signal)
    await headerFiles.markSent(orgId, ids, conversationId)
    const template = withCopies(content.template, headerFiles.idOf, headers)
    return { content: { ...content, template }, headers }
  }

  return {
    /** The content to send, or why a file could not be uploaded. */
    async of(
      number: WhatsAppNumber,
      orgId: string,
      message: OfMessage,
      signal: AbortSignal,
    ): Promise<Ready | WhatsAppError> {
      try {
        return await ready(number, orgId, message, signal)
      } catch (error) {
        if (error instanceof WhatsAppError) return error
        log.error({ err: error, orgId }, 'a file of a message could not be read or uploaded')
        const message = 'the file could not be read'
        return new WhatsAppError({ code: 'UPLOAD_FAILED', retry: 'quick', message, cause: error })
      }
    },

    /**
     * Returns true if WhatsApp refused because it lost an earlier upload. That upload is forgotten, so a retry uploads
     * the file again.
     */
    async forgetLostUploads(
      orgId: string,
      { content, connectionId }: Omit<OfMessage, 'conversationId'>,
      sent: Ready,
      { code }: WhatsAppError,
    ) {
      if (!mayMeanLostFile(code)) return false
      const old = [...(sent.headers?.values() ?? [])].filter(({ isFresh }) => !isFresh)
      for (const { file, providerId } of old) {
        const key = keyOf(connectionId, file.id)
        // Another message may have noticed it before, and the new upload may be under way.
        if (cached.get(key)?.providerId === providerId) cached.delete(key)
        await uploads.forgetShared(file, connectionId, providerId)
      }
      if (content.type !== 'file' || !sent.uploaded || sent.uploaded.isFresh) return old.length > 0
      await uploads.forget(orgId, { fileId: content.fileId, connectionId }, sent.uploaded.providerId)
      return true
    },
  }
}
