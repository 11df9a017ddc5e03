import type { Vault } from '#server/platform/crypto/secrets.ts'
import { type Outbound, OutboundFailure } from '#server/platform/outbound/outbound.ts'
import { goodText } from '#server/platform/text/good-text.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { DeliveryFailure } from '#shared/outgoing-webhooks/api.ts'
import type { Attempt, StoredDelivery } from './delivery-store.ts'
import { headersOf, secretsOf } from './sealed.ts'
import { signedHeaders } from './signature.ts'
import type { StoredWebhook } from './webhook-store.ts'

export interface AttemptParts {
  readonly clock: Clock
  readonly vault: Pick<Vault, 'decrypt'>
  readonly outbound: Pick<Outbound, 'call'>
}

export interface Made extends Omit<Attempt, 'state'> {
  /** How long the receiver asks us to wait. */
  readonly restMs?: number
}

/** For the whole call. */
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

/** Makes one attempt at a delivery. Never throws. */
export const createAttempt =
  ({ clock, vault, outbound }: AttemptParts) =>
  async (orgId: string, webhook: StoredWebhook, delivery: StoredDelivery, signal: AbortSignal): Promise<Made> => {
    const began = clock.now()
    const none = { at: began.toISOString(), status: null, answer: null, tookMs: null }
    let headers: Record<string, string>
    const { id, body } = delivery
    try {
      const secrets = secretsOf(vault, orgId, webhook, none.at)
      headers = {
        ...headersOf(vault, orgId, webhook),
        'content-type': 'application/json',
        'user-agent': 'Recado',
        ...signedHeaders(secrets, { id, atSeconds: Math.floor(began.getTime() / 1000), body }),
      }
    } catch {
      return { ...none, failure: 'secret' }
    }
    const took = () => Math.max(0, clock.now().getTime() - began.getTime())
    try {
      const answer = await outbound.call(webhook.url, {
        method: 'POST',
        ...{ headers, body, timeoutMs, maxBytes: keptBytes, isCut: true, signal },
      })
      const { status } = answer
      const text = goodText(answer.body.toString('utf8'))
      const isTaken = status >= 200 && status < 300
      const restMs = isTaken ? undefined : restOf(answer.headers.get('retry-after'))
      return {
        ...{ at: none.at, status, failure: isTaken ? null : 'status', answer: text, tookMs: took() },
        ...(restMs === undefined ? {} : { restMs }),
      }
    } catch (error) {
      const reason = error instanceof OutboundFailure ? failures[error.reason] : undefined
      return { ...none, failure: reason ?? 'network', tookMs: took() }
    }
  }
