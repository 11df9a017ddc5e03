import { setImmediate as nextTurn } from 'node:timers/promises'
import { checksumText } from '#server/messaging/archive/checksum.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import { insertChats, saveChats } from '../chat-store.ts'
import { createMaking, type Made } from '../reading/messages.ts'
import { findImport, type StoredImport, updateImport } from '../store.ts'
import { type ChatSource, openChatSource } from '../whatsapp/archive.ts'
import { isEntry, readEntries } from '../whatsapp/entries.ts'
import { readLines } from '../whatsapp/lines.ts'
import type { WorkParts } from './parts.ts'
import { finishImport } from './state-changes.ts'
import { ImportStopped } from './stopped.ts'
import { onlyChat, takeBatch } from './taking-batch.ts'

const filesPerCommit = 10
/** Entries between two commits, also where none of them is a message. */
const entriesPerCommit = 1_000
const entriesPerTurn = 200
const by = systemActor('imports')

/** Takes the messages of a chat in, some in each commit with the place behind them, so that it can stop anywhere. */
export function createTaking(parts: WorkParts) {
  const { clock, writes, pieces, importedMessages } = parts
  const { messagesAtOnce = 100 } = parts

  /** The conversation of the chat, opened once. */
  const openChat = async (orgId: string, one: StoredImport): Promise<StoredImport | undefined> => {
    if (one.conversation_id !== null) return one
    const { number: waId, ours, connectionId } = one.mapping
    if (waId === undefined || connectionId === undefined) throw new ImportStopped('numberGone')
    const named = one.found?.names.find(({ name }) => name !== ours)?.name
    const name = named && /\p{L}/u.test(named) ? named.slice(0, 100).toWellFormed() : null
    return writes.run(orgId, by, async write => {
      const now = await findImport(write.db, orgId, one.id)
      if (now?.state !== 'running') return undefined
      const opened = await importedMessages.open(write, { waId, name, connectionId })
      if (!opened) throw new ImportStopped('numberGone')
      const { conversationId, contactId, before } = opened
      const of = { orgId, importId: one.id }
      await insertChats(write.db, [{ source: onlyChat, name: named ?? '', found: 0, foundSum: checksumText(0n) }], of)
      await saveChats(write.db, [{ source: onlyChat, conversationId, contactId, before }], of)
      await updateImport(write.db, orgId, one.id, {
        conversation_id: conversationId,
        contact_id: contactId,
        before,
        taken: { ...now.taken, contacts: before.isNewContact ? 1 : 0 },
      })
      return findImport(write.db, orgId, one.id)
    })
  }

  const finish = (orgId: string, one: StoredImport) =>
    writes.run(orgId, by, async write => {
      const now = await findImport(write.db, orgId, one.id)
      if (now?.state !== 'running') return false
      const place = { importId: one.id, conversationId: one.conversation_id as string }
      await importedMessages.finish(write, place, {
        count: now.taken.messages,
        isNewContact: now.before?.isNewContact ?? false,
        by: { kind: 'person', id: one.author_id, name: one.author_name },
      })
      await finishImport(write, clock, now)
      return true
    })

  const takeAll = async (
    orgId: string,
    begun: StoredImport,
    source: ChatSource,
    signal: AbortSignal,
  ): Promise<'done' | 'released' | undefined> => {
    const { number, ours, connectionId, dateOrder } = begun.mapping
    const making = createMaking({
      orgId,
      connectionId: connectionId as string,
      waId: number as string,
      ours: ours as string,
      dateOrder: dateOrder ?? begun.found?.dateOrder ?? 'dmy',
      timeZone: await parts.readTimeZone(orgId),
    })
    let one: StoredImport | undefined = begun
    let batch: Made[] = []
    let withFile = 0
    let place = 0
    for await (const entry of readEntries(readLines(await source.openText()))) {
      const made = isEntry(entry) ? making.make(entry) : undefined
      place += 1
      if (place % entriesPerTurn === 0) await nextTurn()
      if (place <= one.place) continue
      if (made) batch.push(made)
      if (made?.file) withFile += 1
      const isFull =
        batch.length >= messagesAtOnce || withFile >= filesPerCommit || place - one.place >= entriesPerCommit
      if (!isFull) continue
      if (signal.aborted) return 'released'
      one = await takeBatch(parts, orgId, one, source, { batch, place })
      if (!one) return undefined
      batch = []
      withFile = 0
      await nextTurn()
    }
    if (place > one.place) one = await takeBatch(parts, orgId, one, source, { batch, place })
    return one && (await finish(orgId, one)) ? 'done' : undefined
  }

  return {
    async take(orgId: string, one: StoredImport, signal: AbortSignal): Promise<Outcome | undefined> {
      const begun = await openChat(orgId, one)
      if (!begun) return undefined
      const source = await openChatSource(await pieces.open(orgId, begun))
      let end: Awaited<ReturnType<typeof takeAll>>
      try {
        end = await takeAll(orgId, begun, source, signal)
      } finally {
        source.close()
      }
      if (end === 'done') await pieces.remove(orgId, one.id)
      return end === 'released' ? { kind: 'released' } : undefined
    },
  }
}
