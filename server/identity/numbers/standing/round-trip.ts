import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { WhatsAppNumber } from '#server/whatsapp/provider.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { numberStandingApi } from '#shared/numbers/standing.ts'
import { findOne } from '../chosen-number.ts'
import { numbersErrors } from '../errors.ts'
import { asked, refusedField } from '../refusals.ts'

export interface RoundTripParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly numbers: { findClient(orgId: string, connectionId: string): Promise<{ number: WhatsAppNumber } | undefined> }
  translate(language: Language, key: string): string
  /** The digits of a typed number; undefined: not a number. */
  readPhone(orgId: string, typed: string): Promise<string | undefined>
  /** The latest status of a message that belongs to no conversation. */
  findEarlyStatus(
    db: Db,
    orgId: string,
    wamid: string,
  ): Promise<{ at: string; status: string; failure?: { code: string } | undefined } | undefined>
}

/**
 * Sends a short text to one's own number, outside any conversation. Its status must come back by webhook, even if it is
 * that the message failed.
 */
export function createRoundTrip(
  parts: RoundTripParts,
): Pick<ServiceOf<typeof numberStandingApi, OrgCaller>, 'beginRoundTrip' | 'endRoundTrip'> {
  const { databases, clock, numbers } = parts
  return {
    async beginRoundTrip({ orgId, language }, { query, body }) {
      const known = await findOne(databases.read, orgId, query)
      const to = await parts.readPhone(orgId, body.to)
      if (to === undefined) throw refusedField('NUMBER_INVALID', 'to')
      const client = await numbers.findClient(orgId, known.id)
      if (!client) throw numbersErrors.NOT_CONNECTED()
      const text = parts.translate(language, 'standing:roundTrip')
      const { wamid } = await asked(client.number.send({ to, content: { type: 'text', text } }))
      return { wamid, at: isoNow(clock) }
    },

    async endRoundTrip({ orgId }, { query }) {
      const heard = await parts.findEarlyStatus(databases.read, orgId, query.wamid)
      if (!heard) return { heard: null }
      const { at, status, failure } = heard
      return { heard: { at, status, code: failure?.code ?? null } }
    },
  }
}
