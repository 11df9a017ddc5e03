import type { OutboundMessage } from '#shared/outbound.ts'
import type { Log } from '../log.ts'
import type { UploadedFile, Uploads } from '../media/uploads.ts'
import { mayMeanLostFile } from '../whatsapp/code-meanings.ts'
import { WhatsAppError, type WhatsAppNumber } from '../whatsapp/provider.ts'

interface MessageFileParts {
  readonly log: Log
  readonly uploads: Pick<Uploads, 'ensure' | 'forget'>
}

interface OfMessage {
  readonly content: OutboundMessage
  readonly connectionId: string
}

/** WhatsApp's copy of a message's file, or why there is none. */
type Copy = UploadedFile | WhatsAppError | undefined

/** The file of a message that leaves now. */
export const createMessageFile = ({ log, uploads }: MessageFileParts) => ({
  /** There already unless something went wrong; undefined: the message has none. */
  async of(number: WhatsAppNumber, orgId: string, message: OfMessage, signal: AbortSignal): Promise<Copy> {
    const { content, connectionId } = message
    if (content.type !== 'file') return undefined
    try {
      return await uploads.ensure(number, orgId, { fileId: content.fileId, connectionId }, signal)
    } catch (error) {
      if (error instanceof WhatsAppError) return error
      log.error({ err: error, orgId }, 'a file could not be made ready')
      const message = 'the file could not be read'
      return new WhatsAppError({ code: 'UPLOAD_FAILED', retry: 'quick', message, cause: error })
    }
  },

  /** Whether a refusal is because WhatsApp lost a copy made for another message: then it is made anew, once. */
  async isLost(orgId: string, { content, connectionId }: OfMessage, copy: Copy, { code }: WhatsAppError) {
    if (content.type !== 'file' || !copy || copy instanceof WhatsAppError) return false
    if (copy.isFresh || !mayMeanLostFile(code)) return false
    await uploads.forget(orgId, { fileId: content.fileId, connectionId }, copy.providerId)
    return true
  },
})
