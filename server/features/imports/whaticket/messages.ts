import type { ArchiveRecord } from '#server/messaging/archive/records.ts'
import type { MessageType } from '#shared/inbox/message-kinds.ts'
import type { DumpRow } from '../dump/row.ts'
import { dumpTime } from '../dump/time.ts'
import type { WhaticketTables } from './tables.ts'

type MessageRecord = ArchiveRecord<'messages'>

/** The longest text of a message, as WhatsApp allows. */
const textMaxChars = 65_536
/** The number of recent message ids kept for quotes in forks whose ids are not WhatsApp's. */
const quotesRemembered = 50_000
/** `ack`: 0 waits, 1 sent, 2 delivered, 3 read, 4 played, -1 failed. Forks often never write more than 0. */
const statuses = ['sent', 'sent', 'delivered', 'read', 'read'] as const

/** `mediaType`, which the libraries name differently: `image`, `imageMessage`, `ptt`, `application`. */
const typeOf = (mediaType: string): MessageType => {
  if (/^image/i.test(mediaType)) return 'image'
  if (/^video/i.test(mediaType)) return 'video'
  if (/^(?:ptt|voice)/i.test(mediaType)) return 'voice'
  if (/^audio/i.test(mediaType)) return 'audio'
  return /^sticker/i.test(mediaType) ? 'sticker' : 'document'
}
const mimes: Partial<Record<MessageType, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/ogg',
  voice: 'audio/ogg',
  sticker: 'image/webp',
}

const place = /[?&](?:q|ll)=(-?\d{1,3}(?:\.\d+)?)(?:,|%2C)\s*(-?\d{1,3}(?:\.\d+)?)/i
/** `data:image/png;base64,…|https://maps.google.com/maps?q=-34.6%2C-58.4&z=17&hl=es|Local` */
const locationIn = (body: string) => {
  const match = place.exec(body)
  const [latitude, longitude] = [Number(match?.[1]), Number(match?.[2])]
  if (!match || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined
  const name = body.split('|').at(2)?.trim().slice(0, 300)
  return { latitude, longitude, ...(name ? { name } : {}) }
}

const cardLine = (name: string) => new RegExp(`^(?:item\\d+\\.)?${name}[^:\\n]*:(.+)$`, 'gim')
const linesOf = (card: string, name: string): string[] =>
  [...card.matchAll(cardLine(name))].flatMap(([, value = '']) => value.trim().slice(0, 200) || []).slice(0, 10)
const contactIn = (body: string) => {
  if (!/BEGIN:VCARD/i.test(body)) return undefined
  return { name: linesOf(body, 'FN')[0] ?? '', phones: linesOf(body, 'TEL'), emails: linesOf(body, 'EMAIL') }
}

/** Whaticket puts the agent's name in front of what they write: `*Marta:*` and a new line. */
const signature = /^\*([^*\n]{1,80}):\*\s*\n/

/** Rows of `Messages` and of notes as records. @param pathOf of a file by its address below `public/` */
export function createMessages(tables: WhaticketTables, timeZone: string, pathOf: (address: string) => string) {
  const wamids = new Map<string, string>()
  const remember = (id: string, wamid: string) => {
    if (wamids.size >= quotesRemembered) wamids.delete(wamids.keys().next().value as string)
    wamids.set(id, wamid)
  }
  const named = new Map([...tables.users].map(([id, { name }]) => [name, id]))

  const personOf = (id: string | null, name: string | undefined): MessageRecord['author'] => {
    const known = (id && tables.users.has(id) ? id : undefined) ?? (name === undefined ? undefined : named.get(name))
    const shown = (known ? tables.users.get(known)?.name : undefined) ?? name
    if (known === undefined && shown === undefined) return { kind: 'phone', id: null, name: null }
    return { kind: 'person', id: known ?? null, name: shown?.slice(0, 200) ?? null }
  }

  const fileOf = (address: string, type: MessageType): NonNullable<MessageRecord['file']> => {
    const below = address.replace(/^https?:\/\/[^/]+\/(?:.*?public\/)?/i, '').split('?', 1)[0] as string
    const name = below.slice(below.lastIndexOf('/') + 1).slice(0, 300)
    const mime = mimes[type] ?? 'application/octet-stream'
    return { name: name || null, mime, size: null, sha256: null, path: pathOf(below).slice(0, 400) }
  }

  return {
    /** Undefined: its time is none. */
    recordOf(row: DumpRow, chat: string): MessageRecord | undefined {
      const at = dumpTime(row.get('createdAt'), timeZone)
      if (at === undefined) return undefined
      const changedAt = () => dumpTime(row.get('updatedAt'), timeZone) ?? at
      const id = (row.get('id') ?? '').slice(0, 100)
      // In later forks ids are numbers, and WhatsApp's id stands beside them.
      const wamid = (row.get('wid') ?? row.get('id') ?? '').slice(0, 300) || null
      if (wamid) remember(id, wamid)
      const isOurs = row.is('fromMe')
      const isDeleted = row.is('isDeleted')
      const ack = Number(row.get('ack') ?? 0)
      const status = !isOurs ? 'received' : ack < 0 ? 'failed' : (statuses[ack] ?? 'sent')
      const body = row.get('body') ?? ''
      const quoted = row.get('quotedMsgId')?.slice(0, 300)
      const mediaType = row.get('mediaType') ?? ''
      const address = isDeleted ? null : row.get('mediaUrl')
      const location = !address && /^location|^liveLocation/i.test(mediaType) ? locationIn(body) : undefined
      const card = !address && /^(?:vcard|contact)/i.test(mediaType) ? contactIn(body) : undefined
      const type = address ? typeOf(mediaType) : location ? 'location' : card ? 'contacts' : 'text'
      const file = address ? fileOf(address, type) : null
      // Without a caption the body is the name of the file.
      const isName = file !== null && (body === file.name || body === address)
      const text = location?.name ?? card?.name ?? (location || isName ? '' : body)
      return {
        id,
        conversation: chat,
        wamid,
        at,
        direction: isOurs ? 'out' : 'in',
        type,
        status,
        text: isDeleted ? '' : text.slice(0, textMaxChars),
        content: isDeleted ? null : location ? { location } : card ? { contacts: [card] } : null,
        sentAt: isOurs ? at : null,
        ...(status === 'failed' ? { failedAt: changedAt(), errorCode: 'unknown' } : {}),
        replyTo: quoted ? (wamids.get(quoted) ?? quoted) : null,
        author: isOurs ? personOf(row.get('userId'), signature.exec(body)?.[1]?.trim()) : null,
        editedAt: row.is('isEdited') ? changedAt() : null,
        deletedAt: isDeleted ? changedAt() : null,
        reactions: [],
        file,
      }
    },

    /** The note of a row of `TicketNotes`, which forks have. */
    noteOf(row: DumpRow, chat: string): MessageRecord | undefined {
      const at = dumpTime(row.get('createdAt'), timeZone)
      if (at === undefined) return undefined
      return {
        id: `note-${row.get('id') ?? ''}`.slice(0, 100),
        conversation: chat,
        wamid: null,
        at,
        direction: 'internal',
        type: 'note',
        status: 'sent',
        content: { note: { authorId: '', mentions: [] } },
        reactions: [],
        text: (row.get('note') ?? '').slice(0, textMaxChars),
        author: personOf(row.get('userId'), undefined),
      }
    },
  }
}
