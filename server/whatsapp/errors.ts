import type { WaitingReason } from '#shared/inbox/messages.ts'
import { catalogue, catalogueCode, findEntry } from './error-catalogue.ts'
import { type RetryClass, WhatsAppError } from './provider.ts'
import { asId, asNumber, asObject, asText, cleanText, type Json } from './scalars.ts'

/**
 * Our own codes beside Meta's numbers. `NETWORK`: certainly not sent · `TIMEOUT`, `UNCONFIRMED`: sent, and no answer
 * came or the line was cut · `UNREADABLE`: an answer that is not the Cloud API's · `WRONG_ACCOUNT`: the number is not
 * of that WhatsApp account · `APP_SECRET`: token and app secret are of different apps · `TOO_LARGE`: a file beyond
 * the limit · `MEDIA_HOST`: a file that lies where no token may go. Of the outbox, before or instead of a call:
 * `NOT_CONNECTED`: no number to send from · `KEYS_UNREADABLE`: its stored keys do not open · `NO_ADDRESS`: a contact
 * without any · `INTERNAL`: a fault of ours during the call, which may have left · `CANCELLED`: a person took it back
 * before it left · `FILE_MISSING`: its file is not on our disk any more · `UPLOAD_FAILED`: a
 * fault of ours kept its file from leaving.
 */
export const ownCodes = [
  'NETWORK',
  'TIMEOUT',
  'UNCONFIRMED',
  'UNREADABLE',
  'WRONG_ACCOUNT',
  'APP_SECRET',
  'TOO_LARGE',
  'MEDIA_HOST',
  'NOT_CONNECTED',
  'KEYS_UNREADABLE',
  'NO_ADDRESS',
  'INTERNAL',
  'CANCELLED',
  'FILE_MISSING',
  'UPLOAD_FAILED',
] as const

/** Too many messages to one customer; the other throttles are of the whole number or account. */
const pairLimit = '131056'

const known = new Set<string>([...catalogue.keys(), ...ownCodes])

/** The locale key of a failure in plain words: `failures:131047`, or `failures:unknown` for a code we have no words for. */
export const failureKey = (code: string): string => {
  const key = catalogueCode(code)
  return `failures:${known.has(key) ? key : 'unknown'}`
}

/** Why a message that was refused with this code is tried again later. */
export const waitingReasonOf = (code: string): WaitingReason => {
  if (code === pairLimit) return 'pace'
  return findEntry(code)?.category === 'throttle' ? 'limit' : 'trouble'
}

/**
 * What was tried: a `send` must never be repeated once it may have arrived; calls about a `number` or a `media` file
 * may, they change nothing the second time.
 */
export type CallKind = 'send' | 'number' | 'media'

/** An answer that is no success, or the fault that came in its place. */
export type CallFacts =
  | { call: CallKind; httpStatus: number; body: unknown; headers?: Headers | undefined }
  | { call: CallKind; fault: unknown }

/** A token must not reach a log through Meta's own sentence ("Malformed access token EAA…"). */
const withoutSecrets = (text: string): string => text.replace(/[A-Za-z0-9_|-]{40,}/g, '…')

export const longestAskedMs = 6 * 60 * 60 * 1000

const waitsIn = (usage: unknown): number[] =>
  Object.values(asObject(usage) ?? {}).flatMap(list =>
    Array.isArray(list)
      ? list.map(entry => (asNumber(asObject(entry)?.estimated_time_to_regain_access) ?? 0) * 60_000)
      : [],
  )

/** How long Meta asks to wait: `retry-after` in seconds, or the minutes of its usage header. */
const askedWaitMs = (headers: Headers | undefined): number | undefined => {
  const seconds = asNumber(headers?.get('retry-after') ?? undefined)
  const waits = seconds === undefined ? [] : [seconds * 1000]
  const usage = headers?.get('x-business-use-case-usage')
  if (usage) {
    try {
      waits.push(...waitsIn(JSON.parse(usage)))
    } catch {
      // A header cut short is only a missing hint.
    }
  }
  const longest = Math.max(0, ...waits)
  return longest > 0 ? Math.min(longest, longestAskedMs) : undefined
}

const detailOf = (error: Json): string | undefined => {
  const data = asObject(error.error_data)?.details ?? error.error_data ?? error.error_user_msg ?? error.details
  const text = typeof data === 'string' ? withoutSecrets(cleanText(data, 1000)) : ''
  return text === '' ? undefined : text
}

type Verdict = { code: string; retry: RetryClass; retryAfterMs?: number }

/** Meta asks to branch on the code; the status decides only where the code is one nobody has described. */
const unlisted = (code: string, httpStatus: number, error: Json): Verdict => {
  if (httpStatus === 429) return { code, retry: 'later', retryAfterMs: 60_000 }
  if (httpStatus === 401) return { code, retry: 'credentials' }
  return { code, retry: httpStatus >= 500 || error.is_transient === true ? 'quick' : 'never' }
}

const verdictOf = (error: Json, httpStatus: number, call: CallKind): Verdict => {
  const code = asId(error.code) ?? 'unknown'
  if (code === '100' && asText(error.error_subcode) === '33')
    // The object is not there for this token: our number is unreachable, a file merely gone.
    return call === 'media' ? { code, retry: 'never' } : { code: '33', retry: 'credentials' }
  if (code === '100' && /appsecret_proof/i.test(asText(error.message) ?? ''))
    return { code: 'APP_SECRET', retry: 'credentials' }
  const entry = findEntry(code)
  return entry
    ? { code, retry: entry.retry, ...(entry.retryAfterMs === undefined ? {} : { retryAfterMs: entry.retryAfterMs }) }
    : unlisted(code, httpStatus, error)
}

const fromReply = (facts: Extract<CallFacts, { httpStatus: number }>): WhatsAppError => {
  const { call, httpStatus, headers } = facts
  const error = asObject(asObject(facts.body)?.error)
  const asked = askedWaitMs(headers)
  if (error === undefined) return unreadable(call, httpStatus, asked)
  const verdict = verdictOf(error, httpStatus, call)
  return new WhatsAppError({
    ...verdict,
    ...(verdict.retry === 'later' && asked !== undefined ? { retryAfterMs: asked } : {}),
    httpStatus,
    message:
      withoutSecrets(cleanText(error.message ?? error.title, 300)) || `WhatsApp answered with code ${verdict.code}`,
    detail: detailOf(error),
    subcode: asId(error.error_subcode),
  })
}

/**
 * An answer without Meta's envelope: HTML of a proxy, an empty body. 429 and 503 refuse before anything is done; a
 * success we can't read and every other 5xx may come from behind the point where the message was taken.
 */
const unreadable = (call: CallKind, httpStatus: number, asked: number | undefined): WhatsAppError => {
  const facts = {
    code: 'UNREADABLE',
    httpStatus,
    message: `an answer with status ${httpStatus} that is not the Cloud API's`,
  }
  if (httpStatus === 429) return new WhatsAppError({ ...facts, retry: 'later', retryAfterMs: asked ?? 60_000 })
  const mayHaveArrived = httpStatus < 300 || (httpStatus >= 500 && httpStatus !== 503)
  if (mayHaveArrived) return new WhatsAppError({ ...facts, retry: call === 'send' ? 'unknown' : 'quick' })
  return new WhatsAppError({ ...facts, retry: httpStatus >= 500 ? 'quick' : 'never' })
}

/** Faults of name, connection and TLS: nothing of the request was written yet. */
const neverLeft = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
])
/** TLS alerts that only a handshake raises; others may come in the middle of a connection. */
const handshakeFault =
  /^ERR_SSL_.*(WRONG_VERSION|HANDSHAKE_FAILURE|PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|UNRECOGNIZED_NAME)/
const timedOut = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_ABORTED',
  'ABORT_ERR',
  'ETIMEDOUT',
])

type Fault = { code?: unknown; name?: unknown; message?: unknown; syscall?: unknown; cause?: unknown }

/** `fetch` hides the reason in `cause`, sometimes two deep. */
const reasons = (fault: unknown): Fault[] => {
  const chain: Fault[] = []
  for (let next = fault; typeof next === 'object' && next !== null && chain.length < 5; next = (next as Fault).cause)
    chain.push(next as Fault)
  return chain
}

const hasNeverLeft = ({ code, syscall, message }: Fault): boolean =>
  (typeof code === 'string' && (neverLeft.has(code) || handshakeFault.test(code))) ||
  syscall === 'connect' ||
  syscall === 'getaddrinfo' ||
  (code === 'ECONNRESET' && /before secure TLS connection/.test(String(message)))

const hasTimedOut = ({ code, name }: Fault): boolean =>
  (typeof code === 'string' && timedOut.has(code)) || name === 'TimeoutError' || name === 'AbortError'

const fromFault = ({ call, fault }: Extract<CallFacts, { fault: unknown }>): WhatsAppError => {
  const chain = reasons(fault)
  const reason =
    chain
      .map(({ code, name }) => code ?? name)
      .filter(word => typeof word === 'string')
      .at(-1) ?? 'unknown fault'
  const message = `no answer: ${reason}`
  if (chain.some(hasNeverLeft)) return new WhatsAppError({ code: 'NETWORK', retry: 'quick', message, cause: fault })
  const code = chain.some(hasTimedOut) ? 'TIMEOUT' : call === 'send' ? 'UNCONFIRMED' : 'NETWORK'
  return new WhatsAppError({ code, retry: call === 'send' ? 'unknown' : 'quick', message, cause: fault })
}

/**
 * Turns an answer that is no success, or a fault of the network, into the one error the product knows. Where the
 * request may have arrived, a send is `unknown`: reconciled by its callback, never repeated.
 * @see Meta, "Cloud API › Error codes"
 */
export const classify = (facts: CallFacts): WhatsAppError => ('fault' in facts ? fromFault(facts) : fromReply(facts))
