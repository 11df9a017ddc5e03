import { type FieldFault, InvalidInput } from '#server/platform/http/validate.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'
import { isSeen } from '#shared/kernel/plain-name.ts'
import { outboundLimits } from '#shared/outbound/api.ts'

export const fault = (field: string, code: string, params: FieldFault['params'] = {}): InvalidInput =>
  new InvalidInput([{ field: `body.${field}`, code, params }])

/** Returns the message's text. @throws InvalidInput when it is missing or has more than `max` code points. */
export const requireWords = (body: Pick<SendMessage, 'message'>, max: number): string => {
  if (!body.message || !isSeen(body.message)) throw fault('message', 'required')
  if ([...body.message].length > max) throw fault('message', 'maxLength', { limit: max })
  return body.message
}

/** Returns the message's text, or the button's label if there is none, because WhatsApp requires a text with a button. */
export const wordsBeside = (body: Pick<SendMessage, 'message'>, label: string): string =>
  body.message && isSeen(body.message) ? requireWords(body, outboundLimits.interactiveBody) : label

/** Meta refuses addresses whose host is an IP address. @throws InvalidInput for those, and for no address at all */
export const requireNamedHost = (url: string, field: string) => {
  if (!URL.canParse(url) || /^[\d.]+$|^\[/.test(new URL(url).hostname)) throw fault(field, 'format')
}
