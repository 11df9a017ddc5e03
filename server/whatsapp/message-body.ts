import type { OutboundContent } from '#shared/inbox/message-kinds.ts'
import { digitsOf, isBusinessScopedId } from '#shared/kernel/phone.ts'
import { partOf } from './kinds/registry.ts'

/**
 * A message to one customer. `to`: digits, or a business-scoped id. `callback` (at most 512 characters) is returned in
 * every status.
 */
export interface MessageToSend {
  to: string
  content: OutboundContent
  replyToWamid?: string
  /** WhatsApp's id of the uploaded file. */
  uploadedId?: string
  callback?: string
}

/** A business-scoped id has a field of its own; in `to` Meta would read it as a number. */
const addressee = (to: string) => (isBusinessScopedId(to) ? { recipient: to } : { to: digitsOf(to) })

/**
 * The body of a send call. Pure.
 * @see Meta, "Cloud API › Messages"
 */
export const messageBody = ({ to, content, replyToWamid, uploadedId, callback }: MessageToSend) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  ...addressee(to),
  ...partOf(content, uploadedId),
  ...(replyToWamid && content.type !== 'reaction' ? { context: { message_id: replyToWamid } } : {}),
  ...(callback ? { biz_opaque_callback_data: callback } : {}),
})
