import { type FieldFault, InvalidInput } from '#server/platform/http/validate.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'
import { isSeen } from '#shared/kernel/plain-name.ts'
import { outboundLimits } from '#shared/outbound/api.ts'

export const fault = (field: string, code: string, params: FieldFault['params'] = {}): InvalidInput =>
  new InvalidInput([{ field: `body.${field}`, code, params }])

/** The body's words. @throws InvalidInput when they are missing or longer than this kind may be. */
export const requireWords = (body: Pick<SendMessage, 'message'>, max: number): string => {
  if (!body.message || !isSeen(body.message)) throw fault('message', 'required')
  if ([...body.message].length > max) throw fault('message', 'maxLength', { limit: max })
  return body.message
}

/** The body's words; WhatsApp wants some beside a button, so where there are none its label says them. */
export const wordsBeside = (body: Pick<SendMessage, 'message'>, label: string): string =>
  body.message && isSeen(body.message) ? requireWords(body, outboundLimits.interactiveBody) : label

/** Meta refuses addresses whose host is a number. */
export const requireNamedHost = (url: string, field: string) => {
  if (!URL.canParse(url) || /^[\d.]+$|^\[/.test(new URL(url).hostname)) throw fault(field, 'format')
}
