import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { accountNewsFields } from '#server/whatsapp/fields/account-news.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { numberStandingApi } from '#shared/numbers/standing.ts'
import { findOne } from '../chosen-number.ts'
import { numbersErrors } from '../errors.ts'
import { asked } from '../refusals.ts'
import { keepAccountNews } from './account-notices.ts'
import { createStandingNotices, type StandingNoticeParts } from './notices.ts'
import { createProfiles, type ProfileParts } from './profiles.ts'
import { createStandingReading, type StandingReadingParts } from './refreshing.ts'
import { createRoundTrip, type RoundTripParts } from './round-trip.ts'
import { createStandingWords, type StandingWordsParts } from './words.ts'

type StandingParts = StandingReadingParts & StandingNoticeParts & StandingWordsParts & ProfileParts & RoundTripParts

/** Webhook fields after which the number's facts are read again. */
const standingFields: readonly string[] = ['phone_number_name_update', 'account_update', 'account_review_update']

/**
 * Reads the standing of each number, by a job, after events and on request, and fixes problems. Also reads and writes
 * the profile that customers see.
 */
export function createStanding(parts: StandingParts) {
  const { databases, log, numbers } = parts
  const { read, readFresh, settled, scheduleReading } = createStandingReading(parts, createStandingNotices(parts).tell)
  const { present } = createStandingWords(parts)

  const listener: TransactionListener<'connection.changed'> = {
    name: 'how numbers stand',
    on: ['connection.changed'],
    async handle(write, events) {
      if (events.some(({ data }) => data.status === 'connected')) await scheduleReading(write)
    },
  }

  const service: ServiceOf<typeof numberStandingApi, OrgCaller> = {
    ...createProfiles(parts),
    ...createRoundTrip(parts),

    getStanding: async (caller, { query }) => present(caller, await findOne(databases.read, caller.orgId, query)),

    async readStanding(caller, { query }) {
      const known = await findOne(databases.read, caller.orgId, query)
      await readFresh(known)
      // The reading may have changed the token's status.
      return present(caller, await findOne(databases.read, caller.orgId, query))
    },

    async subscribe(caller, { query }) {
      const known = await findOne(databases.read, caller.orgId, query)
      const client = await numbers.findClient(caller.orgId, known.id)
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
      feature: 'numbers',
      fields: [...new Set([...standingFields, ...accountNewsFields])],
      async apply(write: OrgWrite, items: readonly WebhookItem[]) {
        await keepAccountNews(write, items, parts)
        if (items.some(item => item.kind === 'management' && standingFields.includes(item.field)))
          await scheduleReading(write)
      },
    },
  }
}
