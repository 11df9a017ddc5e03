import { type Static, Type } from 'typebox'
import { endpoint } from './contract.ts'
import { Nullable, PageNumber, pageOf, Timestamp } from './list.ts'
import { maxTagsOfContact, TagId } from './tags.ts'

export const bulkSendsPerPage = 30
export const recipientsPerPage = 50
/** So many people one send may have, those left out included. */
export const maxRecipients = 20_000
/** Messages a second of one number, however many sends share it. */
export const bulkPerSecond = 20
export const previewsShown = 5
/** So far ahead a send may be scheduled. */
export const mostScheduledDays = 365
/** Pasted numbers and files, in characters. */
const audienceMaxChars = 2_000_000
const bodyLimit = 6 * 1024 * 1024

/**
 * `preparing`: who gets what is being written down · `ready`: written, waits for somebody to start it · `scheduled`:
 * starts by itself at `startsAt` · `blocked`: stopped by itself, `reason` says why; it goes on when somebody resumes it.
 */
const bulkSendStates = [
  'preparing',
  'ready',
  'scheduled',
  'running',
  'paused',
  'blocked',
  'completed',
  'cancelled',
] as const
export type BulkSendState = (typeof bulkSendStates)[number]

/** `planned`: its turn has not come · `queued`: handed over, not taken by WhatsApp yet. */
export const recipientStates = [
  'planned',
  'queued',
  'sent',
  'delivered',
  'read',
  'replied',
  'failed',
  'omitted',
] as const
export type RecipientState = (typeof recipientStates)[number]

/** Why somebody gets nothing, known before anything is sent. */
const omissionReasons = [
  'duplicate',
  'invalidNumber',
  'ownNumber',
  'usernameOnly',
  'noPermission',
  'valueMissing',
  'valueTooLong',
  'valueNotOneLine',
] as const
export type OmissionReason = (typeof omissionReasons)[number]

/** Why a send stopped by itself; `tooManyPeople`: it was never written down, and is cancelled. */
const blockReasons = [
  'notConnected',
  'tokenLost',
  'accountBlocked',
  'limitReached',
  'templateGone',
  'templatePaused',
  'templateDisabled',
  'templateNotApproved',
  'templateRefused',
  'noPermission',
  'tooManyPeople',
] as const
export type BlockReason = (typeof blockReasons)[number]

const valueOrigins = ['fixed', 'name', 'firstName', 'number', 'column'] as const
/** Where the value of a variable comes from, for each recipient. */
export const ValueSource = Type.Object(
  {
    from: Type.Enum(valueOrigins),
    text: Type.Optional(Type.String({ maxLength: 1024, description: 'The value itself, or the name of the column.' })),
    fallback: Type.Optional(Type.String({ maxLength: 1024, description: 'For whom there is none.' })),
  },
  { additionalProperties: false },
)
export type ValueSource = Static<typeof ValueSource>
const Sources = Type.Record(Type.String({ maxLength: 100 }), ValueSource)

/** Who gets it: all of these together, each person once. */
export const Audience = Type.Object(
  {
    numbers: Type.Optional(
      Type.String({ maxLength: audienceMaxChars, description: 'In any spelling; one a line, or parted by , or ;' }),
    ),
    tags: Type.Optional(
      Type.Object(
        {
          ids: Type.Array(TagId, { minItems: 1, maxItems: maxTagsOfContact }),
          match: Type.Enum(['any', 'all']),
        },
        { additionalProperties: false },
      ),
    ),
    csv: Type.Optional(
      Type.Object(
        {
          text: Type.String({ maxLength: audienceMaxChars, description: 'With a first line of column names.' }),
          phoneColumn: Type.Optional(
            Type.String({ maxLength: 200, description: 'Absent: found by its name, such as `teléfono`.' }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type Audience = Static<typeof Audience>

const planFields = {
  template: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Its id; it must be approved.' }),
  audience: Audience,
  values: Type.Optional(
    Type.Object(
      {
        body: Type.Optional(Sources),
        header: Type.Optional(Sources),
        buttons: Type.Optional(Sources),
        image: Type.Optional(
          Type.String({ maxLength: 2000, pattern: '^https://\\S+$', description: "Address of the header's picture." }),
        ),
      },
      { additionalProperties: false, description: 'By the name of the variable; of buttons by their place, from 0.' },
    ),
  ),
}
export const PlanInput = Type.Object(planFields, { additionalProperties: false })
export type PlanInput = Static<typeof PlanInput>

const OfTemplate = Type.Object({
  id: Type.String(),
  name: Type.String(),
  language: Type.String(),
  category: Type.String(),
})

export const BulkPlan = Type.Object({
  template: OfTemplate,
  from: Type.String({ description: 'Our number it leaves by, as people read it.' }),
  planned: Type.Integer({ description: 'So many people get it.' }),
  omitted: Type.Array(
    Type.Object({
      reason: Type.Enum(omissionReasons),
      count: Type.Integer(),
      examples: Type.Array(Type.String(), { description: 'The first ones, as they were given.' }),
    }),
  ),
  previews: Type.Array(
    Type.Object({
      phone: Type.String(),
      name: Nullable(Type.String()),
      header: Nullable(Type.String()),
      text: Type.String(),
      footer: Nullable(Type.String()),
      buttons: Type.Array(Type.Object({ text: Type.String(), url: Type.Optional(Type.String()) })),
    }),
    { description: 'What the first ones get.' },
  ),
  columns: Type.Array(Type.String(), { description: 'Of the file.' }),
  seconds: Type.Integer({ description: 'So long it takes at the usual pace.' }),
})
export type BulkPlan = Static<typeof BulkPlan>

const Counts = Type.Object(
  Object.fromEntries(recipientStates.map(state => [state, Type.Integer({ minimum: 0 })])) as Record<
    RecipientState,
    ReturnType<typeof Type.Integer>
  >,
  { description: 'People by what became of them, each in one place.' },
)

const StartAt = Type.String({
  maxLength: 40,
  description: `When it starts by itself, ISO 8601 with its offset; at most ${mostScheduledDays} days ahead.`,
})

const BulkSendId = Type.String({ pattern: '^[0-9a-z]{24}$' })

export const BulkSend = Type.Object({
  id: BulkSendId,
  template: OfTemplate,
  state: Type.Enum(bulkSendStates),
  reason: Nullable(Type.Enum(blockReasons)),
  audience: Type.Object({
    tags: Type.Array(Type.String(), { description: 'Their labels at that time.' }),
    match: Nullable(Type.Enum(['any', 'all'])),
    hasNumbers: Type.Boolean(),
    hasFile: Type.Boolean(),
  }),
  counts: Counts,
  createdBy: Type.String(),
  createdAt: Timestamp,
  startsAt: Nullable(Timestamp),
  startedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
})
export type BulkSend = Static<typeof BulkSend>

export const BulkSendReport = Type.Object({
  ...BulkSend.properties,
  text: Type.String({ description: "The template's text when the send was created." }),
  groups: Type.Array(
    Type.Object({
      state: Type.Enum(['failed', 'omitted']),
      reason: Type.String({ description: 'Of a failure its code, of an omission its reason.' }),
      message: Type.String({ description: 'Of a failure, in words.' }),
      count: Type.Integer(),
    }),
  ),
})
export type BulkSendReport = Static<typeof BulkSendReport>

export const BulkRecipient = Type.Object({
  id: Type.String(),
  given: Type.String({ description: 'The number, or what was given in its place.' }),
  name: Nullable(Type.String()),
  state: Type.Enum(recipientStates),
  reason: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  chat: Nullable(Type.String({ description: "Its chat's address, once it was handed over." })),
  at: Nullable(Timestamp),
})
export type BulkRecipient = Static<typeof BulkRecipient>

const access = 'bulk:send'
const Params = Type.Object({ id: BulkSendId }, { additionalProperties: false })
const change = (path: string, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/whatsapp/bulk-sends/:id/${path}`,
    access,
    params: Params,
    reply: BulkSend,
    refuses: [404, 409],
    summary,
  })

/** One template to many people, each once. Owners and admins see all sends, others their own. */
export const bulkSendsApi = {
  plan: endpoint({
    method: 'POST',
    path: '/whatsapp/bulk-sends/plan',
    access,
    body: PlanInput,
    bodyLimit,
    reply: BulkPlan,
    refuses: [404, 409],
    summary: 'Who would get what and who would be left out, and why. Changes nothing.',
  }),
  create: endpoint({
    method: 'POST',
    path: '/whatsapp/bulk-sends',
    access,
    body: Type.Object(
      {
        ...planFields,
        startIfPlanned: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: maxRecipients,
            description: 'Starts by itself if exactly so many people get it; else it waits, ready, to be started.',
          }),
        ),
        startAt: Type.Optional(StartAt),
      },
      { additionalProperties: false },
    ),
    bodyLimit,
    status: 202,
    idempotent: true,
    reply: BulkSend,
    refuses: [404, 409],
    summary: 'Writes down who gets what; from then on nothing of it changes.',
  }),
  list: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends',
    access,
    query: Type.Object({ page: Type.Optional(PageNumber) }, { additionalProperties: false }),
    reply: pageOf(BulkSend),
    summary: `Bulk sends, newest first, ${bulkSendsPerPage} at a time.`,
  }),
  get: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends/:id',
    access,
    params: Params,
    reply: BulkSendReport,
    refuses: [404],
    summary: 'A bulk send with what became of it.',
  }),
  listRecipients: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends/:id/recipients',
    access,
    params: Params,
    query: Type.Object(
      { page: Type.Optional(PageNumber), state: Type.Optional(Type.Enum(recipientStates)) },
      { additionalProperties: false },
    ),
    reply: pageOf(BulkRecipient),
    refuses: [404],
    summary: `Its people with what became of each, in the order of the plan, ${recipientsPerPage} at a time.`,
  }),
  start: change('start', 'Starts a send that is ready.'),
  schedule: endpoint({
    method: 'POST',
    path: '/whatsapp/bulk-sends/:id/schedule',
    access,
    params: Params,
    body: Type.Object({ startAt: StartAt }, { additionalProperties: false }),
    reply: BulkSend,
    refuses: [404, 409],
    summary: 'Has a send that is ready start at a time, or a scheduled one at another.',
  }),
  unschedule: change('unschedule', 'Has a scheduled send wait, ready, to be started.'),
  pause: change('pause', 'Hands no more messages over; those that were handed over leave.'),
  resume: change('resume', 'Goes on with a send that is paused or stopped by itself.'),
  cancel: change('cancel', 'Ends it: who has not had it does not get it, and what waits to leave is taken back.'),
} as const
