import { Type } from 'typebox'
import { createGraph, type GraphOptions } from '../graph.ts'
import { asObject, type Json } from '../scalars.ts'

export interface ForwardedCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the version. */
  readonly path: string
  readonly query: Json
  readonly body: Json
}

/** What belongs to the caller's token, not to the call. */
const ofToken = new Set(['access_token', 'appsecret_proof'])

/** Meta's address of the next page contains our token. The caller adds its own. */
const ownAddress = (address: unknown, ownUrl: string): unknown => {
  if (typeof address !== 'string' || !URL.canParse(address)) return address
  const { searchParams } = new URL(address)
  for (const name of ofToken) searchParams.delete(name)
  return `${ownUrl}?${searchParams}`
}

const withOwnPaging = (answer: unknown, ownUrl: string): unknown => {
  const paging = asObject(asObject(answer)?.paging)
  if (!paging) return answer
  const named = Object.entries(paging).map(([name, value]) => [
    name,
    name === 'next' || name === 'previous' ? ownAddress(value, ownUrl) : value,
  ])
  return { ...asObject(answer), paging: Object.fromEntries(named) }
}

/** Meta would make another call of it: by another method, of other objects, or with a description of the object. */
const ofOtherCall = new Set(['method', 'ids', 'metadata', 'batch', 'include_sip_credentials'])

/** Makes a program's call at Meta with our token, and returns Meta's answer. @throws WhatsAppError */
export async function forwardCall(
  options: GraphOptions,
  { method, path, query, body }: ForwardedCall,
  ownUrl: string,
): Promise<unknown> {
  const asked = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !ofToken.has(name) && !ofOtherCall.has(name) ? [[name, value]] : [],
  )
  const { method: _method, ...sent } = body
  const answer = await createGraph(options).request({
    call: 'number',
    method,
    path: `/${path}`,
    query: Object.fromEntries(asked),
    ...(method === 'GET' || !Object.keys(sent).length ? {} : { body: sent }),
    reply: Type.Unknown(),
  })
  return withOwnPaging(answer, ownUrl)
}
