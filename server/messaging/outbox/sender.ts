import { type Accepted, WhatsAppError, type WhatsAppNumber } from '#server/whatsapp/provider.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'

/** The facts that a request to WhatsApp needs. */
interface WhatsAppCall {
  number: WhatsAppNumber
  /** Called when the request is written. It may have waited for a connection until then. */
  onWire?: (() => void) | undefined
  what:
    | {
        kind: 'message'
        to: string
        content: OutboundMessage
        replyToWamid: string | undefined
        uploadedId?: string | undefined
        callback: string
      }
    | { kind: 'reaction'; to: string; targetWamid: string; emoji: string; callback?: string | undefined }
    | { kind: 'read' | 'typing'; wamid: string }
}

/** Has exactly one of the two; for an accepted receipt, neither. */
export interface Answer {
  accepted?: Accepted
  error?: WhatsAppError
}

/**
 * Makes one request and never rejects. A bug of ours counts as unknown, because the request may have left before it.
 */
export async function send(call: WhatsAppCall, signal: AbortSignal): Promise<Answer> {
  const { number, what, onWire } = call
  try {
    if (what.kind === 'message') {
      const { to, content, replyToWamid, uploadedId, callback } = what
      const more = { ...(replyToWamid ? { replyToWamid } : {}), ...(uploadedId ? { uploadedId } : {}) }
      return { accepted: await number.send({ to, content, callback, ...more }, signal, onWire) }
    }
    if (what.kind === 'reaction') {
      const { to, targetWamid, emoji, callback } = what
      const content = { type: 'reaction', targetWamid, emoji } as const
      return { accepted: await number.send({ to, content, ...(callback ? { callback } : {}) }, signal) }
    }
    await number.markRead(what.wamid, { typing: what.kind === 'typing', signal })
    return {}
  } catch (error) {
    if (error instanceof WhatsAppError) return { error }
    const message = error instanceof Error ? error.message : String(error)
    return { error: new WhatsAppError({ code: 'INTERNAL', message, retry: 'unknown', cause: error }) }
  }
}
