import { shownValue } from '#server/whatsapp/scalars.ts'
import { idOf, type JsonObject, jsonObjectOf, readObjects, readSourceTime, readText } from './json.ts'
import type { Rows } from './rows.ts'

/** `file_type`, whose names the API says and whose numbers the database. */
const fileTypes = ['image', 'audio', 'video', 'file', 'location', 'fallback', 'share', 'story_mention', 'contact']
const attachmentsAtMost = 50
const factsMaxChars = 100_000

/** The time as a database writes it. */
export const databaseTime = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '')

const senderTypes: Readonly<Record<string, string>> = {
  user: 'User',
  agent_bot: 'AgentBot',
  contact: 'Contact',
}

const fileTypeOf = (value: unknown): number => {
  const place = fileTypes.indexOf(shownValue(value))
  return place === -1 ? (idOf(value) ?? (value === 0 ? 0 : 3)) : place
}

/** The address of a file. Undefined: it has none. @param base Chatwoot's address */
const fileAddress = (value: unknown, base: string): string | undefined => {
  const text = readText(value)
  if (!text || !URL.canParse(text, base)) return undefined
  const [url, own] = [new URL(text, base), new URL(base)]
  // Behind a proxy it may not know that it is reached by https.
  if (url.hostname === own.hostname && url.port === own.port) url.protocol = own.protocol
  return url.href
}

const nameOf = (address: string): string | null => {
  try {
    return decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '').slice(0, 300) || null
  } catch {
    return null
  }
}

function addAttachment(rows: Rows, one: JsonObject, { message, base }: { message: number; base: string }): void {
  const id = idOf(one.id)
  if (id === undefined) return
  rows.add('attachments', {
    id,
    message_id: message,
    file_type: fileTypeOf(one.file_type),
    fallback_title: one.fallback_title,
    coordinates_lat: one.coordinates_lat,
    coordinates_long: one.coordinates_long,
  })
  const address = fileAddress(one.data_url, base)
  if (address === undefined || fileTypeOf(one.file_type) > 3) return
  rows.add('active_storage_attachments', { record_type: 'Attachment', record_id: id, blob_id: id })
  rows.add('active_storage_blobs', {
    id,
    key: id,
    filename: nameOf(address),
    content_type: null,
    byte_size: idOf(one.file_size),
    address,
  })
}

interface Place {
  readonly account: string
  readonly conversation: number
  readonly base: string
}

/** Adds messages of one conversation with their files and authors. */
export function addMessages(rows: Rows, messages: readonly JsonObject[], { account, conversation, base }: Place): void {
  const timed = messages.flatMap(one => {
    const id = idOf(one.id)
    return id === undefined ? [] : [{ id, one, ms: readSourceTime(one.created_at) }]
  })
  timed.sort((a, b) => (a.ms ?? 0) - (b.ms ?? 0) || a.id - b.id)
  let last = Number.NaN
  let nth = 0
  for (const { id, one, ms } of timed) {
    // Times come in seconds: those of one second keep their order.
    nth = ms === last ? nth + 1 : 0
    last = ms ?? Number.NaN
    const at = ms === undefined ? readText(one.created_at) : databaseTime(ms + Math.min(nth, 999))
    const sender = jsonObjectOf(one.sender)
    const senderId = idOf(sender.id)
    const type = senderTypes[String(sender.type ?? one.sender_type).toLowerCase()] ?? readText(one.sender_type)
    const facts = JSON.stringify(jsonObjectOf(one.content_attributes))
    rows.add('messages', {
      id,
      account_id: account,
      conversation_id: conversation,
      inbox_id: one.inbox_id,
      content: one.content,
      message_type: one.message_type,
      created_at: at,
      updated_at: at,
      private: one.private,
      status: one.status,
      source_id: one.source_id,
      content_attributes: facts.length > factsMaxChars ? '{}' : facts,
      sender_type: type,
      sender_id: senderId,
    })
    if (senderId !== undefined && type === 'User')
      rows.add('users', { id: senderId, name: sender.name, display_name: sender.available_name })
    if (senderId !== undefined && type === 'AgentBot') rows.add('agent_bots', { id: senderId, name: sender.name })
    const attached = readObjects(one.attachments) ?? (one.attachment ? [jsonObjectOf(one.attachment)] : [])
    attached.sort((a, b) => (idOf(a.id) ?? 0) - (idOf(b.id) ?? 0))
    for (const file of attached.slice(0, attachmentsAtMost)) addAttachment(rows, file, { message: id, base })
  }
}
