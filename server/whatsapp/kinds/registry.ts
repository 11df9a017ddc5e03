import type { MessageType, OutboundContent, OutboundMessage } from '#shared/inbox/message-kinds.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'
import type { InboundContent } from '../inbound.ts'
import { asObject, asText, type Json } from '../scalars.ts'
import { answerKinds } from './answers.ts'
import { contactsKinds } from './contacts.ts'
import { eventKinds } from './events.ts'
import { fileKinds } from './files.ts'
import { interactiveKinds } from './interactive.ts'
import type { Asked, InteractiveRules, Kind, Reader, Sending, Sendings, Shown } from './kind.ts'
import { locationKinds } from './location.ts'
import { orderKinds } from './order.ts'
import { textKinds } from './text.ts'
import { unreadableKinds } from './unreadable.ts'

/** Every kind of message. One that is missing does not compile. */
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
  // What a template says is made of its components; messaging/templates does it.
  template: { sends: { template: { part: ({ template }) => ({ type: 'template', template }) } } },
  // These never come from WhatsApp and never go there.
  revoked: {},
  activity: {},
  note: {},
} satisfies Record<MessageType, Kind>

type SentBy<One> = One extends { readonly sends: infer Sends } ? keyof Sends : never
/** Does not compile while something can be sent that no kind sends. */
const isComplete: Exclude<OutboundContent['type'], SentBy<(typeof kinds)[MessageType]>> extends never ? true : never =
  true
void isComplete

/** What a call can ask for without any help of the product's. */
export type AskedContent = Exclude<OutboundMessage, { type: 'file' | 'linked' | 'template' }>
export type ShownContent = Exclude<OutboundMessage, { type: 'template' }>

/** @throws where two kinds claim the same name */
function byName<Value>(entries: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> {
  const found = new Map(entries)
  if (found.size < entries.length)
    throw new Error(`Two kinds of message claim a name: ${entries.map(([name]) => name)}`)
  return found
}

const all: readonly Kind[] = Object.values(kinds)
const readers = byName<Reader>(all.flatMap(({ reads = {} }) => Object.entries(reads)))
const interactiveReaders = byName<Reader>(all.flatMap(({ readsInteractive = {} }) => Object.entries(readsInteractive)))
const sendings = Object.assign({}, ...all.map(({ sends }) => sends)) as Sendings
const askedKinds: ReadonlyMap<string, Asked<AskedContent>> = byName(
  (Object.values(sendings) as Sending<AskedContent>[]).flatMap(({ asked }) =>
    asked ? [[asked.type, asked] as const] : [],
  ),
)
const interactiveRules = byName(
  Object.values(sendings).flatMap(({ interactive }) => (interactive ? [[interactive.type, interactive] as const] : [])),
)

/** The rules of an `interactive` message of this type, where its kind says them. */
export const rulesOfInteractive = (type: string): InteractiveRules | undefined => interactiveRules.get(type)

/** Meta's types of messages that are read. */
export const readableTypes: readonly string[] = [...readers.keys()]

/** What a message of this type says; undefined for a type there is none of, and where what we need is missing. */
export const readContent = (type: string, message: Json): InboundContent | undefined => {
  const part = asObject(message[type]) ?? {}
  const read = type === 'interactive' ? interactiveReaders.get(asText(part.type) ?? '') : readers.get(type)
  return read?.(part, message)
}

/** What a call of this `type` asks to send; undefined: no kind is asked for so. @throws InvalidInput naming the field */
export const readAsked = (type: string, body: SendMessage): AskedContent | undefined => askedKinds.get(type)?.read(body)

const sendingOf = <Content extends OutboundContent>({ type }: Content) => sendings[type] as Sending<Content>

/** How the thread shows what is sent; the same shapes as what comes in. */
export const shownOf = (content: ShownContent): Shown => {
  const shown = sendingOf(content).shown?.(content)
  if (!shown) throw new Error(`Nothing says how the thread shows ${content.type}`)
  return shown
}

/** Meta's type and its part, as they stand in the call that sends. `uploadedId`: of the file, where one is sent. */
export const partOf = (content: OutboundContent, uploadedId: string | undefined): Json & { readonly type: string } =>
  sendingOf(content).part(content, uploadedId)

/** A body for each kind that the call that sends can ask for, with the kind that the thread shows. */
export const listExamples = () =>
  [...askedKinds.values()].map(({ type, read, example }) => ({
    body: { type, ...example },
    kind: shownOf(read(example)).type,
  }))
