import { randomInt } from '#server/platform/crypto/random.ts'
import { type Outbound, OutboundFailure } from '#server/platform/outbound/outbound.ts'
import { isOutboundAddress } from '#shared/outbound/address.ts'
import type { OpenConnection } from '../keyring.ts'
import type { Reach } from './facts.ts'

const withinMs = 8_000
const answerBytes = 500

/**
 * Calls a connection's webhook at its public address with Meta's handshake. An answer proves DNS, TLS and proxies;
 * whether Meta's own network gets through cannot be tested from here.
 */
export const createReach =
  ({ publicUrl, outbound }: { publicUrl: string; outbound: Outbound }) =>
  async ({ id, kind, verifyToken }: OpenConnection, signal: AbortSignal): Promise<Reach> => {
    if (kind === 'sandbox') return 'answers'
    if (!isOutboundAddress(publicUrl)) return 'local'
    const challenge = String(randomInt(1_000_000_000))
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': challenge,
      'hub.verify_token': verifyToken,
    })
    try {
      const { status, body } = await outbound.call(`${publicUrl}/webhooks/whatsapp/${id}?${query}`, {
        timeoutMs: withinMs,
        maxBytes: answerBytes,
        signal,
      })
      return status === 200 && body.toString() === challenge ? 'answers' : 'refuses'
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error
      return error.reason === 'private' ? 'local' : error.reason === 'tooLarge' ? 'refuses' : 'silent'
    }
  }
