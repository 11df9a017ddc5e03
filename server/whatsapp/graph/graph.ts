import { createHmac } from 'node:crypto'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { FormData } from 'undici'
import { traceHeaders } from '#server/platform/log/trace.ts'
import { parseExact } from '#server/platform/text/json.ts'
import { type CallKind, classify } from '../errors/errors.ts'
import { WhatsAppError } from '../provider.ts'
import { asObject } from '../scalars.ts'
import { within } from './call-endings.ts'
import { type Address, pooledFetch, postJson, type Reply, readBytes } from './graph-connections.ts'

export interface GraphOptions {
  /** `https://graph.facebook.com`, or the simulator's address; a trailing slash is ignored. */
  baseUrl: string
  version: string
  accessToken: string
  /** Signs each call (`appsecret_proof`), so that a stolen token alone is useless where Meta requires the proof. */
  appSecret?: string
  fetch?: typeof fetch
  /** The timeout of the whole answer. Default: 20 s. */
  timeoutMs?: number
}

/** Bytes that can be read once. */
export interface SizedStream {
  readonly stream: AsyncIterable<Uint8Array>
  readonly size: number
}

interface GraphCall<Reply extends TSchema> {
  call: CallKind
  method: 'GET' | 'POST' | 'DELETE'
  /** Below the version: `/106540352242922/messages`. */
  path: string
  query?: Readonly<Record<string, string>>
  body?: unknown
  /** Fields of a form, instead of a body. A file is read while it is sent. */
  form?: Readonly<Record<string, string | Blob>>
  /** A file instead of a body, with the `OAuth` form of authorization that uploads require. */
  file?: { bytes: Blob | SizedStream; offset: number }
  reply: Reply
  /** The timeout of the whole answer. Default: that of the options. */
  timeoutMs?: number
  signal?: AbortSignal | undefined
  /** Called when a JSON body is being written, which may be after waiting for a connection. */
  onWire?: (() => void) | undefined
}

export interface Graph {
  readonly baseUrl: URL
  /** Sends one request, without retries. Rejects with `WhatsAppError` only. */
  request<Reply extends TSchema>(call: GraphCall<Reply>): Promise<Static<Reply>>
  /** Fetches an address without following redirects. `token` adds the credentials. */
  open(url: URL, options: { token: boolean; call: CallKind; signal?: AbortSignal | undefined }): Promise<Response>
}

/** Lookaside rejects empty and unusual user agents. */
const userAgent = 'Mozilla/5.0 (compatible; Recado/1.0)'
/** The largest list that we request has some thousand values. */
const maxReplyValues = 100_000

const readJson = (bytes: Buffer): unknown => {
  try {
    return parseExact(bytes, maxReplyValues)
  } catch {
    // A proxy's HTML, an empty body, or too many values: `classify` decides by the status.
    return undefined
  }
}

/** Uses the `FormData` of the same library as `fetch`. */
const formOf = (fields: Readonly<Record<string, string | Blob>>): BodyInit => {
  const form = new FormData()
  // A file name makes the part a file; the value is ignored.
  for (const [name, value] of Object.entries(fields))
    if (value instanceof Blob) form.set(name, value, 'file')
    else form.set(name, value)
  return form as unknown as BodyInit
}

/** Without its length a stream would be sent in chunks. */
const fileInit = (bytes: Blob | SizedStream): { body: BodyInit; duplex?: 'half'; ofSize?: Record<string, string> } =>
  bytes instanceof Blob
    ? { body: bytes }
    : {
        body: bytes.stream as unknown as BodyInit,
        duplex: 'half',
        ofSize: { 'content-length': String(bytes.size) },
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

/** An address would end the path there, or go up. */
const leadsElsewhere = /[?#\\]|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i

/** A client of the Graph API: address, credentials, time limit and reading of answers. */
export function createGraph(options: GraphOptions): Graph {
  const { version, accessToken, appSecret, timeoutMs = 20_000 } = options
  const send = options.fetch ?? pooledFetch
  const baseUrl = new URL(options.baseUrl.replace(/\/+$/, ''))
  const proof = appSecret ? createHmac('sha256', appSecret).update(accessToken).digest('hex') : undefined
  // `Headers` would print a token with a line break in its error.
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

  let ofJson: Readonly<Record<string, string>> | undefined
  const headersOfJson = (): Readonly<Record<string, string>> => {
    ofJson ??= { ...headersFor(true), accept: 'application/json', 'content-type': 'application/json' }
    return ofJson
  }

  const addressOf = (path: string, query: Readonly<Record<string, string>>): Address => {
    if (leadsElsewhere.test(path))
      throw new WhatsAppError({ code: '100', retry: 'never', message: 'a path that leads elsewhere' })
    const url = new URL(baseUrl)
    url.pathname = `${baseUrl.pathname.replace(/\/$/, '')}/${version}${path}`
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
    if (proof) url.searchParams.set('appsecret_proof', proof)
    return { url, origin: url.origin, path: url.pathname + url.search }
  }
  let last: { path: string; address: Address } | undefined
  /** Thousands of sends go to one path, so the last one is cached. */
  const plainAddressOf = (path: string): Address => {
    if (last?.path !== path) last = { path, address: addressOf(path, {}) }
    return last.address
  }

  const askByFetch = async (url: URL, init: RequestInit): Promise<Reply> => {
    const response = await send(url, init)
    const { status, headers } = response
    return { status, headers: () => headers, bytes: await readBytes(response.body) }
  }

  return {
    baseUrl,
    request: async ({
      call,
      method,
      path,
      query,
      body,
      form,
      file,
      reply,
      signal,
      onWire,
      timeoutMs: ownMs = timeoutMs,
    }) => {
      const own =
        body === undefined
          ? {
              ...headersFor(true),
              accept: 'application/json',
              ...(file ? { authorization: `OAuth ${accessToken}`, file_offset: String(file.offset) } : {}),
            }
          : headersOfJson()
      const headers = { ...own, ...traceHeaders() }
      const address = query ? addressOf(path, query) : plainAddressOf(path)
      if (signal?.aborted) throw notStarted(signal)
      const text = body === undefined ? undefined : JSON.stringify(body)
      const { ofSize, ...sent } = file ? fileInit(file.bytes) : {}
      const fetchIt = (limit: AbortSignal): Promise<Reply> =>
        askByFetch(address.url, {
          ...sent,
          method,
          headers: { ...headers, ...ofSize },
          redirect: 'manual',
          signal: limit,
          ...(text === undefined ? {} : { body: text }),
          ...(form ? { body: formOf(form) } : {}),
        })
      const answer = await (text !== undefined && !options.fetch
        ? postJson(address, { method, headers, body: text, ms: ownMs, signal, onWire })
        : within(ownMs, signal, fetchIt)
      ).catch(fault => {
        throw classify({ call, fault })
      })
      const value = readJson(answer.bytes)
      // A partial success (206) may contain an error.
      const succeeded = answer.status >= 200 && answer.status < 300 && asObject(value)?.error === undefined
      if (succeeded && fits(reply, value)) return value as Static<typeof reply>
      throw classify({ call, httpStatus: answer.status, body: value, headers: answer.headers() })
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
