import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable } from '#shared/kernel/list.ts'
import { templateCategories } from '#shared/templates/words.ts'

/** Meta's categories in a rate card. `SERVICE`: replies; without a price, that of `UTILITY` counts. */
export const ratedCategories = [...templateCategories, 'SERVICE'] as const
export type RatedCategory = (typeof ratedCategories)[number]
/** More than there are countries. */
const maxCountries = 260

const Price = Type.Number({ minimum: 0, maximum: 1_000_000 })
const Rate = Type.Object(
  {
    country: Type.String({
      pattern: '^([A-Z]{2}|\\*)$',
      description: 'ISO 3166-1 alpha-2, of the customer’s number; `*`: every country that has no line of its own.',
    }),
    prices: Type.Object(
      Object.fromEntries(ratedCategories.map(name => [name, Type.Optional(Price)])) as Record<
        RatedCategory,
        ReturnType<typeof Type.Optional<typeof Price>>
      >,
      { additionalProperties: false, description: 'Price of one message. Absent: not set.' },
    ),
  },
  { additionalProperties: false },
)

const cardFields = {
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' }),
  validFrom: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'The day of the price list they are of.' }),
  rates: Type.Array(Rate, { maxItems: maxCountries }),
}
export const RateCard = Type.Object({ ...cardFields, updatedAt: Nullable(Type.String()) })
export type RateCard = Static<typeof RateCard>

/** Earlier price lists that are stored. The oldest is deleted for a new one. */
export const maxPastCards = 40

const PastCard = Type.Object(cardFields)
export type PastCard = Static<typeof PastCard>

/** Meta's prices, as the organization entered them. There are no defaults. */
export const bulkRatesApi = {
  getRateCard: endpoint({
    method: 'GET',
    path: '/whatsapp/rate-card',
    access: 'bulk:send',
    reply: RateCard,
    summary: 'The prices of messages by country and category, as they were entered; empty at first.',
  }),
  setRateCard: endpoint({
    method: 'PUT',
    path: '/whatsapp/rate-card',
    access: 'org:update',
    body: Type.Object(cardFields, { additionalProperties: false }),
    reply: RateCard,
    summary: 'Saves the prices of messages. With another first day, the present list becomes an earlier one.',
  }),
  listPastRateCards: endpoint({
    method: 'GET',
    path: '/whatsapp/rate-cards',
    access: 'cost:read',
    reply: Type.Object({ items: Type.Array(PastCard, { maxItems: maxPastCards }) }),
    summary: 'Earlier price lists, newest first. Costs of earlier days are estimated with them.',
  }),
  deletePastRateCard: endpoint({
    method: 'DELETE',
    path: '/whatsapp/rate-cards/:validFrom',
    access: 'org:update',
    params: Type.Object({ validFrom: cardFields.validFrom }, { additionalProperties: false }),
    reply: Done,
    summary: 'Deletes an earlier price list.',
  }),
} as const
