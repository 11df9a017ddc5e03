import type { SandboxNumber } from '#server/simulator/numbers/number-store.ts'
import { asText, type Json } from '#server/whatsapp/scalars.ts'
import { waIdOf } from '#server/whatsapp/serving/address.ts'
import { codeError, paramError } from '#server/whatsapp/serving/graph-error.ts'
import { isBusinessScopedId } from '#shared/kernel/phone.ts'

/** The recipient of a send: `input` as written, and a WhatsApp id or a business-scoped id. */
export type Recipient = { input: string; waId: string } | { input: string; bsuid: string }

const isArgentineMobile = (waId: string) => /^549\d{10}$/.test(waId)

/** Like Meta's test numbers, which compare another spelling: only `54` and ten digits passes. */
const passesAllowList = (input: string, waId: string) =>
  !isArgentineMobile(waId) || /^54(?!9\d{10}$)/.test(input.replace(/\D/g, ''))

/**
 * `to` wins over `recipient`. @throws GraphError 100, 131009, 131021, 131030
 * @see Meta, "Phone numbers", "Business-scoped user ids"
 */
export function readRecipient(message: Json, number: SandboxNumber): Recipient {
  if (message.recipient_type !== undefined && message.recipient_type !== 'individual')
    throw paramError(`Param recipient_type must be one of {INDIVIDUAL} - got "${String(message.recipient_type)}".`)
  const to = asText(message.to)
  const recipient = asText(message.recipient)
  if (to === undefined) {
    if (recipient === undefined) throw paramError('The parameter to is required.')
    if (!isBusinessScopedId(recipient))
      throw codeError(131009, "Parameter 'recipient' is not a valid business-scoped user id.")
    return { input: recipient, bsuid: recipient }
  }
  const waId = /^[\d\s()+.-]+$/.test(to) ? waIdOf(to) : undefined
  if (waId === undefined) throw codeError(131009, "Parameter 'to' is not a valid phone number.")
  if (waId === number.phone) throw codeError(131021)
  if (number.behaviour.allowListMode && !passesAllowList(to, waId)) throw codeError(131030)
  return { input: to, waId }
}
