import { type Static, Type } from 'typebox'
import { Nullable } from '#shared/kernel/list.ts'
import type { FileKind } from '#shared/media/sent-files.ts'
import {
  ButtonInput,
  Interactive,
  OutboundContact,
  OutboundLocation,
  outboundLimits,
  SentTemplate,
} from '#shared/outbound/api.ts'
import type { SentAction } from './message-actions.ts'

interface KindFacts {
  /** A name of `client/ui/pictures/icon.tsx`, for rows and lists. */
  readonly icon?: string
  /** What stands behind `type:` in a search, folded, in both languages. */
  readonly search?: readonly string[]
  /** It has a file of its own: it is fetched, shown by its thumbnail or player, and can be forwarded. */
  readonly file?: true
  /** Its text can be forwarded without the rest of it. */
  readonly forwardsText?: true
}

/** Finds every kind that has a file. */
const anyFile = ['archivo', 'file']

/**
 * Every kind of message that a thread can show, with what server and browser both know of it. What the server does with
 * a kind is in `server/whatsapp/kinds`, how it is drawn in `client/inbox/kinds`.
 */
export const messageKinds = {
  text: { search: ['texto', 'text'], forwardsText: true },
  image: { icon: 'image', search: ['foto', 'imagen', 'photo', 'image', ...anyFile], file: true },
  video: { icon: 'video', search: ['video', ...anyFile], file: true },
  audio: { icon: 'mic', search: ['audio', ...anyFile], file: true },
  /** Audio that was recorded in WhatsApp. */
  voice: { icon: 'mic', search: ['voz', 'voice', 'audio', ...anyFile], file: true },
  document: { icon: 'file', search: ['documento', 'document', ...anyFile], file: true },
  sticker: { icon: 'sticker', search: ['sticker', ...anyFile], file: true },
  location: { icon: 'pin', search: ['ubicacion', 'location'] },
  contacts: { icon: 'card', search: ['contacto', 'contact'] },
  /** Ours, with something to tap. */
  interactive: { icon: 'choice', search: ['botones', 'buttons'], forwardsText: true },
  /** What the customer tapped. */
  choice: { icon: 'choice', search: ['respuesta', 'choice'], forwardsText: true },
  form: { icon: 'form', search: ['formulario', 'form'] },
  order: { icon: 'cart', search: ['pedido', 'order'] },
  /** Ours: how an order stands. */
  order_status: { icon: 'cart', search: ['seguimiento', 'tracking'] },
  template: { icon: 'form', search: ['plantilla', 'template'], forwardsText: true },
  /** The customer opened the chat for the first time. */
  welcome: { icon: 'hand' },
  /** What WhatsApp tells of a customer. */
  system: { icon: 'info' },
  call: { icon: 'phone', search: ['llamada', 'call'] },
  /** In rows of the list only: the last thing that happened is a reaction. */
  reaction: { icon: 'smile' },
  /** In rows of the list only: the last message was taken back. */
  revoked: { icon: 'close' },
  /** What Meta could not pass on. */
  unsupported: { icon: 'warn' },
  /** What we do not know yet. */
  unknown: { icon: 'warn' },
  /** Internal: what the team did to the conversation. */
  activity: {},
  /** Internal: what the team wrote to itself. */
  note: { icon: 'lock', search: ['nota', 'note'] },
} as const satisfies Readonly<Record<string, KindFacts>>

export type MessageType = keyof typeof messageKinds
export const messageTypes = Object.keys(messageKinds) as MessageType[]
export const MessageType = Type.Enum(messageTypes)

/** What is known of a kind; nothing of one that a later release wrote. */
export const factsOf = (type: string): KindFacts =>
  Object.hasOwn(messageKinds, type) ? messageKinds[type as MessageType] : {}
export const hasFile = (type: string): boolean => factsOf(type).file === true

const Location = Type.Object({
  latitude: Type.Number(),
  longitude: Type.Number(),
  name: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  url: Type.Optional(Type.String({ description: 'A page of the place, on the web.' })),
})
const ContactCard = Type.Object({
  name: Type.String(),
  phones: Type.Array(Type.String()),
  emails: Type.Array(Type.String()),
  waIds: Type.Optional(
    Type.Array(Type.String(), { description: 'Numbers of it that are on WhatsApp, digits, as WhatsApp said.' }),
  ),
  company: Type.Optional(Type.String()),
  title: Type.Optional(Type.String({ description: 'What they do there.' })),
  addresses: Type.Optional(Type.Array(Type.String({ description: 'In one line.' }))),
  urls: Type.Optional(Type.Array(Type.String({ description: 'Of the web.' }))),
  birthday: Type.Optional(Type.String({ description: '`2026-11-25`, or as it came.' })),
})
/** A tap on a button or a row, or the answer to a permission question. */
const Choice = Type.Object({
  kind: Type.Enum(['button', 'list', 'quickReply', 'permission']),
  id: Nullable(Type.String()),
  title: Type.String(),
  description: Type.Optional(Type.String()),
  until: Type.Optional(Type.String({ description: 'Of a permission: until when it holds, ISO 8601 in UTC.' })),
})
/** What the customer filled in a WhatsApp form; values as text, in the order they came. */
const FormAnswer = Type.Object({
  name: Type.String(),
  body: Type.Optional(Type.String({ description: 'What WhatsApp shows of it.' })),
  fields: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
})
const Order = Type.Object({
  catalogId: Nullable(Type.String()),
  note: Type.Optional(Type.String()),
  items: Type.Array(
    Type.Object({
      sku: Type.String(),
      quantity: Type.Number(),
      price: Type.Optional(Type.Number({ description: 'Of one; absent where none came.' })),
      currency: Type.String(),
    }),
  ),
})
/** Meta's words for how an order stands. */
export const orderStates = ['pending', 'processing', 'partially_shipped', 'shipped', 'completed', 'canceled'] as const
export const OrderStatus = Type.Object(
  {
    referenceId: Type.String({
      pattern: '^[A-Za-z0-9_.-]{1,35}$',
      description: "The order's, as the message that asked for its payment named it.",
    }),
    status: Type.Enum(orderStates),
    description: Type.Optional(Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })),
  },
  { additionalProperties: false },
)
/**
 * What WhatsApp tells of a customer. `number`: they write from another number · `userId`: they have another
 * business-scoped id · `identity`: they installed WhatsApp anew, or on another phone · `agentLeft`, `agentHas`: Meta's own
 * agent gave the chat to the team, or got it · `joined`, `left`: somebody came into the group or left it · `other`: anything else.
 */
const newsKinds = ['number', 'userId', 'identity', 'agentLeft', 'agentHas', 'joined', 'left', 'other'] as const
export const News = Type.Object({
  kind: Type.Enum(newsKinds),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
})
/** A call that is over. */
const Call = Type.Object({
  outcome: Type.Enum(['answered', 'missed']),
  seconds: Type.Optional(Type.Integer({ minimum: 0, description: 'How long one talked.' })),
})
/** What Meta does not pass on, as far as it tells. */
const withheldKinds = ['edit', 'poll', 'viewOnce', 'file', 'pastFile'] as const

/** The parts of a message that only some kinds have; kept as JSON beside the message. */
export const kindContent = {
  location: Type.Optional(Location),
  contacts: Type.Optional(Type.Array(ContactCard)),
  interactive: Type.Optional(Interactive),
  template: Type.Optional(SentTemplate),
  choice: Type.Optional(Choice),
  form: Type.Optional(FormAnswer),
  order: Type.Optional(Order),
  orderStatus: Type.Optional(OrderStatus),
  news: Type.Optional(News),
  call: Type.Optional(Call),
  withheld: Type.Optional(
    Type.Enum(withheldKinds, { description: 'Of what Meta could not pass on: what it was, where it said so.' }),
  ),
  /** The vendor's JSON of a kind we do not know, for the card's details. */
  raw: Type.Optional(Type.String()),
}

/** What the call that sends takes for kinds with fields of their own. */
export const kindInput = {
  button: Type.Optional(ButtonInput),
  location: Type.Optional(OutboundLocation),
  contacts: Type.Optional(Type.Array(OutboundContact, { minItems: 1, maxItems: outboundLimits.contacts })),
  orderStatus: Type.Optional(
    Type.Object(OrderStatus.properties, {
      additionalProperties: false,
      description:
        'Of `order_status`, beside `message`: how an order stands for whose payment WhatsApp asked. Meta takes it from numbers of India, Brazil and Singapore that have payments; others are refused.',
    }),
  ),
}

/** Contents that become a message in the chat. */
export type OutboundMessage =
  | { type: 'text'; text: string }
  | { type: 'location'; location: Static<typeof OutboundLocation> }
  | { type: 'contacts'; contacts: readonly OutboundContact[] }
  /** `action`: what a tap on its button does here; not sent to WhatsApp. */
  | { type: 'interactive'; body: string; interactive: Interactive; action?: SentAction }
  | { type: 'order_status'; body: string; orderStatus: Static<typeof OrderStatus> }
  /** `fileId`: our stored copy. `name` is shown for documents only. */
  | { type: 'file'; kind: FileKind; fileId: string; name: string | null; caption?: string }
  /** A file at a public address, which WhatsApp fetches. */
  | { type: 'linked'; kind: 'image' | 'video' | 'audio' | 'document'; url: string; name?: string; caption?: string }
  /** Already converted to Meta's format, with its values. */
  | { type: 'template'; template: Record<string, unknown> }

/** Everything that can be sent to a customer, in the product's terms. `server/whatsapp` converts it to Meta's. */
export type OutboundContent = OutboundMessage | { type: 'reaction'; targetWamid: string; emoji: string }
