import { setImmediate as nextTurn } from 'node:timers/promises'
import { emitChanged } from '#server/messaging/conversations/changes/emit-changed.ts'
import { findRows } from '#server/messaging/conversations/rows/list-row-store.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import {
  clearLastMessages,
  deleteMessages,
  listConversationPage,
  listEmptied,
  listOldMessages,
} from './old-message-store.ts'

interface OldMessageParts {
  readonly databases: Databases
  readonly writes: Pick<Writes, 'run'>
  removeFile(path: string): Promise<void>
}

/** Number and size of messages before a time. */
interface OldCount {
  readonly messages: number
  readonly files: number
  readonly bytes: number
  /** Counting stopped at its limit; there are more. */
  readonly isMore: boolean
}

/** Counts and deletes messages that are older than an organization's retention time. */
export interface OldMessages {
  /** @param most stops counting after this many messages */
  count(orgId: string, before: string, most: number): Promise<OldCount>
  /**
   * Deletes messages in batches and calls `mayGoOn` before each. Returns the number of deleted messages, undefined if
   * `mayGoOn` stopped it. Emits `conversation.changed` for each conversation without messages.
   */
  remove(orgId: string, before: string, mayGoOn: () => Promise<boolean>): Promise<number | undefined>
}

const contactsPerPage = 100
/** Deleting this many blocks the single writer of SQLite for some ten milliseconds. */
const messagesPerCommit = 200

export function createOldMessages({ databases, writes, removeFile }: OldMessageParts): OldMessages {
  const by = systemActor('retention')

  const pages = async function* (orgId: string) {
    let after: string | undefined = ''
    while (after !== undefined) {
      const page = await listConversationPage(databases.read, orgId, { after, limit: contactsPerPage })
      if (page.ids.length) yield page.ids
      after = page.next
      await databases.turn.giveWay()
    }
  }

  /** Deletes the files first: after a crash in between, the rows still name the files that are left. */
  const removeBatch = async (orgId: string, conversationIds: readonly string[], before: string): Promise<number> => {
    const page = { conversationIds, before, limit: messagesPerCommit }
    const old = await listOldMessages(databases.read, orgId, page)
    if (!old.length) return 0
    for (const { path } of old) if (path !== null) await removeFile(path)
    return writes.run(orgId, by, ({ db }) =>
      deleteMessages(
        db,
        orgId,
        old.map(({ id }) => id),
      ),
    )
  }

  const emptyRows = async (orgId: string, conversationIds: readonly string[], before: string): Promise<void> => {
    const page = { conversationIds, before }
    if (!(await listEmptied(databases.read, orgId, page)).length) return
    await writes.run(orgId, by, async write => {
      const ids = await listEmptied(write.db, orgId, page)
      if (!ids.length) return
      await clearLastMessages(write.db, orgId, ids)
      await emitChanged(write, await findRows.byId(write.db, ids, { orgId }))
    })
  }

  return {
    async count(orgId, before, most) {
      let [messages, files, bytes] = [0, 0, 0]
      for await (const conversationIds of pages(orgId)) {
        const page = { conversationIds, before, limit: most + 1 - messages }
        const rows = await listOldMessages(databases.read, orgId, page)
        const isMore = messages + rows.length > most
        for (const { path, size } of isMore ? rows.slice(0, -1) : rows) {
          messages += 1
          if (path === null) continue
          files += 1
          bytes += size ?? 0
        }
        if (isMore) return { messages, files, bytes, isMore }
      }
      return { messages, files, bytes, isMore: false }
    },

    async remove(orgId, before, mayGoOn) {
      let total = 0
      for await (const conversationIds of pages(orgId)) {
        for (let gone = -1; gone !== 0; await nextTurn()) {
          if (!(await mayGoOn())) return undefined
          gone = await removeBatch(orgId, conversationIds, before)
          total += gone
        }
        await emptyRows(orgId, conversationIds, before)
      }
      return total
    },
  }
}
