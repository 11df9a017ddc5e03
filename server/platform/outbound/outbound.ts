import type { LookupFunction } from 'node:net'
import { Agent, fetch as undiciFetch } from 'undici'
import { isOutboundAddress } from '#shared/outbound/address.ts'
import { PrivateAddress, publicLookup } from './address.ts'

/**
 * Why a call has no answer. `address`: it may not be called, also after a redirect · `private`: the name resolves to a
 * private address · `redirects`: too many · `tooLarge` · `timeout` · `network`.
 */
export type OutboundReason = 'address' | 'private' | 'redirects' | 'tooLarge' | 'timeout' | 'network'

export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure'
  readonly reason: OutboundReason
  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

export interface OutboundCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** For the whole call: name resolution, redirects and answer. */
  readonly timeoutMs: number
  /** Limit of the decompressed answer. A larger one is a failure; 0: the body is discarded. */
  readonly maxBytes: number
  /** True: a larger answer is cut off instead. */
  readonly isCut?: boolean
  /** Only a GET follows redirects. Absent: none is followed, and the redirect is the answer. */
  readonly maxRedirects?: number
  readonly signal?: AbortSignal
}

export interface OutboundAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

/** The only way to call addresses that people typed. */
export interface Outbound {
  /** @throws OutboundFailure. Any HTTP status is an answer. */
  call(address: string, call: OutboundCall): Promise<OutboundAnswer>
}

const redirects = new Set([301, 302, 303, 307, 308])
/** Headers that are not sent to another host after a redirect. */
const personal = /^(?:authorization|cookie|proxy-authorization)$|key|secret|token|signature/i

const findCause = (error: unknown, kind: new (...args: never[]) => Error): boolean => {
  let at: unknown = error
  while (at instanceof Error) {
    if (at instanceof kind) return true
    at = (at as Error).cause
  }
  return false
}

/** A `fetch` that connects to public addresses only, resolved in the connection itself. */
export function createPublicFetch(lookup: LookupFunction = publicLookup()): typeof fetch {
  const dispatcher = new Agent({ connect: { lookup, timeout: 10_000 }, connections: 16 })
  return ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch
}

const readBody = async (response: Response, maxBytes: number, isCut = false): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  if (maxBytes > 0)
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > maxBytes && isCut) return Buffer.concat([...chunks, chunk]).subarray(0, maxBytes)
      if (bytes > maxBytes) throw new OutboundFailure('tooLarge', `the answer is larger than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
  // An unread body would keep its socket. An error while discarding it does not matter.
  else await response.body?.cancel().catch(() => undefined)
  return Buffer.concat(chunks)
}

/** `fetch`: the network, in production `createPublicFetch()`. */
export function createOutbound({ fetch }: { readonly fetch: typeof globalThis.fetch }): Outbound {
  const hop = async (address: string, headers: Record<string, string>, call: OutboundCall, signal: AbortSignal) => {
    if (!isOutboundAddress(address)) throw new OutboundFailure('address', 'not an address that may be called')
    const { method = 'GET', body } = call
    return fetch(address, { method, headers, ...(body === undefined ? {} : { body }), redirect: 'manual', signal })
  }

  const follow = async (address: string, call: OutboundCall, signal: AbortSignal): Promise<OutboundAnswer> => {
    const { method = 'GET', maxRedirects = 0, maxBytes, isCut } = call
    let at = address
    let headers: Record<string, string> = { ...call.headers }
    for (let hops = 0; ; hops += 1) {
      const response = await hop(at, headers, call, signal)
      const location = response.headers.get('location')
      const leads = redirects.has(response.status) && location !== null && method === 'GET' && maxRedirects > 0
      if (!leads)
        return { status: response.status, headers: response.headers, body: await readBody(response, maxBytes, isCut) }
      await readBody(response, 0)
      if (hops === maxRedirects) throw new OutboundFailure('redirects', `more than ${maxRedirects} redirects`)
      if (!URL.canParse(location, at)) throw new OutboundFailure('address', 'a redirect to nowhere')
      const next = new URL(location, at)
      if (next.origin !== new URL(at).origin)
        headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !personal.test(name)))
      at = next.href
    }
  }

  return {
    async call(address, call) {
      const timeout = AbortSignal.timeout(call.timeoutMs)
      const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout
      try {
        return await follow(address, call, signal)
      } catch (error) {
        if (error instanceof OutboundFailure) throw error
        if (findCause(error, PrivateAddress))
          throw new OutboundFailure('private', 'the name leads inside', { cause: error })
        if (timeout.aborted) throw new OutboundFailure('timeout', `no answer in ${call.timeoutMs} ms`, { cause: error })
        throw new OutboundFailure('network', 'there was no answer', { cause: error })
      }
    },
  }
}
