import type { Json } from '#server/whatsapp/scalars.ts'
import { codeError } from '#server/whatsapp/serving/graph-error.ts'
import { type Recipient, readRecipient } from '#server/whatsapp/serving/recipient.ts'
import type { SandboxNumber } from '../numbers/number-store.ts'

const isArgentineMobile = (waId: string) => /^549\d{10}$/.test(waId)

/** Like Meta's test numbers, which compare another spelling: only `54` and ten digits passes. */
const passesAllowList = (input: string, waId: string) =>
  !isArgentineMobile(waId) || /^54(?!9\d{10}$)/.test(input.replace(/\D/g, ''))

/** @throws GraphError 100, 131009, 131021, 131030 */
export function requireRecipient(message: Json, number: SandboxNumber): Recipient {
  const recipient = readRecipient(message, number.phone)
  if (number.behaviour.allowListMode && 'waId' in recipient && !passesAllowList(recipient.input, recipient.waId))
    throw codeError(131030)
  return recipient
}
