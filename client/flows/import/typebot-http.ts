import { readPath } from '#shared/flows/http/json-path.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import { httpMethods } from '#shared/flows/nodes/http-fields.ts'
import { type Carried, type Carrying, carryText, one } from './typebot-carried.ts'
import { asList, asObject, asText, type TypebotBlock } from './typebot-file.ts'

/** Names of headers and parameters whose values are secret. */
const isSecret = (name: string): boolean => /auth|token|secret|api.?key|password|cookie/i.test(name)

/** A service call, without its credentials. */
export const http = ({ options }: TypebotBlock, carrying: Carrying): Carried => {
  const call = asObject(options.webhook)
  const pairs = (value: unknown) =>
    asList(value)
      .map(asObject)
      .map(pair => {
        const name = asText(pair.key).slice(0, 100)
        const hides = isSecret(name) && asText(pair.value) !== ''
        if (hides) carrying.lose('secret', name)
        const text = hides ? '' : carryText(asText(pair.value), carrying)
        if (text.length > 1024) carrying.lose('textCut', name)
        return { name, value: text.slice(0, 1024) }
      })
      .filter(({ name }) => name)
      .slice(0, flowLimits.pairs)
  const written = asText(call.method) || 'POST'
  const method = httpMethods.find(known => known === written)
  if (!method) carrying.lose('httpMethod', written)
  const query = pairs(call.queryParams)
    .map(({ name, value }) => `${encodeURIComponent(name)}=${value}`)
    .join('&')
  const url = carryText(asText(call.url), carrying).trim()
  const hasBody = method !== undefined && method !== 'GET'
  const body = hasBody && options.isCustomBody === true ? carryText(asText(call.body), carrying) : ''
  if (hasBody && !body) carrying.lose('httpBody')
  const map = asList(options.responseVariableMapping)
    .map(asObject)
    .flatMap(({ variableId, bodyPath }) => {
      const variable = carrying.names.of(variableId)
      const from = asText(bodyPath)
      const path = from === 'data' ? '$' : from.replace(/^data\.(?=.)/, '').slice(0, 200)
      if (!variable || from === 'statusCode' || !readPath(path)) {
        carrying.lose('httpPath', from)
        return []
      }
      return [{ variable, path }]
    })
    .slice(0, flowLimits.kept)
  const seconds = typeof options.timeout === 'number' ? options.timeout : 10
  return one({
    type: 'http',
    method: method ?? 'GET',
    headers: pairs(call.headers),
    form: [],
    map,
    body,
    url: (query ? `${url}${url.includes('?') ? '&' : '?'}${query}` : url).slice(0, flowLimits.url),
    send: body ? 'json' : 'nothing',
    timeoutMs: Math.min(Math.max(seconds, 1) * 1000, flowLimits.callMs),
    mock: { status: 200, body: '' },
  })
}
