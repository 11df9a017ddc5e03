import { type Outbound, OutboundFailure } from '#server/platform/outbound/outbound.ts'
import { measureJson } from '#server/platform/text/json.ts'

/**
 * Why Chatwoot has no answer. `refused`: the token, or its rights · `missing`: it has no such thing · `limited`: it was
 * asked too often · `silent`: it does not answer, or is broken · `tooLarge` · `moved`: another address is named · `odd`:
 * the answer is none of Chatwoot's.
 */
export type TroubleReason = 'refused' | 'missing' | 'limited' | 'silent' | 'tooLarge' | 'moved' | 'odd'

export class RemoteTrouble extends Error {
  readonly reason: TroubleReason
  /** The other program asks to wait, in seconds or until a date. Null: it does not say. */
  readonly retryAfter: string | null

  constructor(
    reason: TroubleReason,
    { retryAfter = null, ...options }: ErrorOptions & { retryAfter?: string | null } = {},
  ) {
    super(`Chatwoot has no answer: ${reason}`, options)
    this.reason = reason
    this.retryAfter = retryAfter
  }
}

const answerMaxBytes = 6 * 1024 ** 2
/** The values that are parsed in one turn of the event loop. Chatwoot's longest answers contain some ten thousand. */
const answerMaxValues = 100_000
const deepestAnswer = 100
const withinMs = 20_000
const shortestWaitMs = 5_000
const longestWaitMs = 3_600_000
const usualWaitMs = 60_000

/** Returns the wait that it asks for, within bounds. @param now in milliseconds */
export const retryAfterMs = ({ retryAfter }: RemoteTrouble, now: number): number => {
  const given = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : Date.parse(retryAfter ?? '') - now
  return Number.isNaN(given) ? usualWaitMs : Math.min(Math.max(given, shortestWaitMs), longestWaitMs)
}

/** The meaning of a status that is not a success. Undefined: it is one. */
export const troubleOf = (status: number, headers: Pick<Headers, 'get'>): RemoteTrouble | undefined => {
  if (status === 401 || status === 403) return new RemoteTrouble('refused')
  if (status === 404 || status === 410) return new RemoteTrouble('missing')
  if (status === 429) return new RemoteTrouble('limited', { retryAfter: headers.get('retry-after') })
  if (status >= 500 || status === 408) return new RemoteTrouble('silent')
  if (status >= 300 && status < 400) return new RemoteTrouble('moved')
  return status === 200 ? undefined : new RemoteTrouble('odd')
}

const parse = (body: Buffer): unknown => {
  const { values, depth } = measureJson(body, answerMaxValues)
  if (values > answerMaxValues) throw new RemoteTrouble('tooLarge')
  if (depth > deepestAnswer) throw new RemoteTrouble('odd')
  return JSON.parse(body.toString())
}

interface ClientParts {
  readonly outbound: Pick<Outbound, 'call'>
  readonly address: string
  readonly token: string
  readonly signal?: AbortSignal
}

/** Reads Chatwoot's application API. The token goes to no other address: no redirect is followed. */
export const createClient = ({ outbound, address, token, signal }: ClientParts) => ({
  /** The number of calls that were made with this client. */
  calls: 0,
  /** @throws RemoteTrouble */
  async get(path: string): Promise<unknown> {
    this.calls += 1
    try {
      const { status, headers, body } = await outbound.call(`${address}/api/v1/${path}`, {
        // Proxies drop headers with an underscore, and Rails reads both spellings.
        headers: { 'api-access-token': token, accept: 'application/json' },
        timeoutMs: withinMs,
        maxBytes: answerMaxBytes,
        ...(signal ? { signal } : {}),
      })
      const trouble = troubleOf(status, headers)
      if (trouble) throw trouble
      return parse(body)
    } catch (error) {
      if (error instanceof SyntaxError) throw new RemoteTrouble('odd', { cause: error })
      if (!(error instanceof OutboundFailure)) throw error
      throw new RemoteTrouble(error.reason === 'tooLarge' ? 'tooLarge' : 'silent', { cause: error })
    }
  },
})

export type Client = ReturnType<typeof createClient>
