import { asObject, asText, type Json, shownValue } from '../scalars.ts'
import { missing } from './checks.ts'
import { codeError, paramError } from './graph-error.ts'

/** `status: "read"` of a message that the customer sent; with `typing_indicator` the customer sees somebody typing. */
interface Receipt {
  readonly wamid: string
  readonly isTyping: boolean
}

/** @throws GraphError 100, 131008 */
export function readReceipt(message: Json): Receipt {
  if (message.status !== 'read')
    throw paramError(`Param status must be one of {READ} - got "${shownValue(message.status)}".`)
  const wamid = asText(message.message_id)
  if (wamid === undefined) throw missing('message_id')
  const isTyping = message.typing_indicator !== undefined
  if (isTyping && asObject(message.typing_indicator)?.type !== 'text')
    throw paramError("Param typing_indicator['type'] must be one of {TEXT}.")
  return { wamid, isTyping }
}

export const notReceived = () =>
  codeError(131009, "Parameter 'message_id' is not a valid id of a message received by this number.")
