import type { Vault } from '#server/platform/crypto/secrets.ts'
import { traceHeaders } from '#server/platform/log/trace.ts'
import { type Outbound, type OutboundCall, OutboundFailure } from '#server/platform/outbound/outbound.ts'
import { goodText } from '#server/platform/text/good-text.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { type DeliveryFailure, handshakeDelivery } from '#shared/outgoing-webhooks/api.ts'
import type { Attempt, StoredDelivery } from './delivery-store.ts'
import { headersOf, verifyTokenOf, webhookSecrets } from './sealed.ts'
import { metaHeaders, signedHeaders } from './signature.ts'
import type { StoredWebhook } from './webhook-store.ts'

export interface AttemptParts {
  readonly clock: Clock
  readonly vault: Pick<Vault, 'decrypt'>
  readonly outbound: Pick<Outbound, 'call'>
}

interface Made extends Omit<Attempt, 'state'> {
  /** The receiver asks us to wait this long; absent: it does not. */
  readonly restMs?: number
}

/** The timeout of the whole call. */
const timeoutMs = 15_000
/** Stored bytes of an answer. Its status decides whether it was accepted. */
const keptBytes = 16 * 1024
const maxRestMs = 60 * 60 * 1000

const failures: Partial<Record<OutboundFailure['reason'], DeliveryFailure>> = {
  address: 'address',
  private: 'address',
  redirects: 'address',
  timeout: 'timeout',
}

/** `retry-after` in seconds; a date, and anything else, is ignored. */
const restOf = (header: string | null): number | undefined => {
  const seconds = header !== null && /^\d{1,6}$/.test(header) ? Number(header) : 0
  return seconds > 0 ? Math.min(seconds * 1000, maxRestMs) : undefined
}

const agent = { 'user-agent': 'Recado' }
const json = { ...agent, 'content-type': 'application/json' }

/** The text that Meta's handshake requires as the exact answer. */
const challengeOf = (body: string): string => (JSON.parse(body) as Record<string, string>)['hub.challenge'] ?? ''

/** The request of an attempt. @throws if the secret, the headers or the token cannot be decrypted */
const requestOf = (
  vault: AttemptParts['vault'],
  orgId: string,
  webhook: StoredWebhook,
  { id, type, body }: StoredDelivery,
  at: Date,
): { url: string; call: Pick<OutboundCall, 'method' | 'headers' | 'body'> } => {
  const custom = headersOf(vault, orgId, webhook)
  if (type === handshakeDelivery) {
    const url = new URL(webhook.url)
    url.searchParams.set('hub.mode', 'subscribe')
    url.searchParams.set('hub.challenge', challengeOf(body))
    url.searchParams.set('hub.verify_token', verifyTokenOf(vault, orgId, webhook))
    return { url: url.href, call: { method: 'GET', headers: { ...traceHeaders(), ...custom, ...agent } } }
  }
  const secrets = webhookSecrets(vault, orgId, webhook, at.toISOString())
  const atSeconds = Math.floor(at.getTime() / 1000)
  const signed =
    webhook.format === 'meta'
      ? { ...metaHeaders(secrets[0] ?? '', body), 'webhook-id': id }
      : signedHeaders(secrets, { id, atSeconds, body })
  return {
    url: webhook.url,
    call: { method: 'POST', headers: { ...traceHeaders(), ...custom, ...json, ...signed }, body },
  }
}

/** Makes one attempt at a delivery. Never throws. */
export const createAttempt =
  ({ clock, vault, outbound }: AttemptParts) =>
  async (orgId: string, webhook: StoredWebhook, delivery: StoredDelivery, signal: AbortSignal): Promise<Made> => {
    const began = clock.now()
    const none = { at: began.toISOString(), status: null, answer: null, tookMs: null }
    let request: ReturnType<typeof requestOf>
    try {
      request = requestOf(vault, orgId, webhook, delivery, began)
    } catch {
      return { ...none, failure: 'secret' }
    }
    const took = () => Math.max(0, clock.now().getTime() - began.getTime())
    try {
      const limits = { timeoutMs, maxBytes: keptBytes, isCut: true, signal }
      const { status, headers, body } = await outbound.call(request.url, { ...request.call, ...limits })
      const answer = goodText(body.toString('utf8'))
      const isTaken = status >= 200 && status < 300
      const isProven = delivery.type !== handshakeDelivery || answer.trim() === challengeOf(delivery.body)
      const failure = !isTaken ? 'status' : isProven ? null : 'handshake'
      const restMs = isTaken ? undefined : restOf(headers.get('retry-after'))
      return {
        at: none.at,
        status,
        failure,
        answer,
        tookMs: took(),
        ...(restMs === undefined ? {} : { restMs }),
      }
    } catch (error) {
      const reason = error instanceof OutboundFailure ? failures[error.reason] : undefined
      return { ...none, failure: reason ?? 'network', tookMs: took() }
    }
  }
