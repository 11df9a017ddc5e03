import { isOutboundAddress } from '#shared/outbound/address.ts'
import { hasSecretInPath, hostOf, secretsInCall } from '../http/http.ts'
import { readPath } from '../http/json-path.ts'
import type { HttpCall } from '../nodes/http-fields.ts'
import { partsOf } from '../variables.ts'
import type { FlowFacts, Found } from './problem.ts'

/** Headers that belong to the connection, or describe the body's encoding. */
const ownHeaders =
  /^(?:host|connection|content-length|content-encoding|transfer-encoding|keep-alive|upgrade|te|trailer|expect|proxy-.*|idempotency-key)$/i
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

/** True if every variable is inside a JSON string, where it cannot be anything but text. */
const isJson = (body: string): boolean => {
  try {
    JSON.parse(
      partsOf(body)
        .map(part => (typeof part === 'string' ? part : 'x'))
        .join(''),
    )
    return true
  } catch {
    return false
  }
}

const urlProblems = (url: string, mayCall: (address: string) => boolean): Found[] => {
  const field = 'url'
  if (!url.trim()) return [{ field, code: 'urlMissing' }]
  const outline = partsOf(url.trim())
    .map(part => (typeof part === 'string' ? part : 'x'))
    .join('')
  // URL parsers do not read spaces and backslashes literally.
  if (hostOf(url) === undefined || /[\s\\]/.test(outline) || !mayCall(outline))
    return [{ field, code: 'urlNotAllowed' }]
  return hasSecretInPath(url) ? [{ field, code: 'secretInPath' }] : []
}

/** The problems of a step that calls a service. */
export const httpProblems = (
  node: HttpCall,
  { secrets, mayCall = isOutboundAddress }: Pick<FlowFacts, 'secrets' | 'mayCall'>,
): Found[] => {
  const found = urlProblems(node.url, mayCall)
  for (const [i, { name }] of node.headers.entries())
    if (!headerName.test(name.trim()) || ownHeaders.test(name.trim()))
      found.push({ field: `headers.${i}`, code: 'headerInvalid', params: { name: name.trim() || '…' } })
  if (node.send === 'json' && !isJson(node.body)) found.push({ field: 'body', code: 'bodyNotJson' })
  if (node.send !== 'nothing' && node.method === 'GET') found.push({ field: 'send', code: 'bodyOfGet' })
  for (const [i, { variable, path }] of node.map.entries()) {
    if (!variable) found.push({ field: `map.${i}`, code: 'variableMissing' })
    else if (!readPath(path)) found.push({ field: `map.${i}`, code: 'pathInvalid' })
  }
  const host = hostOf(node.url)
  if (secrets)
    for (const name of secretsInCall(node)) {
      const secret = secrets.find(one => one.name === name)
      if (!secret) found.push({ field: 'secrets', code: 'secretUnknown', params: { name } })
      else if (host !== undefined && secret.host !== host)
        found.push({ field: 'secrets', code: 'secretElsewhere', params: { name, host: secret.host } })
    }
  return found
}
