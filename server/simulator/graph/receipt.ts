import { updateCustomer } from '#server/simulator/customers/customer-store.ts'
import { findMessage, markInboundRead } from '#server/simulator/customers/message-store.ts'
import type { SandboxNumber } from '#server/simulator/numbers/number-store.ts'
import { nowMs, type SandboxParts } from '#server/simulator/parts.ts'
import type { Write } from '#server/simulator/write-queue.ts'
import { asObject, asText, type Json } from '#server/whatsapp/scalars.ts'
import { missing } from '#server/whatsapp/serving/checks.ts'
import { codeError, paramError } from '#server/whatsapp/serving/graph-error.ts'

/** Meta hides the typing indicator after this time, or when the reply comes. */
const typingMs = 25_000

/**
 * `status: "read"` marks the message and all before it as read; with `typing_indicator` the customer sees that somebody
 * is writing. @throws GraphError 100, 131008, 131009
 */
export async function acceptReceipt(
  parts: Pick<SandboxParts, 'clock'> & { write: Write },
  number: SandboxNumber,
  message: Json,
): Promise<Json> {
  if (message.status !== 'read')
    throw paramError(`Param status must be one of {READ} - got "${String(message.status)}".`)
  const wamid = asText(message.message_id)
  if (wamid === undefined) throw missing('message_id')
  const isTyping = message.typing_indicator !== undefined
  if (isTyping && asObject(message.typing_indicator)?.type !== 'text')
    throw paramError("Param typing_indicator['type'] must be one of {TEXT}.")
  await parts.write(async trx => {
    const target = await findMessage(trx, number.orgId, wamid)
    if (target?.direction !== 'in')
      throw codeError(131009, "Parameter 'message_id' is not a valid id of a message received by this number.")
    await markInboundRead(trx, number.orgId, target)
    if (isTyping) await updateCustomer(trx, number.orgId, target.waId, { typingUntilMs: nowMs(parts.clock) + typingMs })
  })
  return { success: true }
}
