import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'

const closed = { additionalProperties: false } as const

/**
 * `webhooks` per organization; deliveries per page and days they are kept. `redelivered`: sent again with one call.
 * `bothSecretsHours`: how long a replaced secret signs, too.
 */
export const webhookLimits = {
  webhooks: 20,
  name: 40,
  url: 2000,
  deliveriesAtOnce: 20,
  days: 30,
  redelivered: 100_000,
  headers: 10,
  headerName: 64,
  headerValue: 1000,
  filtered: 20,
  bothSecretsHours: 24,
} as const

export const webhookNamePattern = '^[a-z][a-z0-9_-]{0,39}$'

/** `waiting`: not attempted yet, or to be retried · `delivered`: answered with 2xx · `failed`: given up. */
const deliveryStates = ['waiting', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * Why an attempt failed. `status`: answered, but not with 2xx · `address`: leads inside a network, or nowhere ·
 * `timeout` · `network` · `secret`: its secret cannot be decrypted · `inactive`: deactivated meanwhile · `handshake`: it
 * did not answer with the challenge.
 */
const deliveryFailures = ['status', 'address', 'timeout', 'network', 'secret', 'inactive', 'handshake'] as const
export type DeliveryFailure = (typeof deliveryFailures)[number]

/** `failing`: attempts failed for a day · `gone`: it answered 410 · `handshake`: it failed Meta's handshake. */
const stopReasons = ['failing', 'gone', 'handshake'] as const
export type StopReason = (typeof stopReasons)[number]

export const tapDelivery = 'action.tapped'
export const testDelivery = 'test'
/** Meta's webhook, as it came or what a filter left of it. */
export const rawDelivery = 'meta.webhook'
/** The name of the delivery by which an address proves that it expects Meta's webhooks. */
export const handshakeDelivery = 'meta.handshake'

/** Events that a webhook can choose. */
const chosenTypes = [
  ...['message.received', 'message.sent', 'message.status', 'message.edited', 'message.deleted'],
  ...['conversation.opened', 'conversation.assigned', 'conversation.control'],
  ...['conversation.archived', 'conversation.unarchived', 'human'],
  ...['contact.created', 'contact.changed', 'contact.tagged', 'contact.untagged', 'contact.merged'],
  ...['contact.optedOut', 'contact.optedIn'],
  ...['template.status', 'bulkSend.state', 'flow.started', 'flow.ended', 'number.status'],
  ...['member.joined', 'member.left', 'member.role', 'import.finished'],
] as const
export type ChosenType = (typeof chosenTypes)[number]

/** All types: the chosen ones, and taps on buttons of the action `webhook`, which name their webhook. */
export const webhookTypes = [...chosenTypes, tapDelivery] as const
export type WebhookType = (typeof webhookTypes)[number]

/**
 * `standard`: our events, signed as Standard Webhooks · `meta`: Meta's webhooks of our numbers, signed as Meta does, for
 * programs that are written for WhatsApp's Cloud API.
 */
const webhookFormats = ['standard', 'meta'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

const TypeList = Type.Array(Type.Enum([...webhookTypes]), {
  minItems: 1,
  maxItems: webhookTypes.length,
  uniqueItems: true,
})
const few = { minItems: 1, maxItems: webhookLimits.filtered } as const

export const WebhookFilter = Type.Object(
  {
    numbers: Type.Optional(
      Type.Array(Type.String({ pattern: '^[0-9]{5,20}$' }), {
        ...few,
        description: 'Only events of these numbers of yours, digits.',
      }),
    ),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        ...few,
        description: 'Only events of customers with one of these tags, by id.',
      }),
    ),
    direction: Type.Optional(Type.Enum(['in', 'out'])),
    finalStatusOnly: Type.Optional(
      Type.Boolean({
        description:
          'True: of the statuses of a message only the one that settles it, once: `delivered` (or `read`, if that comes first) or `failed`. In format `meta`: only `delivered` and `failed`.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z_]{1,64}$' }), {
        ...few,
        description: "Format `meta`: only these fields of Meta's webhooks, such as `messages`.",
      }),
    ),
    messageTypes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z_]{1,64}$' }), {
        ...few,
        description: 'Format `meta`: only messages of these types, such as `text`.',
      }),
    ),
  },
  { ...closed, description: 'Events without a number, a tag or a direction pass. Format `meta` has no tags.' },
)
export type WebhookFilter = Static<typeof WebhookFilter>

const Name = Type.String({ pattern: webhookNamePattern, description: 'The action `webhook` names it.' })
const Url = Type.String({ minLength: 1, maxLength: webhookLimits.url, description: 'https, on the open internet.' })
const Time = Type.String({ format: 'date-time', maxLength: 40 })
const OfWebhook = Type.Object({ name: Name }, closed)
const OfDelivery = Type.Object({ name: Name, id: Type.String({ minLength: 1, maxLength: 64 }) }, closed)

const OutgoingWebhook = Type.Object({
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.Enum([...webhookTypes])),
  filter: Nullable(WebhookFilter),
  format: Type.Enum([...webhookFormats]),
  headers: Type.Array(Type.String(), { description: 'Names of additional headers; their values are not shown.' }),
  active: Type.Boolean(),
  stoppedFor: Nullable(Type.Enum([...stopReasons], { description: 'Why it was switched off automatically.' })),
  createdAt: Timestamp,
  changedAt: Timestamp,
  changedBy: Type.String(),
  formerSecretUntil: Nullable(
    Type.String({ description: 'Until then deliveries are signed with the replaced secret, too. ISO 8601 in UTC.' }),
  ),
  last: Nullable(
    Type.Object(
      {
        state: Type.Enum(deliveryStates),
        at: Timestamp,
        failure: Nullable(Type.Enum(deliveryFailures, { description: 'Why its last attempt failed.' })),
        status: Nullable(Type.Integer()),
      },
      { description: 'The newest delivery; null: there is none.' },
    ),
  ),
})
export type OutgoingWebhook = Static<typeof OutgoingWebhook>

const Headers = Type.Record(Type.String(), Type.String({ maxLength: webhookLimits.headerValue }), {
  maxProperties: webhookLimits.headers,
  description: 'Additional headers of each delivery. Their values are stored encrypted and never shown.',
})

const VerifyToken = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'Format `meta`: the token by which the program recognizes the handshake.',
})

const Secret = Type.String({
  description:
    'The secret that signs each delivery: as in Standard Webhooks, or as an app secret in format `meta`. It is shown only once.',
})

const WebhookDelivery = Type.Object({
  id: Type.String({ description: 'The same in each attempt: `webhook-id`.' }),
  type: Type.String(),
  state: Type.Enum(deliveryStates),
  attempts: Type.Integer({ minimum: 0 }),
  createdAt: Timestamp,
  nextAt: Nullable(Timestamp),
  attemptedAt: Nullable(Timestamp),
  status: Nullable(Type.Integer({ description: 'Status of the last response; null: there was none.' })),
  failure: Nullable(Type.Enum(deliveryFailures)),
  tookMs: Nullable(Type.Integer()),
  body: Type.String({ description: 'JSON, as it is sent; at most its first 64 KB are listed.' }),
  answer: Nullable(Type.String({ description: 'The first 16 KB of the last answer.' })),
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

/**
 * Addresses of other programs that Recado calls, signed as in Standard Webhooks 1.0. Failed deliveries are retried with
 * growing pauses for a day; if no other delivery succeeded meanwhile, the webhook is deactivated, and those who
 * may change it are notified. It receives events of all conversations, so people who see only some may neither configure it nor read
 * its deliveries. @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const outgoingWebhooksApi = {
  listWebhooks: endpoint({
    method: 'GET',
    path: '/whatsapp/outgoing-webhooks',
    access: 'connection:manage',
    reply: Type.Object({ items: Type.Array(OutgoingWebhook) }),
    summary: 'The outgoing webhooks of the organization, by name; never their secrets.',
  }),
  listNames: endpoint({
    method: 'GET',
    path: '/whatsapp/outgoing-webhooks/names',
    access: 'chat:reply',
    reply: Type.Object({ items: Type.Array(Type.String()) }),
    summary: 'The names of the active webhooks, which the action `webhook` may call.',
  }),
  listEvents: endpoint({
    method: 'GET',
    path: '/whatsapp/outgoing-webhooks/events',
    access: 'connection:manage',
    reply: Type.Object({
      items: Type.Array(
        Type.Object({
          type: Type.Enum([...webhookTypes]),
          summary: Type.String(),
          sample: Type.String({ description: 'A delivery of it, as JSON.' }),
        }),
      ),
    }),
    summary: 'Every event that a webhook can choose, with a sample of what is sent.',
  }),
  createWebhook: endpoint({
    method: 'POST',
    path: '/whatsapp/outgoing-webhooks',
    access: 'connection:manage',
    wholeInbox: true,
    body: Type.Object(
      {
        name: Name,
        url: Url,
        events: Type.Optional(TypeList),
        filter: Type.Optional(WebhookFilter),
        headers: Type.Optional(Headers),
        format: Type.Optional(Type.Enum([...webhookFormats])),
        verifyToken: Type.Optional(VerifyToken),
      },
      closed,
    ),
    reply: Type.Object({
      webhook: OutgoingWebhook,
      secret: Secret,
      verifyToken: Nullable(
        Type.String({ description: 'Of format `meta`: the given one, otherwise a new one. Shown this once.' }),
      ),
    }),
    status: 201,
    refuses: [409],
    summary: `Creates an outgoing webhook; ${webhookLimits.webhooks} at most. Without \`events\` it gets taps on buttons that name it. Only this answer contains its secret.`,
  }),
  changeWebhook: endpoint({
    method: 'PATCH',
    path: '/whatsapp/outgoing-webhooks/:name',
    access: 'connection:manage',
    wholeInbox: true,
    params: OfWebhook,
    body: Type.Partial(
      Type.Object({
        url: Url,
        active: Type.Boolean(),
        events: TypeList,
        filter: Type.Union([WebhookFilter, Type.Null()], { description: 'Null: all events that it chose.' }),
        headers: Headers,
        verifyToken: VerifyToken,
      }),
      { ...closed, minProperties: 1 },
    ),
    reply: OutgoingWebhook,
    refuses: [404],
    summary:
      'Changes the address, events or filter of a webhook, or turns it off and on. Waiting deliveries go to the new address; `headers` replaces all headers.',
  }),
  replaceSecret: endpoint({
    method: 'POST',
    path: '/whatsapp/outgoing-webhooks/:name/secret',
    access: 'connection:manage',
    wholeInbox: true,
    params: OfWebhook,
    reply: Type.Object({ secret: Secret }),
    refuses: [404],
    summary: `Gives a webhook a new secret, from the next attempt on. For ${webhookLimits.bothSecretsHours} hours each delivery is signed with both; in format \`meta\` only with the new one.`,
  }),
  deleteWebhook: endpoint({
    method: 'DELETE',
    path: '/whatsapp/outgoing-webhooks/:name',
    access: 'connection:manage',
    params: OfWebhook,
    reply: Done,
    refuses: [404],
    summary: 'Deletes a webhook with its deliveries. Waiting deliveries are not sent.',
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/whatsapp/outgoing-webhooks/:name/test',
    access: 'connection:manage',
    wholeInbox: true,
    params: OfWebhook,
    reply: WebhookDelivery,
    status: 202,
    refuses: [404, 409],
    summary: 'Sends a delivery of type `test`; in format `meta`, the handshake.',
  }),
  listDeliveries: endpoint({
    method: 'GET',
    path: '/whatsapp/outgoing-webhooks/:name/deliveries',
    access: 'connection:manage',
    wholeInbox: true,
    params: OfWebhook,
    query: Type.Object(
      {
        before: Type.Optional(Type.String({ maxLength: 64, description: 'The `next` of the answer before.' })),
        state: Type.Optional(Type.Enum(deliveryStates)),
      },
      closed,
    ),
    reply: Type.Object({
      items: Type.Array(WebhookDelivery),
      next: Nullable(Type.String({ description: 'Value of `before` for the next page; null: this is the last page.' })),
    }),
    refuses: [404],
    summary: `The deliveries of a webhook in the last ${webhookLimits.days} days, with the answers of the receiver, newest first.`,
  }),
  redeliver: endpoint({
    method: 'POST',
    path: '/whatsapp/outgoing-webhooks/:name/deliveries/:id/redeliver',
    access: 'connection:manage',
    wholeInbox: true,
    params: OfDelivery,
    reply: WebhookDelivery,
    status: 202,
    refuses: [404, 409],
    summary: 'Repeats a delivery now, with the same id.',
  }),
  redeliverMany: endpoint({
    method: 'POST',
    path: '/whatsapp/outgoing-webhooks/:name/redeliver',
    access: 'connection:manage',
    wholeInbox: true,
    params: OfWebhook,
    body: Type.Object(
      {
        since: Time,
        until: Type.Optional(Time),
        all: Type.Optional(
          Type.Boolean({ description: 'True: also those that arrived. By default only those that failed.' }),
        ),
      },
      closed,
    ),
    reply: Type.Object({ count: Type.Integer({ minimum: 0, description: 'How many will be sent.' }) }),
    status: 202,
    refuses: [404, 409],
    summary: `Repeats the deliveries of a time range in their order, with the same ids; ${webhookLimits.redelivered} at most.`,
  }),
} as const
