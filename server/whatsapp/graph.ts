import { createHmac } from 'node:crypto'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Agent, FormData, Headers, fetch as undiciFetch, request as undiciRequest } from 'undici'
import { parseExact } from '../json.ts'
import { type CallKind, classify } from './errors.ts'
import { WhatsAppError } from './provider.ts'
import { asObject } from './scalars.ts'

export interface GraphOptions {
  /** `https://graph.facebook.com`, or the simulator's address; no trailing slash needed. */
  baseUrl: string
  version: string
  accessToken: string
  /** Signs each call (`appsecret_proof`) so that a stolen token alone is of no use where Meta demands it. */
  appSecret?: string
  fetch?: typeof fetch
  /** For the whole answer; 20 s unless said. */
  timeoutMs?: number
}

export interface GraphCall<Reply extends TSchema> {
  call: CallKind
  method: 'GET' | 'POST' | 'DELETE'
  /** Below the version: `/106540352242922/messages`. */
  path: string
  query?: Readonly<Record<string, string>>
  body?: unknown
  /** The fields of a form instead of a body; a file among them is read as it is sent. */
  form?: Readonly<Record<string, string | Blob>>
  /** A file instead of a body: its bytes as they are, with the form of the token that uploads want. */
  file?: { bytes: Blob; offset: number }
  reply: Reply
  /** For the whole answer; the options' own unless said. */
  timeoutMs?: number
  signal?: AbortSignal | undefined
}

export interface Graph {
  readonly baseUrl: URL
  /** Asks once. Rejects with `WhatsAppError` and nothing else. */
  request<Reply extends TSchema>(call: GraphCall<Reply>): Promise<Static<Reply>>
  /** Fetches an address with the headers given; never follows a redirect. `token` adds the credentials. */
  open(url: URL, options: { token: boolean; call: CallKind; signal?: AbortSignal | undefined }): Promise<Response>
}

/**
 * One pool for all numbers: it holds sockets and nobody's data, and idle sockets don't keep the process alive.
 * Once a request is under way `headersTimeout` and `bodyTimeout` measure silence, not size.
 */
const agent = new Agent({
  connect: { timeout: 5_000 },
  headersTimeout: 20_000,
  bodyTimeout: 20_000,
  keepAliveTimeout: 4_000,
})
const pooledFetch = ((url: URL, init: RequestInit) =>
  undiciFetch(url, { ...init, dispatcher: agent } as Parameters<typeof undiciFetch>[1])) as unknown as typeof fetch

/** Lookaside refuses empty and odd agents. */
const userAgent = 'Mozilla/5.0 (compatible; Recado/1.0)'
const maxReplyBytes = 1024 * 1024
/** The largest list we ask for has some thousands. */
const maxReplyValues = 100_000

const readBytes = async (response: { body: AsyncIterable<Uint8Array> | null }): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxReplyBytes) return Buffer.alloc(0)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

interface Reply {
  readonly status: number
  readonly headers: () => Response['headers']
  readonly bytes: Buffer
}

/** What goes out as JSON goes without the parts of `fetch` that a browser needs: it costs a fifth. */
const postJson = async (
  url: URL,
  method: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
) => {
  const answer = await undiciRequest(url, { method: method as 'POST', headers, body, signal, dispatcher: agent })
  const bytes = await readBytes({ body: answer.body })
  return {
    status: answer.statusCode,
    headers: () => new Headers(answer.headers as Record<string, string>) as unknown as Response['headers'],
    bytes,
  } satisfies Reply
}

const readJson = (bytes: Buffer): unknown => {
  try {
    return parseExact(bytes, maxReplyValues)
  } catch {
    // HTML of a proxy, an empty body, far too much: `classify` decides by the status.
    return undefined
  }
}

/** Of the same make as the `fetch` that sends it. */
const formOf = (fields: Readonly<Record<string, string | Blob>>): BodyInit => {
  const form = new FormData()
  // A name makes the part a file; what it is called is said elsewhere.
  for (const [name, value] of Object.entries(fields))
    if (value instanceof Blob) form.set(name, value, 'file')
    else form.set(name, value)
  return form as unknown as BodyInit
}

/** Waits at most so long for `work`; the caller's signal ends it as well. */
const within = async <T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort(new DOMException('no answer in time', 'TimeoutError')), ms)
  const end = () => timer.abort(signal?.reason)
  // A signal for both is garbage of both; this one costs a listener.
  signal?.addEventListener('abort', end, { once: true })
  try {
    return await work(timer.signal)
  } finally {
    clearTimeout(timeout)
    signal?.removeEventListener('abort', end)
  }
}

const compiled = new WeakMap<TSchema, { Check(value: unknown): boolean }>()
const fits = (schema: TSchema, value: unknown): boolean => {
  let check = compiled.get(schema)
  if (check === undefined) {
    check = Compile(schema)
    compiled.set(schema, check)
  }
  return check.Check(value)
}

const notStarted = (signal: AbortSignal): WhatsAppError =>
  new WhatsAppError({ code: 'NETWORK', retry: 'quick', message: 'stopped before it was sent', cause: signal.reason })

/** The way to the Graph API: address, credentials, time limit, and the reading of whatever comes back. */
export function createGraph(options: GraphOptions): Graph {
  const { version, accessToken, appSecret, timeoutMs = 20_000 } = options
  const send = options.fetch ?? pooledFetch
  const baseUrl = new URL(options.baseUrl.replace(/\/+$/, ''))
  const proof = appSecret ? createHmac('sha256', appSecret).update(accessToken).digest('hex') : undefined
  // `Headers` would print the token in its own complaint about a stray line break.
  const sendable = /^[\x21-\x7e]+$/.test(accessToken)

  const headersFor = (token: boolean): Record<string, string> => {
    if (token && !sendable)
      throw new WhatsAppError({
        code: '190',
        retry: 'credentials',
        message: 'the access token has characters that no token has',
      })
    return { 'user-agent': userAgent, ...(token ? { authorization: `Bearer ${accessToken}` } : {}) }
  }

  const addressOf = (path: string, query: Readonly<Record<string, string>>): URL => {
    const url = new URL(baseUrl)
    url.pathname = `${baseUrl.pathname.replace(/\/$/, '')}/${version}${path}`
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
    if (proof) url.searchParams.set('appsecret_proof', proof)
    return url
  }

  return {
    baseUrl,
    request: async ({
      call,
      method,
      path,
      query = {},
      body,
      form,
      file,
      reply,
      signal,
      timeoutMs: ownMs = timeoutMs,
    }) => {
      const headers = {
        ...headersFor(true),
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(file ? { authorization: `OAuth ${accessToken}`, file_offset: String(file.offset) } : {}),
      }
      const url = addressOf(path, query)
      if (signal?.aborted) throw notStarted(signal)
      let answer: { response: Pick<Reply, 'status' | 'headers'>; body: unknown }
      try {
        answer = await within(ownMs, signal, async limit => {
          if (body !== undefined && !options.fetch) {
            const response = await postJson(url, method, headers, JSON.stringify(body), limit)
            return { response, body: readJson(response.bytes) }
          }
          const response = await send(url, {
            method,
            headers,
            redirect: 'manual',
            signal: limit,
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            ...(form ? { body: formOf(form) } : {}),
            ...(file ? { body: file.bytes } : {}),
          })
          const { status } = response
          return { response: { status, headers: () => response.headers }, body: readJson(await readBytes(response)) }
        })
      } catch (fault) {
        throw classify({ call, fault })
      }
      const { response } = answer
      // A partial success (206) may carry an error, too.
      const succeeded = response.status >= 200 && response.status < 300 && asObject(answer.body)?.error === undefined
      if (succeeded && fits(reply, answer.body)) return answer.body as Static<typeof reply>
      throw classify({ call, httpStatus: response.status, body: answer.body, headers: response.headers() })
    },
    open: async (url, { token, call, signal }) => {
      const headers = headersFor(token)
      if (signal?.aborted) throw notStarted(signal)
      try {
        return await within(timeoutMs, undefined, limit =>
          send(url, { headers, redirect: 'manual', signal: signal ? AbortSignal.any([signal, limit]) : limit }),
        )
      } catch (fault) {
        throw classify({ call, fault })
      }
    },
  }
}
