import type { LookupFunction } from 'node:net'
import { Agent, FormData, fetch as undiciFetch } from 'undici'
import { isOutboundAddress } from '#shared/outbound/address.ts'
import { isPublicAddress, PrivateAddress, publicLookup } from './address.ts'
import { type IsAllowed, ipOf } from './allowed.ts'

/**
 * Why a call has no answer. `address`: it may not be called, also after a redirect · `private`: the name resolves to a
 * private address · `redirects`: too many · `tooLarge` · `timeout` · `network`.
 */
type OutboundReason = 'address' | 'private' | 'redirects' | 'tooLarge' | 'timeout' | 'network'

export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure'
  readonly reason: OutboundReason
  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** A form with files; Node's own is of another version of the library. */
export class OutboundForm extends FormData {}

export interface OutboundCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | OutboundForm
  /** The limit of the whole call: name resolution, redirects and answer. */
  readonly timeoutMs: number
  /** Limit of the decompressed answer. A larger one is a failure; 0: the body is discarded. */
  readonly maxBytes: number
  /** True: an answer that is larger, or whose body fails or does not end in time, is cut off instead. */
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
  /** Judges an address by its text only: its name may still resolve to a private address. */
  mayCall(address: string): boolean
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

interface PublicFetchOptions {
  /** Private addresses that the operator allows. Absent: none. */
  readonly isAllowed?: IsAllowed
  /**
   * Connections to one host. Absent: as many as deliveries have places, because programs of several organizations may be at
   * one host, and those that hang must not hold the connections of the others.
   */
  readonly connections?: number
  /** The operator typed the address, so public hosts are reached on any port. */
  readonly anyPort?: boolean
}

/**
 * A `fetch` that connects to public addresses only, resolved in the connection itself, and to private ones that the
 * operator allowed. What is no `isOutboundAddress`, such as an address with http, reaches only the latter.
 */
export function createPublicFetch(
  lookup?: LookupFunction,
  { isAllowed = () => false, connections = 320, anyPort = false }: PublicFetchOptions = {},
): typeof fetch {
  const agent = (admits: (ip: string) => boolean) =>
    new Agent({ connect: { lookup: lookup ?? publicLookup(undefined, admits), timeout: 10_000 }, connections })
  const mixed = agent(ip => isPublicAddress(ip) || isAllowed(ip))
  const inner = agent(isAllowed)
  return (async (address: string, init: object) => {
    const url = new URL(address)
    const isUsual = isOutboundAddress(address) || (anyPort && url.protocol === 'https:')
    const ip = ipOf(url)
    // A connection to an IP address looks nothing up.
    if (ip !== undefined && !isAllowed(ip) && !(isUsual && isPublicAddress(ip)))
      throw new TypeError('fetch failed', { cause: new PrivateAddress(`${ip} leads inside`) })
    return undiciFetch(address, { ...init, dispatcher: isUsual ? mixed : inner } as never)
  }) as unknown as typeof fetch
}

const readBody = async (response: Response, maxBytes: number, isCut = false): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  if (maxBytes > 0)
    try {
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length
        if (bytes > maxBytes && isCut) return Buffer.concat([...chunks, chunk]).subarray(0, maxBytes)
        if (bytes > maxBytes) throw new OutboundFailure('tooLarge', `the answer is larger than ${maxBytes} bytes`)
        chunks.push(chunk)
      }
    } catch (error) {
      if (!isCut) throw error
    }
  // An unread body would keep its socket. An error while discarding it does not matter.
  else await response.body?.cancel().catch(() => undefined)
  return Buffer.concat(chunks)
}

interface OutboundParts {
  /** The network; in production `createPublicFetch()`. */
  readonly fetch: typeof globalThis.fetch
  /** Absent: `isOutboundAddress`. */
  readonly mayCall?: (address: string) => boolean
}

export function createOutbound({ fetch, mayCall = isOutboundAddress }: OutboundParts): Outbound {
  const hop = async (address: string, headers: Record<string, string>, call: OutboundCall, signal: AbortSignal) => {
    if (!mayCall(address)) throw new OutboundFailure('address', 'not an address that may be called')
    const { method = 'GET', body } = call
    const sent = body === undefined ? {} : { body: body as BodyInit }
    return fetch(address, { method, headers, ...sent, redirect: 'manual', signal })
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
    mayCall,
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

/**
 * Opens addresses whose answer has no end, such as a stream of events. The caller bounds size and time, and no redirect
 * is followed. @throws OutboundFailure if the address may not be called
 */
export const createStreamOpener =
  ({ fetch, mayCall = isOutboundAddress }: OutboundParts) =>
  (address: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> => {
    if (!mayCall(address)) throw new OutboundFailure('address', 'not an address that may be called')
    return fetch(address, { headers, redirect: 'manual', signal })
  }
