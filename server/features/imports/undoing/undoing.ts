import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import {
  deleteChats,
  deleteMade,
  deleteSomeChats,
  deleteSomeContacts,
  listChats,
  listMade,
  type StoredChat,
} from '../chat-store.ts'
import { broughtNothing } from '../present.ts'
import { deleteImport, type StoredImport, updateImport } from '../store.ts'
import type { WorkParts } from '../work/parts.ts'
import { announceState } from '../work/state-changes.ts'

const undoneAtOnce = 50
const deletedAtOnce = 1_000
/** More than an organization can have. */
const labelsAtMost = 1_000
const by = systemActor('imports')

interface OfImport {
  readonly orgId: string
  readonly importId: string
}

/** Calls `undo` with one list after another, each in a commit of its own, until there are no more rows. */
async function undoInBatches<T>(
  { writes }: Pick<WorkParts, 'writes'>,
  orgId: string,
  list: () => Promise<readonly T[]>,
  undo: (write: OrgWrite, rows: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let rows = await list(); rows.length; rows = await list()) {
    await writes.run(orgId, by, write => undo(write, rows))
    await nextTurn()
  }
}

/** Deletes or restores the conversations that chats became. */
const undoChats = (parts: WorkParts, of: OfImport) =>
  undoInBatches(
    parts,
    of.orgId,
    () => listChats(parts.databases.read, of, { after: '', limit: undoneAtOnce }),
    async (write, chats: readonly StoredChat[]) => {
      for (const { conversation_id: conversationId, contact_id: contactId, before } of chats)
        if (conversationId && contactId && before)
          await parts.importedMessages.close(write, { conversationId, contactId, before })
      const sources = chats.map(({ source }) => source)
      await deleteChats(write.db, of, sources)
    },
  )

/** Deletes contacts that the import made, and takes what it added from others. */
const undoContacts = (parts: WorkParts, of: OfImport) =>
  undoInBatches(
    parts,
    of.orgId,
    () => listMade(parts.databases.read, of, { kind: 'contact', limit: undoneAtOnce }),
    async (write, made) => {
      const contacts = made.flatMap(({ target, added }) => (added ? { contactId: target, added } : []))
      await parts.archivedImports.closeContacts(write, contacts)
      const sources = made.map(({ source }) => source)
      await deleteMade(write.db, of, 'contact', sources)
    },
  )

/** Deletes the tags or fields that the import made. */
async function undoLabels(parts: WorkParts, of: OfImport, kind: 'tag' | 'field'): Promise<void> {
  const made = await listMade(parts.databases.read, of, { kind, limit: labelsAtMost })
  if (!made.length) return
  const ids = made.map(({ target }) => target)
  const sources = made.map(({ source }) => source)
  await parts.writes.run(of.orgId, by, async write => {
    await parts.archivedImports.closeLabels(write, { tagIds: [], fieldIds: [], [`${kind}Ids`]: ids })
    await deleteMade(write.db, of, kind, sources)
  })
}

/** Undoes conversations, contacts, tags and fields, after all messages were deleted. */
async function undoWhatCame(parts: WorkParts, of: OfImport): Promise<void> {
  await undoChats(parts, of)
  await undoContacts(parts, of)
  await undoLabels(parts, of, 'tag')
  await undoLabels(parts, of, 'field')
}

/** Deletes everything that is stored for an import. What it added stays. */
export async function removeImport(
  { pieces, writes }: Pick<WorkParts, 'pieces' | 'writes'>,
  orgId: string,
  importId: string,
): Promise<void> {
  await pieces.remove(orgId, importId)
  const of = { orgId, importId }
  for (const deleteSome of [deleteSomeChats, deleteSomeContacts])
    await inBatches(deletedAtOnce, limit => writes.run(orgId, by, ({ db }) => deleteSome(db, of, limit)))
  await writes.run(orgId, by, ({ db }) => deleteImport(db, orgId, importId))
}

/** Deletes the messages of an import and everything else that it added. */
export async function undoImport(
  parts: WorkParts,
  orgId: string,
  one: StoredImport,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { databases, clock, writes, pieces, importedMessages, removeFile } = parts
  for (;;) {
    const rows = await importedMessages.listSome(databases.read, orgId, one.id)
    if (!rows.length) break
    if (signal.aborted) return { kind: 'released' }
    for (const { path } of rows) if (path !== null) await removeFile(path)
    const ids = rows.map(({ id }) => id)
    await writes.run(orgId, by, write => importedMessages.deleteSome(write, ids))
    await nextTurn()
  }
  await undoWhatCame(parts, { orgId, importId: one.id })
  await writes.run(orgId, by, async write => {
    await updateImport(write.db, orgId, one.id, { state: 'undone', failure: null, ended_at: isoNow(clock) })
    announceState(write, { id: one.id, state: 'undone' })
  })
  await pieces.remove(orgId, one.id)
  return undefined
}

/** Forgets an import that was given up. Where it brought messages, everything that it added stays. */
export async function discardImport(parts: WorkParts, orgId: string, one: StoredImport): Promise<undefined> {
  if (broughtNothing(one)) await undoWhatCame(parts, { orgId, importId: one.id })
  await removeImport(parts, orgId, one.id)
}
