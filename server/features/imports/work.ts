import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { checksumText } from '#server/messaging/archive/checksum.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { type Job, longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import type { ImportFailure } from '#shared/imports/states.ts'
import { surveyArchive } from './archive/survey.ts'
import { createArchiveTaking, type Run } from './archive/taking.ts'
import {
  deleteChats,
  deleteMade,
  deleteSomeChats,
  deleteSomeContacts,
  insertChats,
  listChats,
  listMade,
} from './chat-store.ts'
import { RemoteTrouble, waitOf } from './chatwoot/api/client.ts'
import { isFetched } from './fetched.ts'
import { createFetching, troublesAtMost } from './fetching.ts'
import { broughtNothing, shownState } from './present.ts'
import { ImportReleased } from './record-source.ts'
import { openRecords } from './record-sources.ts'
import { ImportStopped } from './stopped.ts'
import { createStops } from './stops.ts'
import { deleteImport, findImport, type StoredImport, updateImport } from './store.ts'
import { suggestedArchiveMapping, suggestedMapping } from './suggesting.ts'
import { createTaking } from './taking.ts'
import { openChatSource } from './whatsapp/archive.ts'
import { readEntries } from './whatsapp/entries.ts'
import { readLines } from './whatsapp/lines.ts'
import { createSurvey } from './whatsapp/survey.ts'
import type { WorkParts } from './work-parts.ts'

const Payload = Type.Object({ importId: Type.String() })
const tries = 5
/** A restart of Chatwoot is shorter. Its files that do not come then either are left out. */
const silentGapsMs = [15_000, 300_000]
/** Work between two turns of the event loop: some milliseconds. */
const entriesPerTurn = 200
const chatsAtOnce = 1_000
const undoneAtOnce = 50
const deletedAtOnce = 1_000
/** More than an organization can have. */
const labelsAtMost = 1_000
const by = systemActor('imports')

type ImportWorkParts = WorkParts & Pick<Parameters<typeof createFetching>[0], 'vault' | 'outbound'>

/** The job of an import: it looks through the file, takes its messages in, or removes them again, as its state says. */
export function createImportWork(parts: ImportWorkParts) {
  const { databases, clock, jobs, writes, pieces, importedMessages, archivedImports, removeFile } = parts
  const { read } = databases
  const stops = createStops(databases)

  const announce = ({ emit }: OrgWrite, { id, state }: Pick<StoredImport, 'id' | 'state'>) =>
    emit({ type: 'chatImport.changed', data: { id, state: state === 'discarding' ? 'discarded' : shownState(state) } })

  /** Changes an import if it is still in that state. False: it is not. */
  const move = (orgId: string, one: StoredImport, changes: Parameters<typeof updateImport>[3]): Promise<boolean> =>
    writes.run(orgId, by, async write => {
      const now = await findImport(write.db, orgId, one.id)
      if (now?.state !== one.state) return false
      await updateImport(write.db, orgId, one.id, { ...changes, announced_at: isoNow(clock) })
      announce(write, { ...one, ...changes })
      return true
    })

  const fail = (orgId: string, one: StoredImport, failure: ImportFailure) =>
    move(orgId, one, { state: 'failed', failure, ended_at: isoNow(clock) })

  const surveyOfRecords = async (orgId: string, one: StoredImport, { signal, attempts }: Run) => {
    const source = await openRecords(parts, orgId, one, { signal, attempts })
    try {
      const looked = await surveyArchive(source, async () => {
        await nextTurn()
        return !signal.aborted
      })
      if (!looked) return { kind: 'released' } satisfies Outcome
      const { found, refused, chats, emails } = looked
      if (!found.contacts && !source.accounts) throw new ImportStopped('noChat')
      const of = { orgId, importId: one.id }
      await inBatches(deletedAtOnce, limit => writes.run(orgId, by, ({ db }) => deleteSomeChats(db, of, limit)))
      const rows = [...chats].map(([source, { name, found, sum }]) => ({
        source,
        name,
        found,
        foundSum: checksumText(sum),
      }))
      for (let from = 0; from < rows.length; from += chatsAtOnce) {
        await writes.run(orgId, by, ({ db }) => insertChats(db, rows.slice(from, from + chatsAtOnce), of))
        await nextTurn()
      }
      const [numbers, people] = [
        await importedMessages.listNumbers(read, orgId),
        await archivedImports.listPeople(read, orgId),
      ]
      const { mapping } = one
      await move(orgId, one, {
        state: 'ready',
        found,
        refused,
        mapping: suggestedArchiveMapping(numbers, people, { mapping, found, emails }),
      })
      return undefined
    } finally {
      source.close()
    }
  }

  const surveyOfChat = async (orgId: string, one: StoredImport, signal: AbortSignal): Promise<Outcome | undefined> => {
    const source = await openChatSource(await pieces.open(orgId, one))
    try {
      const made = createSurvey(name => source.sizeOf(name) !== undefined)
      let count = 0
      for await (const entry of readEntries(readLines(await source.openText()))) {
        made.add(entry)
        count += 1
        if (count % entriesPerTurn) continue
        if (signal.aborted) return { kind: 'released' }
        await nextTurn()
      }
      const { found, refused } = made.result()
      if (!found.messages) throw new ImportStopped('noChat')
      if (found.names.length > 2) throw new ImportStopped('group')
      await move(orgId, one, {
        state: 'ready',
        found,
        refused,
        mapping: await suggestedMapping(await importedMessages.listNumbers(read, orgId), one, found),
      })
      return undefined
    } finally {
      source.close()
    }
  }

  /** Called in the commit of the last step. Outgoing webhooks get one event for the whole import. */
  const end = async (write: OrgWrite, one: StoredImport) => {
    await updateImport(write.db, write.orgId, one.id, { state: 'done', failure: null, ended_at: isoNow(clock) })
    announce(write, { id: one.id, state: 'done' })
    const { messages, files, contacts, existing } = one.taken
    const { id, source, refused } = one
    write.emit({
      type: 'chatImport.finished',
      data: { id, source, messages, files, contacts, existing, refused: refused.count },
    })
  }

  const taking = createTaking({ ...parts, announce, end })
  const archiveTaking = createArchiveTaking({ ...parts, announce, end })

  /** Undoes conversations, contacts, tags and fields in batches, after all messages were deleted. */
  const closeWhatCame = async (orgId: string, one: StoredImport) => {
    const of = { orgId, importId: one.id }
    for (;;) {
      const chats = await listChats(read, of, { after: '', limit: undoneAtOnce })
      if (!chats.length) break
      await writes.run(orgId, by, async write => {
        for (const { conversation_id: conversationId, contact_id: contactId, before } of chats)
          if (conversationId && contactId && before)
            await importedMessages.close(write, { conversationId, contactId, before: JSON.parse(before) })
        await deleteChats(
          write.db,
          of,
          chats.map(({ source }) => source),
        )
      })
      await nextTurn()
    }
    for (;;) {
      const made = await listMade(read, of, { kind: 'contact', limit: undoneAtOnce })
      if (!made.length) break
      await writes.run(orgId, by, async write => {
        await archivedImports.closeContacts(
          write,
          made.map(({ target, added }) => ({ contactId: target, added: JSON.parse(added ?? '{}') })),
        )
        await deleteMade(
          write.db,
          of,
          'contact',
          made.map(({ source }) => source),
        )
      })
      await nextTurn()
    }
    for (const kind of ['tag', 'field'] as const) {
      const made = await listMade(read, of, { kind, limit: labelsAtMost })
      const ids = made.map(({ target }) => target)
      if (!made.length) continue
      await writes.run(orgId, by, async write => {
        await archivedImports.closeLabels(write, { tagIds: [], fieldIds: [], [`${kind}Ids`]: ids })
        await deleteMade(
          write.db,
          of,
          kind,
          made.map(({ source }) => source),
        )
      })
    }
  }

  /** Deletes everything that is stored for an import. What it added stays. */
  const remove = async (orgId: string, importId: string): Promise<void> => {
    await pieces.remove(orgId, importId)
    const of = { orgId, importId }
    for (const deleteSome of [deleteSomeChats, deleteSomeContacts])
      await inBatches(deletedAtOnce, limit => writes.run(orgId, by, ({ db }) => deleteSome(db, of, limit)))
    await writes.run(orgId, by, ({ db }) => deleteImport(db, orgId, importId))
  }

  const undo = async (orgId: string, one: StoredImport, signal: AbortSignal): Promise<Outcome | undefined> => {
    for (;;) {
      const rows = await importedMessages.listSome(read, orgId, one.id)
      if (!rows.length) break
      if (signal.aborted) return { kind: 'released' }
      for (const { path } of rows) if (path !== null) await removeFile(path)
      await writes.run(orgId, by, write =>
        importedMessages.deleteSome(
          write,
          rows.map(({ id }) => id),
        ),
      )
      await nextTurn()
    }
    await closeWhatCame(orgId, one)
    await writes.run(orgId, by, async write => {
      await updateImport(write.db, orgId, one.id, { state: 'undone', failure: null, ended_at: isoNow(clock) })
      announce(write, { id: one.id, state: 'undone' })
    })
    await pieces.remove(orgId, one.id)
    return undefined
  }

  /** Chats of an import whose messages stay are only forgotten. */
  const discard = async (orgId: string, one: StoredImport): Promise<undefined> => {
    if (broughtNothing(one)) await closeWhatCame(orgId, one)
    await remove(orgId, one.id)
  }

  /** Waits as long as Chatwoot asks to, within a limit. */
  const waitFor = async (orgId: string, one: StoredImport, trouble: RemoteTrouble): Promise<Outcome | undefined> => {
    const troubles = (one.remote?.troubles ?? 0) + 1
    const isOver = troubles >= troublesAtMost.limited
    await move(orgId, one, {
      ...(one.remote ? { remote: { ...one.remote, troubles: isOver ? 0 : troubles } } : {}),
      ...(isOver ? { state: 'paused', failure: 'unreachable' } : {}),
    })
    if (isOver) return undefined
    return { kind: 'waits', afterMs: waitOf(trouble, clock.now().getTime()), reason: 'SOURCE_BUSY' }
  }

  const work = (orgId: string, one: StoredImport, run: Run): Promise<Outcome | undefined> | undefined => {
    const { signal } = run
    const isChat = one.source === 'whatsapp'
    if (one.state === 'reading' && !isFetched(one)) return undefined
    if (one.state === 'reading') return isChat ? surveyOfChat(orgId, one, signal) : surveyOfRecords(orgId, one, run)
    if (one.state === 'running') return isChat ? taking.take(orgId, one, signal) : archiveTaking.take(orgId, one, run)
    if (one.state === 'undoing') return undo(orgId, one, signal)
    return one.state === 'discarding' ? discard(orgId, one) : undefined
  }

  const givenUp = ({ orgId, payload }: Job<Static<typeof Payload>>, failure: ImportFailure = 'broken'): Outcome => ({
    kind: 'failed',
    reason: 'LOST',
    write: async many => {
      const write = many.of(orgId)
      const one = await findImport(write.db, orgId, payload.importId)
      if (!one || !['reading', 'running', 'undoing'].includes(one.state)) return
      // What came in stays, and a person resumes it.
      const state = one.state === 'running' ? 'paused' : 'failed'
      const ended = state === 'failed' ? { ended_at: isoNow(clock) } : {}
      await updateImport(write.db, orgId, one.id, { state, failure, ...ended })
      announce(write, { id: one.id, state })
    },
  })

  const tryWork = async (
    job: Job<Static<typeof Payload>>,
    one: StoredImport,
    signal: AbortSignal,
  ): Promise<Outcome | undefined> => {
    const { orgId } = job
    try {
      return await work(orgId, one, { signal, attempts: job.attempts })
    } catch (error) {
      if (error instanceof ImportReleased || signal.aborted) return { kind: 'released' }
      if (error instanceof RemoteTrouble && error.reason === 'limited') return await waitFor(orgId, one, error)
      if (error instanceof RemoteTrouble)
        return { kind: 'retry', afterMs: silentGapsMs[job.attempts - 1] ?? longestGapMs, reason: 'SOURCE_BUSY' }
      if (error instanceof ImportStopped) await fail(orgId, one, error.failure)
      // No room for files: a person makes room, and resumes it.
      else if (error instanceof AppError && error.code === 'MEDIA_NO_ROOM' && one.state === 'running')
        await move(orgId, one, { state: 'paused', failure: 'noRoom' })
      else if (error instanceof AppError && error.code === 'APP_TOO_MANY_KEPT' && one.state === 'running')
        await move(orgId, one, { state: 'paused', failure: 'tooMany' })
      else if (job.attempts >= tries)
        return givenUp(job, error instanceof AppError && error.code === 'APP_UNAVAILABLE' ? 'storage' : 'broken')
      else throw error
      return undefined
    }
  }

  const queue = jobs.register({
    name: 'imports.work',
    looksWithinMs: longestGapMs,
    payload: Payload,
    lane: 'bulk',
    atOnce: 4,
    perOrg: 1,
    tries,
    isKept: false,
    async run(job, context) {
      const { orgId, payload } = job
      const one = await findImport(read, orgId, payload.importId)
      if (!one) return undefined
      return stops.during(one, context.signal, signal => tryWork(job, one, signal))
    },
    lost: job => (job.attempts < tries ? { kind: 'retry', reason: 'LOST' } : givenUp(job)),
  })

  /** Queues a job, in the transaction that changes the state. Jobs of one import run one after another. */
  const begin = async ({ db, orgId, afterCommit }: OrgWrite, id: string): Promise<void> => {
    await queue.add(db, orgId, [{ payload: { importId: id }, orderKey: id }])
    afterCommit(queue.wake)
  }
  return {
    announce,
    remove,
    begin,
    beginFetching: createFetching({ ...parts, announce, begin, stops }).begin,
    stop: stops.stop,
  }
}

export type ImportWork = ReturnType<typeof createImportWork>
