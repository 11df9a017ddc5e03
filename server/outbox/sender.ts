import { type Accepted, WhatsAppError, type WhatsAppNumber } from '../whatsapp/provider.ts'

/** Everything one call to WhatsApp needs; made before the row goes in flight. */
export interface Call {
  number: WhatsAppNumber
  kind: 'message' | 'read' | 'typing'
  to: string
  text: string
  replyToWamid: string | undefined
  targetWamid: string
  callback: string
}

/** Exactly one of the two, but a receipt that was taken, which has neither. */
export interface Answer {
  accepted?: Accepted
  error?: WhatsAppError
}

/** Makes one call and never rejects. A fault of our own counts as unknown: the request may have left before it. */
export async function send(call: Call, signal: AbortSignal): Promise<Answer> {
  const { number, kind, to, text, replyToWamid, callback } = call
  try {
    if (kind === 'message')
      return {
        accepted: await number.sendText({ to, text, callback, ...(replyToWamid ? { replyToWamid } : {}) }, signal),
      }
    await number.markRead(call.targetWamid, { typing: kind === 'typing', signal })
    return {}
  } catch (error) {
    if (error instanceof WhatsAppError) return { error }
    const message = error instanceof Error ? error.message : String(error)
    return { error: new WhatsAppError({ code: 'INTERNAL', message, retry: 'unknown', cause: error }) }
  }
}
