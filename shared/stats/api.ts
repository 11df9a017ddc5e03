import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { statsBlocksApi } from './blocks.ts'
import { statsCostApi } from './cost.ts'
import { statsNowApi } from './now.ts'
import { statsSummaryApi } from './summary.ts'

/** Counted up to here; one more means "more than this". */
export const maxCounted = 10_000

const count = (what: string) =>
  Type.Integer({
    minimum: 0,
    maximum: maxCounted + 1,
    description: `${what}; ${maxCounted + 1} stands for more than ${maxCounted}.`,
  })

/** The inbox now, and today's messages. */
export const StatsOverview = Type.Object({
  open: count('Conversations that are not archived'),
  unread: count('Those of them with unread messages'),
  waiting: count('Those of them where the customer needs a person'),
  metaAgent: count("Those of them that Meta's own agent answers"),
  received: count('Messages of customers since `since`'),
  sent: count('Messages to customers since `since`'),
  since: Type.String({ description: 'Midnight in the zone that was asked for; ISO 8601 UTC.' }),
})
export type StatsOverview = Static<typeof StatsOverview>

export const costsPerPage = 50
export const costsPerPart = 1000

const SendCost = Type.Object({
  id: Type.String(),
  template: Type.String(),
  at: Timestamp,
  people: Type.Integer({
    minimum: 0,
    description: 'All recipients who were not left out, with any outcome.',
  }),
  delivered: Type.Integer({ minimum: 0 }),
  cost: Nullable(
    Type.Object(
      {
        amount: Type.Number({ minimum: 0 }),
        currency: Type.String(),
        unpriced: Type.Integer({ minimum: 0, description: 'Number of people without a price.' }),
        validFrom: Type.String({ description: 'The day of the price list.' }),
      },
      { description: 'Estimated when its people were written down; null: nobody had said what messages cost.' },
    ),
  ),
})
export type SendCost = Static<typeof SendCost>

const Before = Type.Object(
  {
    before: Type.Optional(Type.String({ pattern: '^[0-9a-z]{24}$', description: 'Id of the last one that is there.' })),
  },
  { additionalProperties: false },
)

export const statsApi = {
  ...statsSummaryApi,
  ...statsBlocksApi,
  ...statsNowApi,
  ...statsCostApi,
  getOverview: endpoint({
    method: 'GET',
    path: '/stats/overview',
    access: 'stats:read',
    large: true,
    query: Type.Object(
      { timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'IANA; where today is.' })) },
      { additionalProperties: false },
    ),
    reply: StatsOverview,
    summary: 'Open, unread and waiting conversations, and the messages of today.',
  }),
  listCosts: endpoint({
    method: 'GET',
    path: '/stats/costs',
    access: 'cost:read',
    large: true,
    query: Before,
    reply: Type.Object({ items: Type.Array(SendCost), hasMore: Type.Boolean() }),
    summary: `The estimated costs of bulk sends, newest first, ${costsPerPage} at a time.`,
  }),
  exportCosts: endpoint({
    method: 'GET',
    path: '/stats/costs/report',
    access: 'cost:read',
    large: true,
    query: Before,
    reply: Type.Object({
      csv: Type.String({ description: 'Lines, newest first; the first part starts with the column names.' }),
      next: Nullable(
        Type.String({ description: 'The value of `before` for the next part; null: this is the last part.' }),
      ),
    }),
    summary: `The list as CSV, ${costsPerPart} rows at a time.`,
  }),
} as const
