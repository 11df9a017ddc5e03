import { type Static, Type } from 'typebox'
import {
  answerKinds,
  flowLimits,
  flowMediaKinds,
  httpBodies,
  httpMethods,
  PartId,
  stepColors,
  waitUnitMs,
} from './graph.ts'
import { triggerLimits } from './triggers.ts'

/**
 * A flow as programs write and read it, in calls, exports and imports: React Flow's own shape. What was written is
 * kept as it was written; the rooms inside read it as the graph of `flow-graph.ts`.
 * @see reactflow.dev/api-reference/types/node and …/edge
 */

const closed = { additionalProperties: false } as const

const Text = Type.String({
  maxLength: flowLimits.text,
  description: 'May hold variables, such as {{contacto.nombre}}.',
})
const Reference = Type.String({ maxLength: 64 })
/** How a flow's own variable is called: `{{flujo.NAME}}`. Empty in a draft that does not say yet. */
const VariableName = Type.String({ pattern: '^([a-z][a-z0-9_]{0,39})?$' })
const ClockTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:MM.' })
const TimeoutMs = Type.Integer({
  minimum: 0,
  maximum: flowLimits.timeoutMinutes * 60_000,
  description:
    'Without an answer for so long it goes on at `timeout`; 0 or absent: no such handle, the session expires.',
})
const TemplateFields = {
  template: Type.Optional(Type.String({ maxLength: 512, description: 'Its name.' })),
  language: Type.Optional(Type.String({ maxLength: 10, description: "Meta's code: `es_AR`." })),
  values: Type.Optional(
    Type.Record(Type.String({ maxLength: 120 }), Type.String({ maxLength: 1024 }), {
      maxProperties: 60,
      description:
        'By where they stand: `body.1`, `header.name`, `header.media` (a public address), `header.fileName` (what a document there is called), `buttons.0`. May hold variables.',
    }),
  ),
}
/** Says the same by a template while WhatsApp's window is closed; absent: a person is called. */
const Fallback = Type.Optional(Type.Object(TemplateFields, closed))
const Coordinate = Type.Number({ minimum: -1_000_000, maximum: 1_000_000 })
const Position = Type.Object({ x: Coordinate, y: Coordinate }, closed)

const variableTests = [
  ...(['equals', 'not', 'contains', 'notContains', 'starts', 'ends'] as const),
  ...(['greater', 'atLeast', 'less', 'atMost', 'set', 'empty'] as const),
  ...(['fitsPattern', 'notFitsPattern'] as const),
] as const

/** One of: a variable with its test · a tag the contact carries or not · business hours · WhatsApp's window. */
const WireRule = Type.Union([
  Type.Object(
    {
      variable: Type.String({
        maxLength: 60,
        description: "One of the flow's own by its name, else as between braces: `contacto.nombre`.",
      }),
      is: Type.Enum(variableTests),
      value: Type.Optional(Text),
    },
    closed,
  ),
  Type.Object({ tagId: Reference, is: Type.Enum(['has', 'hasNot']) }, closed),
  Type.Object({ hours: Type.Enum(['inside', 'outside']) }, closed),
  Type.Object({ window: Type.Enum(['open', 'closed']) }, closed),
])
export type WireRule = Static<typeof WireRule>
const Rules = Type.Array(WireRule, { maxItems: flowLimits.rules })

/** Headers, or fields of a form; values may hold variables and secrets. */
const Pairs = Type.Array(
  Type.Object({ name: Type.String({ maxLength: 100 }), value: Type.String({ maxLength: 1024 }) }, closed),
  { maxItems: flowLimits.pairs },
)

const WireOption = Type.Object(
  { id: PartId, title: Type.String({ maxLength: 80 }), description: Type.Optional(Type.String({ maxLength: 200 })) },
  closed,
)

/** Of every step: what it is called, and at which handles the flow is meant to end though nothing follows. */
const common = {
  name: Type.Optional(Type.String({ maxLength: flowLimits.name })),
  color: Type.Optional(Type.Enum(stepColors, { description: 'Of its group on the canvas.' })),
  ends: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20 })),
}
const nodeOf = <const K extends string, F extends Parameters<typeof Type.Object>[0]>(type: K, fields: F) =>
  Type.Object({
    id: PartId,
    type: Type.Literal(type),
    position: Type.Optional(Position),
    data: Type.Optional(Type.Object({ ...common, ...fields }, closed)),
  })

/** A step. Handles: an option's id, `other`, `timeout` · `next`, `invalid`, `timeout` · `yes`, `no` · `next`, `refused`, `error` · `closed` · else `next`. */
const WireNode = Type.Union([
  nodeOf('start', {}),
  nodeOf('message', {
    text: Type.Optional(Text),
    media: Type.Optional(
      Type.Object(
        {
          kind: Type.Enum(flowMediaKinds),
          url: Type.String({ maxLength: flowLimits.url, description: 'https; WhatsApp fetches it from there.' }),
          name: Type.Optional(Type.String({ maxLength: 240, description: 'Of a document.' })),
        },
        { ...closed, description: 'What it shows; the text is its caption.' },
      ),
    ),
    typingMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: flowLimits.typingMs,
        description: 'So long the customer sees that somebody writes, before it is said.',
      }),
    ),
    fallback: Fallback,
  }),
  nodeOf('template', TemplateFields),
  nodeOf('question', {
    text: Type.Optional(Text),
    expects: Type.Optional(Type.Enum(answerKinds, { description: 'Absent: any text.' })),
    pattern: Type.Optional(Type.String({ maxLength: 200, description: 'Of `expects: pattern`.' })),
    variable: Type.Optional(VariableName),
    retryText: Type.Optional(Text),
    fallback: Fallback,
    attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: flowLimits.attempts, description: 'Absent: 3.' })),
    timeoutMs: Type.Optional(TimeoutMs),
  }),
  nodeOf('buttons', {
    text: Type.Optional(Text),
    options: Type.Optional(
      Type.Array(WireOption, {
        maxItems: flowLimits.options,
        description: 'One to three are buttons, four to ten a list.',
      }),
    ),
    listLabel: Type.Optional(Type.String({ maxLength: 80, description: 'What opens the list.' })),
    fallback: Fallback,
    variable: Type.Optional(VariableName),
    timeoutMs: Type.Optional(TimeoutMs),
  }),
  nodeOf('condition', {
    all: Type.Optional(Rules),
    any: Type.Optional(Rules),
  }),
  nodeOf('set', {
    variable: Type.Optional(VariableName),
    value: Type.Optional(Text),
    formula: Type.Optional(
      Type.Boolean({ description: 'The value is a formula: `redondear(flujo.precio * 1.21, 2)`. Not for a contact.' }),
    ),
    contact: Type.Optional(
      Type.Enum(['name', 'note'], {
        description: 'Instead of a variable: what the contact is called, or one more line of the note about them.',
      }),
    ),
  }),
  nodeOf('tag', { action: Type.Optional(Type.Enum(['add', 'remove'])), tagId: Type.Optional(Reference) }),
  nodeOf('wait', {
    ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: flowLimits.waitDays * waitUnitMs.days,
        description: "`until` instead: the next time the organization's clock shows it.",
      }),
    ),
    until: Type.Optional(ClockTime),
  }),
  nodeOf('http', {
    method: Type.Optional(Type.Enum(httpMethods, { description: 'Absent: GET.' })),
    url: Type.Optional(
      Type.String({
        maxLength: flowLimits.url,
        description: 'https. Behind the host it may hold variables, behind `?` secrets, such as {{secret.tienda}}.',
      }),
    ),
    headers: Type.Optional(Pairs),
    send: Type.Optional(Type.Enum(httpBodies, { description: 'Absent: what is given, `body` or `form`.' })),
    body: Type.Optional(
      Type.String({ maxLength: flowLimits.text, description: 'JSON; variables and secrets stand inside its texts.' }),
    ),
    form: Type.Optional(Pairs),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 1000, maximum: flowLimits.callMs, description: 'Of each try. Absent: all of it.' }),
    ),
    map: Type.Optional(
      Type.Array(
        Type.Object(
          { variable: VariableName, path: Type.String({ maxLength: 200, description: '`items[0].name`' }) },
          closed,
        ),
        { maxItems: flowLimits.kept, description: 'What of a JSON answer is kept as which variable.' },
      ),
    ),
    idempotencyKey: Type.Optional(
      Type.Boolean({ description: 'The service knows a repetition by this header: POST and PATCH are tried again.' }),
    ),
    refusals: Type.Optional(Type.Boolean({ description: 'A status of 400 to 499 goes on at the handle `refused`.' })),
    mock: Type.Optional(
      Type.Object(
        { status: Type.Integer({ minimum: 100, maximum: 599 }), body: Type.String({ maxLength: flowLimits.text }) },
        { ...closed, description: 'What it answers where the flow is tried. Absent: 200 and nothing.' },
      ),
    ),
  }),
  nodeOf('goto', { nodeId: Type.Optional(Type.String({ maxLength: 40 })) }),
  nodeOf('subflow', { flowId: Type.Optional(Type.String({ maxLength: 64, description: 'A live flow.' })) }),
  nodeOf('handoff', {
    message: Type.Optional(Text),
    note: Type.Optional(Type.String({ maxLength: 1000, description: 'For the team; may hold variables.' })),
    teamId: Type.Optional(Reference),
    userId: Type.Optional(Reference),
    hours: Type.Optional(
      Type.Boolean({ description: 'Outside business hours it goes on at the handle `closed` instead.' }),
    ),
  }),
  nodeOf('close', {}),
  nodeOf('end', {}),
])
export type WireNode = Static<typeof WireNode>

const WireEdge = Type.Object({
  id: Type.Optional(Type.String({ maxLength: 200 })),
  source: PartId,
  sourceHandle: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 40 }), Type.Null()], { description: 'Absent: `next`.' }),
  ),
  target: PartId,
})

const WireNote = Type.Object({ id: PartId, position: Type.Optional(Position), text: Type.String({ maxLength: 1000 }) })

/** What is drawn: of each pair of node and handle at most one edge counts, the first. What React Flow adds is let go. */
export const WireGraph = Type.Object(
  {
    nodes: Type.Array(WireNode, { maxItems: flowLimits.nodes }),
    edges: Type.Array(WireEdge, { maxItems: flowLimits.edges }),
    notes: Type.Optional(Type.Array(WireNote, { maxItems: flowLimits.notes, description: 'Written on the canvas.' })),
  },
  // A view has a place on the screen, too.
  { additionalProperties: true },
)
export type WireGraph = Static<typeof WireGraph>

const keywordMatches = ['equals', 'starts', 'contains', 'pattern'] as const
const tag = { changedTagId: Type.String({ maxLength: 64 }) }
const triggerOf = <const K extends string, F extends Parameters<typeof Type.Object>[0]>(kind: K, fields: F) =>
  Type.Object(
    {
      id: Type.Optional(PartId),
      kind: Type.Literal(kind),
      oncePerContact: Type.Optional(Type.Boolean({ description: 'Not for who has been in this flow before.' })),
      hours: Type.Optional(
        Type.Enum(['inside', 'outside'], { description: 'Only inside, or only outside, business hours.' }),
      ),
      tagId: Type.Optional(Type.String({ maxLength: 64, description: 'Only for who carries this tag.' })),
      ...fields,
    },
    closed,
  )

/** What makes a flow begin: see `FlowTrigger`. Without an id it gets one from its place in the list. */
export const WireTrigger = Type.Union([
  triggerOf('keyword', {
    match: Type.Enum(keywordMatches),
    words: Type.Array(Type.String({ maxLength: triggerLimits.keywordChars }), {
      maxItems: triggerLimits.words,
      description: 'Any of them.',
    }),
  }),
  triggerOf('firstMessage', {}),
  triggerOf('reopened', { afterHours: Type.Integer({ minimum: 1, maximum: 8760 }) }),
  triggerOf('action', {
    ids: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: triggerLimits.words }),
  }),
  triggerOf('ad', {
    ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: triggerLimits.words,
      description: "Meta's ids of advertisements; empty: any.",
    }),
  }),
  triggerOf('campaign', {
    sendId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'A bulk send; absent: any.' })),
    withinDays: Type.Integer({ minimum: 1, maximum: triggerLimits.answerDays }),
  }),
  triggerOf('tagAdded', tag),
  triggerOf('tagRemoved', tag),
  triggerOf('webhook', {
    variables: Type.Optional(
      Type.Array(VariableName, {
        maxItems: triggerLimits.variables,
        description: 'What a call may bring along, as variables of the flow; absent: nothing.',
      }),
    ),
  }),
  triggerOf('manual', {}),
  triggerOf('default', {}),
])
export type WireTrigger = Static<typeof WireTrigger>
