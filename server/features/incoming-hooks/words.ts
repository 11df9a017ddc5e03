import { AppError } from '#server/platform/http/errors.ts'
import { type Say, toWireError } from '#server/platform/http/refusals.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import type { IncomingCall, IncomingReply } from '#shared/incoming-hooks/api.ts'
import type { StoredCall, StoredRefusal } from './call-store.ts'
import type { HookDone } from './doing.ts'

export const refusalToStore = (error: AppError): StoredRefusal => {
  const { code, status, textCode, params, fields } = error
  return { code, status, textCode, params, fields, faults: error instanceof InvalidInput ? error.faults : [] }
}

const errorOf = ({ code, status, textCode, params, fields, faults }: StoredRefusal): AppError =>
  faults.length
    ? new InvalidInput(faults, code, status, { ...params })
    : new AppError(code, status, { params: { ...params }, textCode, fields: [...fields] })

/** The refusal in one line: the sentence, or each field of the JSON with what is wrong with it. */
export const refusalWords = (error: AppError, say: Say): string => {
  const { message, details = [] } = toWireError(error, '', say)
  const isOfFields = error instanceof InvalidInput && details.length > 0
  return isOfFields ? details.map(one => `${one.field.replace(/^body\./, '')}: ${one.message}`).join(' · ') : message
}

export const doneWords = ({ did, what, number }: HookDone, say: Say): string =>
  say(`integrations:incoming.did.${did}`, { what, number: displayPhone(number) || number })

export const callWords = ({ outcome }: StoredCall, say: Say): string =>
  'did' in outcome ? doneWords(outcome, say) : refusalWords(errorOf(outcome), say)

export const presentCall = (call: StoredCall, say: Say): IncomingCall => {
  const { id, at, state, number, body, bytes, took_ms: tookMs, replay_of: replayOf } = call
  return { id, at, state, says: callWords(call, say), number, body, bytes, tookMs, replayOf }
}

export const replyOf = ({ id, outcome }: Pick<StoredCall, 'id' | 'outcome'>): IncomingReply => {
  const { did, number, messageId, runId } = outcome as HookDone
  return { id, did, number, messageId, runId }
}
