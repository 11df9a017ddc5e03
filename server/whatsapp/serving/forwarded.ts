import { Type } from 'typebox'
import { createGraph, type GraphOptions, type SizedStream } from '../graph/graph.ts'
import { getAppId, uploadMs } from '../management/account.ts'
import { WhatsAppError } from '../provider.ts'
import { asObject, type Json } from '../scalars.ts'

interface ForwardedCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the version. */
  readonly path: string
  readonly query: Json
  readonly body: Json
}

/** Parameters that belong to the caller's token, not to the call. */
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

/**
 * Parameters that would turn the request into another call: another method, other objects, or a description or
 * credentials of the object.
 */
const ofOtherCall = new Set(['method', 'ids', 'metadata', 'batch', 'include_sip_credentials'])

const passedOn = (query: Json): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && !ofToken.has(name) && !ofOtherCall.has(name) ? [[name, value]] : [],
    ),
  )

/** Makes a program's call at Meta with our token, and returns Meta's answer. @throws WhatsAppError */
export async function forwardCall(
  options: GraphOptions,
  { method, path, query, body }: ForwardedCall,
  ownUrl: string,
): Promise<unknown> {
  const { method: _method, ...sent } = body
  const answer = await createGraph(options).request({
    call: 'number',
    method,
    path: `/${path}`,
    query: passedOn(query),
    ...(method === 'GET' || !Object.keys(sent).length ? {} : { body: sent }),
    reply: Type.Unknown(),
  })
  return withOwnPaging(answer, ownUrl)
}

/** Begins an upload of the app that our token belongs to. @throws WhatsAppError */
export async function forwardNewUpload(options: GraphOptions, call: Pick<ForwardedCall, 'query' | 'body'>) {
  const appId = await getAppId(createGraph(options), options.accessToken)
  return forwardCall(options, { ...call, method: 'POST', path: `${appId}/uploads` }, '')
}

/** The time limit of the question about an upload that broke off. */
const askMs = 3_000

/** Passes the bytes of an upload on while they come. @throws WhatsAppError */
export async function forwardUpload(
  options: GraphOptions,
  { path, query }: Pick<ForwardedCall, 'path' | 'query'>,
  file: { bytes: SizedStream; offset: number },
): Promise<unknown> {
  const graph = createGraph(options)
  const asked = { call: 'media', path: `/${path}`, query: passedOn(query), reply: Type.Unknown() } as const
  let state: 'sending' | 'sent' | 'cut' = 'sending'
  const watched = async function* () {
    try {
      yield* file.bytes.stream
      state = 'sent'
    } catch (error) {
      state = 'cut'
      throw error
    }
  }
  const bytes = { ...file.bytes, stream: watched() }
  try {
    return await graph.request({ ...asked, method: 'POST', file: { ...file, bytes }, timeoutMs: uploadMs })
  } catch (error) {
    const isUnknown = error instanceof WhatsAppError && error.httpStatus === undefined
    // Meta may refuse an upload and close the connection before all bytes came; the reason is lost then. Asked about the upload, Meta says it again.
    if (isUnknown && state === 'sending')
      throw (await metaRefusalIn(graph.request({ ...asked, method: 'GET', timeoutMs: askMs }))) ?? error
    throw error
  }
}

/** The refusal with which Meta answers. Undefined: Meta does not refuse, or its answer says nothing about the upload. */
const metaRefusalIn = async (answer: Promise<unknown>): Promise<WhatsAppError | undefined> => {
  try {
    await answer
  } catch (error) {
    const { httpStatus = 0 } = error instanceof WhatsAppError ? error : {}
    if (httpStatus >= 400 && httpStatus < 500 && httpStatus !== 429) return error as WhatsAppError
  }
  return undefined
}
