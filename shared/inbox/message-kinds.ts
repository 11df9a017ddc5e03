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
  /** The icon in lists: a name from `client/ui/pictures/icon.tsx`. Absent: lists show no icon. */
  readonly icon?: string
  /** Words that select the kind in a search, as in `type:photo`: Spanish and English, lower case, without accents. */
  readonly search?: readonly string[]
  /** Messages of this kind have a file, which is downloaded from Meta, shown, and can be forwarded. */
  readonly file?: true
  /** Forwarding a message of this kind sends its text only. */
  readonly forwardsText?: true
}

/** Search words that every kind with a file shares. */
const anyFile = ['archivo', 'file']

/**
 * Every kind of message, with the facts that both server and client need. `server/whatsapp/kinds` reads and sends each
 * kind, `client/inbox/kinds` renders it.
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
  /** Sent by us, with buttons, a list, a link or a product to tap. */
  interactive: { icon: 'choice', search: ['botones', 'buttons'], forwardsText: true },
  /** The customer tapped a button or chose a row of a list. */
  choice: { icon: 'choice', search: ['respuesta', 'choice'], forwardsText: true },
  /** The customer filled in a WhatsApp form (Meta calls it a flow). */
  form: { icon: 'form', search: ['formulario', 'form'] },
  order: { icon: 'cart', search: ['pedido', 'order'] },
  /** Sent by us: the state of an order that the customer pays in WhatsApp. */
  order_status: { icon: 'cart', search: ['seguimiento', 'tracking'] },
  template: { icon: 'form', search: ['plantilla', 'template'], forwardsText: true },
  /** The customer opened the chat for the first time. */
  welcome: { icon: 'hand' },
  /** A notice from WhatsApp about the customer, such as a new number. */
  system: { icon: 'info' },
  call: { icon: 'phone', search: ['llamada', 'call'] },
  /** Only in the list of conversations: the latest event is a reaction. */
  reaction: { icon: 'smile' },
  /** Only in the list of conversations: the author deleted the last message. */
  revoked: { icon: 'close' },
  /** Content that Meta does not deliver to businesses, such as a poll. */
  unsupported: { icon: 'warn' },
  /** A type that this release does not read. */
  unknown: { icon: 'warn' },
  /** Internal: an action of the team on the conversation, such as an assignment. */
  activity: {},
  /** Internal: a note that only members see. */
  note: { icon: 'lock', search: ['nota', 'note'] },
} as const satisfies Readonly<Record<string, KindFacts>>

export type MessageType = keyof typeof messageKinds
export const messageTypes = Object.keys(messageKinds) as MessageType[]
export const MessageType = Type.Enum(messageTypes)

/** The facts of a kind. Empty for an unknown kind, which a newer release may have stored. */
export const factsOf = (type: string): KindFacts =>
  Object.hasOwn(messageKinds, type) ? messageKinds[type as MessageType] : {}
export const hasFile = (type: string): boolean => factsOf(type).file === true

const Location = Type.Object({
  latitude: Type.Number(),
  longitude: Type.Number(),
  name: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  url: Type.Optional(Type.String({ description: 'Address of a web page about the place.' })),
})
const ContactCard = Type.Object({
  name: Type.String(),
  phones: Type.Array(Type.String()),
  emails: Type.Array(Type.String()),
  waIds: Type.Optional(
    Type.Array(Type.String(), { description: 'Those of its numbers that have a WhatsApp account, digits only.' }),
  ),
  company: Type.Optional(Type.String()),
  title: Type.Optional(Type.String({ description: 'Job title at `company`.' })),
  addresses: Type.Optional(Type.Array(Type.String({ description: 'A postal address in one line.' }))),
  urls: Type.Optional(Type.Array(Type.String({ description: 'A web address.' }))),
  birthday: Type.Optional(Type.String({ description: 'Unchanged as received, usually `2026-11-25`.' })),
})
/** A tap on a button or on a row of a list, or the answer to a request for permission to call. */
const Choice = Type.Object({
  kind: Type.Enum(['button', 'list', 'quickReply', 'permission']),
  id: Nullable(Type.String()),
  title: Type.String(),
  description: Type.Optional(Type.String()),
  until: Type.Optional(Type.String({ description: 'When a call permission expires, ISO 8601 in UTC.' })),
})
/** The answers to a WhatsApp form, as text and in the order received. */
const FormAnswer = Type.Object({
  name: Type.String(),
  body: Type.Optional(Type.String({ description: 'The text that WhatsApp shows in the chat for the answered form.' })),
  fields: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
})
const Order = Type.Object({
  catalogId: Nullable(Type.String()),
  note: Type.Optional(Type.String()),
  items: Type.Array(
    Type.Object({
      sku: Type.String(),
      quantity: Type.Number(),
      price: Type.Optional(Type.Number({ description: 'Price of one piece; absent when WhatsApp sent none.' })),
      currency: Type.String(),
    }),
  ),
})
/** Meta's names for the states of an order. */
export const orderStates = ['pending', 'processing', 'partially_shipped', 'shipped', 'completed', 'canceled'] as const
export const OrderStatus = Type.Object(
  {
    referenceId: Type.String({
      pattern: '^[A-Za-z0-9_.-]{1,35}$',
      description: 'The `reference_id` of the message that asked for payment of the order.',
    }),
    status: Type.Enum(orderStates),
    description: Type.Optional(Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })),
  },
  { additionalProperties: false },
)
/**
 * Notices from WhatsApp about a customer. `number`: they changed their number · `userId`: they have a new
 * business-scoped id · `identity`: they reinstalled WhatsApp or changed phones · `agentLeft`: Meta's agent handed the
 * chat to the team · `agentHas`: Meta's agent took the chat · `joined`, `left`: somebody joined or left the group ·
 * `other`: any other notice.
 */
const newsKinds = ['number', 'userId', 'identity', 'agentLeft', 'agentHas', 'joined', 'left', 'other'] as const
export const News = Type.Object({
  kind: Type.Enum(newsKinds),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
})
/** A call that has ended. */
const Call = Type.Object({
  outcome: Type.Enum(['answered', 'missed']),
  seconds: Type.Optional(Type.Integer({ minimum: 0, description: 'Duration in seconds.' })),
})
/**
 * Content that Meta did not deliver. `pastFile`: a file of the phone's history, which another webhook may bring later ·
 * `importedFile`: a file that an imported chat names and did not have.
 */
const withheldKinds = ['edit', 'poll', 'viewOnce', 'file', 'pastFile', 'importedFile'] as const

/** Fields of a message that only some kinds have, stored as JSON in one column. */
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
    Type.Enum(withheldKinds, {
      description: 'What kind of content Meta did not deliver; absent when Meta did not say.',
    }),
  ),
  /** Meta's JSON of content that could not be read, shown under "details". */
  raw: Type.Optional(Type.String()),
}

/** Fields in the body of the send call that belong to one kind. */
export const kindInput = {
  button: Type.Optional(ButtonInput),
  location: Type.Optional(OutboundLocation),
  contacts: Type.Optional(
    Type.Array(OutboundContact, {
      minItems: 1,
      maxItems: outboundLimits.contacts,
      description: 'Cards of people or businesses.',
    }),
  ),
  orderStatus: Type.Optional(
    Type.Object(OrderStatus.properties, {
      additionalProperties: false,
      description:
        'Required for `order_status`, besides `message`: the new state of an order that the customer pays in WhatsApp. Meta accepts it only from numbers of India, Brazil and Singapore with payments enabled and refuses it from others.',
    }),
  ),
}

/** Content that becomes a message in the chat. */
export type OutboundMessage =
  | { type: 'text'; text: string }
  | { type: 'location'; location: Static<typeof OutboundLocation> }
  | { type: 'contacts'; contacts: readonly OutboundContact[] }
  /** `action` runs here when the button is tapped; it is not sent to WhatsApp. */
  | { type: 'interactive'; body: string; interactive: Interactive; action?: SentAction }
  | { type: 'order_status'; body: string; orderStatus: Static<typeof OrderStatus> }
  /** `fileId`: our stored copy. WhatsApp shows `name` for documents only. */
  | { type: 'file'; kind: FileKind; fileId: string; name: string | null; caption?: string }
  /** A file at a public address, from which WhatsApp downloads it. */
  | { type: 'linked'; kind: 'image' | 'video' | 'audio' | 'document'; url: string; name?: string; caption?: string }
  /** A message in Meta's own format, as a program wrote it: `type`, and the field of that name. */
  | { type: 'asGiven'; message: { readonly type: string; readonly [part: string]: unknown } }
  /** Already converted to Meta's format, with its values. */
  | { type: 'template'; template: Record<string, unknown> }

/** Everything that can be sent to a customer, in our terms. `server/whatsapp` converts it to Meta's. */
export type OutboundContent = OutboundMessage | { type: 'reaction'; targetWamid: string; emoji: string }
