import { ensureOutsideNumber } from '#server/identity/numbers/outside-number.ts'
import { seesAll, type Viewer } from '#server/identity/visibility/scope.ts'
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
import { type DirectoryParts, openDirectory } from '../contacts/contacts.ts'
import { identifierOfAddress } from '../contacts/identifier.ts'
import { newConversation, previewOf } from '../conversations/conversations.ts'
import { type ListRow, tagsOf } from '../conversations/list-row-store.ts'
import { saveConversations } from '../conversations/save-store.ts'
import { conversationOf, findRowsOf } from '../messages/inbound-messages.ts'
import { placeOf, presentConversation } from '../present.ts'
import { findMirrored } from './mirrored-store.ts'

/** A conversation as the system that keeps its messages tells it. */
export type Reported = Pick<
  Conversation,
  'phone' | 'name' | 'lastMessage' | 'unread' | 'archived' | 'windowClosesAt' | 'control'
>

interface MirrorParts extends DirectoryParts {
  readonly databases: Databases
  readonly writes: Pick<Writes, 'run'>
}

const actor = systemActor('upstream')

/** Texts as the database can store them. A conversation of the other system may hold anything. */
const cleanReport = (reported: Reported): Reported => ({
  ...reported,
  name: goodText(reported.name).slice(0, 200),
  lastMessage: reported.lastMessage && { ...reported.lastMessage, text: goodText(reported.lastMessage.text) },
})

/** What the row becomes. Unread counts are ours until a newer message comes; so are control and assignee. */
const reportedRow = (row: ListRow, { lastMessage, unread, archived, windowClosesAt, control }: Reported): ListRow => {
  const isNews = (lastMessage?.at ?? '') > (row.last_message_at ?? '')
  const givenControl = control === 'human' || control === 'needsHuman' ? control : row.control
  const last = lastMessage && {
    last_activity_at: lastMessage.at,
    last_message_at: lastMessage.at,
    last_message_text: previewOf(lastMessage.text),
    last_message_type: lastMessage.type,
    last_message_direction: lastMessage.direction,
    last_message_status: lastMessage.status,
  }
  return {
    ...row,
    ...(last && (isNews || lastMessage.at === row.last_message_at) ? last : {}),
    unread: isNews ? unread : row.unread,
    archived: Number(archived),
    window_closes_at: windowClosesAt,
    control: row.control === 'none' ? givenControl : row.control,
  }
}

const differs = (a: ListRow, b: ListRow): boolean =>
  Object.entries(b).some(([name, value]) => a[name as keyof ListRow] !== value)

/**
 * Rows of conversations whose messages another system keeps. Tags, notes, assignees, drafts and unread counts hang on
 * them like on any other; no message is stored.
 */
export function createMirror({ databases, writes, ...parts }: MirrorParts) {
  const write = async ({ db, orgId }: OrgWrite, conversations: readonly Reported[]): Promise<ListRow[]> => {
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
    const changed = new Map<string, ListRow>()
    for (const [i, reported] of conversations.entries()) {
      const contact = contacts[i] as (typeof contacts)[number]
      const key = conversationOf(contact, number)
      const before = changed.get(key) ?? known.get(key)
      const after = reportedRow(before ?? newConversation({ id: makeId(), orgId, at, contact, number }), reported)
      if (!before || differs(before, after)) changed.set(key, after)
    }
    const rows = [...changed.values()]
    if (rows.length) await saveConversations(db, rows, { orgId })
    return rows
  }

  const present = async (db: Db, orgId: string, rows: readonly ListRow[]): Promise<Conversation[]> => {
    const tags = await tagsOf(
      db,
      orgId,
      rows.map(row => row.contact_id),
    )
    return rows.map(row => presentConversation(row, tags.get(row.contact_id)))
  }

  const keyOf = (phone: string) => identifierOfAddress(phone)?.key ?? phone

  const rowsFor = async (viewer: Viewer, conversations: readonly Reported[]): Promise<Map<string, ListRow>> => {
    const found = await findMirrored(
      databases.read,
      viewer,
      conversations.map(({ phone }) => keyOf(phone)),
    )
    return new Map(found.map(({ match_key, ...row }) => [match_key, row as ListRow]))
  }

  return {
    /** The conversations as members see them, in the order in which they were reported; stores what is new of them. */
    async take(viewer: Viewer, conversations: readonly Reported[]): Promise<Conversation[]> {
      const { orgId } = viewer
      const clean = conversations.map(cleanReport)
      let rows = await rowsFor(viewer, clean)
      const news = clean.filter(reported => {
        const row = rows.get(keyOf(reported.phone))
        return (
          !row ||
          (reported.name !== row.profile_name && reported.name !== '') ||
          differs(row, reportedRow(row, reported))
        )
      })
      if (news.length) {
        await writes.run(orgId, actor, one => write(one, news))
        rows = await rowsFor(viewer, clean)
      }
      const shown = clean.flatMap(({ phone }) => rows.get(keyOf(phone)) ?? [])
      return present(databases.read, orgId, shown)
    },

    /** A message came or left: the row shows it, and open pages get both. */
    async takeMessage(orgId: string, phone: string, message: Message, news: { unread: boolean }): Promise<void> {
      await writes.run(orgId, actor, async one => {
        const [row] = await findMirrored(one.db, { orgId, scope: seesAll }, [keyOf(phone)])
        const { type, at, direction, status } = message
        if (!row || direction === 'internal') return
        const text = goodText(message.text)
        const reported: Reported = {
          phone,
          name: row.profile_name ?? '',
          lastMessage: { text, type, at, direction, status },
          unread: news.unread ? row.unread + 1 : row.unread,
          archived: news.unread ? false : row.archived === 1,
          windowClosesAt: row.window_closes_at,
          control: 'bot',
        }
        const { match_key: _, ...before } = row
        const after = reportedRow(before, reported)
        if (differs(before, after)) await saveConversations(one.db, [after], { orgId })
        const [conversation] = await present(one.db, orgId, [after])
        const { error, ...facts } = message
        const place = placeOf(after)
        one.emit({
          type: 'message.changed',
          data: { ...place, message: { ...facts, ...(error ? { error: { code: error.code } } : {}) } },
        })
        if (conversation) one.emit({ type: 'conversation.changed', data: { ...place, conversation } })
      })
    },
  }
}

export type Mirror = ReturnType<typeof createMirror>
