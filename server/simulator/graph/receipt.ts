import type { Json } from '#server/whatsapp/scalars.ts'
import { notReceived, readReceipt } from '#server/whatsapp/serving/receipt.ts'
import { updateCustomer } from '../customers/customer-store.ts'
import { findMessage, markInboundRead } from '../customers/message-store.ts'
import type { SandboxNumber } from '../numbers/number-store.ts'
import { nowMs, type SandboxParts } from '../parts.ts'
import type { Write } from '../write-queue.ts'

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
  const { wamid, isTyping } = readReceipt(message)
  await parts.write(async trx => {
    const target = await findMessage(trx, number.orgId, wamid)
    if (target?.direction !== 'in') throw notReceived()
    await markInboundRead(trx, number.orgId, target)
    if (isTyping) await updateCustomer(trx, number.orgId, target.waId, { typingUntilMs: nowMs(parts.clock) + typingMs })
  })
  return { success: true }
}
