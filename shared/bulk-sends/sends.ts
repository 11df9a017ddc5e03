import { type Static, Type } from 'typebox'
import { FailureNext } from '#shared/inbox/failures.ts'
import { MessageFailure } from '#shared/inbox/messages.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { Estimate } from '#shared/stats/cost.ts'
import type { BodyComponent } from '#shared/templates/components.ts'
import { lasting } from './audience.ts'
import { careFields, LocalStart, MarketingCap } from './care.ts'
import { CurvePoint } from './curve.ts'
import { Cost, OfTemplate, planFields } from './plan.ts'
import {
  approvals,
  BulkSendId,
  blockReasons,
  bulkSendStates,
  holdReasons,
  type RecipientState,
  recipientStates,
} from './states.ts'

const Counts = Type.Object(
  Object.fromEntries(recipientStates.map(state => [state, Type.Integer({ minimum: 0 })])) as Record<
    RecipientState,
    ReturnType<typeof Type.Integer>
  >,
  {
    description:
      'Recipients by how far each one came. Each is counted once: `delivered` leaves out who read it. Pages and statistics add up what follows: delivered = delivered + read + replied, sent = all of them + unconfirmed + failed.',
  },
)

export const BulkSend = Type.Object({
  id: BulkSendId,
  name: Type.String({
    description: 'The name that its creator gave it, else the template and the day it was created.',
  }),
  isTest: Type.Boolean({ description: 'A test: it went to one number only.' }),
  template: OfTemplate,
  state: Type.Enum(bulkSendStates),
  reason: Nullable(Type.Enum(blockReasons)),
  audience: Type.Object({
    tags: Type.Array(Type.String(), { description: 'Their labels at that time.' }),
    match: Nullable(Type.Enum(['any', 'all'])),
    hasNumbers: Type.Boolean(),
    hasFile: Type.Boolean(),
    segment: Nullable(Type.String({ description: "A segment's name at that time." })),
    unansweredOf: Nullable(Type.String({ description: 'The template of the send they have not answered.' })),
    againOf: Nullable(Type.String({ description: 'The template of the send that was for the same people.' })),
  }),
  counts: Counts,
  cost: Nullable(Cost),
  optedOut: Type.Integer({ minimum: 0, description: 'Number of recipients who opted out of marketing afterwards.' }),
  ...careFields,
  waitsUntil: Nullable(Type.String({ description: 'When the others follow the first ones, ISO 8601 UTC.' })),
  held: Nullable(
    Type.Object(
      { why: Type.Enum(holdReasons), until: Timestamp },
      { description: 'It is running and waits until this time. Then it continues by itself.' },
    ),
  ),
  approval: Nullable(
    Type.Object(
      { state: Type.Enum(approvals), by: Nullable(Type.String()), at: Nullable(Timestamp) },
      { description: 'Of a send so large that a second person has to approve it. `by` and `at`: who did, and when.' },
    ),
  ),
  createdBy: Type.String(),
  creatorId: Type.String({ description: 'The author of the send, who may not approve it.' }),
  createdAt: Timestamp,
  startsAt: Nullable(Timestamp),
  localStart: Nullable(LocalStart),
  startedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
})
export type BulkSend = Static<typeof BulkSend>

const TextExample = Nullable(
  Type.Unsafe<NonNullable<BodyComponent['example']>>({
    type: 'object',
    additionalProperties: true,
    description: "The template's examples for the variables of its text, as Meta has them.",
  }),
)

const ReportCard = Type.Object({
  format: Nullable(Type.String({ description: '`IMAGE` or `VIDEO`, in the words of Meta.' })),
  text: Type.String(),
  textExample: TextExample,
  buttons: Type.Array(Type.String()),
})
export type ReportCard = Static<typeof ReportCard>

const BilledCost = Type.Object(Estimate.properties, {
  description:
    'What a send that has ended cost: its delivered messages at the entered prices, as in the statistics. Null: it has not ended, or none of its messages was delivered or is counted.',
})
export type BilledCost = Static<typeof BilledCost>

export const BulkSendReport = Type.Object({
  ...BulkSend.properties,
  text: Type.String({ description: "The template's text when the send was created." }),
  textExample: TextExample,
  cards: Type.Array(ReportCard, { description: 'The cards of a carousel, as `text`. Empty for other templates.' }),
  billed: Nullable(BilledCost),
  textValues: Type.Record(Type.String(), Type.String(), {
    description: 'By variable of `text`: the value that all recipients get. The others are of each recipient.',
  }),
  perSecond: Type.Integer({
    description: 'Messages a second that its number hands over now: fewer for a while after WhatsApp held it back.',
  }),
  usualPerSecond: Type.Integer({ description: 'Messages a second it hands over when nothing holds it back.' }),
  curve: Type.Array(CurvePoint, {
    description:
      'How many had been sent, delivered or read, had replied or failed by then, 120 points at most; those who replied count as read, those read as delivered and sent, failed ones as sent. Empty: nothing left yet, or it left before curves were kept.',
  }),
  groups: Type.Array(
    Type.Object({
      state: Type.Enum(['failed', 'unconfirmed', 'omitted']),
      reason: Type.String({ description: 'Of an omission its reason, otherwise the code of the failure.' }),
      message: Type.String({ description: 'The same in words, in the language of the caller.' }),
      mayRetry: Type.Boolean({
        description: 'They have certainly not got it, and sending it again may end otherwise.',
      }),
      next: Type.Optional(FailureNext),
      count: Type.Integer(),
    }),
  ),
})
export type BulkSendReport = Static<typeof BulkSendReport>

/** Parts of a repeated send that may no longer exist: a tag, a segment, a contact field, or the columns of values. */
const goneOfRecipe = ['tags', 'segment', 'fields', 'columns'] as const
export const BulkRecipe = Type.Object({
  template: Type.String({ description: 'Id of the template, which may have lost its approval since.' }),
  audience: Type.Object(lasting, {
    description: 'Of pasted numbers and files are left the people themselves, as `again`.',
  }),
  values: planFields.values,
  marketingCap: Nullable(MarketingCap),
  ...careFields,
  gone: Type.Array(Type.Enum(goneOfRecipe)),
})
export type BulkRecipe = Static<typeof BulkRecipe>

export const BulkRecipient = Type.Object({
  id: Type.String(),
  given: Type.String({ description: 'The number, or what was given in its place.' }),
  display: Type.String({ description: 'The same as people read it.' }),
  name: Nullable(Type.String()),
  state: Type.Enum(recipientStates),
  reason: Nullable(MessageFailure),
  chat: Nullable(Type.String({ description: 'Address of the chat, once the message was handed over.' })),
  at: Nullable(Timestamp),
})
export type BulkRecipient = Static<typeof BulkRecipient>
