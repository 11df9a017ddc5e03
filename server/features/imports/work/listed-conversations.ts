import { setImmediate as nextTurn } from 'node:timers/promises'
import { checksumText } from '#server/messaging/archive/checksum.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import { insertChats, listChats } from '../chat-store.ts'
import { idOf } from '../chatwoot/api/json.ts'
import type { Conversations } from '../chatwoot/api/pages.ts'
import { isRow } from '../dump/lines.ts'
import { openDump } from '../dump/open.ts'
import type { StoredImport } from '../store.ts'
import type { WorkParts } from './parts.ts'

const listedAtOnce = 1_000
/** One run asks for the messages of no more. */
const readAtOnce = 40
const by = systemActor('imports')

/** Ids as texts that have the same order. */
const sourceOf = (id: number): string => String(id).padStart(String(Number.MAX_SAFE_INTEGER).length, '0')

/** Conversations as chats of the import without names, until it is looked through. */
export function createListedConversations(
  { databases, pieces, writes }: Pick<WorkParts, 'databases' | 'pieces' | 'writes'>,
  orgId: string,
  one: StoredImport,
): Conversations {
  const of = { orgId, importId: one.id }
  return {
    async list(from, to) {
      const bytes = await pieces.open(orgId, one)
      const part = { size: to - from, read: (start: number, end: number) => bytes.read(from + start, from + end) }
      const ids = new Set<number>()
      // A part without rows is no dump.
      if (to > from)
        for await (const row of (await openDump(part)).rows(['conversations'])) {
          const id = isRow(row) ? idOf(row.get('id')) : undefined
          if (id !== undefined) ids.add(id)
        }
      const rows = [...ids].map(id => ({ source: sourceOf(id), name: '', found: 0, foundSum: checksumText(0n) }))
      for (let first = 0; first < rows.length; first += listedAtOnce) {
        await writes.run(orgId, by, ({ db }) => insertChats(db, rows.slice(first, first + listedAtOnce), of))
        await nextTurn()
      }
      return rows.length
    },
    async after(id) {
      const rows = await listChats(databases.read, of, { after: sourceOf(id), limit: readAtOnce })
      return rows.map(({ source }) => Number(source))
    },
  }
}
