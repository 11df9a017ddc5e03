import { type Static, Type } from 'typebox'
import { Availability } from '#shared/inbox/assignment.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { maxTags } from '#shared/tags/api.ts'

/** Unattended conversations beyond these are not counted. */
export const maxUnattended = 5_000
/** Waiting customers of whom the answer has a row. */
export const maxWaitingRows = 50
/** Members beyond these are left out. */
export const maxPeopleNow = 500

const Href = Type.String({ description: 'The page of the conversations that it counts.' })
const Counted = Type.Object({
  count: Type.Integer({ minimum: 0, maximum: maxUnattended }),
  more: Type.Boolean({ description: 'True: that many at least; no more were looked at.' }),
  href: Href,
})

/** Against the promise: there is time, it is nearly broken, it is broken. */
const promiseStates = ['inTime', 'soon', 'late'] as const
export type PromiseState = (typeof promiseStates)[number]

const WaitingCustomer = Type.Object({
  conversationId: Nullable(Type.String()),
  address: Nullable(Type.String({ description: 'By which the chat is opened; null: the contact was erased.' })),
  name: Nullable(Type.String()),
  tags: Type.Array(Type.String(), { maxItems: maxTags }),
  said: Nullable(
    Type.String({ description: 'What the customer said last; null: no text, or the caller may not read chats.' }),
  ),
  since: Timestamp,
  dueAt: Nullable(
    Type.String({ description: 'Until when a first response is promised, ISO 8601 UTC; null: more than a year away.' }),
  ),
  state: Type.Enum(promiseStates),
  owner: Nullable(Type.Object({ name: Nullable(Type.String()), isAvailable: Type.Boolean() })),
  team: Nullable(Type.String()),
})
export type WaitingCustomer = Static<typeof WaitingCustomer>

const PersonNow = Type.Object({
  userId: Type.String(),
  name: Type.String(),
  state: Availability.properties.state,
  isAvailable: Availability.properties.isAvailable,
  isOnline: Type.Boolean({ description: 'A page of this installation is open.' }),
  open: Type.Object({
    count: Type.Integer({ minimum: 0, description: 'Open conversations that are assigned to this person.' }),
    href: Href,
  }),
})
export type PersonNow = Static<typeof PersonNow>

export const StatsNow = Type.Object({
  at: Timestamp,
  timeZone: Type.String(),
  promiseMs: Type.Integer({ description: 'Within which a first response is promised, in business hours.' }),
  soonMs: Type.Integer({ description: 'With so much of it left, a wait counts as `soon`.' }),
  isOpen: Type.Boolean({ description: 'Business hours.' }),
  opensAt: Nullable(Timestamp),
  unattended: Counted,
  soon: Counted,
  late: Counted,
  worstMs: Nullable(Type.Integer({ minimum: 0, description: 'Business time by which the oldest `late` is late.' })),
  nextChangeAt: Nullable(
    Type.String({ description: 'When the next wait becomes `soon` or `late`, ISO 8601 UTC; null: none will.' }),
  ),
  waiting: Type.Array(WaitingCustomer, {
    maxItems: maxWaitingRows,
    description: 'Customers without a first response of a person, the longest wait first.',
  }),
  people: Type.Array(PersonNow, {
    maxItems: maxPeopleNow,
    description: 'Who may answer; all of them for who manages members, else the caller alone.',
  }),
})
export type StatsNow = Static<typeof StatsNow>

export const statsNowApi = {
  getNow: endpoint({
    method: 'GET',
    path: '/stats/now',
    access: 'stats:read',
    reply: StatsNow,
    summary: 'Who waits for a first response, against the promise, and who is there.',
  }),
} as const
