import { isBusinessScopedId } from '#shared/kernel/phone.ts'
import { asText, type Json, shownValue } from '../scalars.ts'
import { waIdOfSpelling } from './address.ts'
import { codeError, paramError } from './graph-error.ts'

/** The recipient of a send: `input` as written, and a WhatsApp id or a business-scoped id. */
export type Recipient = { input: string; waId: string } | { input: string; bsuid: string }

/**
 * `to` wins over `recipient`. @param ownPhone the number that sends @throws GraphError 100, 131009, 131021
 * @see Meta, "Phone numbers", "Business-scoped user ids"
 */
export function readRecipient(message: Json, ownPhone: string): Recipient {
  if (message.recipient_type !== undefined && message.recipient_type !== 'individual')
    throw paramError(`Param recipient_type must be one of {INDIVIDUAL} - got "${shownValue(message.recipient_type)}".`)
  const to = asText(message.to)
  const recipient = asText(message.recipient)
  if (to === undefined) {
    if (recipient === undefined) throw paramError('The parameter to is required.')
    if (!isBusinessScopedId(recipient))
      throw codeError(131009, "Parameter 'recipient' is not a valid business-scoped user id.")
    return { input: recipient, bsuid: recipient }
  }
  const waId = /^[\d\s()+.-]+$/.test(to) ? waIdOfSpelling(to) : undefined
  if (waId === undefined) throw codeError(131009, "Parameter 'to' is not a valid phone number.")
  if (waId === ownPhone) throw codeError(131021)
  return { input: to, waId }
}

/** The customer in the answer to a send. @param bsuid absent: not known */
const contactOf = (recipient: Recipient, bsuid: string | undefined) => ({
  input: recipient.input,
  ...('waId' in recipient ? { wa_id: recipient.waId } : {}),
  ...(bsuid === undefined ? {} : { user_id: bsuid }),
})

/** The answer to an accepted send. */
export const sendReply = (recipient: Recipient, bsuid: string | undefined, wamid: string) => ({
  messaging_product: 'whatsapp',
  contacts: [contactOf(recipient, bsuid)],
  messages: [{ id: wamid }],
})
