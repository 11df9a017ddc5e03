import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { type FieldFault, InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { bulkRatesApi, PastCard, RateCard } from '#shared/bulk-sends/rates.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { deletePastCard, findRateCard, listPastCards, savePastCard, saveRateCard } from './rate-store.ts'

interface RateParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
}

/** True for a text like `YYYY-MM-DD` whose day exists. */
const isDay = (day: string): boolean => {
  const at = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}

const faultsIn = ({ validFrom, rates }: Pick<RateCard, 'validFrom' | 'rates'>): FieldFault[] => {
  const countries = rates.map(({ country }) => country)
  const twice = countries.findIndex((country, i) => countries.indexOf(country) < i)
  return [
    ...(isDay(validFrom) ? [] : [{ field: 'body.validFrom', code: 'format', params: {} }]),
    ...(twice < 0 ? [] : [{ field: `body.rates.${twice}.country`, code: 'uniqueItems', params: {} }]),
  ]
}

/** All price lists of an organization, the earliest first. */
export async function listRateCards(db: Db, orgId: string): Promise<PastCard[]> {
  const card = await findRateCard(db, orgId)
  const { currency, validFrom, rates } = card ?? { currency: '', validFrom: '', rates: [] }
  const all = [...(await listPastCards(db, orgId)), ...(rates.length ? [{ currency, validFrom, rates }] : [])]
  return all.sort((a, b) => a.validFrom.localeCompare(b.validFrom))
}

/** Prices of messages, as the organization entered them. */
export function createRates({ databases, clock, writes }: RateParts): ServiceOf<typeof bulkRatesApi, OrgCaller> {
  return {
    async getRateCard({ orgId }) {
      const card = await findRateCard(databases.read, orgId)
      return card ?? { currency: 'USD', validFrom: isoNow(clock).slice(0, 10), rates: [], updatedAt: null }
    },

    async setRateCard(caller, { body }) {
      const faults = faultsIn(body)
      if (faults.length) throw new InvalidInput(faults)
      const card = { ...body, updatedAt: isoNow(clock) }
      await writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        const before = await findRateCard(db, orgId)
        if (before?.rates.length && before.validFrom !== card.validFrom) await savePastCard(db, orgId, before)
        await deletePastCard(db, orgId, card.validFrom)
        await saveRateCard(db, orgId, card)
      })
      return card
    },

    listPastRateCards: async ({ orgId }) => ({ items: await listPastCards(databases.read, orgId) }),

    async deletePastRateCard(caller, { params }) {
      await writes.run(caller.orgId, actorOf(caller), ({ db, orgId }) => deletePastCard(db, orgId, params.validFrom))
      return { success: true }
    },
  }
}
