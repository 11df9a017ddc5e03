import { type FieldFault, InvalidInput } from '#server/platform/http/validate.ts'
import { webhookLimits } from '#shared/outgoing-webhooks/api.ts'

/** Headers that say how a request travels, or that we set. */
const ownHeaders = new Set([
  ...['host', 'content-length', 'content-type', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive'],
  ...['upgrade', 'te', 'trailer', 'expect', 'user-agent', 'date', 'via', 'forwarded'],
])
const ownPrefix = /^(?:webhook-|x-hub-|proxy-|sec-|x-forwarded-)/
const namePattern = /^[a-z0-9!#$%&'*+.^_`|~-]+$/
/** Visible ASCII, with spaces and tabs only inside. */
const valuePattern = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

/**
 * Names in lower case.
 * @throws InvalidInput naming the header
 */
export function readHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const faults: FieldFault[] = []
  const headers: Record<string, string> = {}
  for (const [typed, value] of Object.entries(given)) {
    const name = typed.toLowerCase()
    const isName = name.length <= webhookLimits.headerName && namePattern.test(name)
    const isOwn = ownHeaders.has(name) || ownPrefix.test(name)
    if (!isName || isOwn || name in headers || !valuePattern.test(value))
      faults.push({ field: `body.headers.${typed.slice(0, webhookLimits.headerName)}`, code: 'invalid', params: {} })
    headers[name] = value
  }
  if (faults.length) throw new InvalidInput(faults)
  return headers
}
