import type { Log } from '#server/platform/log/log.ts'
import { monotonicMs } from '#server/platform/time/clock.ts'
import { mayMeanLostFile } from '#server/whatsapp/code-meanings.ts'
import { WhatsAppError, type WhatsAppNumber } from '#server/whatsapp/provider.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'
import type { UploadedFile, Uploads } from '../media/uploads.ts'
import { type HeaderFile, namedFiles, withCopies } from './header-files.ts'

export interface MessageFileParts {
  readonly log: Log
  readonly uploads: Pick<Uploads, 'ensure' | 'forget' | 'ensureShared' | 'forgetShared'>
  /** Files of headers that are kept here, and how messages name them. */
  readonly headerFiles: {
    idOf(link: string): string | undefined
    list(orgId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Omit<HeaderFile, 'orgId'>>>
    /** A message of that conversation carries these. */
    markSent(orgId: string, ids: readonly string[], conversationId: string): Promise<void>
  }
}

interface OfMessage {
  readonly content: OutboundMessage
  readonly connectionId: string
  readonly conversationId: string
}

type HeaderCopy = UploadedFile & { readonly file: HeaderFile; readonly name: string | null }

/** What leaves in the message's place: with WhatsApp's copies of its files. */
interface Ready {
  readonly content: OutboundMessage
  readonly uploaded?: UploadedFile
  readonly headers?: ReadonlyMap<string, HeaderCopy>
}

interface Remembered {
  until: number
  copy: Promise<HeaderCopy>
  /** Absent: it is being made. */
  providerId?: string
}

/** So long a copy that was made is not asked for again: to many, hundreds a second name the same. */
const rememberedMs = 10_000
const mostRemembered = 100

const missing = () =>
  new WhatsAppError({ code: 'FILE_MISSING', retry: 'never', message: 'the file is not there any more' })

/** The files of a message that leaves now. */
export const createMessageFile = ({ log, uploads, headerFiles }: MessageFileParts) => {
  /** Copies, those that are being made among them: however many ask at once, a file goes once. */
  const remembered = new Map<string, Remembered>()
  const keyOf = (connectionId: string, fileId: string) => `${connectionId} ${fileId}`
  const recall = (key: string): Promise<HeaderCopy> | undefined => {
    const one = remembered.get(key)
    return one && monotonicMs() < one.until ? one.copy : undefined
  }
  const remember = (key: string, making: Promise<HeaderCopy>): Promise<HeaderCopy> => {
    if (remembered.size >= mostRemembered)
      for (const [other, { providerId }] of remembered) if (providerId !== undefined) remembered.delete(other)
    const one: Remembered = { until: Number.POSITIVE_INFINITY, copy: making }
    remembered.set(key, one)
    making.then(
      copy => {
        one.copy = Promise.resolve({ ...copy, isFresh: false })
        one.providerId = copy.providerId
        one.until = monotonicMs() + rememberedMs
      },
      () => remembered.get(key) === one && remembered.delete(key),
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
    /** Its files are there already unless something went wrong; or why they are not. */
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
        log.error({ err: error, orgId }, 'a file could not be made ready')
        const message = 'the file could not be read'
        return new WhatsAppError({ code: 'UPLOAD_FAILED', retry: 'quick', message, cause: error })
      }
    },

    /** Whether a refusal is because WhatsApp lost a copy made for another message: then it is made anew, once. */
    async isLost(
      orgId: string,
      { content, connectionId }: Omit<OfMessage, 'conversationId'>,
      sent: Ready,
      { code }: WhatsAppError,
    ) {
      if (!mayMeanLostFile(code)) return false
      const old = [...(sent.headers?.values() ?? [])].filter(({ isFresh }) => !isFresh)
      for (const { file, providerId } of old) {
        const key = keyOf(connectionId, file.id)
        // Others may have heard of it before, and one that is made anew is on its way.
        if (remembered.get(key)?.providerId === providerId) remembered.delete(key)
        await uploads.forgetShared(file, connectionId, providerId)
      }
      if (content.type !== 'file' || !sent.uploaded || sent.uploaded.isFresh) return old.length > 0
      await uploads.forget(orgId, { fileId: content.fileId, connectionId }, sent.uploaded.providerId)
      return true
    },
  }
}
