import type { TSchema } from 'typebox'
import type { MessageType, OutboundContent } from '#shared/inbox/message-kinds.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'
import type { Json } from '../scalars.ts'
import type { InboundContent } from '../webhooks/inbound.ts'

/**
 * Converts Meta's message to ours. @param part `message[message.type]`, or `{}` if absent. Undefined: a required field
 * is missing.
 */
export type Reader = (part: Json, message: Json) => InboundContent | undefined

/** A sent message in the shape of a received one, as the thread shows it. */
export type Shown = Omit<InboundContent, 'media'>

/** Meta's rules for one type of `interactive` message. The simulator uses them to check and show such messages. */
export interface InteractiveRules {
  /** `interactive.type`. */
  readonly type: string
  /** Schema of `interactive`. The simulator refuses messages that do not match. */
  readonly schema: TSchema
  /** The texts that the simulator's phone shows. */
  seen(interactive: Json): { readonly text: string; readonly header?: string; readonly footer?: string }
}

/** The part of the send call that is particular to this content. */
export interface ApiContent<Content> {
  /** `type` in the body of the send call. */
  readonly type: string
  /** Pure. @throws InvalidInput naming the field */
  read(body: Body): Content
  /** A valid body without `type`. The demo data uses it for kinds that its conversations lack. */
  readonly example: Body
}
type Body = Omit<SendMessage, 'type' | 'numberTel'>

export interface Sending<Content> {
  readonly asked?: ApiContent<Content>
  /** Absent for reactions, which are no messages, and for templates, which `messaging/templates` renders. */
  shown?(content: Content): Shown
  /** Returns `type` and the field of that name for Meta's send call. @param uploadedId Meta's id of an uploaded file */
  part(content: Content, uploadedId: string | undefined): Json & { readonly type: string }
  /** Absent: the content is no `interactive` message, or the simulator has its own rules for it. */
  readonly interactive?: InteractiveRules
}

export type Sendings = {
  readonly [Type in OutboundContent['type']]: Sending<Extract<OutboundContent, { type: Type }>>
}

/** The server's functions for a kind of message. */
export interface Kind {
  /** Readers by Meta's `type` of a message. */
  readonly reads?: Readonly<Record<string, Reader>>
  /** Readers by `interactive.type` of a message whose `type` is `interactive`. They get `interactive` as `part`. */
  readonly readsInteractive?: Readonly<Record<string, Reader>>
  /** Senders by the type of the content in `OutboundContent`. */
  readonly sends?: Partial<Sendings>
}

export type Kinds = Partial<Record<MessageType, Kind>>
