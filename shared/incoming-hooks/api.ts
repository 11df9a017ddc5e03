import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { noteMaxChars } from '#shared/kernel/limits.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'

/**
 * `hooks` per organization; calls that are kept of each, and days; `callsPerMinute` of one address; bytes of a call, and
 * of the bodies that are kept.
 */
export const incomingLimits = {
  hooks: 20,
  name: 60,
  callsKept: 200,
  days: 30,
  callsAtOnce: 20,
  callsPerMinute: 300,
  bodyBytes: 256 * 1024,
  keptBytes: 16 * 1024,
  bodyValues: 5000,
  value: 1000,
  values: 30,
} as const

/** The path that programs call, in Fastify's syntax. */
export const incomingPath = '/hooks/in/:secret'

/**
 * The actions of a call: send a template, start a flow, tag, write a note, create a contact, or assign a conversation.
 */
export const hookActions = ['template', 'flow', 'tag', 'note', 'contact', 'assign'] as const
export type HookActionKind = (typeof hookActions)[number]

const closed = { additionalProperties: false } as const
const Id = Type.String({ minLength: 1, maxLength: 64 })

const mapped = (description: string, maxLength: number = incomingLimits.value) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description })
const Mapped = mapped('Fixed text, in which `{{path}}` stands for a field of the JSON: `{{customer.phone}}`.')
const MappedByName = (description: string) =>
  Type.Record(Type.String({ maxLength: 64 }), Mapped, { maxProperties: incomingLimits.values, description })

/** Each kind needs its own fields, which `fieldsOfAction` lists. */
export const HookAction = Type.Object(
  {
    kind: Type.Enum([...hookActions]),
    number: mapped("The customer's number in any format. Without a country code, the organization's country counts."),
    name: Type.Optional(mapped('The name of a new contact; for the kind `contact`, also of an existing one.')),
    phone: Type.Optional(
      Type.String({
        pattern: '^[0-9]{5,20}$',
        description:
          'Your number to send from, digits; default: the one to which the customer wrote last, else the first.',
      }),
    ),
    template: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: 'The name of an approved template.' }),
    ),
    language: Type.Optional(Type.String({ minLength: 1, maxLength: 20, description: "Meta's code." })),
    values: Type.Optional(
      MappedByName('Values of the template by their place: `body.1`, `header.name`, `header.media`, `buttons.0`.'),
    ),
    flowId: Type.Optional(Id),
    variables: Type.Optional(
      MappedByName("Values of the variables that the flow's webhook trigger declares, by name without `flujo.`."),
    ),
    tagId: Type.Optional(Id),
    text: Type.Optional(mapped('The note.', noteMaxChars)),
    fields: Type.Optional(
      MappedByName('Fields of the contact, by id. If the JSON has no value for one, it stays unchanged.'),
    ),
    memberId: Type.Optional(Id),
    teamId: Type.Optional(Id),
  },
  {
    ...closed,
    examples: [
      {
        kind: 'template',
        number: '{{customer.phone}}',
        template: 'pedido_listo',
        language: 'es_AR',
        values: { 'body.1': '{{customer.name}}', 'body.2': '{{order.id}}' },
      },
    ],
  },
)
export type HookAction = Static<typeof HookAction>
type HookActionField = Exclude<keyof HookAction, 'kind' | 'number' | 'name'>

/** The fields besides `number` and `name`. Of `oneOf`, at least one is needed. */
export const fieldsOfAction: Readonly<
  Record<
    HookActionKind,
    {
      readonly needs: readonly (HookActionField | 'name')[]
      readonly oneOf?: readonly HookActionField[]
      readonly takes: readonly HookActionField[]
    }
  >
> = {
  template: { needs: ['template', 'language'], takes: ['values', 'phone'] },
  flow: { needs: ['flowId'], takes: ['variables', 'phone'] },
  tag: { needs: ['tagId'], takes: ['phone'] },
  note: { needs: ['text'], takes: ['phone'] },
  contact: { needs: ['name'], takes: ['fields', 'phone'] },
  assign: { needs: [], oneOf: ['memberId', 'teamId'], takes: ['phone'] },
}

const Name = Type.String({ minLength: 1, maxLength: incomingLimits.name, pattern: '\\S' })
const Sample = Type.String({
  maxLength: incomingLimits.keptBytes,
  description: 'An example of what the program sends, JSON. People choose fields from it; calls do not need it.',
})
const Url = Type.String({ description: 'The address with its secret. Shown this once.' })
const OfHook = Type.Object({ id: Id }, closed)
const OfCall = Type.Object({ id: Id, callId: Id }, closed)

const callStates = ['done', 'refused'] as const
export type HookCallState = (typeof callStates)[number]

const IncomingCall = Type.Object({
  id: Type.String(),
  at: Timestamp,
  state: Type.Enum([...callStates]),
  says: Type.String({ description: 'What it did, or why not, in words.' }),
  number: Nullable(Type.String({ description: "The customer's number, digits; null: it could not be read." })),
  body: Nullable(Type.String({ description: 'As it came; null: it was too long to be kept.' })),
  bytes: Type.Integer({ description: 'Length of the body.' }),
  tookMs: Type.Integer(),
  replayOf: Nullable(Type.String({ description: 'The call that a person repeated with this one.' })),
})
export type IncomingCall = Static<typeof IncomingCall>

const IncomingHook = Type.Object({
  id: Type.String(),
  name: Type.String(),
  active: Type.Boolean(),
  action: HookAction,
  sample: Nullable(Sample),
  createdAt: Timestamp,
  changedAt: Timestamp,
  changedBy: Type.String(),
  last: Nullable(
    Type.Object(
      { at: Timestamp, state: Type.Enum([...callStates]), says: Type.String() },
      { description: 'The newest call; null: there is none.' },
    ),
  ),
  day: Type.Object(
    { done: Type.Integer(), refused: Type.Integer() },
    { description: `Calls of the last 24 hours, ${incomingLimits.callsKept} at most.` },
  ),
})
export type IncomingHook = Static<typeof IncomingHook>

/** The response to a program's call. */
export const IncomingReply = Type.Object({
  id: Type.String({ description: 'Of the call, as in the log.' }),
  did: Type.Enum([...hookActions]),
  number: Type.String({ description: "The customer's number, digits." }),
  messageId: Nullable(Type.String({ description: 'Of the template or the note.' })),
  runId: Nullable(Type.String({ description: 'Of the run of the flow.' })),
})
export type IncomingReply = Static<typeof IncomingReply>

const access = 'connection:manage'

/**
 * Secret addresses that other programs call with JSON. What a hook does, it does for the organization, so people who see
 * only some conversations may neither make one nor read its calls.
 */
export const incomingHooksApi = {
  listHooks: endpoint({
    method: 'GET',
    path: '/whatsapp/incoming-hooks',
    access,
    wholeInbox: true,
    reply: Type.Object({ items: Type.Array(IncomingHook) }),
    summary: 'The incoming webhooks of the organization, by name; never their addresses.',
  }),
  createHook: endpoint({
    method: 'POST',
    path: '/whatsapp/incoming-hooks',
    access,
    wholeInbox: true,
    body: Type.Object({ name: Name, action: HookAction, sample: Type.Optional(Sample) }, closed),
    reply: Type.Object({ hook: IncomingHook, url: Url }),
    status: 201,
    refuses: [409],
    summary: `Creates an incoming webhook; ${incomingLimits.hooks} at most. Only this answer contains its address.`,
  }),
  testHook: endpoint({
    method: 'POST',
    path: '/whatsapp/incoming-hooks/test',
    access,
    wholeInbox: true,
    body: Type.Object({ action: HookAction, sample: Sample }, closed),
    reply: Type.Object({
      works: Type.Boolean(),
      says: Type.String({ description: 'What it would do, or why it cannot, in words.' }),
      details: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
      values: Type.Array(Type.Object({ field: Type.String(), value: Type.String() }), {
        description: 'What the action gets of this sample.',
      }),
    }),
    summary: 'Tests an action with a sample. Everything is checked as in a real call, and nothing is kept.',
  }),
  changeHook: endpoint({
    method: 'PATCH',
    path: '/whatsapp/incoming-hooks/:id',
    access,
    wholeInbox: true,
    params: OfHook,
    body: Type.Partial(Type.Object({ name: Name, active: Type.Boolean(), action: HookAction, sample: Sample }), {
      ...closed,
      minProperties: 1,
    }),
    reply: IncomingHook,
    refuses: [404, 409],
    summary: 'Renames an incoming webhook, changes what it does, or switches it off and on.',
  }),
  replaceAddress: endpoint({
    method: 'POST',
    path: '/whatsapp/incoming-hooks/:id/address',
    access,
    wholeInbox: true,
    params: OfHook,
    reply: Type.Object({ url: Url }),
    refuses: [404],
    summary: 'Gives an incoming webhook a new secret address. The previous one answers 404 from then on.',
  }),
  deleteHook: endpoint({
    method: 'DELETE',
    path: '/whatsapp/incoming-hooks/:id',
    access,
    wholeInbox: true,
    params: OfHook,
    reply: Done,
    refuses: [404],
    summary: 'Deletes an incoming webhook and its log.',
  }),
  listCalls: endpoint({
    method: 'GET',
    path: '/whatsapp/incoming-hooks/:id/calls',
    access,
    wholeInbox: true,
    params: OfHook,
    query: Type.Object(
      {
        before: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'A `next` of this list.' })),
        state: Type.Optional(Type.Enum([...callStates])),
      },
      closed,
    ),
    reply: Type.Object({ items: Type.Array(IncomingCall), next: Nullable(Type.String()) }),
    refuses: [404],
    summary: `The last ${incomingLimits.callsKept} calls of an incoming webhook within ${incomingLimits.days} days, newest first, ${incomingLimits.callsAtOnce} at a time.`,
  }),
  replayCall: endpoint({
    method: 'POST',
    path: '/whatsapp/incoming-hooks/:id/calls/:callId/replay',
    access,
    wholeInbox: true,
    params: OfCall,
    reply: IncomingCall,
    refuses: [404, 409],
    summary: 'Repeats a call with the present settings of the hook. The answer says whether it worked.',
  }),
} as const
