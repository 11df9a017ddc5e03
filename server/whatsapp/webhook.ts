import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { fieldItems } from './field-items.ts'
import type { WebhookItem } from './inbound.ts'
import { asId, asObject, asText, asTime, cleanLine, type Json, parseExact, rawJson } from './scalars.ts'

/** The body is no JSON: nothing in it can be read, now or later. */
export class UnreadableWebhook extends Error {
  override readonly name = 'UnreadableWebhook'
}

const signaturePattern = /^sha256=([0-9a-f]{64})$/i

/**
 * Tells whether Meta signed exactly these bytes with the secret of the app. Only the raw body will do: parsed and
 * written again it is another text (Meta escapes `/` and everything beyond ASCII). Constant time. An empty secret
 * signs nothing, and the old SHA-1 header does not count.
 * @see Meta, "Webhooks › Validating payloads"
 */
export function verifySignature(raw: Buffer, header: string | undefined, appSecret: string): boolean {
  const given = signaturePattern.exec(header ?? '')?.[1]
  if (given === undefined || appSecret === '') return false
  return timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha256', appSecret).update(raw).digest())
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

const entryItems = (entry: unknown, receivedAt: string, notAfterMs: number): WebhookItem[] => {
  const object = asObject(entry)
  const wabaId = asId(object?.id) ?? ''
  if (object === undefined || !Array.isArray(object.changes)) return [unknown(wabaId, '', entry)]
  const stampedAt = asTime(object.time, notAfterMs)
  const fallbackAt = stampedAt ?? receivedAt
  return object.changes.flatMap(change => fieldItems(change, { wabaId, stampedAt, fallbackAt, notAfterMs }))
}

const envelopeItems = (envelope: Json, receivedAt: string): WebhookItem[] => {
  const object = asText(envelope.object) ?? 'whatsapp_business_account'
  if (object !== 'whatsapp_business_account') return [unknown('', cleanLine(object, 100) ?? '', envelope)]
  if (!Array.isArray(envelope.entry)) return [unknown('', '', envelope)]
  const notAfterMs = Date.parse(receivedAt)
  return envelope.entry.flatMap(entry => entryItems(entry, receivedAt, notAfterMs))
}

/**
 * All that a webhook says, in its order. Nothing is dropped: what is not understood becomes an item of kind
 * `unknown`, a message of an unknown type a message of type `unknown`, and no malformed part harms another.
 *
 * @param receivedAt ISO time of arrival: stands in for missing stamps, and a stamp more than a day after it is not
 *   believed.
 * @throws UnreadableWebhook when the body is no JSON.
 * @see Meta, "Webhooks › Notification payload reference"
 */
export function readWebhook(raw: Buffer, receivedAt: string): WebhookItem[] {
  let payload: unknown
  try {
    payload = parseExact(raw.toString('utf8'))
  } catch (cause) {
    throw new UnreadableWebhook('the body is no JSON', { cause })
  }
  const envelope = asObject(payload)
  return envelope === undefined ? [unknown('', '', payload)] : envelopeItems(envelope, receivedAt)
}
