import { createHash, timingSafeEqual } from 'node:crypto'
import { JsonTooLarge } from '../platform/text/json.ts'
import { type OpenJson, openJson } from '../platform/text/json-parts.ts'
import { fieldItems } from './field-items.ts'
import type { WebhookItem } from './inbound.ts'
import { asId, asObject, asText, asTime, cleanLine, type Json, longList, rawJson } from './scalars.ts'

/** The body is no JSON, or more than is ever parsed: nothing in it can be read, now or later. */
export class UnreadableWebhook extends Error {
  override readonly name = 'UnreadableWebhook'
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * The challenge to answer with 200 as `text/plain`, or undefined: answer 403. Meta's challenge is digits; whatever
 * could be markup is not echoed.
 * @param query the flat query of the request: `hub.mode`, `hub.challenge`, `hub.verify_token`
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

/** Values in one webhook: three megabytes of the briefest messages and statuses stay below it. */
export const maxWebhookValues = 150_000

/** What a webhook says, item by item as they are asked for. */
export interface WebhookReading extends Iterable<WebhookItem> {
  /** How many values of its JSON have been parsed so far: whoever reads on rests when they grow. */
  parsed(): number
}

/**
 * All that a webhook says, in its order. Nothing is dropped: what is not understood becomes an item of kind
 * `unknown`, a message of an unknown type a message of type `unknown`, and no malformed part harms another. Read item
 * by item as they are asked for, and long lists parsed as they are read, so that whoever asks may rest in between.
 *
 * @param receivedAt ISO time of arrival: stands in for missing stamps, and a stamp more than a day after it is not
 *   believed.
 * @throws UnreadableWebhook when the body is no JSON, or one of more than `maxWebhookValues`.
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
