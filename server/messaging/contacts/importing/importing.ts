import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CountryCode } from 'libphonenumber-js/max'
import { type Static, Type } from 'typebox'
import type { DirectoryParts } from '#server/messaging/directory/directory.ts'
import { makeTag } from '#server/messaging/tags/making.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { requireRoomFor } from '#server/platform/db/row-limits-store.ts'
import { actorOf, systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Job, longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import {
  type ContactImport,
  type contactImportsApi,
  type ImportInput,
  type ImportPreview,
  importFaultsShown,
  importsListed,
} from '#shared/contacts/imports.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Change } from './comparing.ts'
import { importErrors } from './errors.ts'
import { compare, type Opened, openFile, readInBatches } from './looking.ts'
import { faultsOf, previewImport } from './previewing.ts'
import { isRefused, type Refused } from './read-rows.ts'
import {
  deleteBefore,
  findImport,
  findRequest,
  insertImport,
  listImports,
  type StoredImport,
  saveProgress,
} from './store.ts'
import { takeIn } from './taking-in.ts'

interface ImportParts extends DirectoryParts {
  readonly databases: Databases
  readonly jobs: Pick<Jobs, 'register'>
  readonly writes: Pick<Writes, 'run'>
  readonly tags: Tags
  readCountry(orgId: string): Promise<CountryCode>
}

const announceMs = 1000
const tries = 5

const Take = Type.Object({ importId: Type.String() })

const present = ({ place: _place, announcedAt: _at, ...one }: StoredImport): ContactImport => one

/** The import's counts and faults after another batch of its rows. */
const progressAfter = (one: StoredImport, found: readonly (Change | Refused)[]): StoredImport => {
  const count = (outcome: Change['outcome']) => found.filter(row => !isRefused(row) && row.outcome === outcome).length
  const faults = faultsOf(found)
  return {
    ...one,
    done: one.done + found.length,
    created: one.created + count('created'),
    updated: one.updated + count('updated'),
    unchanged: one.unchanged + count('unchanged'),
    refused: one.refused + faults.length,
    faults: [...one.faults, ...faults].slice(0, importFaultsShown),
  }
}

/** Imports contacts from files: a preview of each row, and a job that imports about a hundred at a time. */
export function createContactImports(parts: ImportParts): ServiceOf<typeof contactImportsApi, OrgCaller> {
  const { databases, clock, ids, jobs, writes, tags, readCountry } = parts
  const { read: db } = databases
  const by = systemActor('contacts')

  const open = async (orgId: string, input: ImportInput): Promise<Opened> =>
    openFile(db, orgId, input, { tags, country: await readCountry(orgId) })

  const look = async (orgId: string, input: ImportInput): Promise<ImportPreview> =>
    previewImport(orgId, await open(orgId, input), input, parts)

  const announce = ({ emit }: OrgWrite, { id, state }: Pick<StoredImport, 'id' | 'state'>) =>
    emit({ type: 'contactImport.changed', data: { id, state } })

  const end = async (write: OrgWrite, one: StoredImport, state: 'done' | 'stopped' | 'failed') => {
    const ended = { ...one, state, endedAt: isoNow(clock) }
    await saveProgress(write.db, write.orgId, ended)
    announce(write, ended)
    return ended
  }

  /** Returns false when the import is not to continue. */
  const takeBatch = (
    orgId: string,
    id: string,
    {
      batch,
      file,
      input,
    }: { batch: { rows: Parameters<typeof compare>[2]; last: number }; file: Opened; input: ImportInput },
  ): Promise<boolean> =>
    writes.run(orgId, by, async write => {
      const one = await findImport(write.db, orgId, id)
      // Stopped, or its file was deleted.
      if (one?.state !== 'running' || (await findRequest(write.db, orgId, id)) === null) return false
      if (batch.last <= one.place) {
        // Imported before. Its contacts count as seen.
        await compare(write.db, orgId, batch.rows, { ...file, ...input })
        return true
      }
      const rows = batch.rows.filter(({ row }) => row > one.place)
      const found = await compare(write.db, orgId, rows, { ...file, ...input })
      const taken = found.flatMap(row => (isRefused(row) ? [] : [row]))
      await takeIn(write, taken, { ...parts, number: file.number })
      const isNews = clock.now().getTime() - Date.parse(one.announcedAt) >= announceMs
      const announcedAt = isNews ? isoNow(clock) : one.announcedAt
      const after = { ...progressAfter(one, found), place: batch.last, announcedAt }
      await saveProgress(write.db, orgId, after)
      if (isNews) announce(write, after)
      return true
    })

  const endIfRunning = async (write: OrgWrite, id: string, state: 'done' | 'failed'): Promise<void> => {
    const one = await findImport(write.db, write.orgId, id)
    if (one?.state === 'running') await end(write, one, state)
  }

  const givenUp = ({ orgId, payload }: Job<Static<typeof Take>>, reason?: string): Outcome => ({
    ...(reason === undefined ? { kind: 'done' } : { kind: 'failed', reason }),
    write: many => endIfRunning(many.of(orgId), payload.importId, 'failed'),
  })

  const queue = jobs.register({
    name: 'contactImports.take',
    looksWithinMs: longestGapMs,
    payload: Take,
    lane: 'bulk',
    atOnce: 1,
    tries,
    isKept: false,
    async run(job, { signal }) {
      const {
        orgId,
        payload: { importId: id },
      } = job
      const input = await findRequest(db, orgId, id)
      if (input === null) return givenUp(job)
      try {
        const file = await open(orgId, input)
        for (const batch of readInBatches(file)) {
          if (signal.aborted) return { kind: 'released' }
          if (!(await takeBatch(orgId, id, { batch, file, input }))) return givenUp(job)
          await nextTurn()
        }
      } catch (error) {
        // Its number, field or tag was deleted meanwhile, so retrying does not help.
        if (error instanceof AppError && error.status < 500) return givenUp(job, error.code)
        throw error
      }
      await writes.run(orgId, by, write => endIfRunning(write, id, 'done'))
      return undefined
    },
    lost: job => (job.attempts < tries ? { kind: 'retry', reason: 'LOST' } : givenUp(job, 'LOST')),
  })

  return {
    preview: ({ orgId }, { body }) => look(orgId, body),

    async begin(caller, { body: { file = 'contactos.csv', ...input } }) {
      const { orgId } = caller
      const seen = await look(orgId, input)
      const columns = seen.columns.map(({ target }) => target)
      if (!columns.includes('phone')) throw new InvalidInput([{ field: 'body.columns', code: 'required', params: {} }])
      if (!seen.rows) throw new InvalidInput([{ field: 'body.text', code: 'required', params: {} }])
      return writes.run(orgId, actorOf(caller), async write => {
        const before = await listImports(write.db, orgId, importsListed)
        if (before.some(({ state }) => state === 'running')) throw importErrors.UNDER_WAY()
        await requireRoomFor(write.db, orgId, 'contacts', seen.created)
        for (const label of seen.newTags) await makeTag(write, { label }, { clock, ids })
        const id = ids(clock.now().getTime())
        await insertImport(write.db, orgId, {
          id,
          file: file.replace(/\p{Cc}/gu, ' ').trim() || 'contactos.csv',
          author: caller.name,
          createdAt: isoNow(clock),
          rows: seen.rows,
          request: JSON.stringify({ ...input, hasHeader: seen.hasHeader, columns }),
        })
        const oldest = before[importsListed - 2]
        if (oldest) await deleteBefore(write.db, orgId, oldest.id)
        await queue.add(write.db, orgId, [{ payload: { importId: id }, uniqueKey: id }])
        announce(write, { id, state: 'running' })
        write.afterCommit(queue.wake)
        return present((await findImport(write.db, orgId, id)) as StoredImport)
      })
    },

    listImports: async ({ orgId }) => ({ items: (await listImports(db, orgId, importsListed)).map(present) }),

    async getImport({ orgId }, { params }) {
      const one = await findImport(db, orgId, params.id)
      if (!one) throw importErrors.NOT_FOUND()
      return present(one)
    },

    stop: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const one = await findImport(write.db, caller.orgId, params.id)
        if (!one) throw importErrors.NOT_FOUND()
        return present(one.state === 'running' ? await end(write, one, 'stopped') : one)
      }),
  }
}
