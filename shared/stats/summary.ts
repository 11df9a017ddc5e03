import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, PageNumber, pageOf, Timestamp } from '#shared/kernel/list.ts'
import { maxTeams } from '#shared/orgs/members.ts'
import { maxTags } from '#shared/tags/api.ts'
import { origins } from './definitions.ts'
import { ageBucketsMs, maxDays, responseBucketsMs, showPart, statsFilter } from './filter.ts'

const Count = Type.Integer({ minimum: 0 })
const Ms = Nullable(Type.Integer({ minimum: 0 }))
const Href = Type.String({ description: 'Address of the page that lists the conversations it counts.' })
const Counted = Type.Object({ count: Count, href: Href })
const times = { count: Count, medianMs: Ms, p90Ms: Ms, meanMs: Ms } as const

/** ISO 4217 has fewer currencies than this. */
const maxCurrencies = 200

const Durations = Type.Object({
  ...times,
  before: Nullable(Type.Integer({ minimum: 0, description: 'The median of the period before, in ms.' })),
  href: Href,
})

const Figures = Type.Object({
  attended: Type.Object({ value: Count, before: Nullable(Count), href: Href }),
  firstResponse: Durations,
  customerWait: Type.Object({
    ...Durations.properties,
    waitingNow: Type.Integer({ minimum: 0, description: 'Conversations of the period whose customers wait now.' }),
    waitingHref: Href,
  }),
  resolution: Durations,
  containment: Type.Object({
    share: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    before: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    ended: Type.Integer({ minimum: 0, description: 'Conversations with a bot that ended without a person.' }),
    withBot: Count,
    href: Href,
    withBotHref: Href,
  }),
  cost: Nullable(
    Type.Object(
      {
        amount: Type.Number({ minimum: 0, description: 'Of the first of `amounts`.' }),
        currency: Type.String(),
        amounts: Type.Array(Type.Object({ amount: Type.Number({ minimum: 0 }), currency: Type.String() }), {
          minItems: 1,
          maxItems: maxCurrencies,
          description: 'One for each currency of the price lists, the largest first; never added up.',
        }),
        estimated: Type.Literal(true),
        unpriced: Type.Integer({ minimum: 0, description: 'Billed messages without a price.' }),
        href: Nullable(
          Type.String({
            description: 'Address of the page that lists the billed messages; null: the caller may not open it.',
          }),
        ),
      },
      {
        description:
          'Of bulk sends, templates and replies of the period, of the number if one is named; other filters do not apply. Null: nothing with a price was billed, or the caller may not see it.',
      },
    ),
  ),
})

/** A bar of a chart against the promise. */
const Bar = Type.Object({
  ...Counted.properties,
  late: Type.Integer({ minimum: 0, description: 'Those of them that took longer than promised, in business hours.' }),
})

const Group = Type.Object({
  id: Nullable(Type.String()),
  name: Nullable(Type.String({ description: 'Null: no owner or team, or one that no longer exists.' })),
  needsPerson: Counted,
  answered: Counted,
  inPromise: Count,
  inPromiseHref: Href,
  openNow: Counted,
  firstResponse: Type.Object({ ...times, href: Href }),
  resolution: Type.Object({ ...times, href: Href }),
})
export type GroupAnswer = Static<typeof Group>

/** The table leaves out members beyond this number. */
export const maxGroupedMembers = 200

const Day = Type.Object({
  day: Type.String(),
  attended: Count,
  firstResponses: Count,
  firstResponseMs: Ms,
  customerWaits: Count,
  customerWaitMs: Ms,
  resolutions: Count,
  resolutionMs: Ms,
  withBot: Count,
  contained: Count,
})

/** The most alerts of a page. */
export const maxAlerts = 3
const Alert = Type.Object({
  kind: Type.Enum(['waiting', 'unanswered', 'slowTag', 'slowTeam'], {
    description: '`slow…`: the median first response of this tag or team is later than promised.',
  }),
  count: Count,
  ms: Nullable(Type.Integer({ minimum: 0, description: '`waiting`: the longest wait; `slow…`: the median.' })),
  name: Nullable(Type.String({ description: 'Name of the tag or team.' })),
  href: Href,
})
export type Alert = Static<typeof Alert>

export const StatsSummary = Type.Object({
  from: Type.String(),
  to: Type.String(),
  timeZone: Type.String(),
  comparedWith: Nullable(Type.Object({ from: Type.String(), to: Type.String() })),
  promiseMs: Nullable(
    Type.Integer({ description: 'The promised time of a first response, in business hours; null: none is promised.' }),
  ),
  unknown: Type.Array(Type.Enum(['team', 'member', 'tag', 'number']), {
    maxItems: 4,
    description: 'Filters that name something the organization does not have: nothing is counted.',
  }),
  counting: Nullable(
    Type.Object(
      { done: Type.Number({ minimum: 0, maximum: 1 }) },
      { description: 'Older messages are still being counted. `done`: the part that is counted.' },
    ),
  ),
  alerts: Type.Array(Alert, { maxItems: maxAlerts, description: 'Most urgent first.' }),
  figures: Figures,
  needsPerson: Counted,
  unanswered: Counted,
  promise: Type.Object({ kept: Counted, late: Counted }),
  buckets: Type.Array(Bar, { maxItems: responseBucketsMs.length + 1, description: 'First responses by duration.' }),
  heat: Type.Array(Type.Array(Count, { maxItems: 24 }), {
    maxItems: 7,
    description: 'Conversations by weekday from Monday and by the hour in which they began.',
  }),
  heatHref: Type.String({ description: 'With `&weekday=1&hour=0` appended: the address of the list of one cell.' }),
  unattended: Type.Object({
    total: Counted,
    ages: Type.Array(Bar, { maxItems: ageBucketsMs.length + 1 }),
    oldestMs: Ms,
  }),
  days: Type.Array(Day, { maxItems: maxDays }),
  members: Type.Array(Group, {
    maxItems: maxGroupedMembers + 1,
    description: 'All members if the caller manages members, otherwise only the caller.',
  }),
  teams: Type.Array(Group, { maxItems: maxTeams + 1 }),
  tags: Type.Array(Group, { maxItems: maxTags }),
})
export type StatsSummary = Static<typeof StatsSummary>

export const segmentsPerPage = 50

const SegmentItem = Type.Object({
  id: Type.String(),
  number: Nullable(Type.String({ description: 'Number of the customer; null: the customer was erased.' })),
  address: Nullable(Type.String({ description: 'Address of the chat.' })),
  name: Nullable(Type.String()),
  tags: Type.Array(Type.String(), { maxItems: maxTags }),
  owner: Nullable(Type.String()),
  team: Nullable(Type.String()),
  origin: Type.Enum(origins),
  startedAt: Timestamp,
  firstResponseMs: Ms,
  waitMs: Nullable(Type.Integer({ minimum: 0, description: 'The longest wait of the customer.' })),
  endedAt: Nullable(Timestamp),
  messagesIn: Count,
  messagesOut: Count,
  state: Type.Enum(['open', 'waiting', 'resolved', 'silent'], {
    description: '`waiting`: open, and the customer waits for a person. `silent`: ended by a day of silence.',
  }),
})
export type SegmentItem = Static<typeof SegmentItem>

export const statsSummaryApi = {
  getSummary: endpoint({
    method: 'GET',
    path: '/stats/summary',
    access: 'stats:read',
    large: true,
    query: Type.Object(
      {
        ...statsFilter,
        compare: Type.Optional(Type.Boolean({ description: 'True: compares with the same number of days before.' })),
      },
      { additionalProperties: false },
    ),
    reply: StatsSummary,
    summary: `The figures of a range of at most ${maxDays} days. Each has the address of the list that it counts.`,
  }),
  listSegments: endpoint({
    method: 'GET',
    path: '/stats/segments',
    access: 'stats:read',
    large: true,
    query: Type.Object(
      { ...statsFilter, ...showPart, page: Type.Optional(PageNumber) },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      ...pageOf(SegmentItem).properties,
      total: Count,
      unknown: StatsSummary.properties.unknown,
    }),
    summary: `The segments of conversations that a figure counts, newest first, ${segmentsPerPage} at a time.`,
  }),
} as const
