import type { Spill } from '#server/platform/db/sqlite/spill-store.ts'
import { digitsOf, isPhoneDigits } from '#shared/kernel/phone.ts'
import { keep, keepId, keptAtMost, requireRoom } from '../dump/kept.ts'
import type { Dump } from '../dump/open.ts'
import { readRows } from '../dump/read-rows.ts'
import type { DumpRow } from '../dump/row.ts'
import type { DumpAccount } from '../dump/source.ts'
import { withSpill } from '../dump/spill.ts'
import { dumpTime } from '../dump/time.ts'

/** A way in: a WhatsApp number, or a channel of a program that connects one. */
interface Inbox {
  readonly account: string
  readonly name: string
  /** Digits; empty: Chatwoot does not know the number. */
  readonly phone: string
  readonly isWhatsApp: boolean
}

export interface Attachment {
  readonly id: string
  readonly type: number
  readonly title: string | null
  readonly latitude: string | null
  readonly longitude: string | null
}

interface Blob {
  readonly key: string
  readonly name: string | null
  readonly mime: string | null
  readonly size: number | null
  /** The address of the file, if the API named it. */
  readonly address: string | null
}

/** The data that the rows of contacts, conversations and messages refer to. */
export interface ChatwootTables {
  readonly accounts: readonly DumpAccount[]
  readonly inboxes: ReadonlyMap<string, Inbox>
  readonly users: ReadonlyMap<string, { readonly name: string; readonly email: string }>
  /** Ids of users by account. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>
  readonly bots: ReadonlyMap<string, string>
  readonly labels: readonly { readonly account: string; readonly title: string; readonly color: string | null }[]
  readonly fields: readonly { readonly account: string; readonly key: string; readonly label: string }[]
  /** Contact of each conversation, `contact/inbox`. */
  chatOf(conversation: string): string | undefined
  /** The labels of a contact and of its conversations. */
  labelsOf(contact: string): string[]
  noteOf(contact: string): string | undefined
  /** The name that an inbox knows a contact by: digits, or an id of WhatsApp's. */
  sourceOf(contact: string): string | undefined
  attachmentsOf(message: string): readonly Attachment[]
  blobOf(attachment: string): Blob | undefined
  close(): void
}

/** All but contacts and messages, which are read row by row. */
const referred = [
  ...['accounts', 'account_users', 'users', 'agent_bots', 'inboxes', 'channel_whatsapp', 'channel_twilio_sms'],
  ...['contact_inboxes', 'labels', 'tags', 'taggings', 'notes', 'custom_attribute_definitions', 'conversations'],
  ...['attachments', 'active_storage_attachments', 'active_storage_blobs'],
]
/** The columns of a Chatwoot dump. Without these it is not one. */
const required: Readonly<Record<string, readonly string[]>> = {
  inboxes: ['id', 'channel_type'],
  contacts: ['id', 'phone_number'],
  conversations: ['id', 'contact_id', 'inbox_id'],
  messages: ['id', 'conversation_id', 'content', 'message_type', 'created_at'],
}
const noteMaxChars = 20_000
/** The length of a conversation's labels. */
const labelsMaxChars = 2_000
/**
 * The most rows that are read: of one contact its last chats, of one conversation its tags, of one message its files.
 */
const chatsLooked = 100
const tagsLooked = 20
const notesLooked = 20
const attachmentsLooked = 50

/** A comma in a name is written twice in quotes; none of ours has one. */
const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)

const numberOf = (text: string | null): number | null => (text && /^\d{1,15}$/.test(text) ? Number(text) : null)

/** Reads a dump once, to its end. @throws ImportStopped for one that is none of Chatwoot's, or is cut off */
export const readTables = (dump: Dump, signal: AbortSignal): Promise<ChatwootTables> =>
  withSpill(spill => fill(dump, spill, signal))

async function fill(dump: Dump, spill: Spill, signal: AbortSignal): Promise<ChatwootTables> {
  const accounts = new Map<string, { name: string; madeAt: string }>()
  const chats = new Map<string, number>()
  const members = new Map<string, Set<string>>()
  const users = new Map<string, { name: string; email: string }>()
  const bots = new Map<string, string>()
  const channels = new Map<string, string>()
  const inboxes = new Map<string, { account: string; name: string; kind: string; channel: string }>()
  const labels: { account: string; title: string; color: string | null }[] = []
  const fields: { account: string; key: string; label: string }[] = []
  const tags = new Map<string, string>()

  const takers: Readonly<Record<string, (row: DumpRow, id: string) => void>> = {
    accounts(row, id) {
      const made = row.get('created_at')
      // The API says it in milliseconds.
      keep(accounts, id, { name: row.get('name') ?? id, madeAt: dumpTime(made, 'UTC') ?? made ?? '' })
    },
    account_users(row) {
      const account = row.get('account_id') ?? ''
      if (!members.has(account)) keep(members, account, new Set())
      keepId(members.get(account) as Set<string>, row.get('user_id') ?? '', keptAtMost)
    },
    users(row, id) {
      const email = row.get('email') ?? ''
      // The API says of who wrote a message only the name.
      if (email || !users.has(id)) keep(users, id, { name: row.get('display_name') || row.get('name') || '', email })
    },
    agent_bots: (row, id) => keep(bots, id, row.get('name') ?? ''),
    channel_whatsapp: (row, id) => keep(channels, `Channel::Whatsapp/${id}`, row.get('phone_number') ?? ''),
    channel_twilio_sms(row, id) {
      // 1: WhatsApp
      if (/^(?:1|whatsapp)$/.test(row.get('medium') ?? '') || row.get('phone_number')?.startsWith('whatsapp:'))
        keep(channels, `Channel::TwilioSms/${id}`, row.get('phone_number') ?? '')
    },
    inboxes: (row, id) =>
      keep(inboxes, id, {
        account: row.get('account_id') ?? '',
        name: row.get('name') ?? '',
        kind: row.get('channel_type') ?? '',
        channel: row.get('channel_id') ?? '',
      }),
    contact_inboxes(row) {
      const source = row.get('source_id')?.replace(/^whatsapp:\+?/, '')
      const contact = row.get('contact_id')
      // A web widget knows people by a random id, which has letters.
      if (contact && source && (isPhoneDigits(source) || /@(?:g\.us|s\.whatsapp\.net|lid)$|^[A-Z]{2}\./.test(source)))
        spill.set('source', contact, source)
    },
    labels(row) {
      requireRoom({ size: labels.length })
      labels.push({ account: row.get('account_id') ?? '', title: row.get('title') ?? '', color: row.get('color') })
    },
    tags: (row, id) => keep(tags, id, row.get('name') ?? ''),
    taggings(row) {
      const [kind, of, tag] = [row.get('taggable_type'), row.get('taggable_id'), row.get('tag_id')]
      if (of && tag && (kind === 'Contact' || kind === 'Conversation'))
        spill.add(kind === 'Contact' ? 'contactTag' : 'chatTag', of, tag)
    },
    notes(row) {
      const contact = row.get('contact_id')
      const text = row.get('content')
      if (contact && text) spill.add('note', contact, text.slice(0, noteMaxChars))
    },
    custom_attribute_definitions(row) {
      const key = row.get('attribute_key')
      const label = row.get('attribute_display_name') || key
      requireRoom({ size: fields.length })
      if (row.get('attribute_model') === '1' && key && label)
        fields.push({ account: row.get('account_id') ?? '', key, label: label.slice(0, 40) })
    },
    conversations(row, id) {
      const [account, contact] = [row.get('account_id') ?? '', row.get('contact_id')]
      if (!contact) return
      keep(chats, account, (chats.get(account) ?? 0) + 1)
      spill.set('chat', id, `${contact}/${row.get('inbox_id') ?? ''}`)
      spill.add('chatsOf', contact, id)
      const cached = row.get('cached_label_list')
      if (cached) spill.add('label', contact, cached.slice(0, labelsMaxChars))
    },
    attachments(row, id) {
      const message = row.get('message_id')
      const [latitude, longitude] = [row.get('coordinates_lat'), row.get('coordinates_long')]
      const type = Number(row.get('file_type') ?? 3)
      const title = row.get('fallback_title')
      if (message)
        spill.add('attachment', message, JSON.stringify({ id, type, title, latitude, longitude } satisfies Attachment))
    },
    active_storage_attachments(row) {
      const [of, blob] = [row.get('record_id'), row.get('blob_id')]
      if (row.get('record_type') === 'Attachment' && of && blob) spill.set('blobOf', of, blob)
    },
    active_storage_blobs(row, id) {
      const blob: Blob = {
        key: row.get('key') ?? '',
        name: row.get('filename'),
        mime: row.get('content_type'),
        size: numberOf(row.get('byte_size')),
        address: row.get('address'),
      }
      spill.set('blob', id, JSON.stringify(blob))
    },
  }

  await readRows(dump, signal, { tables: referred, required, takers })
  const inboxOf = ({
    account,
    name,
    kind,
    channel,
  }: {
    account: string
    name: string
    kind: string
    channel: string
  }) => {
    const phone = digitsOf(channels.get(`${kind}/${channel}`) ?? '')
    // Programs that connect a phone by its QR code bring its chats in by Chatwoot's API channel.
    const isWhatsApp = kind === 'Channel::Whatsapp' || kind === 'Channel::Api' || channels.has(`${kind}/${channel}`)
    return { account, name, phone, isWhatsApp }
  }
  if (!accounts.size) for (const { account } of inboxes.values()) accounts.set(account, { name: '', madeAt: '' })
  return {
    accounts: [...accounts].map(([id, one]) => ({ id, ...one, chats: chats.get(id) ?? 0 })),
    inboxes: new Map([...inboxes].map(([id, one]) => [id, inboxOf(one)])),
    users,
    members,
    bots,
    labels,
    fields,
    chatOf: conversation => spill.get('chat', conversation),
    labelsOf(contact) {
      const ids = [
        ...spill.last('contactTag', contact, tagsLooked),
        ...spill.last('chatsOf', contact, chatsLooked).flatMap(id => spill.last('chatTag', id, tagsLooked)),
      ]
      const named = spill.last('label', contact, chatsLooked).flatMap(namesIn)
      return [...new Set([...named, ...ids.flatMap(id => tags.get(id) ?? [])])]
    },
    noteOf: contact => spill.last('note', contact, notesLooked).join('\n\n').slice(0, noteMaxChars) || undefined,
    sourceOf: contact => spill.get('source', contact),
    attachmentsOf: message =>
      spill.last('attachment', message, attachmentsLooked).map(one => JSON.parse(one) as Attachment),
    blobOf(attachment) {
      const blob = spill.get('blob', spill.get('blobOf', attachment) ?? '')
      return blob === undefined ? undefined : (JSON.parse(blob) as Blob)
    },
    close: () => spill.close(),
  }
}
