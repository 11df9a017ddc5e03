import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'

/** Days a webhook of WhatsApp is kept; what could not be applied stays longer. */
export const deliveriesKeptDays = 30
export const deliveriesPerPage = 30
/** Deliveries processed again in one call. */
export const maxReplayed = 500
/** Customers that a list names of one delivery. */
export const customersShown = 3
/** Longer deliveries are answered without their end. */
export const rawMaxChars = 200_000

/** The states of a delivery. */
const deliveryStates = ['waiting', 'applied', 'notUnderstood', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The statuses of our own messages that a delivery reports. */
const messageStatuses = ['sent', 'delivered', 'read', 'failed'] as const

const access = 'integration:manage'
const Id = Type.String({ pattern: '^[0-9]{1,15}$', description: 'Its sequence number in the journal.' })

const Delivery = Type.Object({
  id: Id,
  at: Timestamp,
  number: Nullable(Type.String({ description: 'Our number, digits; null: of the whole account.' })),
  state: Type.Enum(deliveryStates, {
    description:
      '`waiting`: it is applied soon · `notUnderstood`: a part was kept that this version does not read · `failed`: it was tried several times, see `note`.',
  }),
  kinds: Type.Array(Type.String(), { description: 'What it contains; empty if it is too large to be examined.' }),
  statuses: Type.Array(Type.Enum(messageStatuses), {
    maxItems: messageStatuses.length,
    description: 'Those that it reports of sent messages; empty: none, or it is too large to be examined.',
  }),
  customers: Type.Array(
    Type.Object({
      name: Type.String({ description: 'A name if one is known, otherwise a number, username or user id.' }),
      address: Nullable(Type.String({ description: 'Of their chat; null: there is none.' })),
    }),
    {
      maxItems: customersShown,
      description: 'Whom it is about; empty: nobody, a group, or it is too large to be examined.',
    },
  ),
  kept: Type.Array(Type.String(), { description: 'Names of the parts that were kept and not understood.' }),
  bytes: Type.Integer(),
  attempts: Type.Integer(),
  note: Nullable(Type.String({ description: 'Why it failed, as the log says it.' })),
})
export type Delivery = Static<typeof Delivery>

/** Webhooks of WhatsApp as they came, and processing them again. */
export const deliveriesApi = {
  list: endpoint({
    method: 'GET',
    path: '/whatsapp/deliveries',
    access,
    wholeInbox: true,
    query: Type.Object(
      {
        number: Type.Optional(Type.String({ maxLength: 30, description: 'Of one of our numbers, digits.' })),
        state: Type.Optional(Type.Enum(['notUnderstood', 'failed'])),
        before: Type.Optional(Id),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      items: Type.Array(Delivery),
      next: Nullable(
        Type.String({
          description: 'Value of `before` for the next page, which may be empty; null: this is the last page.',
        }),
      ),
    }),
    summary: `Webhooks that WhatsApp delivered for the organization's numbers, newest first, for ${deliveriesKeptDays} days.`,
  }),
  get: endpoint({
    method: 'GET',
    path: '/whatsapp/deliveries/:id',
    access,
    wholeInbox: true,
    params: Type.Object({ id: Id }, { additionalProperties: false }),
    reply: Type.Object({
      ...Delivery.properties,
      raw: Type.String({ description: 'As it came.' }),
      isCut: Type.Boolean({ description: `True: only its first ${rawMaxChars} characters.` }),
    }),
    refuses: [404],
    summary: 'One webhook of WhatsApp, as it was delivered.',
  }),
  replay: endpoint({
    method: 'POST',
    path: '/whatsapp/deliveries/replay',
    access,
    wholeInbox: true,
    body: Type.Object(
      {
        ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: maxReplayed })),
        from: Type.Optional(Id),
        to: Type.Optional(Id),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    example: { body: { ids: ['1'] } },
    reply: Type.Object({
      replayed: Type.Integer({ description: 'Number of deliveries that wait to be processed again.' }),
      hasMore: Type.Boolean({ description: `Of a range: it holds more than ${maxReplayed}; \`next\` continues it.` }),
      next: Nullable(Type.String({ description: '`from` of the rest of the range.' })),
    }),
    summary:
      'Processes deliveries again: those in `ids`, or all from `from` to `to`. Existing data is not changed; data that an earlier version did not read is added.',
  }),
} as const
