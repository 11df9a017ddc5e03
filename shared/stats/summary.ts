import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, PageNumber, pageOf, Timestamp } from '#shared/kernel/list.ts'
import { maxTeams } from '#shared/orgs/members.ts'
import { maxTags } from '#shared/tags/api.ts'
import { origins } from './definitions.ts'
import { ageBucketsMs, maxDays, responseBucketsMs, showPart, statsFilter } from './filter.ts'

const Count = Type.Integer({ minimum: 0 })
const Ms = Nullable(Type.Integer({ minimum: 0 }))
const Href = Type.String({ description: 'The page of the conversations that it counts.' })
const Counted = Type.Object({ count: Count, href: Href })
const times = { count: Count, medianMs: Ms, p90Ms: Ms, meanMs: Ms } as const

const Durations = Type.Object({
  ...times,
  before: Nullable(Type.Integer({ minimum: 0, description: 'The median of the period before; ms.' })),
  href: Href,
})

const Figures = Type.Object({
  attended: Type.Object({ value: Count, before: Nullable(Count), href: Href }),
  firstResponse: Durations,
  customerWait: Type.Object({
    ...Durations.properties,
    waitingNow: Type.Integer({ minimum: 0, description: 'Conversations of the period whose customer waits now.' }),
    waitingHref: Href,
  }),
  resolution: Durations,
  containment: Type.Object({
    share: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    before: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    ended: Type.Integer({ minimum: 0, description: 'Of those with a bot, the ones that ended without a person.' }),
    withBot: Count,
    href: Href,
    withBotHref: Href,
  }),
  cost: Nullable(
    Type.Object(
      {
        amount: Type.Number({ minimum: 0 }),
        currency: Type.String(),
        estimated: Type.Literal(true),
        unpriced: Type.Integer({ minimum: 0, description: 'People of these sends that have no price.' }),
      },
      { description: 'Of the bulk sends of the period; null: none had prices, or the caller may not see it.' },
    ),
  ),
})

const Group = Type.Object({
  id: Nullable(Type.String()),
  name: Nullable(Type.String({ description: 'Null: nobody, or somebody who is gone.' })),
  needsPerson: Counted,
  answered: Counted,
  inPromise: Count,
  openNow: Counted,
  firstResponse: Type.Object(times),
  resolution: Type.Object(times),
})
export type GroupAnswer = Static<typeof Group>

/** Members beyond these are left out of the table. */
export const maxGroupedMembers = 200

const Day = Type.Object({
  day: Type.String(),
  attended: Count,
  firstResponseMs: Ms,
  customerWaitMs: Ms,
  resolutionMs: Ms,
  withBot: Count,
  contained: Count,
})

/** At most so many sentences say what to look at. */
export const maxAlerts = 3
const Alert = Type.Object({
  kind: Type.Enum(['waiting', 'unanswered', 'slowTag', 'slowTeam'], {
    description: '`slow…`: the median of its first responses is later than promised.',
  }),
  count: Count,
  ms: Nullable(Type.Integer({ minimum: 0, description: 'The longest wait, or the median.' })),
  name: Nullable(Type.String({ description: 'Of the tag or the team.' })),
  href: Href,
})
export type Alert = Static<typeof Alert>

export const StatsSummary = Type.Object({
  from: Type.String(),
  to: Type.String(),
  timeZone: Type.String(),
  comparedWith: Nullable(Type.Object({ from: Type.String(), to: Type.String() })),
  promiseMs: Type.Integer({ description: 'Within which a first response is promised.' }),
  unknown: Type.Array(Type.Enum(['team', 'member', 'tag', 'number']), {
    maxItems: 4,
    description: 'Filters that name something the organization does not have: nothing is counted.',
  }),
  counting: Nullable(
    Type.Object(
      { done: Type.Number({ minimum: 0, maximum: 1 }) },
      { description: 'Older messages are still being counted: so large a part of them is.' },
    ),
  ),
  alerts: Type.Array(Alert, { maxItems: maxAlerts, description: 'What to look at first, most urgent first.' }),
  figures: Figures,
  needsPerson: Counted,
  unanswered: Counted,
  promise: Type.Object({ kept: Counted, late: Counted }),
  buckets: Type.Array(Counted, { maxItems: responseBucketsMs.length + 1, description: 'Of first responses.' }),
  heat: Type.Array(Type.Array(Count, { maxItems: 24 }), {
    maxItems: 7,
    description: 'By weekday from Monday, by hour.',
  }),
  heatHref: Type.String({ description: 'With `&weekday=1&hour=0` behind it: the page of one cell.' }),
  unattended: Type.Object({
    total: Counted,
    ages: Type.Array(Counted, { maxItems: ageBucketsMs.length + 1 }),
    oldestMs: Ms,
  }),
  days: Type.Array(Day, { maxItems: maxDays }),
  members: Type.Array(Group, {
    maxItems: maxGroupedMembers + 1,
    description: 'All of them for who manages members; else the caller alone.',
  }),
  teams: Type.Array(Group, { maxItems: maxTeams + 1 }),
  tags: Type.Array(Group, { maxItems: maxTags }),
})
export type StatsSummary = Static<typeof StatsSummary>

export const segmentsPerPage = 50

const SegmentItem = Type.Object({
  id: Type.String(),
  number: Nullable(Type.String({ description: 'Of the customer; null: they were erased.' })),
  address: Nullable(Type.String({ description: 'By which the chat is opened.' })),
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

/** Rows of one part of the report. */
export const segmentsPerPart = 1_000

export const statsSummaryApi = {
  getSummary: endpoint({
    method: 'GET',
    path: '/stats/summary',
    access: 'stats:read',
    query: Type.Object(
      {
        ...statsFilter,
        compare: Type.Optional(Type.Boolean({ description: 'True: with the same number of days before.' })),
      },
      { additionalProperties: false },
    ),
    reply: StatsSummary,
    summary: `How customers were attended in a range of at most ${maxDays} days: figures with what they count.`,
  }),
  listSegments: endpoint({
    method: 'GET',
    path: '/stats/segments',
    access: 'stats:read',
    query: Type.Object(
      { ...statsFilter, ...showPart, page: Type.Optional(PageNumber) },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      ...pageOf(SegmentItem).properties,
      total: Count,
      unknown: StatsSummary.properties.unknown,
    }),
    summary: `The parts of conversations that a figure counts, newest first, ${segmentsPerPage} at a time.`,
  }),
  exportSegments: endpoint({
    method: 'GET',
    path: '/stats/segments/report',
    access: 'stats:read',
    query: Type.Object(
      {
        ...statsFilter,
        ...showPart,
        after: Type.Optional(
          Type.String({
            pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z_[0-9A-Za-z_-]{1,64}$',
            description: 'The `next` of the part before.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      csv: Type.String({ description: 'Lines; the first part with the names of the columns.' }),
      next: Nullable(Type.String({ description: 'What `after` the next part is asked with; null: there is none.' })),
    }),
    summary: `The same as comma-separated values, ${segmentsPerPart} rows at a time.`,
  }),
} as const
