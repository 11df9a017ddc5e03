import { createHash } from 'node:crypto'
import { addChecksums, checksumText, readChecksum } from '#server/messaging/archive/checksum.ts'
import type { ArchiveRecord } from '#server/messaging/archive/records.ts'
import type { ArchivedMessage } from '#server/messaging/imported/archived.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { findChats, saveKept } from '../chat-store.ts'
import { fileKind, fileMaxBytes } from '../reading/file-kinds.ts'
import { FileMissing, type RecordLine, type RecordSource } from '../reading/record-source.ts'
import type { RefusedLine } from '../refused.ts'
import type { StoredImport } from '../store.ts'
import type { WorkParts } from '../work/parts.ts'

/** A valid record, and the line that has it. */
export type Read<K extends 'contacts' | 'conversations' | 'messages'> = { record: ArchiveRecord<K>; line: RecordLine }

/** The numbers that a step of an import adds to its counts. */
export interface Progress {
  readonly contacts?: number
  readonly messages?: number
  readonly files?: number
  readonly existing?: number
  readonly refused?: readonly RefusedLine[]
}

type Commit = (
  orgId: string,
  one: StoredImport,
  place: number,
  step: (write: OrgWrite) => Promise<Progress>,
) => Promise<StoredImport | undefined>

/** The id of an imported message. It follows from the source's id, so that a second import skips known messages. */
const idOf = (orgId: string, sourceOrgId: string, id: string): string =>
  `import-${createHash('sha256')
    .update(JSON.stringify([orgId, sourceOrgId, id]))
    .digest('base64url')
    .slice(0, 24)}`

const authorOf = (one: StoredImport, people: ReadonlyMap<string, string>, record: ArchiveRecord<'messages'>) => {
  const { kind = null, id = null, name = null } = record.author ?? {}
  const to = kind === 'person' && id !== null ? one.mapping.agents?.find(({ from }) => from === id)?.to : undefined
  const member = to ? people.get(to) : undefined
  return { authorKind: kind, authorId: to && member !== undefined ? to : null, authorName: member ?? name }
}

const messageOf = (
  one: StoredImport,
  people: ReadonlyMap<string, string>,
  record: ArchiveRecord<'messages'>,
  { id, conversationId, found }: { id: string; conversationId: string; found: string | undefined },
): ArchivedMessage => {
  // A message that waited for sending in the other organization must not be sent from this one.
  const isWaiting = record.status === 'queued'
  return {
    id,
    conversationId,
    wamid: record.wamid,
    at: record.at,
    direction: record.direction,
    text: record.text,
    type: found === undefined ? record.type : fileKind(found, record.type).type,
    content: record.content ? JSON.stringify(record.content) : null,
    status: isWaiting ? 'failed' : record.status,
    sentAt: record.sentAt ?? null,
    deliveredAt: record.deliveredAt ?? null,
    readAt: record.readAt ?? null,
    failedAt: record.failedAt ?? (isWaiting ? record.at : null),
    errorCode: record.errorCode ?? (isWaiting ? 'unknown' : null),
    errorDetail: record.errorDetail ?? null,
    replyToWamid: record.replyTo ?? null,
    ...authorOf(one, people, record),
    editedAt: record.editedAt ?? null,
    revokedAt: record.deletedAt ?? null,
  }
}

/** Imports a batch of messages with their files and reactions. @param commit @see createArchiveTaking */
export function createMessageTaking({ databases, files, archivedImports }: WorkParts, commit: Commit) {
  const { read } = databases
  type Kept = Awaited<ReturnType<typeof files.keep>>

  /** Stores the files of new messages. Returns them by record id, and the refused ones. */
  const keepFiles = async (
    orgId: string,
    one: StoredImport,
    source: RecordSource,
    rows: readonly Read<'messages'>[],
  ) => {
    const kept = new Map<string, Kept>()
    const refused: RefusedLine[] = []
    for (const { record, line } of rows) {
      const { path } = record.file ?? {}
      const size = path ? source.sizeOf(path) : undefined
      const body = path && size !== undefined && size <= fileMaxBytes ? source.openFile(path) : undefined
      if (body)
        try {
          kept.set(record.id, await files.keep(orgId, body, one.author_id))
        } catch (error) {
          if (!(error instanceof FileMissing)) {
            // The batch is taken again, with its files.
            for (const { id } of kept.values()) await files.discard(orgId, id)
            throw error
          }
          refused.push({ line: line.number, why: error.why, text: `${line.file}: ${path}` })
        }
      else if (size !== undefined && size > fileMaxBytes)
        refused.push({ line: line.number, why: 'fileTooLarge', text: `${line.file}: ${path}` })
    }
    return { kept, refused }
  }

  /** Attaches stored files to new messages, and records those that the archive lacks. Returns the records that have one. */
  const attachFiles = async (
    write: OrgWrite,
    rows: readonly Read<'messages'>[],
    kept: ReadonlyMap<string, Kept>,
    idIn: (record: ArchiveRecord<'messages'>) => string,
  ): Promise<ReadonlySet<string>> => {
    const attached = new Set<string>()
    const lost: { messageId: string; mime: string; name: string | null }[] = []
    for (const { record } of rows) {
      if (!record.file) continue
      const messageId = idIn(record)
      const { name, mime: said } = record.file
      const file = kept.get(record.id)
      if (!file) {
        lost.push({ messageId, mime: said, name })
        continue
      }
      const { mime } = fileKind(file.found, record.type)
      await files.take(write, { ...file, name: name ?? '', mime }, { messageId, mime, name: name ?? '' })
      attached.add(record.id)
    }
    await archivedImports.keepLostFiles(write, lost)
    return attached
  }

  /** Updates the count and checksum of each chat from the stored messages. */
  const checkKept = async (
    write: OrgWrite,
    importId: string,
    idOfRecord: ReadonlyMap<string, string>,
    { rows, stored, source }: { rows: readonly Read<'messages'>[]; stored: ReadonlySet<string>; source: RecordSource },
  ) => {
    const of = { orgId: write.orgId, importId }
    const { hasFileSums: withFiles, hasExactTimes: exactTimes } = source
    const sums = await archivedImports.checksumsOf(write, [...new Set(idOfRecord.values())], { withFiles, exactTimes })
    const sources = [...new Set(rows.map(({ record }) => record.conversation))]
    const chats = new Map(
      (await findChats(write.db, sources, of)).map(chat => [
        chat.source,
        {
          source: chat.source,
          kept: Number(chat.kept),
          sum: readChecksum(chat.kept_sum),
          brought: Number(chat.brought),
        },
      ]),
    )
    const notCounted = new Set(stored)
    for (const { record } of rows) {
      const chat = chats.get(record.conversation)
      const id = idOfRecord.get(record.id)
      const sum = id === undefined ? undefined : sums.get(id)
      if (!chat || id === undefined || sum === undefined) continue
      chat.kept += 1
      chat.sum = addChecksums(chat.sum, sum)
      if (notCounted.delete(id)) chat.brought += 1
    }
    await saveKept(
      write.db,
      [...chats.values()].map(({ sum, ...chat }) => ({ ...chat, keptSum: checksumText(sum) })),
      of,
    )
  }

  return async function takeMessages(
    orgId: string,
    one: StoredImport,
    { source, people }: { source: RecordSource; people: ReadonlyMap<string, string> },
    { rows: all, place }: { rows: readonly Read<'messages'>[]; place: number },
  ): Promise<StoredImport | undefined> {
    const of = { orgId, importId: one.id }
    const chats = await findChats(read, [...new Set(all.map(({ record }) => record.conversation))], of)
    const conversationOf = new Map(chats.map(chat => [chat.source, chat.conversation_id]))
    const rows = all.filter(({ record }) => conversationOf.get(record.conversation))
    const named = rows.map(({ record }) => ({
      id: idOf(orgId, source.manifest.organization.id, record.id),
      source: record.id,
      wamid: record.wamid,
    }))
    const known = await archivedImports.findKnown(read, orgId, named)
    const idOfRecord = new Map(named.map(({ id, source }) => [source, known.get(source) ?? id]))
    const idIn = (record: Pick<ArchiveRecord<'messages'>, 'id'>) => idOfRecord.get(record.id) as string
    // Twice in one batch: the first one counts.
    const firstOf = new Map(rows.toReversed().map(row => [row.record.id, row]))
    const fresh = rows.filter(row => !known.has(row.record.id) && firstOf.get(row.record.id) === row)
    const { kept, refused } = await keepFiles(orgId, one, source, fresh)
    let attached: ReadonlySet<string> = new Set()
    const after = await commit(orgId, one, place, async write => {
      const messages = fresh.map(({ record }) =>
        messageOf(one, people, record, {
          id: idIn(record),
          conversationId: conversationOf.get(record.conversation) as string,
          found: kept.has(record.id) ? (kept.get(record.id)?.found ?? 'application/octet-stream') : undefined,
        }),
      )
      const reactions = fresh.flatMap(({ record }) =>
        record.reactions.map(one => ({ ...one, messageId: idIn(record) })),
      )
      const stored = await archivedImports.store(write, one.id, { messages, reactions })
      attached = await attachFiles(
        write,
        fresh.filter(({ record }) => stored.has(idIn(record))),
        kept,
        idIn,
      )
      await checkKept(write, one.id, idOfRecord, { rows, stored, source })
      return { messages: stored.size, files: attached.size, existing: rows.length - stored.size, refused }
    })
    for (const [id, file] of kept) if (!attached.has(id)) await files.discard(orgId, file.id)
    return after
  }
}
