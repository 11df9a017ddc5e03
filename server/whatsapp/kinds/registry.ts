import type { MessageType, OutboundContent, OutboundMessage } from '#shared/inbox/message-kinds.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'
import { asObject, asText, type Json } from '../scalars.ts'
import type { InboundContent } from '../webhooks/inbound.ts'
import { answerKinds } from './answers.ts'
import { contactsKinds } from './contacts.ts'
import { eventKinds } from './events.ts'
import { fileKinds } from './files.ts'
import { interactiveKinds } from './interactive.ts'
import type { ApiContent, InteractiveRules, Kind, Reader, Sending, Sendings, Shown } from './kind.ts'
import { locationKinds } from './location.ts'
import { orderKinds } from './order.ts'
import { textKinds } from './text.ts'
import { unreadableKinds } from './unreadable.ts'

/** The server's functions for each kind. A missing kind does not compile. */
const kinds = {
  ...textKinds,
  ...fileKinds,
  ...locationKinds,
  ...contactsKinds,
  ...interactiveKinds,
  ...answerKinds,
  ...orderKinds,
  ...eventKinds,
  ...unreadableKinds,
  // `messaging/templates` renders the text of a template from its components.
  template: { sends: { template: { part: ({ template }) => ({ type: 'template', template }) } } },
  // WhatsApp neither sends nor receives these.
  revoked: {},
  activity: {},
  note: {},
} satisfies Record<MessageType, Kind>

/** Content that `readAsked` reads from a request body alone. */
export type AskedContent = Exclude<OutboundMessage, { type: 'file' | 'linked' | 'template' }>
type ShownContent = Exclude<OutboundMessage, { type: 'template' }>

/** @throws when two kinds use the same name */
function byName<Value>(entries: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> {
  const found = new Map(entries)
  if (found.size < entries.length)
    throw new Error(`Two kinds of message use the same name: ${entries.map(([name]) => name)}`)
  return found
}

const all: readonly Kind[] = Object.values(kinds)
const readers = byName<Reader>(all.flatMap(({ reads = {} }) => Object.entries(reads)))
const interactiveReaders = byName<Reader>(all.flatMap(({ readsInteractive = {} }) => Object.entries(readsInteractive)))
/** Types of content that some kind sends. */
type SentBy<One> = One extends { readonly sends: infer Sends } ? keyof Sends & keyof Sendings : never
/** Senders by type of content. This does not compile when no kind sends a type of `OutboundContent`. */
const sendings = Object.assign({}, ...all.map(({ sends }) => sends)) as Pick<
  Sendings,
  SentBy<(typeof kinds)[MessageType]>
> satisfies Sendings
const askedKinds: ReadonlyMap<string, ApiContent<AskedContent>> = byName(
  (Object.values(sendings) as Sending<AskedContent>[]).flatMap(({ asked }) =>
    asked ? [[asked.type, asked] as const] : [],
  ),
)
const interactiveRules = byName(
  Object.values(sendings).flatMap(({ interactive }) => (interactive ? [[interactive.type, interactive] as const] : [])),
)

/** The rules for this type of `interactive` message. Undefined: no kind has rules for it. */
export const rulesOfInteractive = (type: string): InteractiveRules | undefined => interactiveRules.get(type)

/** Meta's message types that have a reader. */
export const readableTypes: readonly string[] = [...readers.keys()]

/** Reads a message of Meta's `type`. Undefined: the type has no reader, or a required field is missing. */
export const readContent = (type: string, message: Json): InboundContent | undefined => {
  const part = asObject(message[type]) ?? {}
  const read = type === 'interactive' ? interactiveReaders.get(asText(part.type) ?? '') : readers.get(type)
  return read?.(part, message)
}

/** Reads the content from a body with this `type`. Undefined: unknown type. @throws InvalidInput naming the field */
export const readAsked = (type: string, body: SendMessage): AskedContent | undefined => askedKinds.get(type)?.read(body)

const sendingOf = <Content extends OutboundContent>({ type }: Content) => sendings[type] as Sending<Content>

/** @throws Error for content that has no form in the thread, such as reactions */
export const shownContent = (content: ShownContent): Shown => {
  const shown = sendingOf(content).shown?.(content)
  if (!shown) throw new Error(`Content of type ${content.type} has no form in the thread`)
  return shown
}

/** Returns `type` and the field of that name for Meta's send call. @param uploadedId Meta's id of an uploaded file */
export const partOf = (content: OutboundContent, uploadedId: string | undefined): Json & { readonly type: string } =>
  sendingOf(content).part(content, uploadedId)

/** An example body for each `type` that `readAsked` knows, with the kind that the thread shows for it. */
export const listExamples = () =>
  [...askedKinds.values()].map(({ type, read, example }) => ({
    body: { type, ...example },
    kind: shownContent(read(example)).type,
  }))
