import { setImmediate as nextTurn } from 'node:timers/promises'
import { checksumText } from '#server/messaging/archive/checksum.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { type SurveyedChat, surveyArchive } from '../archive/survey.ts'
import type { Run } from '../archive/taking.ts'
import { deleteSomeChats, insertChats } from '../chat-store.ts'
import { openRecords } from '../reading/record-sources.ts'
import type { StoredImport } from '../store.ts'
import { openChatSource } from '../whatsapp/archive.ts'
import { readEntries } from '../whatsapp/entries.ts'
import { readLines } from '../whatsapp/lines.ts'
import { createSurvey } from '../whatsapp/survey.ts'
import type { WorkParts } from './parts.ts'
import { changeImport } from './state-changes.ts'
import { ImportStopped } from './stopped.ts'
import { suggestedArchiveMapping, suggestedMapping } from './suggesting.ts'

/** Work between two turns of the event loop: some milliseconds. */
const entriesPerTurn = 200
const chatsAtOnce = 1_000
const deletedAtOnce = 1_000
const by = systemActor('imports')
const released: Outcome = { kind: 'released' }

/** Stores the chats that a survey found, instead of those of an earlier survey. */
async function replaceChats(
  { writes }: Pick<WorkParts, 'writes'>,
  of: { orgId: string; importId: string },
  chats: ReadonlyMap<string, SurveyedChat>,
): Promise<void> {
  await inBatches(deletedAtOnce, limit => writes.run(of.orgId, by, ({ db }) => deleteSomeChats(db, of, limit)))
  const rows = [...chats].map(([source, { name, found, sum }]) => ({
    source,
    name,
    found,
    foundSum: checksumText(sum),
  }))
  for (let from = 0; from < rows.length; from += chatsAtOnce) {
    await writes.run(of.orgId, by, ({ db }) => insertChats(db, rows.slice(from, from + chatsAtOnce), of))
    await nextTurn()
  }
}

/** Looks through an archive, a dump or records that were fetched, and suggests where its numbers and people belong. */
async function surveyRecords(
  parts: WorkParts,
  orgId: string,
  one: StoredImport,
  { signal, attempts }: Run,
): Promise<Outcome | undefined> {
  const { databases, importedMessages, archivedImports } = parts
  const source = await openRecords(parts, orgId, one, { signal, attempts })
  try {
    const surveyed = await surveyArchive(source, async () => {
      await nextTurn()
      return !signal.aborted
    })
    if (!surveyed) return released
    const { found, refused, chats, emails } = surveyed
    if (!found.contacts && !source.accounts) throw new ImportStopped('noChat')
    await replaceChats(parts, { orgId, importId: one.id }, chats)
    const numbers = await importedMessages.listNumbers(databases.read, orgId)
    const people = await archivedImports.listPeople(databases.read, orgId)
    const mapping = suggestedArchiveMapping(numbers, people, { mapping: one.mapping, found, emails })
    await changeImport(parts, orgId, one, { state: 'ready', found, refused, mapping })
    return undefined
  } finally {
    source.close()
  }
}

/** Looks through the text of one exported chat. */
async function surveyChat(
  parts: WorkParts,
  orgId: string,
  one: StoredImport,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { databases, pieces, importedMessages } = parts
  const source = await openChatSource(await pieces.open(orgId, one))
  try {
    const survey = createSurvey(name => source.sizeOf(name) !== undefined)
    let count = 0
    for await (const entry of readEntries(readLines(await source.openText()))) {
      survey.add(entry)
      count += 1
      if (count % entriesPerTurn) continue
      if (signal.aborted) return released
      await nextTurn()
    }
    const { found, refused } = survey.result()
    if (!found.messages) throw new ImportStopped('noChat')
    if (found.names.length > 2) throw new ImportStopped('group')
    const numbers = await importedMessages.listNumbers(databases.read, orgId)
    const mapping = await suggestedMapping(numbers, one, found)
    await changeImport(parts, orgId, one, { state: 'ready', found, refused, mapping })
    return undefined
  } finally {
    source.close()
  }
}

/**
 * Reads what was uploaded or fetched, for the preview, and makes the import ready to begin.
 * @throws ImportStopped if it cannot be imported
 */
export const surveyImport = (parts: WorkParts, orgId: string, one: StoredImport, run: Run) =>
  one.source === 'whatsapp' ? surveyChat(parts, orgId, one, run.signal) : surveyRecords(parts, orgId, one, run)
