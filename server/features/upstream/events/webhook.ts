import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { acceptRaw } from '#server/platform/http/plugins/parsers.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { upstreamErrors } from '../errors.ts'
import { isAnsweredFor } from './store.ts'
import { maxEventBytes, type Taking } from './taking.ts'

/** Older and newer events are refused, so that a recorded one cannot be sent again. */
const toleranceMs = 5 * 60 * 1000

interface WebhookParts {
  readonly secret: string
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly take: Taking
}

/** @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme */
const isSigned = (headers: Readonly<Record<string, unknown>>, body: Buffer, secret: string, now: Date): boolean => {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof seconds !== 'string' || typeof signatures !== 'string') return false
  if (!/^\d{1,12}$/.test(seconds) || Math.abs(now.getTime() - Number(seconds) * 1000) > toleranceMs) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest()
  return signatures.split(' ').some(one => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/**
 * `POST /upstream/events`, signed as Standard Webhooks say. Answered after the commit: an event that was not answered is
 * posted again, and one that comes again changes nothing.
 */
export function mountUpstreamEvents(app: FastifyInstance, parts: WebhookParts): void {
  const { databases, clock, writes, secret, take } = parts
  app.register(async scope => {
    acceptRaw(scope, maxEventBytes)
    scope.post('/upstream/events', { bodyLimit: maxEventBytes }, async request => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      if (!isSigned(request.headers, raw, secret, clock.now())) throw upstreamErrors.SIGNATURE_REFUSED()
      let event: unknown
      try {
        event = JSON.parse(raw.toString())
      } catch {
        throw upstreamErrors.EVENT_REFUSED({ params: { field: 'JSON' } })
      }
      const { orgId, apply } = take(event)
      if (!(await isAnsweredFor(databases.read, orgId)))
        throw upstreamErrors.EVENT_REFUSED({ params: { field: 'org' } })
      await writes.run(orgId, systemActor('upstream'), apply)
      return { success: true }
    })
  })
}
