import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { type Job, longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { ImportFailure } from '#shared/imports/api.ts'
import { shownState } from './present.ts'
import { ImportStopped } from './stopped.ts'
import { findImport, type StoredImport, updateImport } from './store.ts'
import { suggestedMapping } from './suggesting.ts'
import { createTaking } from './taking.ts'
import { openChatSource } from './whatsapp/archive.ts'
import { readEntries } from './whatsapp/entries.ts'
import { readLines } from './whatsapp/lines.ts'
import { createSurvey } from './whatsapp/survey.ts'
import type { WorkParts } from './work-parts.ts'

const Payload = Type.Object({ importId: Type.String() })
const tries = 5
/** Work between two turns of the event loop: some milliseconds. */
const entriesPerTurn = 200
const by = systemActor('imports')

/** The job of an import: it looks through the file, takes its messages in, or removes them again, as its state says. */
export function createImportWork(parts: WorkParts) {
  const { databases, clock, jobs, writes, pieces, importedMessages, removeFile } = parts
  const { read } = databases

  const announce = ({ emit }: OrgWrite, { id, state }: Pick<StoredImport, 'id' | 'state'>) =>
    emit({ type: 'chatImport.changed', data: { id, state: shownState(state) } })

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

  const survey = async (orgId: string, one: StoredImport, signal: AbortSignal): Promise<Outcome | undefined> => {
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
      const { found, refused, refusedCount } = made.result()
      if (!found.messages) throw new ImportStopped('noChat')
      if (found.names.length > 2) throw new ImportStopped('group')
      await move(orgId, one, {
        state: 'ready',
        found,
        refused: { count: refusedCount, first: refused },
        mapping: await suggestedMapping(await importedMessages.listNumbers(read, orgId), one, found),
      })
      return undefined
    } finally {
      source.close()
    }
  }

  const taking = createTaking({ ...parts, announce })

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
    await writes.run(orgId, by, async write => {
      const { conversation_id: conversationId, contact_id: contactId, before } = one
      if (conversationId && contactId && before)
        await importedMessages.close(write, { conversationId, contactId, before })
      await updateImport(write.db, orgId, one.id, { state: 'undone', failure: null, ended_at: isoNow(clock) })
      announce(write, { id: one.id, state: 'undone' })
    })
    await pieces.remove(orgId, one.id)
    return undefined
  }

  const work = (orgId: string, one: StoredImport, signal: AbortSignal): Promise<Outcome | undefined> | undefined => {
    if (one.state === 'reading') return survey(orgId, one, signal)
    if (one.state === 'running') return taking.take(orgId, one, signal)
    return one.state === 'undoing' ? undo(orgId, one, signal) : undefined
  }

  const givenUp = ({ orgId, payload }: Job<Static<typeof Payload>>): Outcome => ({
    kind: 'failed',
    reason: 'LOST',
    write: async many => {
      const write = many.of(orgId)
      const one = await findImport(write.db, orgId, payload.importId)
      if (!one || !['reading', 'running', 'undoing'].includes(one.state)) return
      await updateImport(write.db, orgId, one.id, { state: 'failed', failure: 'broken', ended_at: isoNow(clock) })
      announce(write, { id: one.id, state: 'failed' })
    },
  })

  const queue = jobs.register({
    name: 'imports.work',
    looksWithinMs: longestGapMs,
    payload: Payload,
    lane: 'bulk',
    atOnce: 2,
    perOrg: 1,
    tries,
    isKept: false,
    async run(job, { signal }) {
      const { orgId, payload } = job
      const one = await findImport(read, orgId, payload.importId)
      if (!one) return undefined
      try {
        return await work(orgId, one, signal)
      } catch (error) {
        if (error instanceof ImportStopped) await fail(orgId, one, error.failure)
        // No room for files: a person makes room, and resumes it.
        else if (error instanceof AppError && error.code === 'MEDIA_NO_ROOM' && one.state === 'running')
          await move(orgId, one, { state: 'paused', failure: 'noRoom' })
        else if (job.attempts >= tries) return givenUp(job)
        else throw error
        return undefined
      }
    },
    lost: job => (job.attempts < tries ? { kind: 'retry', reason: 'LOST' } : givenUp(job)),
  })

  return {
    announce,
    /** In the transaction that changes the state. Jobs of one import run one after another. */
    async begin({ db, orgId, afterCommit }: OrgWrite, id: string): Promise<void> {
      await queue.add(db, orgId, [{ payload: { importId: id }, orderKey: id }])
      afterCommit(queue.wake)
    },
  }
}

export type ImportWork = ReturnType<typeof createImportWork>
