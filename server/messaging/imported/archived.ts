import { archiveStates } from '#server/messaging/archive-states.ts'
import { newConversation } from '#server/messaging/conversations/conversations.ts'
import { listOwnNumbers } from '#server/messaging/conversations/rows/number-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import type { DirectoryParts } from '#server/messaging/directory/directory.ts'
import { conversationOf, findRowsOf } from '#server/messaging/messages/inbound/messages.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { createArchivedContacts } from './archived-contacts.ts'
import { createArchivedLabels } from './archived-labels.ts'
import { createArchivedMessages } from './archived-messages.ts'
import { listPeople } from './archived-store.ts'
import { type BeforeImport, lastOf } from './imported.ts'

export type { ArchivedMessage } from './archived-store.ts'

/** Authors can be matched to this many members. */
const maxPeople = 500

/** Contacts, conversations and messages of an archive, as history, and how they are removed again. */
export function createArchivedImports(parts: DirectoryParts) {
  const { clock, ids } = parts
  const newId = () => ids(clock.now().getTime())

  return {
    listPeople: (db: Db, orgId: string) => listPeople(db, orgId, maxPeople),
    ...createArchivedLabels({ clock, newId }),
    ...createArchivedContacts(parts),
    ...createArchivedMessages({ clock, newId }),

    /** The conversation of each contact on a number, archived where it is new. Unknown numbers are left out. */
    async openChats(
      { db, orgId }: OrgWrite,
      given: readonly { source: string; contactId: string; connectionId: string }[],
    ): Promise<{ source: string; contactId: string; conversationId: string; before: BeforeImport }[]> {
      const numbers = new Map((await listOwnNumbers(db, orgId)).map(number => [number.id, number]))
      const contactIds = [...new Set(given.map(({ contactId }) => contactId))]
      const rows = await findRowsOf(db, orgId, contactIds)
      const at = isoNow(clock)
      const fresh = new Set<string>()
      const opened = given.flatMap(({ source, contactId, connectionId }) => {
        const number = numbers.get(connectionId)
        if (!number) return []
        const key = conversationOf({ id: contactId }, number)
        let row = rows.get(key)
        const isNewConversation = !row
        if (!row) {
          const contact = { id: contactId, name: null, profileName: null, username: null, waId: null, bsuid: null }
          const none = { optOut: null, isGroup: false, blockedAt: null }
          row = {
            ...newConversation({ id: newId(), orgId, at, number, contact: { ...contact, ...none } }),
            archived: archiveStates.archived,
          }
          rows.set(key, row)
          fresh.add(key)
        }
        const before = { isNewContact: false, isNewConversation, name: null, last: lastOf(row) }
        return [{ source, contactId, conversationId: row.id, before }]
      })
      await saveConversations(
        db,
        [...fresh].flatMap(key => rows.get(key) ?? []),
        { orgId },
      )
      return opened
    },
  }
}

export type ArchivedImports = ReturnType<typeof createArchivedImports>
