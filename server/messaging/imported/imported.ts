import { archiveStates } from '#server/messaging/archive-states.ts'
import { emitChanged } from '#server/messaging/conversations/changes/emit-changed.ts'
import { newConversation, setLastMessage } from '#server/messaging/conversations/conversations.ts'
import { findRows, type ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { listOwnNumbers } from '#server/messaging/conversations/rows/number-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import { conversationRef } from '#server/messaging/conversations/shown/present.ts'
import { type DirectoryParts, openDirectory } from '#server/messaging/directory/directory.ts'
import { conversationOf, findRowsOf } from '#server/messaging/messages/inbound/messages.ts'
import type { Db } from '#server/platform/db/database.ts'
import { requireRoomFor } from '#server/platform/db/row-limits-store.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { Activity } from '#shared/inbox/activity.ts'
import {
  deleteBareContact,
  deleteConversation,
  deleteImported,
  findEndOf,
  findIds,
  hasAnyMessage,
  hasMessage,
  type ImportedMessage,
  insertImported,
  lastColumns,
  listBetween,
  listOfImport,
  saveKnownSince,
  saveLast,
} from './store.ts'

export type { OwnNumber } from '#server/messaging/conversations/rows/number-store.ts'
export type { ImportedMessage } from './store.ts'

/** The rows that an import created, and the list row of its conversation before. */
export interface BeforeImport {
  readonly isNewContact: boolean
  readonly isNewConversation: boolean
  /** The name that a new contact got. */
  readonly name: string | null
  readonly last: Readonly<Record<(typeof lastColumns)[number], string | number | null>>
}

interface ImportPlace {
  readonly importId: string
  readonly conversationId: string
}

const minuteMs = 60_000
/** Our messages that are compared with a batch, which spans as long as people take to write a hundred messages. */
const maxCompared = 1_000
const removedAtOnce = 200

export const lastOf = (row: ListRow) =>
  Object.fromEntries(lastColumns.map(name => [name, row[name]])) as BeforeImport['last']

const alikeKey = ({ at, direction, text }: Pick<ImportedMessage, 'at' | 'direction' | 'text'>): string =>
  JSON.stringify([Math.floor(Date.parse(at) / minuteMs), direction, text.trim()])

/**
 * Messages of another program, as history: they open no window, are not unread, start nothing, and no figure counts
 * them. They can be found, are deleted with age and with their contact, and can be removed as a whole.
 */
export function createImportedMessages(parts: DirectoryParts) {
  const findRow = async (db: Db, orgId: string, id: string): Promise<ListRow | undefined> =>
    (await findRows.byId(db, [id], { orgId }))[0]

  return {
    /** The numbers that a chat can belong to. */
    listNumbers: listOwnNumbers,

    /**
     * The conversation with this customer on one of our numbers. A new one is archived, so that it does not appear as
     * work. @throws APP_TOO_MANY_KEPT. Undefined: the number is none of ours any more.
     */
    async open(
      { db, orgId }: OrgWrite,
      { waId, name, connectionId }: { waId: string; name: string | null; connectionId: string },
    ): Promise<{ conversationId: string; contactId: string; before: BeforeImport } | undefined> {
      const number = (await listOwnNumbers(db, orgId)).find(({ id }) => id === connectionId)
      if (!number) return undefined
      const sender = { waId }
      const directory = await openDirectory(db, orgId, [sender], parts)
      const contact = directory.ensure(sender)
      if (contact.isNew && name !== null) Object.assign(contact, { name, changed: true })
      await requireRoomFor(db, orgId, 'contacts', directory.countNew())
      await directory.save()
      const known = (await findRowsOf(db, orgId, [contact.id])).get(conversationOf(contact, number))
      const at = isoNow(parts.clock)
      const id = parts.ids(parts.clock.now().getTime())
      const row = known ?? {
        ...newConversation({ id, orgId, at, contact, number }),
        archived: archiveStates.archived,
      }
      if (!known) await saveConversations(db, [row], { orgId })
      const isNew = { isNewContact: contact.isNew, isNewConversation: !known }
      const before = { ...isNew, name: contact.isNew ? name : null, last: lastOf(row) }
      return { conversationId: row.id, contactId: contact.id, before }
    },

    /** Ids of those of these messages that the conversation has, imported earlier or sent and received here. */
    async findKnown(
      db: Db,
      orgId: string,
      conversationId: string,
      messages: readonly ImportedMessage[],
    ): Promise<Set<string>> {
      const known = new Set(
        (
          await findIds(
            db,
            messages.map(({ id }) => id),
            { orgId },
          )
        ).map(({ id }) => id),
      )
      const times = messages.map(({ at }) => at).sort()
      const [first, last] = [times[0], times.at(-1)]
      if (first === undefined || last === undefined) return known
      const from = new Date(Date.parse(first) - minuteMs).toISOString()
      const to = new Date(Date.parse(last) + minuteMs).toISOString()
      const own = await listBetween(db, orgId, { conversationId, from, to, limit: maxCompared })
      const alike = new Set(
        own.map(row => alikeKey({ ...row, direction: row.direction as ImportedMessage['direction'] })),
      )
      for (const message of messages) if (message.text && alike.has(alikeKey(message))) known.add(message.id)
      return known
    },

    /** Stores messages. Returns the ids of those that are new. */
    async store(
      { db, orgId }: OrgWrite,
      place: ImportPlace,
      messages: readonly ImportedMessage[],
    ): Promise<Set<string>> {
      const rows = await insertImported(db, messages, { orgId, ...place })
      return new Set(rows.map(({ id }) => id))
    },

    /** Once all messages are stored: marks where they begin, and shows the last one in the list. */
    async finish(
      write: OrgWrite,
      place: ImportPlace,
      { count, isNewContact, by, source }: { count: number; isNewContact: boolean } & Pick<Activity, 'by' | 'source'>,
    ) {
      const { db, orgId, emit } = write
      const row = await findRow(db, orgId, place.conversationId)
      const newest = await findEndOf(db, orgId, place, 'desc')
      const oldest = await findEndOf(db, orgId, place, 'asc')
      if (!row || !newest || !oldest) return
      const activity: Activity = { kind: 'imported', by, ...(source ? { source } : {}) }
      const mark: ImportedMessage = {
        id: `import-mark-${place.importId}-${place.conversationId}`,
        direction: 'internal',
        type: 'activity',
        text: '',
        content: JSON.stringify({ activity }),
        status: 'sent',
        authorKind: null,
        authorName: null,
        at: new Date(Date.parse(oldest.at) - 1).toISOString(),
        editedAt: null,
        revokedAt: null,
      }
      await insertImported(db, [mark], { orgId, ...place })
      if (isNewContact) await saveKnownSince(db, orgId, row.contact_id, oldest.at)
      setLastMessage(row, newest)
      await saveLast(db, orgId, row.id, lastOf(row))
      emit({ type: 'message.imported', data: { ...conversationRef(row), count } })
      await emitChanged(write, [row])
    },

    /** Some messages of an import with their files. Empty: none are left. */
    listSome: (db: Db, orgId: string, importId: string) => listOfImport(db, orgId, importId, removedAtOnce),

    /** Deletes messages. Delete their files first: after a crash in between, the rows still name those that are left. */
    deleteSome: ({ db, orgId }: OrgWrite, ids: readonly string[]): Promise<number> => deleteImported(db, orgId, ids),

    /** Once all are removed: the list shows what it showed before, and what the import made new is deleted if nobody used it. */
    async close(
      write: OrgWrite,
      { conversationId, contactId, before }: { conversationId: string; contactId: string; before: BeforeImport },
    ): Promise<void> {
      const { db, orgId } = write
      const row = await findRow(db, orgId, conversationId)
      if (!row) return
      if (before.isNewConversation && !(await hasAnyMessage(db, orgId, conversationId))) {
        await deleteConversation(db, orgId, conversationId)
        if (before.isNewContact) await deleteBareContact(db, orgId, contactId, before.name)
        return
      }
      if (row.last_message_seq === null || (await hasMessage(db, orgId, row.last_message_seq))) return
      Object.assign(row, before.last)
      await saveLast(db, orgId, conversationId, before.last)
      await emitChanged(write, [row])
    },
  }
}

export type ImportedMessages = ReturnType<typeof createImportedMessages>
