import { ensureOutsideNumber } from '#server/identity/numbers/outside-number.ts'
import { seesAll, type Viewer } from '#server/identity/visibility/scope.ts'
import { newConversation, previewText } from '#server/messaging/conversations/conversations.ts'
import { type ListRow, readTagsOfContacts } from '#server/messaging/conversations/list-row-store.ts'
import { conversationPlace, nameOf, presentConversation, shortName } from '#server/messaging/conversations/present.ts'
import { saveConversations } from '#server/messaging/conversations/save-store.ts'
import { type DirectoryParts, openDirectory } from '#server/messaging/directory/directory.ts'
import { identifierOfAddress } from '#server/messaging/identifier.ts'
import { conversationOf, findRowsOf } from '#server/messaging/messages/inbound-messages.ts'
import { placeIn } from '#server/messaging/place-in.ts'
import { cancelAnswered } from '#server/messaging/scheduled-messages/changes.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { requireRoomFor } from '#server/platform/db/row-limits-store.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { goodText } from '#server/platform/text/good-text.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { customerWindowMs } from '#shared/kernel/limits.ts'
import { findMirrored, saveOutsideUnread } from './mirrored-store.ts'

/** A conversation as the system that keeps its messages tells it. */
type Reported = Pick<
  Conversation,
  'phone' | 'name' | 'lastMessage' | 'unread' | 'archived' | 'windowClosesAt' | 'control'
>

/** A change of a message's status, without its text. */
interface MessageChange {
  readonly id: string
  readonly wamid: string | null
  readonly status: Message['status']
  readonly at: string
  readonly errorCode: string | null
  /** Whether WhatsApp got it is not known yet. */
  readonly unconfirmed: boolean
}

interface MirrorParts extends DirectoryParts {
  readonly databases: Databases
  readonly writes: Pick<Writes, 'run'>
}

const actor = systemActor('upstream')

/** A conversation of which nothing is known but its number. */
const unheard = {
  name: '',
  lastMessage: null,
  unread: 0,
  archived: false,
  windowClosesAt: null,
  control: 'bot' as const,
}

/** The window is open for a day after a customer's message. */
const windowAfter = (closesAt: string | null, at: string): string => {
  const closes = new Date(Date.parse(at) + customerWindowMs).toISOString()
  return closesAt !== null && closesAt > closes ? closesAt : closes
}

/** More is a fault of the other system, and a number that no column holds would fail every list with it. */
const mostUnread = 100_000

/** Values as the database can store them. A conversation of the other system may hold anything. */
const cleanReport = (reported: Reported): Reported => ({
  ...reported,
  name: goodText(reported.name).slice(0, 200),
  unread: Math.min(reported.unread, mostUnread),
  lastMessage: reported.lastMessage && { ...reported.lastMessage, text: goodText(reported.lastMessage.text) },
})

const isNewsFor = (row: ListRow, { lastMessage }: Pick<Reported, 'lastMessage'>): boolean =>
  (lastMessage?.at ?? '') > (row.last_message_at ?? '')

/**
 * The unread count here. The other system does not know what was read here, so only its increase is added. If its
 * count has fallen, somebody read there.
 */
const unreadAfter = (row: ListRow, theirs: number | null, unread: number): number =>
  theirs === null || unread < theirs ? unread : row.unread + unread - theirs

/**
 * The new row. Unread counts are ours until a newer message comes; so are control and assignee.
 * @param theirs what the other system counted as unread before; null if it never did
 */
const reportedRow = (row: ListRow, theirs: number | null, reported: Reported): ListRow => {
  const { lastMessage, unread, archived, windowClosesAt, control } = reported
  const isNews = isNewsFor(row, reported)
  const givenControl = control === 'human' || control === 'needsHuman' ? control : row.control
  const last = lastMessage && {
    last_activity_at: lastMessage.at,
    last_message_at: lastMessage.at,
    last_message_text: previewText(lastMessage.text),
    last_message_type: lastMessage.type,
    last_message_direction: lastMessage.direction,
    last_message_status: lastMessage.status,
  }
  return {
    ...row,
    ...(last && (isNews || lastMessage.at === row.last_message_at) ? last : {}),
    unread: isNews ? unreadAfter(row, theirs, unread) : row.unread,
    archived: archived ? placeIn.archived : isNews || row.archived !== placeIn.snoozed ? placeIn.open : placeIn.snoozed,
    window_closes_at: windowClosesAt,
    control: row.control === 'none' ? givenControl : row.control,
  }
}

/** A conversation of which only the number is known says nothing about what is unread. */
const saysUnread = ({ lastMessage }: Reported): boolean => lastMessage !== null

const keyOf = (phone: string) => identifierOfAddress(phone)?.key ?? phone

/** The customer wrote since. */
const isAnswered = (before: ListRow, after: ListRow): boolean =>
  after.last_message_direction === 'in' && (after.last_message_at ?? '') > (before.last_message_at ?? '')

const differs = (a: ListRow, b: ListRow): boolean =>
  Object.entries(b).some(([name, value]) => a[name as keyof ListRow] !== value)

/**
 * Rows of conversations whose messages another system keeps. Tags, notes, assignees, drafts and unread counts hang on
 * them like on any other; no message is stored.
 */
export function createMirror({ databases, writes, ...parts }: MirrorParts) {
  const write = async (one: OrgWrite, conversations: readonly Reported[]): Promise<ListRow[]> => {
    const { db, orgId } = one
    const at = isoNow(parts.clock)
    const makeId = () => parts.ids(parts.clock.now().getTime())
    const number = {
      id: await ensureOutsideNumber(db, orgId, { id: makeId(), at }),
      kind: 'cloud' as const,
      shownPhone: null,
    }
    const senders = conversations.map(({ phone, name }) => ({ waId: phone, profileName: name }))
    const directory = await openDirectory(db, orgId, senders, parts)
    const contacts = senders.map((sender, i) => directory.place(sender, conversations[i]?.lastMessage?.at ?? at))
    await requireRoomFor(db, orgId, 'contacts', directory.countNew())
    await directory.save()
    const known = await findRowsOf(
      db,
      orgId,
      contacts.map(contact => contact.id),
    )
    const mirrored = await findMirrored(
      db,
      { orgId, scope: seesAll },
      conversations.map(({ phone }) => keyOf(phone)),
    )
    const knownUnread = new Map(mirrored.map(row => [row.id, row.outside_unread]))
    const counted = new Map<string, number>()
    const changed = new Map<string, ListRow>()
    const answered: string[] = []
    for (const [i, reported] of conversations.entries()) {
      const contact = contacts[i] as (typeof contacts)[number]
      const key = conversationOf(contact, number)
      const before = changed.get(key) ?? known.get(key)
      const row = before ?? newConversation({ id: makeId(), orgId, at, contact, number })
      const unreadBefore = counted.get(row.id) ?? knownUnread.get(row.id) ?? null
      const after = reportedRow(row, unreadBefore, reported)
      if (saysUnread(reported) && reported.unread !== unreadBefore) counted.set(row.id, reported.unread)
      if (!before || differs(before, after)) changed.set(key, after)
      if (before && isAnswered(before, after)) answered.push(after.id)
    }
    const rows = [...changed.values()]
    if (rows.length) await saveConversations(db, rows, { orgId })
    await saveOutsideUnread(
      db,
      [...counted].map(([id, unread]) => ({ id, unread })),
      { orgId },
    )
    await cancelAnswered(one, answered)
    return rows
  }

  const present = async (db: Db, orgId: string, rows: readonly ListRow[]): Promise<Conversation[]> => {
    const tags = await readTagsOfContacts(
      db,
      orgId,
      rows.map(row => row.contact_id),
    )
    return rows.map(row => presentConversation(row, tags.get(row.contact_id)))
  }

  const announce = async (one: OrgWrite, row: ListRow): Promise<void> => {
    const [conversation] = await present(one.db, one.orgId, [row])
    if (conversation) one.emit({ type: 'conversation.changed', data: { ...conversationPlace(row), conversation } })
  }

  const rowsFor = async (viewer: Viewer, conversations: readonly Reported[]) => {
    const found = await findMirrored(
      databases.read,
      viewer,
      conversations.map(({ phone }) => keyOf(phone)),
    )
    return new Map(
      found.map(({ match_key, outside_unread: unread, ...row }) => [match_key, { row: row as ListRow, unread }]),
    )
  }

  const emitShown = (
    { emit }: OrgWrite,
    row: Parameters<typeof conversationPlace>[0],
    { error, ...facts }: Message,
  ) => {
    const shown = { ...facts, ...(error ? { error: { code: error.code, at: facts.at } } : {}) }
    emit({ type: 'message.changed', data: { ...conversationPlace(row), message: shown } })
  }

  return {
    /** The conversations as members see them, in the order in which they were reported; stores what is new of them. */
    async take(viewer: Viewer, conversations: readonly Reported[]): Promise<Conversation[]> {
      const { orgId } = viewer
      const clean = conversations.map(cleanReport)
      let rows = await rowsFor(viewer, clean)
      const news = clean.filter(reported => {
        const known = rows.get(keyOf(reported.phone))
        return (
          !known ||
          (reported.name !== known.row.profile_name && reported.name !== '') ||
          (saysUnread(reported) && reported.unread !== known.unread) ||
          differs(known.row, reportedRow(known.row, known.unread, reported))
        )
      })
      if (news.length) {
        await writes.run(orgId, actor, one => write(one, news))
        rows = await rowsFor(viewer, clean)
      }
      // Two spellings of one number are one conversation.
      const shown = new Set(clean.flatMap(({ phone }) => rows.get(keyOf(phone))?.row ?? []))
      return present(databases.read, orgId, [...shown])
    },

    /** Stores what is new of a conversation within a write, and tells open pages. Returns its row. */
    async takeOne(one: OrgWrite, conversation: Reported): Promise<ListRow | undefined> {
      const clean = cleanReport(conversation)
      const changed = await write(one, [clean])
      const [row] = await findMirrored(one.db, { orgId: one.orgId, scope: seesAll }, [keyOf(clean.phone)])
      if (row && changed.length) await announce(one, row)
      return row
    },

    /** Makes the row of a customer of whom nothing but the number is known. */
    takeUnheard(one: OrgWrite, phone: string, name: string): Promise<ListRow | undefined> {
      return this.takeOne(one, { ...unheard, phone, name })
    },

    /**
     * A message came or left: the row shows it, and open pages get both. Nothing is stored of it. Returns whether there
     * is such a row.
     */
    async takeMessage(
      one: OrgWrite,
      phone: string,
      message: Message,
      { isUnread }: { isUnread: boolean },
    ): Promise<boolean> {
      const [row] = await findMirrored(one.db, { orgId: one.orgId, scope: seesAll }, [keyOf(phone)])
      const { type, at, direction, status } = message
      if (!row || direction === 'internal') return row !== undefined
      const { match_key: _, outside_unread: lastUnread, ...before } = row
      const theirs = lastUnread ?? (row.last_message_at === null ? 0 : null)
      const text = goodText(message.text)
      // Many backends know seconds only. The same text is the message that the list already told.
      const isSecondOfItsTime = at === row.last_message_at && previewText(text) !== row.last_message_text
      const known = theirs ?? row.unread
      const reported: Reported = {
        phone,
        name: row.profile_name ?? '',
        lastMessage: { text, type, at, direction, status },
        unread: isUnread ? known + 1 : known,
        archived: isUnread ? false : row.archived === 1,
        windowClosesAt: isUnread ? windowAfter(row.window_closes_at, at) : row.window_closes_at,
        control: 'bot',
      }
      const shown = reportedRow(before, theirs, reported)
      const after = isUnread && isSecondOfItsTime ? { ...shown, unread: row.unread + 1 } : shown
      if (theirs !== null && isUnread && (isSecondOfItsTime || isNewsFor(before, reported)))
        await saveOutsideUnread(one.db, [{ id: row.id, unread: theirs + 1 }], { orgId: one.orgId })
      if (differs(before, after)) await saveConversations(one.db, [after], { orgId: one.orgId })
      if (direction === 'in' && isUnread) await cancelAnswered(one, [after.id])
      emitShown(one, after, message)
      await announce(one, after)
      return true
    },

    /** A message was edited, deleted or reacted to, or its file has come: open pages get it. No row of the list changes. */
    async takeMessageChange(one: OrgWrite, phone: string, message: Message): Promise<void> {
      const [row] = await findMirrored(one.db, { orgId: one.orgId, scope: seesAll }, [keyOf(phone)])
      if (row) emitShown(one, row, message)
    },

    /** The status of a message changed. The list shows it where this is the last one. */
    async takeStatus(one: OrgWrite, phone: string, change: MessageChange): Promise<void> {
      const [row] = await findMirrored(one.db, { orgId: one.orgId, scope: seesAll }, [keyOf(phone)])
      if (!row) return
      const { id, wamid, status, at, errorCode, unconfirmed } = change
      one.emit({
        type: 'message.status',
        data: { ...conversationPlace(row), id, wamid, status, at, isLast: false, errorCode, unconfirmed },
      })
    },

    /** A customer needs a person: the row waits, and everybody who may answer is notified. `message`: the other system's words. */
    async callPerson(one: OrgWrite, phone: string, message: string): Promise<void> {
      const row =
        (await findMirrored(one.db, { orgId: one.orgId, scope: seesAll }, [keyOf(phone)]))[0] ??
        (await this.takeUnheard(one, phone, ''))
      if (!row) return
      const now = isoNow(parts.clock)
      const control = row.control === 'human' ? 'human' : 'needsHuman'
      const after: ListRow = { ...row, control, archived: 0, last_human_event_at: now }
      await saveConversations(one.db, [after], { orgId: one.orgId })
      const data = {
        ...conversationPlace(after),
        name: shortName(nameOf(after)),
        reason: 'handedOver' as const,
        at: now,
      }
      one.emit({ type: 'conversation.personNeeded', data: { ...data, message: goodText(message).slice(0, 1000) } })
      await announce(one, after)
    },
  }
}

export type Mirror = ReturnType<typeof createMirror>
