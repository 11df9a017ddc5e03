import type { TSchema } from 'typebox'
import type { MessageType, OutboundContent } from '#shared/inbox/message-kinds.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'
import type { InboundContent } from '../inbound.ts'
import type { Json } from '../scalars.ts'

/**
 * Reads a message of Meta's. `part` is what stands under the name of its type, empty where nothing does; undefined when
 * what we need is missing.
 */
export type Reader = (part: Json, message: Json) => InboundContent | undefined

/** How the thread shows what is sent; the same shape as what comes in. */
export type Shown = Omit<InboundContent, 'media'>

/** An `interactive` message as Meta takes it. The simulator refuses what does not fit and shows the rest on its phone. */
export interface InteractiveRules {
  /** Meta's name. */
  readonly type: string
  /** Of the whole of `interactive`. */
  readonly schema: TSchema
  /** What the customer sees of it. */
  seen(interactive: Json): { readonly text: string; readonly header?: string; readonly footer?: string }
}

/** How our call that sends asks for it. */
export interface Asked<Content> {
  /** The `type` of its body. */
  readonly type: string
  /** Pure. @throws InvalidInput naming the field */
  read(body: Body): Content
  /** The demo sends it where its story has no message of the kind. */
  readonly example: Body
}
type Body = Omit<SendMessage, 'type' | 'numberTel'>

/** How one kind of content is sent. */
export interface Sending<Content> {
  readonly asked?: Asked<Content>
  /** Absent: it is no message of its own, or whoever makes it knows. */
  shown?(content: Content): Shown
  /** Meta's type and its part. `uploadedId`: Meta's id of the file, where one is sent. */
  part(content: Content, uploadedId: string | undefined): Json & { readonly type: string }
  /** Where it is an `interactive` message whose rules stand here and not in the simulator. */
  readonly interactive?: InteractiveRules
}

export type Sendings = {
  readonly [Type in OutboundContent['type']]: Sending<Extract<OutboundContent, { type: Type }>>
}

/** What the server does with a kind of message. */
export interface Kind {
  /** By Meta's name of the type: more than one where Meta has several names. */
  readonly reads?: Readonly<Record<string, Reader>>
  /** By the type of an `interactive` message; `part` is all of `interactive`. */
  readonly readsInteractive?: Readonly<Record<string, Reader>>
  /** By the type of what is sent. */
  readonly sends?: Partial<Sendings>
}

export type Kinds = Partial<Record<MessageType, Kind>>
