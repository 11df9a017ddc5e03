import { seesAll, type Viewer } from '#server/identity/visibility/scope.ts'
import { previewText } from '#server/messaging/conversations/conversations.ts'
import { type ListRow, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import {
  conversationRef,
  nameOf,
  presentConversation,
  shortName,
} from '#server/messaging/conversations/shown/present.ts'
import type { DirectoryParts } from '#server/messaging/directory/directory.ts'
import { cancelAnswered } from '#server/messaging/scheduled-messages/changes.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { goodText } from '#server/platform/text/good-text.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { findMirrored, saveOutsideUnread } from './mirrored-store.ts'
import {
  cleanReport,
  differs,
  isNewsFor,
  matchKeyOf,
  type Reported,
  reportedRow,
  saysUnread,
  windowAfter,
} from './reported.ts'
import { storeReports } from './storing.ts'

/** A change of a message's status, without its text. */
interface MessageChange {
  readonly id: string
  readonly wamid: string | null
  readonly status: Message['status']
  readonly at: string
  readonly errorCode: string | null
  /** True while it is not known whether WhatsApp got the message. */
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

/**
 * Rows of conversations whose messages another system keeps. Tags, notes, assignees, drafts and unread counts hang on
 * them like on any other; no message is stored.
 */
export function createMirror({ databases, writes, ...parts }: MirrorParts) {
  const present = async (db: Db, orgId: string, rows: readonly ListRow[]): Promise<Conversation[]> => {
    const tags = await readTagsOfContacts(
      db,
      orgId,
      rows.map(row => row.contact_id),
    )
    return rows.map(row => presentConversation(row, tags.get(row.contact_id)))
  }

  const announce = async (write: OrgWrite, row: ListRow): Promise<void> => {
    const [conversation] = await present(write.db, write.orgId, [row])
    if (conversation) write.emit({ type: 'conversation.changed', data: { ...conversationRef(row), conversation } })
  }

  const rowsFor = async (viewer: Viewer, conversations: readonly Reported[]) => {
    const found = await findMirrored(
      databases.read,
      viewer,
      conversations.map(({ phone }) => matchKeyOf(phone)),
    )
    return new Map(
      found.map(({ match_key, outside_unread: unread, ...row }) => [match_key, { row: row as ListRow, unread }]),
    )
  }

  const emitShown = ({ emit }: OrgWrite, row: Parameters<typeof conversationRef>[0], { error, ...facts }: Message) => {
    const shown = { ...facts, ...(error ? { error: { code: error.code, at: facts.at } } : {}) }
    emit({ type: 'message.changed', data: { ...conversationRef(row), message: shown } })
  }

  return {
    /** The conversations as members see them, in the order in which they were reported; stores what is new of them. */
    async take(viewer: Viewer, conversations: readonly Reported[]): Promise<Conversation[]> {
      const { orgId } = viewer
      const clean = conversations.map(cleanReport)
      let rows = await rowsFor(viewer, clean)
      const news = clean.filter(reported => {
        const known = rows.get(matchKeyOf(reported.phone))
        return (
          !known ||
          (reported.name !== known.row.profile_name && reported.name !== '') ||
          (saysUnread(reported) && reported.unread !== known.unread) ||
          differs(known.row, reportedRow(known.row, known.unread, reported))
        )
      })
      if (news.length) {
        await writes.run(orgId, actor, write => storeReports(write, news, parts))
        rows = await rowsFor(viewer, clean)
      }
      // Two spellings of one number are one conversation.
      const shown = new Set(clean.flatMap(({ phone }) => rows.get(matchKeyOf(phone))?.row ?? []))
      return present(databases.read, orgId, [...shown])
    },

    /** Stores what is new of a conversation within a write, and tells open pages. Returns its row. */
    async takeOne(write: OrgWrite, conversation: Reported): Promise<ListRow | undefined> {
      const clean = cleanReport(conversation)
      const changed = await storeReports(write, [clean], parts)
      const [row] = await findMirrored(write.db, { orgId: write.orgId, scope: seesAll }, [matchKeyOf(clean.phone)])
      if (row && changed.length) await announce(write, row)
      return row
    },

    /** Makes the row of a customer of whom nothing but the number is known. */
    takeUnheard(write: OrgWrite, phone: string, name: string): Promise<ListRow | undefined> {
      return this.takeOne(write, { ...unheard, phone, name })
    },

    /**
     * A message came or left: the row shows it, and open pages get both. Nothing is stored of it. Returns whether there
     * is such a row.
     */
    async takeMessage(
      write: OrgWrite,
      phone: string,
      message: Message,
      { isUnread }: { isUnread: boolean },
    ): Promise<boolean> {
      const [row] = await findMirrored(write.db, { orgId: write.orgId, scope: seesAll }, [matchKeyOf(phone)])
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
        await saveOutsideUnread(write.db, [{ id: row.id, unread: theirs + 1 }], { orgId: write.orgId })
      if (differs(before, after)) await saveConversations(write.db, [after], { orgId: write.orgId })
      if (direction === 'in' && isUnread) await cancelAnswered(write, [after.id])
      emitShown(write, after, message)
      await announce(write, after)
      return true
    },

    /** A message was edited, deleted or reacted to, or its file has come: open pages get it. No row of the list changes. */
    async takeMessageChange(write: OrgWrite, phone: string, message: Message): Promise<void> {
      const [row] = await findMirrored(write.db, { orgId: write.orgId, scope: seesAll }, [matchKeyOf(phone)])
      if (row) emitShown(write, row, message)
    },

    /** The status of a message changed. The list shows it where this is the last one. */
    async takeStatus(write: OrgWrite, phone: string, change: MessageChange): Promise<void> {
      const [row] = await findMirrored(write.db, { orgId: write.orgId, scope: seesAll }, [matchKeyOf(phone)])
      if (!row) return
      const { id, wamid, status, at, errorCode, unconfirmed } = change
      write.emit({
        type: 'message.status',
        data: { ...conversationRef(row), id, wamid, status, at, isLast: false, errorCode, unconfirmed },
      })
    },

    /** A customer needs a person: the row waits, and everybody who may answer is notified. `message`: the other system's words. */
    async callPerson(write: OrgWrite, phone: string, message: string): Promise<void> {
      const row =
        (await findMirrored(write.db, { orgId: write.orgId, scope: seesAll }, [matchKeyOf(phone)]))[0] ??
        (await this.takeUnheard(write, phone, ''))
      if (!row) return
      const now = isoNow(parts.clock)
      const control = row.control === 'human' ? 'human' : 'needsHuman'
      const after: ListRow = { ...row, control, archived: 0, last_human_event_at: now }
      await saveConversations(write.db, [after], { orgId: write.orgId })
      const data = {
        ...conversationRef(after),
        name: shortName(nameOf(after)),
        reason: 'handedOver' as const,
        at: now,
      }
      write.emit({ type: 'conversation.personNeeded', data: { ...data, message: goodText(message).slice(0, 1000) } })
      await announce(write, after)
    },
  }
}

export type Mirror = ReturnType<typeof createMirror>
