import { type Static, type TSchema, Type } from 'typebox'
import Schema from 'typebox/schema'
import { goodText } from '#server/platform/text/good-text.ts'
import { contactFieldKinds } from '#shared/contacts/fields.ts'
import { MessageType } from '#shared/inbox/message-kinds.ts'
import { Author, Message, MessageStatus } from '#shared/inbox/messages.ts'
import { Nullable } from '#shared/kernel/list.ts'
import { OptOut } from '#shared/opt-outs/api.ts'
import { archiveFormat } from './format.ts'

const short = (maxLength: number) => Type.String({ maxLength })
const Id = Type.String({ minLength: 1, maxLength: 100 })
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
const optional = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))

const Manifest = Type.Object({
  format: Type.Literal(archiveFormat),
  version: Type.Integer({ minimum: 1 }),
  madeAt: short(40),
  organization: Type.Object({ id: Id, name: short(200) }),
})
const NumberRecord = Type.Object({ id: Id, phone: short(30), label: optional(short(200)) })
const PersonRecord = Type.Object({ id: Id, name: short(200), email: short(320) })
const TagRecord = Type.Object({ label: Type.String({ minLength: 1, maxLength: 40 }), hue: Type.Integer() })
const FieldRecord = Type.Object({
  label: Type.String({ minLength: 1, maxLength: 40 }),
  kind: Type.Enum(contactFieldKinds),
  options: Type.Array(short(60), { maxItems: 30 }),
})
const ContactRecord = Type.Object({
  id: Id,
  name: optional(short(300)),
  profileName: optional(short(300)),
  username: optional(short(100)),
  waId: optional(short(40)),
  bsuid: optional(short(200)),
  otherId: optional(short(300)),
  note: optional(short(20_000)),
  optOut: optional(OptOut),
  blockedAt: optional(Time),
  blockedBy: optional(short(200)),
  tags: Type.Array(short(40), { maxItems: 100 }),
  fields: Type.Array(Type.Object({ label: short(40), value: short(500) }), { maxItems: 100 }),
})
const ConversationRecord = Type.Object({ id: Id, contact: Id, number: Id })
const MessageRecord = Type.Object({
  id: Id,
  conversation: Id,
  wamid: Nullable(Type.String({ minLength: 1, maxLength: 300 })),
  at: Time,
  direction: Type.Enum(['in', 'out', 'internal']),
  type: MessageType,
  text: short(70_000),
  content: Type.Unknown(),
  status: MessageStatus,
  sentAt: optional(Time),
  deliveredAt: optional(Time),
  readAt: optional(Time),
  failedAt: optional(Time),
  errorCode: optional(short(100)),
  errorDetail: optional(short(2_000)),
  replyTo: optional(short(300)),
  author: optional(Type.Object({ kind: Author.properties.kind, id: Nullable(short(100)), name: Nullable(short(200)) })),
  editedAt: optional(Time),
  deletedAt: optional(Time),
  reactions: Type.Array(Type.Object({ by: Type.Enum(['contact', 'us']), emoji: short(40), at: Time }), { maxItems: 2 }),
  file: optional(
    Type.Object({
      name: Nullable(short(300)),
      mime: short(200),
      size: Nullable(Type.Integer({ minimum: 0 })),
      sha256: Nullable(short(64)),
      path: Nullable(short(400)),
    }),
  ),
})

const schemas = {
  manifest: Manifest,
  numbers: NumberRecord,
  people: PersonRecord,
  tags: TagRecord,
  fields: FieldRecord,
  contacts: ContactRecord,
  conversations: ConversationRecord,
  messages: MessageRecord,
} as const
type Schemas = typeof schemas
export type ArchiveRecord<K extends keyof Schemas> = Static<Schemas[K]>

/** The schema with `nullable`, which only our serializer reads, as JSON Schema says it. */
const withNull = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withNull)
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, ...rest } = schema as { readonly nullable?: boolean }
  const plain = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withNull(value)]))
  return nullable ? { anyOf: [plain, { type: 'null' }] } : plain
}
const compiled = (schema: TSchema) => Schema.Compile(withNull(schema) as TSchema)

const checks = Object.fromEntries(Object.entries(schemas).map(([kind, schema]) => [kind, compiled(schema)]))
const shownMessage = compiled(Message)

/** A text that not every database can store: NUL, or a half of a surrogate pair. */
const oddEscape = /\\u(?:0000|[dD][89a-fA-F])/
const good = (_key: string, value: unknown) => (typeof value === 'string' ? goodText(value) : value)

/** Facts that a message has in columns of its own: content must not replace them. */
const ownFacts = new Set([
  ...['id', 'wamid', 'direction', 'type', 'text', 'at', 'status', 'error', 'unconfirmed', 'waiting', 'author'],
  ...['clientKey', 'replyTo', 'media', 'reactions', 'editedAt', 'revokedAt'],
])

/** Refuses content that a thread could not show, or that would replace a fact from another column. */
const isShowable = ({ id, wamid, direction, type, text, at, status, content }: ArchiveRecord<'messages'>): boolean => {
  if (content === null || content === undefined) return true
  if (typeof content !== 'object' || Array.isArray(content)) return false
  if (Object.keys(content).some(name => ownFacts.has(name))) return false
  return shownMessage.Check({ ...content, id, wamid, direction, type, text, at, status })
}

/** The record in a line. Undefined: it is none of this kind. Fields that are not known are left out by those who store it. */
export function readRecord<K extends keyof Schemas>(kind: K, line: string): ArchiveRecord<K> | undefined {
  let value: unknown
  try {
    value = oddEscape.test(line) ? JSON.parse(goodText(line), good) : JSON.parse(line)
  } catch {
    return undefined
  }
  if (!checks[kind]?.Check(value)) return undefined
  if (kind === 'messages' && !isShowable(value as ArchiveRecord<'messages'>)) return undefined
  return value as ArchiveRecord<K>
}
