import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, PageNumber, pageOf, Timestamp } from '#shared/kernel/list.ts'
import { maxDays, statsFilter } from './filter.ts'

/** Categories that Meta bills; `unknown`: a template that is not there any more. */
export const sentCategories = ['marketing', 'utility', 'authentication', 'service', 'unknown'] as const
export type SentCategory = (typeof sentCategories)[number]

/**
 * `regular`: billed · `allowance`: one of the free replies of a month · `entry`: the customer came by an advertisement ·
 * `window`: free within the customer's window · `none`: not delivered.
 */
export const charges = ['regular', 'allowance', 'entry', 'window', 'none'] as const
export type Charge = (typeof charges)[number]

export const sentSources = ['bulk', 'template', 'reply'] as const
export type SentSource = (typeof sentSources)[number]

export const sentOutcomes = ['sent', 'delivered', 'read', 'failed', 'replied', 'optedOut'] as const
export type SentOutcome = (typeof sentOutcomes)[number]

/** Replies that are free for a number in a month. @see Meta, "Pricing updates", 2026-10-01 */
export const freeReplies = 1_000

const Count = Type.Integer({ minimum: 0 })
const Money = Type.Object({ amount: Type.Number({ minimum: 0 }), currency: Type.String() })
export type Money = Static<typeof Money>

/** ISO 4217 lists fewer. */
const maxCurrencies = 200

const estimate = {
  delivered: Count,
  free: Type.Integer({ minimum: 0, description: 'Delivered and not billed.' }),
  billed: Count,
  unpriced: Type.Integer({ minimum: 0, description: 'Billed, and nobody entered a price.' }),
  amounts: Type.Array(Money, {
    maxItems: maxCurrencies,
    description: 'One for each currency of the price lists, the largest first; never added up.',
  }),
} as const
export const Estimate = Type.Object(estimate)
export type CostEstimate = Static<typeof Estimate>

const Href = Nullable(
  Type.String({
    description:
      'The page of the delivered messages, with `&charge=regular` or `&charge=free` behind it of those that are billed or not; null: the caller may not open it.',
  }),
)

/** More than there are countries. */
const maxCountries = 260

const Difference = Type.Object({
  cause: Type.Enum(['price', 'free', 'undelivered', 'unknownCountry', 'noPrice', 'other'], {
    description:
      '`price`: the prices entered are not those of Meta, such as those of an older list · `free`: free for one of both · `undelivered`: no receipt came · `unknownCountry`: of the number · `noPrice`: nobody entered one.',
  }),
  amount: Type.Number({ description: 'Ours less that of Meta; all of them add up to the difference.' }),
})
export type CostDifference = Static<typeof Difference>

const MetaCost = Type.Object({
  from: Type.String({ description: 'The first day of the range that Meta was asked about.' }),
  to: Type.String(),
  readAt: Timestamp,
  hasFailed: Type.Boolean({ description: 'True: it did not answer when it was asked last.' }),
  currency: Nullable(Type.String()),
  billed: Count,
  free: Count,
  cost: Type.Number({ minimum: 0 }),
  ours: Nullable(Type.Number({ description: 'Our estimate of these days; null: it is in another currency.' })),
  differences: Type.Array(Difference, { maxItems: 6 }),
})
export type MetaCost = Static<typeof MetaCost>

export const CostBlock = Type.Object({
  from: Type.String(),
  to: Type.String(),
  knownSince: Nullable(Type.String({ description: 'The first day that was counted; null: nothing was.' })),
  counting: Nullable(
    Type.Object(
      { done: Type.Number({ minimum: 0, maximum: 1 }) },
      { description: 'Older messages are still being counted: so large a part of them is.' },
    ),
  ),
  unknownNumber: Type.Boolean({ description: 'True: the filter names a number that the organization does not have.' }),
  cards: Type.Array(Type.Object({ currency: Type.String(), validFrom: Type.String() }), {
    maxItems: 100,
    description: 'The price lists, the earliest first.',
  }),
  total: Type.Object({ ...estimate, href: Href }),
  byCategory: Type.Array(Type.Object({ category: Type.Enum(sentCategories), ...estimate, href: Href }), {
    maxItems: sentCategories.length,
  }),
  bySource: Type.Array(Type.Object({ source: Type.Enum(sentSources), ...estimate, href: Href }), {
    maxItems: sentSources.length,
  }),
  byCountry: Type.Array(
    Type.Object({
      country: Type.String({ description: 'ISO 3166-1 alpha-2; `??`: unknown.' }),
      ...estimate,
      href: Href,
    }),
    { maxItems: maxCountries, description: 'The largest number of delivered messages first.' },
  ),
  byDay: Type.Array(Type.Object({ day: Type.String(), ...estimate, href: Href }), { maxItems: maxDays }),
  /** Null: Meta was not asked, or a number is named. */
  meta: Nullable(MetaCost),
  freeReplies: Type.Array(
    Type.Object({
      number: Type.String({ description: 'The way people write it.' }),
      used: Type.Integer({
        minimum: 0,
        description: `Billed replies of this month; the first ${freeReplies} are free.`,
      }),
    }),
    { maxItems: 200, description: 'By number, of this month.' },
  ),
})
export type CostBlock = Static<typeof CostBlock>

export const messagesPerPage = 50

const SentItem = Type.Object({
  id: Type.String({ description: 'Of the message.' }),
  number: Nullable(Type.String({ description: 'Of the customer; null: they were erased.' })),
  address: Nullable(Type.String({ description: 'By which the chat is opened.' })),
  name: Nullable(Type.String()),
  at: Timestamp,
  state: Type.Enum(['sent', 'delivered', 'read', 'failed']),
  replied: Type.Boolean(),
  template: Nullable(Type.String({ description: 'Its name; null: a reply.' })),
  category: Type.Enum(sentCategories),
  country: Type.String(),
  charge: Type.Enum(charges),
})
export type SentItem = Static<typeof SentItem>

const { from, to, days, number } = statsFilter
const Range = Type.Object({ from, to, days, number }, { additionalProperties: false })

/** The value of `template` for messages of any template. No template has such a name. */
export const anyTemplate = '*'
/** The value of `charge` for delivered messages that are not billed, for whatever reason. */
export const anyFree = 'free'

/** The messages that a figure counts. */
const sentSelection = {
  template: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 512 })], {
      description: `Its name; \`${anyTemplate}\`: any.`,
    }),
  ),
  source: Type.Optional(Type.Enum(sentSources)),
  category: Type.Optional(Type.Enum(sentCategories)),
  country: Type.Optional(Type.String({ pattern: '^([A-Z]{2}|\\?\\?)$' })),
  charge: Type.Optional(Type.Enum([...charges, anyFree], { description: `\`${anyFree}\`: delivered and not billed.` })),
  outcome: Type.Optional(Type.Enum(sentOutcomes, { description: 'Absent: `sent`, which is all.' })),
} as const

export const statsCostApi = {
  getCostBlock: endpoint({
    method: 'GET',
    path: '/stats/blocks/cost',
    access: 'cost:read',
    large: true,
    query: Range,
    reply: CostBlock,
    summary: 'The estimated cost of the messages of a range: delivered and billed ones times the entered prices.',
  }),
  exportCostBlock: endpoint({
    method: 'GET',
    path: '/stats/blocks/cost/report',
    access: 'cost:read',
    large: true,
    query: Type.Object({ ...Range.properties, after: from }, { additionalProperties: false }),
    reply: Type.Object({
      csv: Type.String({ description: 'Lines; the first part starts with the names of the columns.' }),
      next: Nullable(
        Type.String({ description: 'The value of `after` for the next part; null: this is the last part.' }),
      ),
    }),
    summary: 'Costs by day, category and country as CSV, in parts of whole days.',
  }),
  listSentMessages: endpoint({
    method: 'GET',
    path: '/stats/messages',
    access: 'stats:read',
    large: true,
    wholeInbox: true,
    query: Type.Object(
      { ...Range.properties, ...sentSelection, page: Type.Optional(PageNumber) },
      { additionalProperties: false },
    ),
    reply: Type.Object({ ...pageOf(SentItem).properties, total: Count }),
    summary: `The messages that a figure counts, newest first, ${messagesPerPage} at a time.`,
  }),
} as const
