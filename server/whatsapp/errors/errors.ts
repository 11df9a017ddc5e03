import { type Fault, faultsIn, hasNeverLeft } from '#server/platform/outbound/faults.ts'
import type { WaitingReason } from '#shared/inbox/messages.ts'
import { type RetryClass, WhatsAppError } from '../provider.ts'
import { asId, asNumber, asObject, asText, cleanText, type Json } from '../scalars.ts'
import { catalogue, catalogueCode, findEntry } from './error-catalogue.ts'

/**
 * Our codes beside Meta's numbers. `NETWORK`: certainly not sent · `TIMEOUT`, `UNCONFIRMED`: sent, but no answer came ·
 * `UNREADABLE`: an answer that is not the Cloud API's · `WRONG_ACCOUNT`: the number belongs to another WhatsApp account
 * · `APP_SECRET`: token and app secret belong to different apps · `TOO_LARGE`: a file beyond the limit · `MEDIA_HOST`:
 * a file on a host that must not get the token. From the outbox, without a call: `NOT_CONNECTED`: no number to send
 * from · `KEYS_UNREADABLE`: the number's secrets cannot be decrypted · `NO_ADDRESS`: the contact has no address ·
 * `INTERNAL`: an error of ours during the call, which may have been sent · `CANCELLED`: a person cancelled it before it
 * was sent · `FILE_MISSING`: its file no longer exists here · `UPLOAD_FAILED`: an error of ours kept its file from
 * being uploaded.
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

/** Too many messages to one customer; other limits concern the whole number or account. */
const pairLimit = '131056'

const known = new Set<string>([...catalogue.keys(), ...ownCodes])

/** The key of a failure's text: `failures:131047`, or `failures:unknown` for a code without a text. */
export const failureKey = (code: string): string => {
  const key = catalogueCode(code)
  return `failures:${known.has(key) ? key : 'unknown'}`
}

/** A failure in words. `isTyped`: it concerns a text that a person typed, who reads that the text is saved. */
export const failureText = (
  translate: (key: string, params?: { textSaved: string }) => string,
  code: string,
  { isTyped = false } = {},
): string => translate(failureKey(code), { textSaved: isTyped ? ` ${translate('failures:textSaved')}` : '' })

/** Why a message that was refused with this code is tried again later. */
export const waitingReasonOf = (code: string): WaitingReason => {
  if (code === pairLimit) return 'pace'
  return findEntry(code)?.category === 'throttle' ? 'limit' : 'trouble'
}

/**
 * A `send` must never be repeated once it may have arrived. Calls about a `number` or a `media` file may, because they
 * change nothing the second time.
 */
export type CallKind = 'send' | 'number' | 'media'

/** An answer that is not a success, or the network error in its place. */
type CallFacts =
  | { call: CallKind; httpStatus: number; body: unknown; headers?: Headers | undefined }
  | { call: CallKind; fault: unknown }

/** Meta's own error text can contain the token ("Malformed access token EAA…"), which must not be logged. */
const withoutSecrets = (text: string): string => text.replace(/[A-Za-z0-9_|-]{40,}/g, '…')

export const longestRequestedWaitMs = 6 * 60 * 60 * 1000

const waitsIn = (usage: unknown): number[] =>
  Object.values(asObject(usage) ?? {}).flatMap(list =>
    Array.isArray(list)
      ? list.map(entry => (asNumber(asObject(entry)?.estimated_time_to_regain_access) ?? 0) * 60_000)
      : [],
  )

/** Meta asks us to wait, by `retry-after` in seconds or by the usage header in minutes. The longest wait counts. */
const requestedWaitMs = (headers: Headers | undefined): number | undefined => {
  const seconds = asNumber(headers?.get('retry-after') ?? undefined)
  const waits = seconds === undefined ? [] : [seconds * 1000]
  const usage = headers?.get('x-business-use-case-usage')
  if (usage) {
    try {
      waits.push(...waitsIn(JSON.parse(usage)))
    } catch {
      // A truncated header is only a missing hint.
    }
  }
  const longest = Math.max(0, ...waits)
  return longest > 0 ? Math.min(longest, longestRequestedWaitMs) : undefined
}

const detailOf = (error: Json): string | undefined => {
  const data = asObject(error.error_data)?.details ?? error.error_data ?? error.error_user_msg ?? error.details
  const text = typeof data === 'string' ? withoutSecrets(cleanText(data, 1000)) : ''
  return text === '' ? undefined : text
}

type Verdict = { code: string; retry: RetryClass; retryAfterMs?: number }

/** Meta recommends to branch on the code; for an unlisted code the status decides. */
const unlisted = (code: string, httpStatus: number, error: Json): Verdict => {
  if (httpStatus === 429) return { code, retry: 'later', retryAfterMs: 60_000 }
  if (httpStatus === 401) return { code, retry: 'credentials' }
  return { code, retry: httpStatus >= 500 || error.is_transient === true ? 'quick' : 'never' }
}

const verdictOf = (error: Json, httpStatus: number, call: CallKind): Verdict => {
  const code = asId(error.code) ?? 'unknown'
  if (code === '100' && asText(error.error_subcode) === '33')
    // The object does not exist for this token: a number is unreachable, a file is merely gone.
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
  const asked = requestedWaitMs(headers)
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
    forPeople: forPeopleIn(error),
  })
}

const forPeopleIn = (error: Json): WhatsAppError['forPeople'] => {
  const title = cleanText(error.error_user_title, 300)
  return title ? { title, message: cleanText(error.error_user_msg, 1000) } : undefined
}

/**
 * An answer that is not Meta's JSON, such as a proxy's HTML or an empty body. 429 and 503 refuse before anything is
 * done; an unreadable success or another 5xx may come after the message was accepted.
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

const timedOut = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_ABORTED',
  'ABORT_ERR',
  'ETIMEDOUT',
])

const hasTimedOut = ({ code, name }: Fault): boolean =>
  (typeof code === 'string' && timedOut.has(code)) || name === 'TimeoutError' || name === 'AbortError'

const fromFault = ({ call, fault }: Extract<CallFacts, { fault: unknown }>): WhatsAppError => {
  const chain = faultsIn(fault)
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
 * Converts an answer that is not a success, or a network error, into a `WhatsAppError`. If a send may have arrived, its
 * `retry` is `unknown`: a status with our callback settles it; it is never repeated.
 * @see Meta, "Cloud API › Error codes"
 */
export const classify = (facts: CallFacts): WhatsAppError => ('fault' in facts ? fromFault(facts) : fromReply(facts))
