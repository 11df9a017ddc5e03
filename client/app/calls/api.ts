import { createContext } from 'react-router'
import { type ApiServices, api } from '#shared/api.ts'
import type { EndpointShape, InputOf, ReplyOf } from '#shared/kernel/contract.ts'
import { ApiError, readApiError } from './api-error.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /** The key of a call declared `idempotent`: a repeated key gets the first response again. */
  readonly idempotencyKey?: string
  /**
   * The request continues after the page is left (see `keepalive` of `fetch`). Set it for calls that no button
   * triggers, because nobody would repeat them.
   */
  readonly keepalive?: boolean
}

/** `Api` of `shared/api.ts` with options per call. Services on the server ignore them. */
export type ApiClient = {
  readonly [R in keyof ApiServices]: {
    readonly [K in keyof ApiServices[R]]: ApiServices[R][K] extends EndpointShape
      ? (input: InputOf<ApiServices[R][K]>, options?: CallOptions) => Promise<ReplyOf<ApiServices[R][K]>>
      : never
  }
}

/** Returns the API for one organization (slug or id). Without one, the session's active organization applies. */
export type ApiFor = (org?: string) => ApiClient

/** Loaders use `context.get(apiContext)(params.org)`. */
export const apiContext = createContext<ApiFor>()

interface Input {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** An endpoint's address for this input, below `/api`. */
export const callPath = (endpoint: Pick<EndpointShape, 'path'>, input: Input): string => {
  const path = endpoint.path.replace(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(String(input.params?.[name])),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {}))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) query.append(name, String(one))
  return `${path}${query.size ? `?${query}` : ''}`
}

const call = async (
  fetcher: typeof fetch,
  org: string | undefined,
  endpoint: EndpointShape,
  input: Input,
  options: CallOptions,
) => {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (org) headers['x-organization'] = org
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey
  if (input.body !== undefined) headers['content-type'] = 'application/json'
  let response: Response
  try {
    response = await fetcher(`/api${callPath(endpoint, input)}`, {
      method: endpoint.method,
      headers,
      credentials: 'same-origin',
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
      signal: options.signal,
      keepalive: options.keepalive,
    })
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new ApiError({ status: 0, code: 'APP_OFFLINE', message: error instanceof Error ? error.message : '' })
  }
  if (!response.ok) {
    const { status, statusText, headers } = response
    const body: unknown = await response.json().catch(() => undefined)
    throw readApiError(body, { status, statusText, requestId: headers.get('x-request-id') ?? '' })
  }
  return response.json()
}

/** Makes the browser's API: one function per endpoint of the contract. */
export const createFetchApi = (fetcher: typeof fetch = (...args) => fetch(...args)): ApiFor => {
  const made = new Map<string, ApiClient>()
  const bind = (org: string | undefined) =>
    Object.fromEntries(
      Object.entries(api).map(([service, endpoints]) => [
        service,
        Object.fromEntries(
          Object.entries(endpoints as Record<string, EndpointShape>).map(([name, endpoint]) => [
            name,
            (input: Input = {}, options: CallOptions = {}) => call(fetcher, org, endpoint, input, options),
          ]),
        ),
      ]),
    ) as unknown as ApiClient
  return org => {
    const key = org ?? ''
    const known = made.get(key) ?? bind(org)
    made.set(key, known)
    return known
  }
}
