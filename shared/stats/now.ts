import { type Static, Type } from 'typebox'
import { Availability } from '#shared/inbox/assignment.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { maxTags } from '#shared/tags/api.ts'

/** At most this many unattended conversations are counted. */
export const maxUnattended = 5_000
/** The answer lists at most this many waiting customers. */
export const maxWaitingRows = 50
/** The answer lists at most this many members. */
export const maxPeopleNow = 500

const Href = Type.String({ description: 'Address of the page that lists the conversations it counts.' })
const Counted = Type.Object({
  count: Type.Integer({ minimum: 0, maximum: maxUnattended }),
  more: Type.Boolean({ description: 'True: there are at least `count`; the rest was not counted.' }),
  href: Href,
})

/** The state of a wait: there is time, the promise is nearly broken, or it is broken. */
const promiseStates = ['inTime', 'soon', 'late'] as const
export type PromiseState = (typeof promiseStates)[number]

const WaitingCustomer = Type.Object({
  conversationId: Nullable(Type.String()),
  address: Nullable(Type.String({ description: 'Address of the chat; null: the contact was erased.' })),
  name: Nullable(Type.String()),
  tags: Type.Array(Type.String(), { maxItems: maxTags }),
  said: Nullable(
    Type.String({
      description: "The customer's last message; null: it has no text, or the caller may not read chats.",
    }),
  ),
  since: Timestamp,
  dueAt: Nullable(
    Type.String({
      description: 'Until when a first response is promised, ISO 8601 UTC; null: none is, or more than a year away.',
    }),
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
  promiseMs: Nullable(
    Type.Integer({ description: 'The promised time of a first response, in business hours; null: none is promised.' }),
  ),
  soonMs: Nullable(
    Type.Integer({ description: 'A wait counts as `soon` when this much of the promise or less is left.' }),
  ),
  isOpen: Type.Boolean({ description: 'Whether it is within business hours.' }),
  opensAt: Nullable(Timestamp),
  unattended: Counted,
  soon: Counted,
  late: Counted,
  worstMs: Nullable(
    Type.Integer({ minimum: 0, description: 'Business time by which the oldest late conversation is late.' }),
  ),
  nextChangeAt: Nullable(
    Type.String({ description: 'When the next wait becomes `soon` or `late`, ISO 8601 UTC; null: none will.' }),
  ),
  waiting: Type.Array(WaitingCustomer, {
    maxItems: maxWaitingRows,
    description: 'Customers to whom no person has replied yet, the longest wait first.',
  }),
  people: Type.Array(PersonNow, {
    maxItems: maxPeopleNow,
    description: 'All members who may answer if the caller manages members, otherwise only the caller.',
  }),
})
export type StatsNow = Static<typeof StatsNow>

export const statsNowApi = {
  getNow: endpoint({
    method: 'GET',
    path: '/stats/now',
    access: 'stats:read',
    large: true,
    reply: StatsNow,
    summary: 'Customers who wait for a first response, how much time is left for each, and which members are online.',
  }),
} as const
