import { addChecksums, checksumOf, checksumText, readChecksum } from '#server/messaging/archive/checksum.ts'
import type { ImportedMessage } from '#server/messaging/imported/imported.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import { findChats, saveFound } from '../chat-store.ts'
import { fileKind, fileMaxBytes } from '../reading/file-kinds.ts'
import { type Made, withoutFile } from '../reading/messages.ts'
import { addRefused, type RefusedLine } from '../refused.ts'
import { findImport, type StoredImport, updateImport } from '../store.ts'
import type { ChatSource } from '../whatsapp/archive.ts'
import type { WorkParts } from './parts.ts'
import { announceState } from './state-changes.ts'

type Kept = Omit<ReceivedFile, 'name' | 'mime'>

const announceMs = 1_000
const by = systemActor('imports')
/** An export of WhatsApp has one chat. */
export const onlyChat = 'chat'

/** Keeps the files of these messages. Those that cannot be taken are in `refused`. */
async function keepFiles(
  { files }: Pick<WorkParts, 'files'>,
  orgId: string,
  one: StoredImport,
  source: ChatSource,
  fresh: readonly Made[],
) {
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
const withKeptFile = ({ message, file }: Made, kept: ReadonlyMap<string, { file: Kept }>): ImportedMessage => {
  if (file === undefined) return message
  const own = kept.get(message.id)
  return own ? { ...message, type: fileKind(own.file.found, message.type).type } : withoutFile(message)
}

/** Updates the counts and checksums of a chat from the file and from the stored messages. Media are not compared. */
async function recordChecksums(
  { archivedImports }: Pick<WorkParts, 'archivedImports'>,
  write: OrgWrite,
  importId: string,
  batch: readonly Made[],
  stored: ReadonlySet<string>,
): Promise<void> {
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
    // A message that also came from WhatsApp has another id; `findKnown` matched it by time and text.
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
export async function takeBatch(
  parts: WorkParts,
  orgId: string,
  one: StoredImport,
  source: ChatSource,
  { batch, place }: { batch: readonly Made[]; place: number },
): Promise<StoredImport | undefined> {
  const { databases, clock, writes, files, importedMessages } = parts
  const conversationId = one.conversation_id as string
  const known = await importedMessages.findKnown(
    databases.read,
    orgId,
    conversationId,
    batch.map(({ message }) => message),
  )
  const fresh = batch.filter(({ message }) => !known.has(message.id))
  const { kept, refused } = await keepFiles(parts, orgId, one, source, fresh)
  const taken = new Set<string>()
  const after = await writes.run(orgId, by, async write => {
    taken.clear()
    const now = await findImport(write.db, orgId, one.id)
    if (now?.state !== 'running' || now.place !== one.place) return undefined
    const stored = await importedMessages.store(
      write,
      { importId: one.id, conversationId },
      fresh.map(made => withKeptFile(made, kept)),
    )
    for (const { message } of fresh) {
      const own = kept.get(message.id)
      if (!own || !stored.has(message.id)) continue
      const { mime } = fileKind(own.file.found, message.type)
      const file = { ...own.file, name: own.name, mime }
      await files.take(write, file, { messageId: message.id, mime, name: own.name })
      taken.add(message.id)
    }
    await recordChecksums(parts, write, one.id, batch, stored)
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
