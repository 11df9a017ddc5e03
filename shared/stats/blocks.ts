import { type Static, Type } from 'typebox'
import { bulkSendStates } from '#shared/bulk-sends/states.ts'
import { maxRunsCounted } from '#shared/flows/runs/limits.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { sentCategories } from './cost.ts'
import { statsFilter } from './filter.ts'

/** Blocks of figures about what the organization sends, in the order of the page, for who sees statistics. */
export const openBlocks = ['templates', 'bulkSends', 'flows', 'health'] as const
export type OpenBlockName = (typeof openBlocks)[number]
/** All of them. Costs are for fewer. */
export type BlockName = OpenBlockName | 'cost'

/** Blocks of the summary, which all filters narrow. */
const summaryBlockNames = ['figures', 'responses', 'unattended', 'heat', 'days', 'members', 'teams', 'tags'] as const
export type SummaryBlockName = (typeof summaryBlockNames)[number]

/** Rows of a block on the page; the report has all of them. */
export const blockRows = 20
/** Rows of a report. */
export const maxBlockRows = 2_000

const Count = Type.Integer({ minimum: 0 })
const Href = Nullable(Type.String({ description: 'The page of what it counts; null: the caller may not open it.' }))
const range = { from: Type.String(), to: Type.String() } as const

/** The counts of sent messages. `delivered` and `read` include those that went on to be read or answered. */
const deliveryCounts = {
  sent: Type.Integer({ minimum: 0, description: 'All that were tried, failed and unconfirmed ones included.' }),
  delivered: Count,
  read: Type.Integer({ minimum: 0, description: 'At least: people may turn receipts off.' }),
  replied: Count,
  failed: Type.Integer({
    minimum: 0,
    description: 'They certainly did not arrive: unconfirmed ones are not among them.',
  }),
  optedOut: Count,
} as const
const DeliveryCounts = Type.Object(deliveryCounts)
export type DeliveryCounts = Static<typeof DeliveryCounts>

const sendCounts = {
  ...deliveryCounts,
  unconfirmed: Type.Integer({ minimum: 0, description: 'Nobody knows whether WhatsApp took them.' }),
} as const
const SendCounts = Type.Object(sendCounts)
export type SendCounts = Static<typeof SendCounts>

const BulkFigures = Type.Object({
  id: Type.String(),
  template: Type.String(),
  state: Type.Enum(bulkSendStates),
  at: Type.String({ description: 'When it began, or was created.' }),
  ...sendCounts,
  href: Nullable(
    Type.String({
      description:
        'The page of the send; with `?outcome=read` behind it: of its recipients who read it. Null: the caller may not open it.',
    }),
  ),
})
export type BulkFigures = Static<typeof BulkFigures>

export const BulkBlock = Type.Object({
  ...range,
  sends: Count,
  total: SendCounts,
  items: Type.Array(BulkFigures, { maxItems: maxBlockRows, description: 'The newest first.' }),
  listHref: Nullable(Type.String({ description: 'The page of these sends; null: the caller may not open it.' })),
})
export type BulkBlock = Static<typeof BulkBlock>

const TemplateFigures = Type.Object({
  template: Type.String({ description: 'Its name.' }),
  category: Type.Enum(sentCategories),
  ...deliveryCounts,
  href: Type.String({
    description: 'The page of the messages; with `&outcome=read` behind it: of those that were read.',
  }),
})

/** A caller who sees only some conversations gets no figures of all of them. */
const isPartial = Type.Boolean({ description: 'True: the caller sees only some conversations, so nothing is counted.' })

export const TemplateBlock = Type.Object({
  ...range,
  isPartial,
  counting: Nullable(
    Type.Object(
      { done: Type.Number({ minimum: 0, maximum: 1 }) },
      { description: 'Older messages are still being counted: so large a part of them is.' },
    ),
  ),
  templates: Count,
  total: Type.Object({
    ...deliveryCounts,
    href: Type.String({ description: 'The page of the messages of all templates, as that of one.' }),
  }),
  items: Type.Array(TemplateFigures, { maxItems: maxBlockRows, description: 'The most frequently sent first.' }),
})
export type TemplateBlock = Static<typeof TemplateBlock>

const FlowFigures = Type.Object({
  id: Type.String(),
  name: Type.String(),
  started: Count,
  finished: Count,
  handedOff: Count,
  href: Nullable(
    Type.String({
      description:
        'The sessions of the flow; with `&counted=finished` behind it: those that this figure counts. Null: the caller may not open it.',
    }),
  ),
})
export type FlowFigures = Static<typeof FlowFigures>

export const FlowBlock = Type.Object({
  ...range,
  isPartial,
  flows: Count,
  total: Type.Object({ started: Count, finished: Count, handedOff: Count }),
  items: Type.Array(FlowFigures, { maxItems: maxBlockRows, description: 'The most frequently started first.' }),
})
export type FlowBlock = Static<typeof FlowBlock>

const Why = Nullable(
  Type.Enum(['notRead', 'notSaid', 'refused'], {
    description:
      '`notRead`: Meta has not been asked yet; `notSaid`: Meta answered without it; `refused`: it did not answer.',
  }),
)
const NumberHealth = Type.Object({
  id: Type.String(),
  number: Type.String({ description: 'The way people write it.' }),
  label: Nullable(Type.String()),
  isSimulated: Type.Boolean(),
  readAt: Nullable(Timestamp),
  quality: Type.Object({ value: Nullable(Type.Enum(['high', 'medium', 'low'])), why: Why }),
  limit: Type.Object({
    people: Nullable(Type.Integer({ description: 'Customers it may message first within 24 hours; -1: unlimited.' })),
    why: Why,
  }),
  token: Type.Object({
    isRefused: Type.Boolean(),
    expiresAt: Nullable(Timestamp),
    lasts: Nullable(Type.Boolean({ description: 'True: it does not expire.' })),
    why: Why,
  }),
  href: Href,
})
export type NumberHealth = Static<typeof NumberHealth>

/** More than an organization connects. */
const maxNumbers = 200

export const HealthBlock = Type.Object({
  opened: Type.Integer({
    minimum: 0,
    description: 'Customers messaged first by the organization in the last 24 hours, by all of its numbers.',
  }),
  items: Type.Array(NumberHealth, { maxItems: maxNumbers }),
})
export type HealthBlock = Static<typeof HealthBlock>

export const FlowSteps = Type.Object({
  runs: Type.Integer({ minimum: 0, description: `The last ones, ${maxRunsCounted} at most.` }),
  steps: Type.Array(
    Type.Object({
      nodeId: Type.String(),
      name: Type.String({ description: 'Its own title, or that of its kind in the language of the caller.' }),
      entered: Count,
      gaveUp: Type.Integer({ minimum: 0, description: 'Ended there without the flow saying so.' }),
      here: Type.Integer({ minimum: 0, description: 'Wait there now.' }),
    }),
    { maxItems: 1_000, description: 'The steps that most customers reached first.' },
  ),
})
export type FlowSteps = Static<typeof FlowSteps>

const { from, to, days, number } = statsFilter
const Range = Type.Object({ from, to, days, number }, { additionalProperties: false })
const closed = { additionalProperties: false } as const

export const statsBlocksApi = {
  getTemplateBlock: endpoint({
    method: 'GET',
    path: '/stats/blocks/templates',
    access: 'stats:read',
    large: true,
    query: Range,
    reply: TemplateBlock,
    summary: `Results of the templates of a range, with the ${blockRows} most sent one by one.`,
  }),
  getBulkBlock: endpoint({
    method: 'GET',
    path: '/stats/blocks/bulk-sends',
    access: 'stats:read',
    large: true,
    query: Range,
    reply: BulkBlock,
    summary: `Results of the bulk sends that began in a range, with the newest ${blockRows} one by one.`,
  }),
  getFlowBlock: endpoint({
    method: 'GET',
    path: '/stats/blocks/flows',
    access: 'stats:read',
    large: true,
    query: Range,
    reply: FlowBlock,
    summary: `How often flows started, ended and handed over in a range, with ${blockRows} flows one by one.`,
  }),
  getFlowSteps: endpoint({
    method: 'GET',
    path: '/stats/blocks/flows/:id',
    access: 'stats:read',
    wholeInbox: true,
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, closed),
    reply: FlowSteps,
    refuses: [404],
    summary: 'How many customers reached each step of a flow, and where they gave up.',
  }),
  getHealthBlock: endpoint({
    method: 'GET',
    path: '/stats/blocks/health',
    access: 'stats:read',
    reply: HealthBlock,
    summary: 'The last known state of each number at Meta: quality, messaging limit, token.',
  }),
  exportBlock: endpoint({
    method: 'GET',
    path: '/stats/blocks/:name/report',
    access: 'stats:read',
    large: true,
    params: Type.Object({ name: Type.Enum([...openBlocks, ...summaryBlockNames]) }, closed),
    query: Type.Object(statsFilter, closed),
    reply: Type.Object({
      csv: Type.String({ description: 'Lines, the first one with the names of the columns.' }),
      next: Type.Null(),
    }),
    summary: `A block of the statistics as CSV, ${maxBlockRows} rows at most. Blocks of the summary take all filters, others only the days.`,
  }),
} as const
