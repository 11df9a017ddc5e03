import type { Database as SqliteDatabase } from 'better-sqlite3'
import { contactSearchText } from '#server/messaging/identifier.ts'
import { indexedAs } from '#server/messaging/search/contact-terms.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { analyze } from '#server/platform/db/sqlite/analyze.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { businessText, createDice, customerName, customerPhone, customerText, type Dice } from './seed-words.ts'

export interface Volume {
  readonly orgId: string
  readonly conversations: number
  /** The number of messages, at least one for each conversation. */
  readonly messages: number
  /** The same number gives the same names, texts and times before now. */
  readonly seed?: number
  /** Over how many days up to now the messages are spread. */
  readonly days?: number
  /** Contacts that the organization already has elsewhere: their numbers are not used again. */
  readonly contactsElsewhere?: number
}

export interface Sown {
  readonly conversations: number
  readonly messages: number
  /** Addresses of the chats, the one with the newest message first. */
  readonly phones: readonly string[]
}

const rowsPerTransaction = 100_000
const dayMs = 24 * 60 * 60 * 1000
const windowMs = dayMs

/** A conversation while it is filled. */
interface Chat {
  readonly id: string
  readonly contactId: string
  readonly phone: string
  createdAt: string
  messages: number
  unread: number
  lastInboundAt: string | null
  lastInboundWamid: string | null
  last: { seq: number; at: string; text: string; type: string; direction: string; status: string } | undefined
}

/** Writes the rows in transactions of a hundred thousand, so that the disk is synced once for each. */
const inBatches = (db: SqliteDatabase, count: number, write: (index: number) => void) => {
  for (let from = 0; from < count; from += rowsPerTransaction) {
    const to = Math.min(count, from + rowsPerTransaction)
    db.transaction(() => {
      for (let index = from; index < to; index += 1) write(index)
    }).immediate()
  }
}

/** The connection that gets the conversations: the organization's first one, otherwise a new, disconnected one. */
const numberOf = (db: SqliteDatabase, orgId: string, at: string): { id: string; kind: string } => {
  const known = db
    .prepare(
      'select id, kind from wa_connection where org_id = ? order by is_listed desc, disconnected_at is not null, created_at limit 1',
    )
    .get(orgId) as { id: string; kind: string } | undefined
  if (known) return known
  const id = newId()
  db.prepare(
    `insert into wa_connection (id, org_id, kind, phone_number_id, waba_id, phone, access_token_sealed, app_secret_sealed,
      verify_token_sealed, created_at, updated_at, disconnected_at) values (?, ?, 'cloud', '', '', '', '', '', '', ?, ?, ?)`,
  ).run(id, orgId, at, at, at)
  return { id, kind: 'cloud' }
}

/** Creates a contact for each conversation, after those that the organization already has. */
const sowContacts = (
  db: SqliteDatabase,
  { orgId, conversations, contactsElsewhere = 0 }: Volume,
  dice: Dice,
  startsAt: string,
): Chat[] => {
  const known =
    (db.prepare('select count(*) from contact where org_id = ?').pluck().get(orgId) as number) + contactsElsewhere
  const contact = db.prepare(
    'insert into contact (id, org_id, profile_name, wa_id, search, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const identity = db.prepare(
    "insert into contact_identity (org_id, kind, match_key, value, contact_id, seen_at) values (?, 'phone', ?, ?, ?, ?)",
  )
  const conversation = db.prepare(
    "insert into conversation (id, org_id, contact_id, connection_id, kind, control, last_activity_at, created_at) values (?, ?, ?, ?, ?, 'none', ?, ?)",
  )
  const number = numberOf(db, orgId, startsAt)
  const chats: Chat[] = []
  const names: { contactId: string; search: string }[] = []
  inBatches(db, conversations, index => {
    const [id, contactId, phone, profileName] = [newId(), newId(), customerPhone(known + index), customerName(dice)]
    const search = contactSearchText({ name: null, profileName, username: null }, [{ key: phone, value: phone }])
    contact.run(contactId, orgId, profileName, phone, search, startsAt, startsAt)
    names.push({ contactId, search })
    identity.run(orgId, phone, phone, contactId, startsAt)
    conversation.run(id, orgId, contactId, number.id, number.kind, startsAt, startsAt)
    chats.push({
      id,
      contactId,
      phone,
      createdAt: startsAt,
      messages: 0,
      unread: 0,
      lastInboundAt: null,
      lastInboundWamid: null,
      last: undefined,
    })
  })
  sowWords(db, orgId, names)
  return chats
}

const namesAtOnce = 500

/** Each statement adds one segment to the index. */
const sowWords = (db: SqliteDatabase, orgId: string, names: readonly { contactId: string; search: string }[]) => {
  db.prepare('insert into search_org (org_id) values (?) on conflict do nothing').run(orgId)
  const orgKey = db.prepare('select org_key from search_org where org_id = ?').pluck().get(orgId) as number
  const last = db.prepare('select coalesce(max(seq), 0) from contact_words').pluck().get() as number
  const insert = db.prepare(`insert into contact_words (contact_id, seq, org_id, words, numbers, terms)
    select value ->> 'contactId', value ->> 'seq', ?, value ->> 'words', value ->> 'numbers', value ->> 'terms' from json_each(?)`)
  inBatches(db, Math.ceil(names.length / namesAtOnce), batch => {
    const from = batch * namesAtOnce
    const rows = names
      .slice(from, from + namesAtOnce)
      .map(({ contactId, search }, i) => ({ contactId, seq: last + 1 + from + i, ...indexedAs(search, orgKey) }))
    insert.run(orgId, JSON.stringify(rows))
  })
}

interface Outcome {
  readonly status: string
  readonly sent: boolean
  readonly delivered: boolean
  readonly read: boolean
  readonly errorCode: string | null
}

/** Most of our messages are read; three in a hundred fail. */
const outcomeOf = (dice: Dice): Outcome => {
  const chance = dice.roll()
  const is = (status: string, reached: number, errorCode: string | null = null): Outcome => ({
    status,
    sent: reached > 0,
    delivered: reached > 1,
    read: reached > 2,
    errorCode,
  })
  if (chance < 0.74) return is('read', 3)
  if (chance < 0.92) return is('delivered', 2)
  if (chance < 0.97) return is('sent', 1)
  return is('failed', 0, dice.pick(['131026', '131047', '131049']))
}

const later = (at: number, seconds: number) => new Date(at + seconds * 1000).toISOString()

/**
 * Chooses a chat for each message: a few are busy and most are not, by the square of a uniform random number. Every chat
 * gets a first message, from the customer.
 */
const chatAt = (chats: readonly Chat[], dice: Dice, index: number): Chat =>
  chats[index < chats.length ? index : Math.floor(dice.roll() ** 2 * chats.length)] as Chat

const sowMessages = (db: SqliteDatabase, volume: Volume, chats: readonly Chat[], dice: Dice, now: number) => {
  const { orgId, messages, days = 180 } = volume
  const insert = db.prepare(
    `insert into message (id, org_id, conversation_id, wamid, direction, type, text, content, at, status, sent_at, delivered_at,
      read_at, failed_at, error_code, author_kind, author_name) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const stride = (days * dayMs) / messages
  const run = newId(now).slice(0, 9)
  inBatches(db, messages, index => {
    const chat = chatAt(chats, dice, index)
    const atMs = Math.floor(now - days * dayMs + (index + dice.roll()) * stride)
    const at = new Date(atMs).toISOString()
    const isInbound = chat.messages === 0 || dice.roll() < 0.52
    const hasPlace = isInbound && dice.roll() < 0.015
    const text = hasPlace ? '' : isInbound ? customerText(dice) : businessText(dice)
    const content = hasPlace ? '{"location":{"latitude":-34.6037,"longitude":-58.3816,"name":"Obelisco"}}' : null
    const type = hasPlace ? 'location' : 'text'
    const outcome = isInbound ? undefined : outcomeOf(dice)
    const wamid = outcome?.errorCode ? null : `wamid.${run}${String(index).padStart(9, '0')}`
    const status = outcome?.status ?? 'received'
    const seq = Number(
      insert.run(
        newId(atMs),
        orgId,
        chat.id,
        wamid,
        isInbound ? 'in' : 'out',
        type,
        text,
        content,
        at,
        status,
        outcome?.sent ? later(atMs, 1) : null,
        outcome?.delivered ? later(atMs, 3) : null,
        outcome?.read ? later(atMs, 90) : null,
        outcome?.errorCode ? later(atMs, 2) : null,
        outcome?.errorCode ?? null,
        isInbound ? null : 'person',
        isInbound ? null : 'Luis',
      ).lastInsertRowid,
    )
    note(chat, { seq, at, text, type, direction: isInbound ? 'in' : 'out', status }, wamid)
  })
}

const note = (chat: Chat, message: NonNullable<Chat['last']>, wamid: string | null) => {
  if (chat.messages === 0) chat.createdAt = message.at
  chat.messages += 1
  chat.last = message
  chat.unread = message.direction === 'in' ? chat.unread + 1 : 0
  if (message.direction !== 'in') return
  chat.lastInboundAt = message.at
  chat.lastInboundWamid = wamid
}

const previewChars = 280
/** A chat that ends with an older message of the customer counts as read. */
const unreadDays = 3

const closeConversations = (db: SqliteDatabase, chats: readonly Chat[], dice: Dice, now: number) => {
  const update = db.prepare(
    `update conversation set control = ?, archived = ?, unread = ?, window_closes_at = ?, last_activity_at = ?, last_message_seq = ?,
      last_message_at = ?, last_message_text = ?, last_message_type = ?, last_message_direction = ?, last_message_status = ?,
      last_inbound_wamid = ?, created_at = ? where id = ?`,
  )
  const unreadSince = new Date(now - unreadDays * dayMs).toISOString()
  inBatches(db, chats.length, index => {
    const chat = chats[index] as Chat
    const { last } = chat
    if (!last) return
    const isRecent = last.at >= unreadSince
    const closes = chat.lastInboundAt && new Date(Date.parse(chat.lastInboundAt) + windowMs).toISOString()
    update.run(
      isRecent && dice.roll() < 0.1 ? 'needsHuman' : dice.roll() < 0.4 ? 'human' : 'none',
      !isRecent && dice.roll() < 0.05 ? 1 : 0,
      isRecent ? chat.unread : 0,
      closes,
      last.at,
      last.seq,
      last.at,
      last.text.slice(0, previewChars),
      last.type,
      last.direction,
      last.status,
      chat.lastInboundWamid,
      chat.createdAt,
      chat.id,
    )
  })
}

/**
 * Fills an organization with customers, conversations and messages up to now, as fast as the disk takes them: prepared
 * statements in large transactions. Existing data stays. No live events, nothing leaves.
 */
export function seedVolume({ raw }: Pick<Databases, 'raw'>, volume: Volume, { clock }: { clock: Clock }): Sown {
  const db = raw.write
  const now = clock.now().getTime()
  const dice = createDice(volume.seed ?? 1)
  const cacheSize = db.pragma('cache_size', { simple: true })
  // Inserts hit the thread index at random places; with its pages cached a row costs microseconds instead of a disk read.
  db.pragma('cache_size = -512000')
  try {
    const startsAt = new Date(now - (volume.days ?? 180) * dayMs).toISOString()
    const messages = Math.max(volume.messages, volume.conversations)
    const chats = sowContacts(db, volume, dice, startsAt)
    sowMessages(db, { ...volume, messages }, chats, dice, now)
    closeConversations(db, chats, dice, now)
    analyze(db)
    db.pragma('wal_checkpoint(TRUNCATE)')
    const newest = chats.toSorted((a, b) => ((a.last?.seq ?? 0) < (b.last?.seq ?? 0) ? 1 : -1))
    return { conversations: chats.length, messages, phones: newest.map(chat => chat.phone) }
  } finally {
    db.pragma(`cache_size = ${cacheSize}`)
  }
}
