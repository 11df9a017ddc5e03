import { setImmediate as nextTurn } from 'node:timers/promises'
import { addChecksums, checksumOf, checksumText, readChecksum } from '#server/messaging/archive/checksum.ts'
import type { ImportedMessage } from '#server/messaging/imported/imported.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { findChats, insertChats, saveChats, saveFound } from './chat-store.ts'
import { fileKind, fileMaxBytes } from './file-kinds.ts'
import { createMaking, type Made, withoutFile } from './messages.ts'
import { addRefused, type RefusedLine } from './refused.ts'
import { announceState, finishImport } from './state-changes.ts'
import { ImportStopped } from './stopped.ts'
import { findImport, type StoredImport, updateImport } from './store.ts'
import { type ChatSource, openChatSource } from './whatsapp/archive.ts'
import { isEntry, readEntries } from './whatsapp/entries.ts'
import { readLines } from './whatsapp/lines.ts'
import type { WorkParts } from './work-parts.ts'

type Kept = Omit<ReceivedFile, 'name' | 'mime'>

const filesPerCommit = 10
/** Entries between two commits, also where none of them is a message. */
const entriesPerCommit = 1_000
const entriesPerTurn = 200
const announceMs = 1_000
const by = systemActor('imports')
/** An export of WhatsApp has one chat. */
const onlyChat = 'chat'

/** Takes the messages of a chat in, some in each commit with the place behind them, so that it can stop anywhere. */
export function createTaking(parts: WorkParts) {
  const { databases, clock, writes, files, pieces, importedMessages, archivedImports } = parts
  const { messagesAtOnce = 100 } = parts
  const { read } = databases

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
      await saveChats(write.db, [{ source: onlyChat, conversationId, contactId, before: JSON.stringify(before) }], of)
      await updateImport(write.db, orgId, one.id, {
        conversation_id: conversationId,
        contact_id: contactId,
        before,
        taken: { ...now.taken, contacts: before.isNewContact ? 1 : 0 },
      })
      return findImport(write.db, orgId, one.id)
    })
  }

  /** Keeps the files of these messages. Those that cannot be taken are in `refused`. */
  const keepFiles = async (orgId: string, one: StoredImport, source: ChatSource, fresh: readonly Made[]) => {
    const kept = new Map<string, { file: Kept; name: string }>()
    const refused: RefusedLine[] = []
    for (const { line, message, file: name } of fresh) {
      const size = name ? source.sizeOf(name) : undefined
      if (!name || size === undefined) continue
      if (size > fileMaxBytes) {
        refused.push({ line, why: 'fileTooLarge', text: name.slice(0, 80) })
        continue
      }
      const body = await source.openFile(name)
      if (body) kept.set(message.id, { file: await files.keep(orgId, body, one.author_id), name })
    }
    return { kept, refused }
  }

  /** The message with what its file turned out to be. */
  const messageOf = ({ message, file }: Made, kept: ReadonlyMap<string, { file: Kept }>): ImportedMessage => {
    if (file === undefined) return message
    const own = kept.get(message.id)
    return own ? { ...message, type: fileKind(own.file.found, message.type).type } : withoutFile(message)
  }

  /** Updates the counts and checksums of a chat from the file and from the stored messages. Media are not compared. */
  const check = async (write: OrgWrite, importId: string, batch: readonly Made[], stored: ReadonlySet<string>) => {
    const of = { orgId: write.orgId, importId }
    const [chat] = await findChats(write.db, [onlyChat], of)
    if (!chat) return
    const sums = await archivedImports.checksumsOf(
      write,
      batch.map(({ message }) => message.id),
      { withFiles: false },
    )
    const sum = { found: readChecksum(chat.found_sum), kept: readChecksum(chat.kept_sum) }
    for (const { message } of batch) {
      const own = checksumOf({ ...message, deletedAt: message.revokedAt, sha256: null })
      sum.found = addChecksums(sum.found, own)
      // One that came by WhatsApp itself has another id, and was found by its time and text.
      sum.kept = addChecksums(sum.kept, sums.get(message.id) ?? own)
    }
    const counts = { found: Number(chat.found) + batch.length, kept: Number(chat.kept) + batch.length }
    const sumsNow = { foundSum: checksumText(sum.found), keptSum: checksumText(sum.kept) }
    await saveFound(
      write.db,
      [{ source: onlyChat, ...counts, ...sumsNow, brought: Number(chat.brought) + stored.size }],
      of,
    )
  }

  /** Stores a batch and the place behind it. Undefined: the import does not continue. */
  const takeBatch = async (
    orgId: string,
    one: StoredImport,
    source: ChatSource,
    { batch, place }: { batch: readonly Made[]; place: number },
  ): Promise<StoredImport | undefined> => {
    const conversationId = one.conversation_id as string
    const known = await importedMessages.findKnown(
      read,
      orgId,
      conversationId,
      batch.map(({ message }) => message),
    )
    const fresh = batch.filter(({ message }) => !known.has(message.id))
    const { kept, refused } = await keepFiles(orgId, one, source, fresh)
    const taken = new Set<string>()
    const after = await writes.run(orgId, by, async write => {
      taken.clear()
      const now = await findImport(write.db, orgId, one.id)
      if (now?.state !== 'running' || now.place !== one.place) return undefined
      const stored = await importedMessages.store(
        write,
        { importId: one.id, conversationId },
        fresh.map(made => messageOf(made, kept)),
      )
      for (const { message } of fresh) {
        const own = kept.get(message.id)
        if (!own || !stored.has(message.id)) continue
        const { mime } = fileKind(own.file.found, message.type)
        const file = { ...own.file, name: own.name, mime }
        await files.take(write, file, { messageId: message.id, mime, name: own.name })
        taken.add(message.id)
      }
      await check(write, one.id, batch, stored)
      const isNews = clock.now().getTime() - Date.parse(now.announced_at) >= announceMs
      await updateImport(write.db, orgId, one.id, {
        place,
        taken: {
          ...now.taken,
          messages: now.taken.messages + stored.size,
          files: now.taken.files + taken.size,
          existing: now.taken.existing + batch.length - stored.size,
        },
        refused: addRefused(now.refused, refused),
        ...(isNews ? { announced_at: isoNow(clock) } : {}),
      })
      if (isNews) announceState(write, now)
      return findImport(write.db, orgId, one.id)
    })
    for (const [id, { file }] of kept) if (!taken.has(id)) await files.discard(orgId, file.id)
    return after
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
      timeZone: (await parts.timeZoneOf(orgId)) ?? defaultTimeZone,
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
      one = await takeBatch(orgId, one, source, { batch, place })
      if (!one) return undefined
      batch = []
      withFile = 0
      await nextTurn()
    }
    if (place > one.place) one = await takeBatch(orgId, one, source, { batch, place })
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
