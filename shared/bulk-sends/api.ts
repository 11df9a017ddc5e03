import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, PageNumber, pageOf, Timestamp } from '#shared/kernel/list.ts'
import {
  ButtonValues,
  CardValues,
  HeaderAddress,
  OfferEnd,
  OutboundLocation,
  shownOfTemplate,
  TemplateValues,
} from '#shared/outbound/api.ts'
import { maxTagsOfContact, TagId } from '#shared/tags/api.ts'
import { bulkPaceApi } from './pace.ts'
import { bulkRatesApi } from './rates.ts'
import { OfSegment, segmentsApi } from './segments.ts'

export const bulkSendsPerPage = 30
export const recipientsPerPage = 50
/** Per page of a downloaded report. */
export const recipientsPerReport = 500
/** Recipients of one send, omitted ones included. */
export const maxRecipients = 100_000
/** Numbers that a program may list in one call. */
const mostPhones = 20_000
export const previewsShown = 5
/** How many days ahead a send may be scheduled. */
export const mostScheduledDays = 365
/** Pasted numbers or a file, in characters. */
export const audienceMaxChars = 8_000_000
/** Rows of a file that are named per group of omitted recipients. */
export const rowsNamed = 50
/** Limits at which a send stops, and the cap of marketing messages per person, unless the creator sets others. */
export const careDefaults = {
  failedPercent: 20,
  optedOutPercent: 5,
  canary: { people: 50, waitMinutes: 30 },
  marketingCap: { sends: 1, days: 1 },
} as const
/** Line ends, quotes and accented letters of a file take two bytes each in JSON; plus the rest of the request. */
const bodyLimit = audienceMaxChars * 2 + 512 * 1024

/**
 * `preparing`: recipients are being written · `ready`: waits to be started by hand · `scheduled`: starts at `startsAt`
 * · `blocked`: stopped automatically because of `reason`, continues when somebody resumes it.
 */
export const bulkSendStates = [
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

/** Filters of the list: in progress, needs action, upcoming, ended. */
export const bulkSendGroups = {
  running: ['preparing', 'running'],
  attention: ['ready', 'paused', 'blocked'],
  scheduled: ['scheduled'],
  over: ['completed', 'cancelled'],
} as const satisfies Readonly<Record<string, readonly BulkSendState[]>>
export type BulkSendGroup = keyof typeof bulkSendGroups
const groupNames = Object.keys(bulkSendGroups) as BulkSendGroup[]

/** `planned`: not handed over yet · `queued`: handed over, not accepted by WhatsApp yet. */
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

/**
 * Why a recipient is omitted before anything is sent. `blocked`, `optedOut`, `capped` and `contactsFull` may also occur
 * at hand-over; `contactsFull`: not a contact yet, and the organization has the maximum.
 */
const omissionReasons = [
  'duplicate',
  'invalidNumber',
  'ownNumber',
  'usernameOnly',
  'noPermission',
  'blocked',
  'optedOut',
  'capped',
  'valueMissing',
  'valueTooLong',
  'valueNotOneLine',
  'offerOver',
  'fileMissing',
  'fileKind',
  'fileAddress',
  'contactsFull',
  'erased',
] as const
export type OmissionReason = (typeof omissionReasons)[number]

/** Why a send stopped automatically. `tooManyPeople`: it was never written and is cancelled. */
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
  'tooManyFailed',
  'tooManyOptedOut',
  'qualityLow',
  'templateRecategorised',
  'tooManyPeople',
] as const
export type BlockReason = (typeof blockReasons)[number]

/**
 * Why a running send waits. `peopleLimit`: Meta's daily limit of people written to first is reached · `hours`: outside
 * the hours of the remaining recipients.
 */
const holdReasons = ['peopleLimit', 'hours'] as const
export type HoldReason = (typeof holdReasons)[number]

const valueOrigins = ['fixed', 'name', 'firstName', 'number', 'field', 'column'] as const
/** Where the value of a variable comes from, for each recipient. */
export const ValueSource = Type.Object(
  {
    from: Type.Enum(valueOrigins),
    text: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: 'The value itself, the id of the field of contacts, or the name of the column.',
      }),
    ),
    fallback: Type.Optional(Type.String({ maxLength: 1024, description: 'For whom there is none.' })),
  },
  { additionalProperties: false },
)
export type ValueSource = Static<typeof ValueSource>
export const Sources = Type.Record(Type.String({ maxLength: 100 }), ValueSource)

const Csv = Type.Object(
  {
    text: Type.String({
      maxLength: audienceMaxChars,
      description: 'Comma-separated values with any usual separator, or cards (vCard 2.1, 3.0, 4.0).',
    }),
    hasHeader: Type.Optional(
      Type.Boolean({ description: 'The first line has the names of the columns. Absent: its cells tell.' }),
    ),
    phoneColumn: Type.Optional(
      Type.String({ maxLength: 200, description: 'Absent: found by its cells, then by its name, such as `teléfono`.' }),
    ),
    phoneColumns: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 20,
        description:
          'Several with numbers, best first: of each row the first that is a number counts. Before `phoneColumn`.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Faults of a file's row. `unequalCells`: more or fewer cells than columns; the row is accepted. */
const fileFaults = [
  'numberMissing',
  'invalidNumber',
  'numberRounded',
  'duplicate',
  'unequalCells',
  'unclosedQuote',
] as const
export type FileFault = (typeof fileFaults)[number]

export const FileCheck = Type.Object({
  columns: Type.Array(Type.String(), { description: 'A doubled name has its number behind it.' }),
  hasHeader: Type.Boolean({ description: 'The first line is taken for the names of the columns.' }),
  phoneColumn: Nullable(
    Type.String({ description: 'Null: nothing tells which has the numbers; one has to be chosen.' }),
  ),
  phoneColumns: Type.Array(Type.String(), {
    description: 'All that have numbers, best first: of each row the first that is a number counts.',
  }),
  rows: Type.Integer({ minimum: 0, description: 'With anything in them, without the names of the columns.' }),
  first: Type.Array(Type.Array(Type.String()), { description: 'Cells of the first rows, by column.' }),
  faulty: Type.Integer({ minimum: 0, description: 'So many rows have something wrong.' }),
  faults: Type.Array(
    Type.Object({
      row: Type.Integer({ minimum: 1, description: 'As a spreadsheet counts them.' }),
      fault: Type.Enum(fileFaults),
      value: Type.String(),
    }),
    { description: 'The first ones.' },
  ),
  numbers: Type.Optional(
    Type.String({
      description:
        'Where they are asked for: on the line of each row its number, as numbers are compared; an empty one: there is none.',
    }),
  ),
})
export type FileCheck = Static<typeof FileCheck>

const BulkSendId = Type.String({ pattern: '^[0-9a-z]{24}$' })

const OfTags = Type.Object(
  {
    ids: Type.Array(TagId, { minItems: 1, maxItems: maxTagsOfContact }),
    match: Type.Enum(['any', 'all']),
  },
  { additionalProperties: false },
)
const Unanswered = Type.Object(
  { send: BulkSendId },
  { additionalProperties: false, description: 'Who got an earlier send and has not answered it.' },
)
const Again = Type.Object(
  { send: BulkSendId },
  {
    additionalProperties: false,
    description: 'Everybody an earlier send was for, but whoever was no person of it or was erased since.',
  },
)
/** Parts of an audience that can be evaluated again later. */
const lasting = {
  tags: Type.Optional(OfTags),
  segment: Type.Optional(OfSegment),
  unanswered: Type.Optional(Unanswered),
  again: Type.Optional(Again),
}

/** Who gets it: all of these together, each person once. */
export const Audience = Type.Object(
  {
    numbers: Type.Optional(
      Type.String({ maxLength: audienceMaxChars, description: 'In any spelling; one a line, or parted by , or ;' }),
    ),
    csv: Type.Optional(Csv),
    ...lasting,
  },
  { additionalProperties: false, minProperties: 1 },
)
export type Audience = Static<typeof Audience>

const MarketingCap = Type.Object(
  {
    sends: Type.Integer({ minimum: 1, maximum: 100 }),
    days: Type.Integer({ minimum: 1, maximum: 30 }),
  },
  {
    additionalProperties: false,
    description:
      'Who had so many bulk sends of marketing in so many days gets no other one. Absent: one a day; null: however many.',
  },
)

const planFields = {
  template: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Its id; it must be approved.' }),
  audience: Audience,
  values: Type.Optional(
    Type.Object(
      {
        body: Type.Optional(Sources),
        header: Type.Optional(Sources),
        buttons: Type.Optional(Sources),
        image: Type.Optional(HeaderAddress),
        file: Type.Optional(
          Type.Object(ValueSource.properties, {
            additionalProperties: false,
            description:
              'Instead of `image`, a file of their own for each: an https address, the name of an uploaded file, or its `handle`.',
          }),
        ),
        fileName: Type.Optional(
          Type.Object(ValueSource.properties, {
            additionalProperties: false,
            description: 'What a document at an address is called.',
          }),
        ),
        offerEndsAt: Type.Optional(OfferEnd),
        location: Type.Optional(OutboundLocation),
        cards: Type.Optional(
          Type.Record(
            Type.String({ pattern: '^[0-9]$' }),
            Type.Object(
              {
                file: Type.Optional(HeaderAddress),
                body: Type.Optional(Sources),
                buttons: Type.Optional(Sources),
              },
              { additionalProperties: false },
            ),
            { description: "Of a carousel, by the card's place, from 0." },
          ),
        ),
      },
      { additionalProperties: false, description: 'By the name of the variable; of buttons by their place, from 0.' },
    ),
  ),
  marketingCap: Type.Optional(Type.Union([MarketingCap, Type.Null()])),
}
export const PlanInput = Type.Object(planFields, { additionalProperties: false })
export type PlanInput = Static<typeof PlanInput>

const OfTemplate = Type.Object({
  id: Type.String(),
  name: Type.String(),
  language: Type.String(),
  category: Type.String(),
})

const PeopleRoom = Type.Object(
  {
    limit: Nullable(Type.Integer({ description: 'So many people a day; null: however many.' })),
    used: Type.Integer({ minimum: 0, description: 'So many were written to first in the last 24 hours.' }),
  },
  {
    description:
      "Meta's limit of people to whom a business writes first, over 24 hours; a send that meets it waits for room. Null: Meta has not said it.",
  },
)
export type PeopleRoom = Static<typeof PeopleRoom>

const Cost = Type.Object(
  {
    amount: Type.Number(),
    currency: Type.String(),
    validFrom: Type.String({ description: 'The day of the price list.' }),
    unpriced: Type.Integer({ description: 'So many people are not in it: nobody has said what theirs cost.' }),
  },
  {
    description:
      'By what the organization had written down of prices, of a send when its people were written down; null: nothing.',
  },
)
export type BulkCost = Static<typeof Cost>

const eachFileFaults = ['fileUnreachable', 'fileKind'] as const
const EachFileFault = Type.Object({ value: Type.String(), reason: Type.Enum(eachFileFaults) })
export type EachFileFault = Static<typeof EachFileFault>

export const BulkPlan = Type.Object({
  template: Type.Object({ ...OfTemplate.properties, quality: Type.String({ description: "Meta's word." }) }),
  from: Type.String({ description: 'Our number it leaves by, as people read it.' }),
  planned: Type.Integer({ description: 'So many people get it.' }),
  omitted: Type.Array(
    Type.Object({
      reason: Type.Enum(omissionReasons),
      count: Type.Integer(),
      examples: Type.Array(Type.String(), { description: 'The first ones, as they were given.' }),
      rows: Type.Array(Type.Integer(), { description: `Their rows in the file, the first ${rowsNamed}.` }),
    }),
  ),
  optedOut: Type.Integer({
    description: 'So many of those who get it want no marketing; they get it because the template is none.',
  }),
  previews: Type.Array(
    Type.Object({
      phone: Type.String(),
      name: Nullable(Type.String()),
      header: Nullable(Type.String()),
      text: Type.String(),
      footer: Nullable(Type.String()),
      buttons: Type.Array(Type.Object({ text: Type.String(), url: Type.Optional(Type.String()) })),
      ...shownOfTemplate,
    }),
    { description: 'What the first ones get.' },
  ),
  files: Type.Optional(
    Type.Object(
      {
        uploaded: Type.Integer({ description: 'So many people get a file that was uploaded.' }),
        addresses: Type.Integer({ description: 'So many get one that WhatsApp fetches from an address.' }),
        probed: Type.Integer({ description: 'So many of the addresses were looked at now.' }),
        faults: Type.Array(EachFileFault, { description: 'What was found there.' }),
      },
      { description: 'Where each gets a file of their own.' },
    ),
  ),
  columns: Type.Array(Type.String(), { description: 'Of the file.' }),
  cost: Nullable(Cost),
  room: Nullable(PeopleRoom),
  seconds: Type.Integer({
    description: 'So long it takes at the usual pace, beside the sends that leave by the same number now.',
  }),
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

const Canary = Type.Object(
  {
    people: Type.Integer({ minimum: 1, maximum: maxRecipients }),
    waitMinutes: Type.Integer({ minimum: 1, maximum: 1440 }),
  },
  {
    additionalProperties: false,
    description: 'So many get it first; after so long the others do, if what became of those is within the limits.',
  },
)
export const usualHours = { from: 9, to: 20 } as const
const LocalHours = Type.Object(
  {
    from: Type.Integer({ minimum: 0, maximum: 23 }),
    to: Type.Integer({ minimum: 1, maximum: 24, description: 'This hour is past it; later than `from`.' }),
  },
  {
    additionalProperties: false,
    description:
      "Each gets it within these hours by the clock of their number's country, where that has several in all of them; of no country by the organization's. Null: at any hour.",
  },
)
export type LocalHours = Static<typeof LocalHours>
const Percent = Type.Integer({ minimum: 1, maximum: 100 })
const ofLimits = `It stops above them: of those known so far, who failed or opted out. Null: it does not. Absent: ${careDefaults.failedPercent} and ${careDefaults.optedOutPercent}.`
const careFields = {
  canary: Nullable(Canary),
  hours: Nullable(LocalHours),
  limits: Type.Object(
    { failedPercent: Nullable(Percent), optedOutPercent: Nullable(Percent) },
    { additionalProperties: false, description: ofLimits },
  ),
}
const careInput = {
  canary: Type.Optional(Type.Union([Canary, Type.Null()])),
  hours: Type.Optional(Type.Union([LocalHours, Type.Null()])),
  limits: Type.Optional(
    Type.Object(
      {
        failedPercent: Type.Union([Percent, Type.Null()]),
        optedOutPercent: Type.Union([Percent, Type.Null()]),
      },
      { additionalProperties: false, description: ofLimits },
    ),
  ),
}
/** Safety settings of a send. */
export type BulkSendCare = { [K in keyof typeof careFields]: Static<(typeof careFields)[K]> } & {
  marketingCap: Static<typeof MarketingCap> | null
  /** Each recipient gets it from this local time on. Absent: no local times. */
  localStart?: string | null
}
const LocalStart = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$',
  description:
    "Each gets it from this time on by the clock of their number's country, such as `2026-12-01T10:00`, in place of `startAt`.",
})

export const BulkSend = Type.Object({
  id: BulkSendId,
  isTest: Type.Boolean({ description: 'It went to one number, to be looked at.' }),
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
  optedOut: Type.Integer({ minimum: 0, description: 'So many of those it went to wanted no marketing afterwards.' }),
  ...careFields,
  waitsUntil: Nullable(Type.String({ description: 'When the others follow the first ones, ISO 8601 UTC.' })),
  held: Nullable(
    Type.Object(
      { why: Type.Enum(holdReasons), until: Timestamp },
      { description: 'It is running and waits: it goes on by itself then.' },
    ),
  ),
  createdBy: Type.String(),
  createdAt: Timestamp,
  startsAt: Nullable(Timestamp),
  localStart: Nullable(LocalStart),
  startedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
})
export type BulkSend = Static<typeof BulkSend>

export const BulkSendReport = Type.Object({
  ...BulkSend.properties,
  text: Type.String({ description: "The template's text when the send was created." }),
  perSecond: Type.Integer({
    description: 'Messages a second that its number hands over now: fewer for a while after WhatsApp held it back.',
  }),
  usualPerSecond: Type.Integer({ description: 'Messages a second it hands over when nothing holds it back.' }),
  groups: Type.Array(
    Type.Object({
      state: Type.Enum(['failed', 'omitted']),
      reason: Type.String({ description: 'Of a failure its code, of an omission its reason.' }),
      message: Type.String({ description: 'The same in words, in the language of the caller.' }),
      mayRetry: Type.Boolean({
        description: 'They have certainly not got it, and sending it again may end otherwise.',
      }),
      count: Type.Integer(),
    }),
  ),
})
export type BulkSendReport = Static<typeof BulkSendReport>

/** Parts of a repeated send that may no longer exist: a tag, a segment, a contact field, or the columns of values. */
const goneOfRecipe = ['tags', 'segment', 'fields', 'columns'] as const
export const BulkRecipe = Type.Object({
  template: Type.String({ description: 'Its id; it may not be approved any more.' }),
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
  reason: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  chat: Nullable(Type.String({ description: "Its chat's address, once it was handed over." })),
  at: Nullable(Timestamp),
})
export type BulkRecipient = Static<typeof BulkRecipient>

const example = {
  phones: ['5491155550101', '+54 9 11 5555-0102', '5491155550101'],
  template: 'pedido_listo',
  bodyExample: ['Ana', '4711'],
}
/** One template with the same values to listed numbers. */
export const TemplateToNumbers = Type.Object(
  {
    phones: Type.Array(
      Type.String({
        minLength: 1,
        maxLength: 40,
        pattern: '^[^,;\\s][^,;\\t\\r\\n]*$',
        description: 'In any spelling.',
      }),
      { minItems: 1, maxItems: mostPhones },
    ),
    template: Type.String({ minLength: 1, maxLength: 512, description: 'Its id, or its name.' }),
    language: Type.Optional(Type.String({ maxLength: 20, description: "Meta's code, for a name in several." })),
    bodyExample: TemplateValues,
    headerExample: Type.Optional(TemplateValues),
    buttonExample: Type.Optional(ButtonValues),
    cardExample: Type.Optional(CardValues),
    image: Type.Optional(Type.Union([HeaderAddress, Type.Null()])),
    name: Type.Optional(Type.String({ maxLength: 240, description: 'Of a document in the header, at an address.' })),
    offerEndsAt: Type.Optional(OfferEnd),
    location: Type.Optional(Type.Union([OutboundLocation, Type.Null()])),
    at: Type.Optional(StartAt),
  },
  { additionalProperties: false, examples: [example] },
)
export type TemplateToNumbers = Static<typeof TemplateToNumbers>

const TakenToNumbers = Type.Object(
  {
    id: BulkSendId,
    planned: Type.Integer({ minimum: 0, description: 'So many people get it.' }),
    omitted: Type.Array(
      Type.Object({ phone: Type.String({ description: 'As it was given.' }), reason: Type.Enum(omissionReasons) }),
      { description: 'Who gets nothing, and why.' },
    ),
    state: Type.Enum(bulkSendStates),
  },
  {
    examples: [
      {
        id: '0mbh3k2v9x000000000000q1',
        planned: 2,
        omitted: [{ phone: '5491155550101', reason: 'duplicate' }],
        state: 'preparing',
      },
    ],
  },
)

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

/** One template to many people, each once. Owners and admins see all sends, others their own and shared ones. */
export const bulkSendsApi = {
  plan: endpoint({
    method: 'POST',
    path: '/whatsapp/bulk-sends/plan',
    access,
    body: PlanInput,
    bodyLimit,
    example: { body: { template: '1m8939wza4dgtamnkaft4hey', audience: { numbers: '5491155550100, 5491155550101' } } },
    reply: BulkPlan,
    refuses: [404, 409],
    summary: 'Who would get what and who would be left out, and why. Changes nothing.',
  }),
  checkFile: endpoint({
    method: 'POST',
    path: '/whatsapp/bulk-sends/file',
    access,
    body: Type.Object(
      {
        csv: Csv,
        withNumbers: Type.Optional(
          Type.Boolean({ description: 'To find who stands in several parts of a file that is larger than a send.' }),
        ),
      },
      { additionalProperties: false },
    ),
    bodyLimit,
    reply: FileCheck,
    summary: 'Columns and first rows of a file, and row by row what is wrong with it. Changes nothing.',
  }),
  sendTest: endpoint({
    method: 'POST',
    path: '/whatsapp/bulk-sends/test',
    access,
    body: Type.Object(
      {
        ...planFields,
        number: Type.String({ minLength: 1, maxLength: 40, description: 'Of whoever looks at it, in any spelling.' }),
      },
      { additionalProperties: false },
    ),
    bodyLimit,
    status: 202,
    idempotent: true,
    example: {
      body: {
        template: '1m8939wza4dgtamnkaft4hey',
        audience: { numbers: '5491155550100' },
        number: '5491155550102',
      },
    },
    reply: BulkSend,
    refuses: [404, 409],
    summary: 'Sends what the first one of the plan would get to a number of your own; it is in no list of sends.',
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
        localStart: Type.Optional(LocalStart),
        draft: Type.Optional(
          Type.String({
            pattern: '^[0-9a-z]{24}$',
            description: 'What it was put together in; that draft goes with it.',
          }),
        ),
        ...careInput,
      },
      { additionalProperties: false },
    ),
    bodyLimit,
    status: 202,
    idempotent: true,
    example: { body: { template: '1m8939wza4dgtamnkaft4hey', audience: { numbers: '5491155550100, 5491155550101' } } },
    reply: BulkSend,
    refuses: [404, 409],
    summary: 'Writes down who gets what; from then on nothing of it changes.',
  }),
  sendTemplate: endpoint({
    method: 'POST',
    path: '/whatsapp/messages_template',
    access,
    body: TemplateToNumbers,
    bodyLimit: 2 * 1024 * 1024,
    bodyValues: mostPhones + 300,
    status: 202,
    idempotent: true,
    example: { body: { phones: ['5491155550100'], template: 'pedido_listo', bodyExample: [] } },
    reply: TakenToNumbers,
    refuses: [404, 409],
    summary:
      'Sends a template to numbers, as a bulk send that starts by itself; `bulk-sends/{id}` tells what becomes of each.',
  }),
  list: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends',
    access,
    query: Type.Object(
      { page: Type.Optional(PageNumber), group: Type.Optional(Type.Enum(groupNames)) },
      { additionalProperties: false },
    ),
    reply: pageOf(BulkSend),
    summary: `Bulk sends, newest first, ${bulkSendsPerPage} at a time.`,
  }),
  countGroups: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends/counts',
    access,
    reply: Type.Object(
      Object.fromEntries((['all', ...groupNames] as const).map(name => [name, Type.Integer({ minimum: 0 })])) as Record<
        'all' | BulkSendGroup,
        ReturnType<typeof Type.Integer>
      >,
    ),
    summary: 'How many sends the list has, and each of its groups.',
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
  getRecipe: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends/:id/recipe',
    access,
    params: Params,
    reply: BulkRecipe,
    refuses: [404],
    summary: 'What a send that repeats it begins with.',
  }),
  listRecipients: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends/:id/recipients',
    access,
    params: Params,
    query: Type.Object(
      {
        page: Type.Optional(PageNumber),
        state: Type.Optional(Type.Enum(recipientStates)),
        reason: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 60,
            description: 'With `state`: those who failed or were left out for it, as `groups` names it.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: pageOf(BulkRecipient),
    refuses: [404],
    summary: `Its people with what became of each, in the order of the plan, ${recipientsPerPage} at a time.`,
  }),
  getReportCsv: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends/:id/report',
    access,
    params: Params,
    query: Type.Object(
      { after: Type.Optional(Type.Integer({ minimum: 0, maximum: maxRecipients })) },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      csv: Type.String({
        description: 'Lines in the order of the plan, the first part with the names of the columns.',
      }),
      next: Nullable(Type.Integer({ description: 'What `after` the next part is asked with; null: there is none.' })),
    }),
    refuses: [404],
    summary: `Its people with what became of each as comma-separated values, ${recipientsPerReport} at a time.`,
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
  retry: change(
    'retry',
    'Sends a completed send again to those of whom it failed for what may have passed; who may have got it gets no other.',
  ),
  resume: change('resume', 'Goes on with a send that is paused or stopped by itself.'),
  cancel: change('cancel', 'Ends it: who has not had it does not get it, and what waits to leave is taken back.'),
  ...bulkPaceApi,
  ...bulkRatesApi,
  ...segmentsApi,
} as const
