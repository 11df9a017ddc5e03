import type { ArchiveRecord } from '#server/messaging/archive/records.ts'
import type { MessageType } from '#shared/inbox/message-kinds.ts'
import type { DumpRow } from '../dump/row.ts'
import { dumpTime } from '../dump/time.ts'
import type { Attachment, ChatwootTables } from './tables.ts'

type MessageRecord = ArchiveRecord<'messages'>

/** The longest text of a message, as WhatsApp allows. */
const textMaxChars = 65_536
/** The number of recent message ids kept for quotes. Some versions do not name the quoted message's WhatsApp id. */
const quotesRemembered = 50_000
/** `message_type` */
const kinds = ['in', 'out', 'activity', 'template'] as const
/** `status` */
const statuses = ['sent', 'delivered', 'read', 'failed'] as const
/** `file_type` of an attachment */
const fileTypes: Readonly<Record<number, MessageType>> = { 0: 'image', 1: 'audio', 2: 'video', 3: 'document' }
const typeOfLocation = 4

interface ContentFacts {
  readonly in_reply_to?: unknown
  readonly in_reply_to_external_id?: unknown
  readonly deleted?: unknown
  readonly is_edited?: unknown
  readonly external_error?: unknown
  readonly items?: unknown
}

/** Rails writes the JSON of this column into a text of JSON. */
const factsIn = (json: string | null): ContentFacts => {
  try {
    const value = JSON.parse(json ?? '{}')
    const facts = typeof value === 'string' ? JSON.parse(value) : value
    return typeof facts === 'object' && facts !== null ? facts : {}
  } catch {
    return {}
  }
}

/** `[@Ana](mention://user/7/Ana)` */
const mention = /\[@([^[\]\n]{1,200})\]\(mention:\/\/[^)\s]{1,300}\)/g

/** Enumerations are numbers in the database and words in the API. */
const among = <T extends string>(all: readonly T[], value: string | null): T | undefined =>
  all.find((name, n) => value === name || value === String(n))

const isTrue = (value: unknown): boolean => value === true || value === 'true'

const textFrom = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 300) || undefined : undefined

/** Buttons and rows of lists, which a program sent along with the text. */
const titlesIn = ({ items }: ContentFacts): string[] =>
  (Array.isArray(items) ? items : []).slice(0, 30).flatMap(item => {
    const title = (item as { title?: unknown } | null)?.title
    return typeof title === 'string' && title ? [`• ${title.slice(0, 200)}`] : []
  })

const locationOf = ({ latitude, longitude, title }: Attachment) => {
  const [lat, long] = [Number(latitude), Number(longitude)]
  if (latitude === null || longitude === null || !(Math.abs(lat) <= 90 && Math.abs(long) <= 180)) return undefined
  return { latitude: lat, longitude: long, ...(title ? { name: title.slice(0, 300) } : {}) }
}

/** Rows of `messages` as records. A message with several files becomes several, the first of them with its text. */
export function createMessages(tables: ChatwootTables, timeZone: string, pathOf: (key: string) => string) {
  const wamids = new Map<string, string>()
  const remember = (id: string, wamid: string) => {
    if (wamids.size >= quotesRemembered) wamids.delete(wamids.keys().next().value as string)
    wamids.set(id, wamid)
  }

  const authorOf = (row: DumpRow, kind: (typeof kinds)[number]): MessageRecord['author'] => {
    if (kind === 'in') return null
    const [type, id] = [row.get('sender_type'), row.get('sender_id')]
    if (type === 'User' && id) return { kind: 'person', id, name: tables.users.get(id)?.name.slice(0, 200) || null }
    const name = type === 'AgentBot' && id ? (tables.bots.get(id)?.slice(0, 200) ?? null) : null
    return { kind: 'bot', id: null, name }
  }

  const nameOf = ({ id }: Attachment): string => tables.blobOf(id)?.name ?? ''

  const fileOf = ({ id, title }: Attachment): NonNullable<MessageRecord['file']> => {
    const blob = tables.blobOf(id)
    return {
      name: (blob?.name ?? title)?.slice(0, 300) ?? null,
      mime: (blob?.mime ?? 'application/octet-stream').slice(0, 200),
      size: blob?.size ?? null,
      sha256: null,
      path: blob?.key ? pathOf(blob.key).slice(0, 400) : null,
    }
  }

  return {
    /** Names of the files of a private note, which a note of ours cannot have. */
    filesOfNote(row: DumpRow): string[] {
      if (!row.is('private') || isTrue(factsIn(row.get('content_attributes')).deleted)) return []
      return tables.attachmentsOf(row.get('id') ?? '').flatMap(one => (one.type in fileTypes ? nameOf(one) : []))
    },

    /** Undefined: its time is none. `activity`: a notice of Chatwoot about the conversation. */
    recordsOf(row: DumpRow, chat: string): MessageRecord[] | 'activity' | undefined {
      const kind = among(kinds, row.get('message_type')) ?? 'in'
      if (kind === 'activity') return 'activity'
      const at = dumpTime(row.get('created_at'), timeZone)
      if (at === undefined) return undefined
      const changedAt = () => dumpTime(row.get('updated_at'), timeZone) ?? at
      const id = row.get('id') ?? ''
      const facts = factsIn(row.get('content_attributes'))
      const isNote = row.is('private')
      const isDeleted = isTrue(facts.deleted)
      const wamid = isNote ? null : (textFrom(row.get('source_id')) ?? null)
      if (wamid) remember(id, wamid)
      const direction = isNote ? 'internal' : kind === 'in' ? 'in' : 'out'
      const status =
        direction === 'in'
          ? 'received'
          : direction === 'internal'
            ? 'sent'
            : (among(statuses, row.get('status')) ?? 'sent')
      const error = status === 'failed' ? textFrom(facts.external_error) : undefined
      const quoted = textFrom(facts.in_reply_to_external_id) ?? wamids.get(textFrom(facts.in_reply_to) ?? '')
      const attached = isDeleted ? [] : tables.attachmentsOf(id)
      const places = attached.flatMap(one => (one.type === typeOfLocation ? (locationOf(one) ?? []) : []))
      const files = attached.filter(one => one.type in fileTypes)
      const others = attached.flatMap(one =>
        one.type in fileTypes || one.type === typeOfLocation ? [] : (one.title ?? []),
      )
      const content = (row.get('content') ?? '').replace(mention, '@$1')
      // A note of ours has no file: its name stands in the text.
      const noted = isNote ? files.map(nameOf) : []
      const text = [content, ...titlesIn(facts), ...others, ...noted].filter(Boolean).join('\n')
      const [first, ...more] = files
      const isPlace = !first && !isNote && places[0] !== undefined
      const own: MessageRecord = {
        id,
        conversation: chat,
        wamid,
        at,
        direction,
        status,
        type: isNote ? 'note' : first ? (fileTypes[first.type] as MessageType) : isPlace ? 'location' : 'text',
        text: isDeleted ? '' : text.slice(0, textMaxChars),
        content: isNote ? { note: { authorId: '', mentions: [] } } : isPlace ? { location: places[0] } : null,
        sentAt: direction === 'out' ? at : null,
        ...(status === 'failed'
          ? {
              failedAt: changedAt(),
              errorCode: /^\d{3,6}/.exec(error ?? '')?.[0] ?? 'unknown',
              errorDetail: error ?? null,
            }
          : {}),
        replyTo: quoted ?? null,
        author: authorOf(row, kind),
        editedAt: facts.is_edited === true ? changedAt() : null,
        deletedAt: isDeleted ? changedAt() : null,
        reactions: [],
        file: first && !isNote ? fileOf(first) : null,
      }
      if (isNote) return [own]
      return [
        own,
        ...more.map((one, n) => ({
          ...own,
          id: `${id}-${n + 2}`,
          wamid: null,
          type: fileTypes[one.type] as MessageType,
          text: '',
          content: null,
          replyTo: null,
          file: fileOf(one),
        })),
      ]
    },
  }
}
