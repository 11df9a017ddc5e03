import { createHash, timingSafeEqual } from 'node:crypto'
import { JsonTooLarge } from '#server/platform/text/json.ts'
import { type OpenJson, openJson } from '#server/platform/text/json-parts.ts'
import { asId, asObject, asText, asTime, cleanLine, type Json, longList, rawJson } from '../scalars.ts'
import { fieldItems } from './field-items.ts'
import type { WebhookItem } from './inbound.ts'

/** The body is not JSON, or has too many values: it can never be read. */
export class UnreadableWebhook extends Error {
  override readonly name = 'UnreadableWebhook'
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * The challenge, to be answered with 200 as `text/plain`; undefined: answer 403. Meta's challenge is digits; a value
 * that could be markup is never echoed.
 * @param query the request's flat query: `hub.mode`, `hub.challenge`, `hub.verify_token`
 */
export function answerHandshake(query: unknown, verifyToken: string): string | undefined {
  const { 'hub.mode': mode, 'hub.challenge': challenge, 'hub.verify_token': token } = asObject(query) ?? {}
  if (mode !== 'subscribe' || typeof token !== 'string' || typeof challenge !== 'string' || verifyToken === '')
    return undefined
  if (!timingSafeEqual(digest(token), digest(verifyToken))) return undefined
  return /^[A-Za-z0-9_-]{1,128}$/.test(challenge) ? challenge : undefined
}

const unknown = (wabaId: string, field: string, value: unknown): WebhookItem => ({
  wabaId,
  kind: 'unknown',
  field,
  raw: rawJson(value),
})

function* entryItems(entry: unknown, receivedAt: string, notAfterMs: number): Iterable<WebhookItem> {
  const object = asObject(entry)
  const wabaId = asId(object?.id) ?? ''
  const changes = longList(object?.changes)
  if (object === undefined || changes === undefined) return yield unknown(wabaId, '', entry)
  const stampedAt = asTime(object.time, notAfterMs)
  const fallbackAt = stampedAt ?? receivedAt
  let isEmpty = true
  for (const change of changes) {
    isEmpty = false
    yield* fieldItems(change, { wabaId, stampedAt, fallbackAt, notAfterMs })
  }
  if (isEmpty) yield unknown(wabaId, '', entry)
}

function* envelopeItems(envelope: Json, receivedAt: string): Iterable<WebhookItem> {
  const object = asText(envelope.object) ?? 'whatsapp_business_account'
  if (object !== 'whatsapp_business_account') return yield unknown('', cleanLine(object, 100) ?? '', envelope)
  const entries = longList(envelope.entry)
  if (entries === undefined) return yield unknown('', '', envelope)
  const notAfterMs = Date.parse(receivedAt)
  for (const entry of entries) yield* entryItems(entry, receivedAt, notAfterMs)
}

/** Limit of values in a webhook. Three megabytes of the shortest messages and statuses have fewer. */
export const maxWebhookValues = 150_000

/** The items of a webhook, read on demand. */
interface WebhookReading extends Iterable<WebhookItem> {
  /** JSON values parsed so far. The reader yields to the event loop by this number. */
  parsed(): number
}

/**
 * Reads all items of a webhook, in order. Nothing is dropped: what is not understood becomes an item of kind `unknown`,
 * a message of an unknown type one of type `unknown`, and a malformed part does not affect others. Items and long lists
 * are read on demand, so that the caller can yield in between.
 *
 * @param receivedAt ISO time of arrival, used for missing timestamps. A timestamp more than a day later is ignored.
 * @throws UnreadableWebhook if the body is not JSON, or has more than `maxWebhookValues`
 * @see Meta, "Webhooks › Notification payload reference"
 */
export function readWebhook(raw: Buffer, receivedAt: string): WebhookReading {
  const { value, parsed } = openWebhook(raw)
  const envelope = asObject(value)
  const items = envelope === undefined ? [unknown('', '', value)] : envelopeItems(envelope, receivedAt)
  return { [Symbol.iterator]: () => items[Symbol.iterator](), parsed }
}

const openWebhook = (raw: Buffer): OpenJson => {
  try {
    return openJson(raw, maxWebhookValues)
  } catch (cause) {
    const reason = cause instanceof JsonTooLarge ? `the body holds ${cause.message}` : 'the body is no JSON'
    throw new UnreadableWebhook(reason, { cause })
  }
}
