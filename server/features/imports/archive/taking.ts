import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ArchiveRecord, readRecord } from '#server/messaging/archive/records.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { findMadeContacts, listChats } from '../chat-store.ts'
import { ImportReleased, type RecordLine, type RecordSource } from '../reading/record-source.ts'
import { openRecords } from '../reading/record-sources.ts'
import { addRefused } from '../refused.ts'
import { findImport, type StoredImport, updateImport } from '../store.ts'
import type { WorkParts } from '../work/parts.ts'
import { announceState, finishImport } from '../work/state-changes.ts'
import { recordMaxChars } from './source.ts'
import { openLabels, takeChats, takeContacts } from './taking-contacts.ts'
import { createMessageTaking, type Progress, type Read } from './taking-messages.ts'

/** `attempts`: of the job, including this one. */
export interface Run {
  readonly signal: AbortSignal
  readonly attempts: number
}
type Batch =
  | { kind: 'contacts'; rows: Read<'contacts'>[] }
  | { kind: 'conversations'; rows: Read<'conversations'>[] }
  | { kind: 'messages'; rows: Read<'messages'>[] }

const kinds = ['contacts', 'conversations', 'messages'] as const
const recordsPerCommit = 500
const filesPerCommit = 25
/** A file from an address may take minutes. */
const remoteFilesPerCommit = 1
/**
 * The time of one run, not counting what was imported before, so that organizations take turns. A run is longer if
 * opening takes long.
 */
const runMs = 20_000
const openingsPerRun = 4
const chatsPerCommit = 50
const linesPerTurn = 100
const announceMs = 1_000
const by = systemActor('imports')

/** Imports contacts, conversations and messages of an archive. Each commit stores a batch and the position after it. */
export function createArchiveTaking(parts: WorkParts) {
  const { databases, clock, writes, pieces, importedMessages, archivedImports } = parts
  const { recordsAtOnce = recordsPerCommit } = parts
  const { read } = databases

  /** Runs a step and stores the position after it in one commit. Undefined: the import was paused, undone or deleted. */
  const commit = (
    orgId: string,
    one: StoredImport,
    place: number,
    step: (write: OrgWrite) => Promise<Progress>,
  ): Promise<StoredImport | undefined> =>
    writes.run(orgId, by, async write => {
      const now = await findImport(write.db, orgId, one.id)
      if (now?.state !== 'running' || now.place !== one.place) return undefined
      const { contacts = 0, messages = 0, files = 0, existing = 0, refused = [] } = await step(write)
      const isNews = clock.now().getTime() - Date.parse(now.announced_at) >= announceMs
      await updateImport(write.db, orgId, one.id, {
        place,
        taken: {
          contacts: now.taken.contacts + contacts,
          messages: now.taken.messages + messages,
          files: now.taken.files + files,
          existing: now.taken.existing + existing,
        },
        refused: addRefused(now.refused, refused),
        ...(now.remote?.troubles ? { remote: { ...now.remote, troubles: 0 } } : {}),
        ...(isNews ? { announced_at: isoNow(clock) } : {}),
      })
      if (isNews) announceState(write, now)
      return findImport(write.db, orgId, one.id)
    })

  const takeMessages = createMessageTaking(parts, commit)

  /** Adds the line that marks imported messages to each chat, and updates the chat's last message. */
  const finishChats = async (orgId: string, begun: StoredImport, first: number, signal: AbortSignal) => {
    let one: StoredImport | undefined = begun
    let after = ''
    let place = first
    while (one) {
      const chats = await listChats(read, { orgId, importId: one.id }, { after, limit: chatsPerCommit })
      const last = chats.at(-1)
      if (!last) return one
      after = last.source
      place += chats.length
      if (place <= one.place) continue
      if (signal.aborted) return 'released'
      const { id: importId, source: from, author_id: id, author_name: name } = one
      const by = { kind: 'person', id, name } as const
      one = await commit(orgId, one, place, async write => {
        const contactIds = chats.flatMap(({ contact_id: id }) => id ?? [])
        const made = await findMadeContacts(write.db, contactIds, { orgId, importId })
        const created = new Set(made.flatMap(({ target, added }) => (added?.isNew ? target : [])))
        for (const { conversation_id: conversationId, contact_id: contactId, brought } of chats)
          if (conversationId && Number(brought))
            await importedMessages.finish(
              write,
              { importId, conversationId },
              {
                count: Number(brought),
                isNewContact: created.has(contactId ?? ''),
                by,
                ...(from === 'whatsapp' ? {} : { source: from }),
              },
            )
        return {}
      })
      await nextTurn()
    }
    return undefined
  }

  const takeAll = async (
    orgId: string,
    begun: StoredImport,
    source: RecordSource,
    { signal, begunAt }: { signal: AbortSignal; begunAt: number },
  ): Promise<'done' | 'released' | 'again' | undefined> => {
    const labels = await openLabels(parts, orgId, begun, source)
    if (!labels) return undefined
    const people = new Map((await archivedImports.listPeople(read, orgId)).map(({ id, name }) => [id, name]))
    let one: StoredImport | undefined = begun
    let place = 0
    let endsAt: number | undefined
    const filesAtOnce = begun.remote ? remoteFilesPerCommit : filesPerCommit
    const now = () => clock.now().getTime()
    const take = async (batch: Batch): Promise<StoredImport | undefined> => {
      if (!one) return undefined
      const { id } = one
      const current = one
      if (batch.kind === 'messages')
        return takeMessages(orgId, current, { source, people }, { rows: batch.rows, place })
      if (batch.kind === 'contacts')
        return commit(orgId, current, place, async write => ({
          contacts: await takeContacts(parts, write, { importId: id, labels }, batch.rows),
        }))
      return commit(orgId, current, place, async write => ({
        refused: await takeChats(parts, write, current, batch.rows),
      }))
    }
    for (const kind of kinds) {
      let rows: { record: unknown; line: RecordLine }[] = []
      let lines = 0
      let withFile = 0
      for await (const line of source.lines(kind)) {
        place += 1
        if (place % linesPerTurn === 0) await nextTurn()
        if (place <= one.place) continue
        endsAt ??= now() + Math.max(runMs, (now() - begunAt) * openingsPerRun)
        lines += 1
        const isRecord = !line.why && line.text.length < recordMaxChars
        const record = isRecord ? readRecord(kind, line.text) : undefined
        if (record) rows.push({ record, line })
        const path = (record as ArchiveRecord<'messages'> | undefined)?.file?.path
        if (path && source.sizeOf(path) !== undefined) withFile += 1
        if (lines < recordsAtOnce && withFile < filesAtOnce) continue
        if (signal.aborted) return 'released'
        one = await take({ kind, rows } as Batch)
        if (!one) return undefined
        if (now() > endsAt) return 'again'
        rows = []
        lines = 0
        withFile = 0
      }
      if (lines) one = await take({ kind, rows } as Batch)
      if (!one) return undefined
    }
    const finished = await finishChats(orgId, one, place, signal)
    if (finished === 'released' || !finished) return finished
    return writes.run(orgId, by, async write => {
      const now = await findImport(write.db, orgId, finished.id)
      if (now?.state !== 'running') return undefined
      await finishImport(write, clock, now)
      return 'done'
    })
  }

  return {
    async take(orgId: string, one: StoredImport, run: Run): Promise<Outcome | undefined> {
      const begunAt = clock.now().getTime()
      const source = await openRecords(parts, orgId, one, run)
      let ended: Awaited<ReturnType<typeof takeAll>>
      try {
        ended = await takeAll(orgId, one, source, { signal: run.signal, begunAt })
      } catch (error) {
        if (!(error instanceof ImportReleased)) throw error
        ended = 'released'
      } finally {
        source.close()
      }
      if (ended === 'done') await pieces.remove(orgId, one.id)
      if (ended === 'again') return { kind: 'again', afterMs: 0 }
      return ended === 'released' ? { kind: 'released' } : undefined
    },
  }
}
