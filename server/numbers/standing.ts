import type { ServiceOf } from '#shared/contract.ts'
import type { numberStandingApi } from '#shared/number-standing.ts'
import type { OrgCaller } from '../actor.ts'
import type { TransactionListener } from '../events/listeners.ts'
import type { OrgWrite } from '../events/writes.ts'
import type { WebhookItem } from '../whatsapp/inbound.ts'
import { findOne } from './chosen-number.ts'
import { numbersErrors } from './errors.ts'
import { createProfiles, type ProfileParts } from './profiles.ts'
import { asked } from './refusals.ts'
import { createRoundTrip, type RoundTripParts } from './round-trip.ts'
import { createStandingNotices, type StandingNoticeParts } from './standing-notices.ts'
import { createStandingReading, type StandingReadingParts } from './standing-reading.ts'
import { createStandingWords, type StandingWordsParts } from './standing-words.ts'

export type StandingParts = StandingReadingParts &
  StandingNoticeParts &
  StandingWordsParts &
  ProfileParts &
  RoundTripParts

/** Its words tell of what may make a number stand otherwise. */
const standingFields = ['phone_number_name_update', 'account_update', 'account_review_update'] as const
/** What an app has to be told of so that nothing is missed, beside what other rooms want. */
export const ownStandingFields: readonly string[] = standingFields

/**
 * How each number stands with Meta: read by a job of its own, when something tells of a change and when somebody asks;
 * what is wrong is said with what mends it. Also the profile that customers see.
 */
export function createStanding(parts: StandingParts) {
  const { databases, log, numbers } = parts
  const { read, readFresh, settled, askFor } = createStandingReading(parts, createStandingNotices(parts).tell)
  const { present } = createStandingWords(parts)

  const listener: TransactionListener<'connection.changed'> = {
    name: 'how numbers stand',
    on: ['connection.changed'],
    async handle(write, events) {
      if (events.some(({ data }) => data.status === 'connected')) await askFor(write)
    },
  }

  const service: ServiceOf<typeof numberStandingApi, OrgCaller> = {
    ...createProfiles(parts),
    ...createRoundTrip(parts),

    getStanding: async (caller, { query }) => present(caller, await findOne(databases.read, caller.orgId, query)),

    async readStanding(caller, { query }) {
      const known = await findOne(databases.read, caller.orgId, query)
      await readFresh(known)
      return present(caller, known)
    },

    async subscribe(caller, { query }) {
      const known = await findOne(databases.read, caller.orgId, query)
      const client = await numbers.clientOf(caller.orgId, known.id)
      if (!client) throw numbersErrors.NOT_CONNECTED()
      await asked(client.number.subscribe())
      log.info({ orgId: caller.orgId, connectionId: known.id }, 'the app was subscribed to a WhatsApp account')
      await settled(known.id)
      await read(known)
      return present(caller, known)
    },
  }

  return {
    service,
    listener,
    taker: {
      room: 'numbers',
      fields: standingFields,
      apply: (write: OrgWrite, _items: readonly WebhookItem[]) => askFor(write),
    },
  }
}
