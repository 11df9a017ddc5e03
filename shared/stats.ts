import { type Static, Type } from 'typebox'
import { endpoint } from './contract.ts'

/** Counted up to here; one more stands for "more than this". */
export const maxCounted = 10_000

const count = (what: string) =>
  Type.Integer({
    minimum: 0,
    maximum: maxCounted + 1,
    description: `${what}; ${maxCounted + 1} stands for more than ${maxCounted}.`,
  })

/** How the inbox stands now, and what came and went today. */
export const StatsOverview = Type.Object({
  open: count('Conversations that are not archived'),
  unread: count('Those of them with unread messages'),
  waiting: count('Those of them where the customer needs a person'),
  received: count('Messages of customers since `since`'),
  sent: count('Messages to customers since `since`'),
  since: Type.String({ description: 'Midnight in the zone that was asked for; ISO 8601 UTC.' }),
})
export type StatsOverview = Static<typeof StatsOverview>

export const statsApi = {
  getOverview: endpoint({
    method: 'GET',
    path: '/stats/overview',
    access: 'stats:read',
    query: Type.Object(
      { timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'IANA; where today is.' })) },
      { additionalProperties: false },
    ),
    reply: StatsOverview,
    summary: 'Open, unread and waiting conversations, and the messages of today.',
  }),
} as const
