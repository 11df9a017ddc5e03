import { Type } from 'typebox'
import type { Databases } from '#server/platform/db/db.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { deletionGraceDays } from '#shared/orgs/ownership.ts'
import type { OwnerLetters } from '../ownership/letters.ts'
import { findDeletion, insertDeletion, listDeletions, removeDeletion } from './deletion-store.ts'

interface DeletionParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'register'>
  readonly writes: Pick<Writes, 'run'>
  readonly letters: OwnerLetters
  /** Hides an organization and begins to delete its rows. */
  hide(orgId: string): Promise<unknown>
}

export interface Deletion {
  /** Returns when it will be deleted. A second request does not change the time. */
  request(orgId: string, by: EventActor): Promise<string>
  undo(orgId: string, by: EventActor): Promise<void>
  /** Returns the organizations that are scheduled for deletion, with the time. */
  list(orgIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

const graceMs = deletionGraceDays * 86_400_000
/** The job must survive the organization, so it belongs to none. */
const installation = ''

/** Deletes an organization some days after the request, unless an owner undoes it. */
export function createDeletion({ databases, clock, jobs, writes, letters, hide }: DeletionParts): Deletion {
  const queue = jobs.register({
    name: 'organization.deletion',
    looksWithinMs: graceMs,
    // The owners were told this time.
    keepsTime: 'chosen',
    payload: Type.Object({ orgId: Type.String() }),
    atOnce: 1,
    isKept: false,
    async run({ payload: { orgId } }) {
      // Undoing deletes the row, so the row decides.
      const dueAt = await findDeletion(databases.read, orgId)
      if (dueAt !== undefined && dueAt <= isoNow(clock)) await hide(orgId)
      return undefined
    },
  })

  return {
    request: (orgId, by) =>
      writes.run(orgId, by, async ({ db, emit, afterCommit }) => {
        const before = await findDeletion(db, orgId)
        if (before !== undefined) return before
        const dueAt = isoIn(clock, graceMs)
        await insertDeletion(db, orgId, { requested_by: by.name ?? '', requested_at: isoNow(clock), due_at: dueAt })
        await queue.add(db, installation, [{ payload: { orgId }, uniqueKey: orgId, dueAt }])
        await letters.add(db, orgId, { what: 'deletionRequested', by: by.name ?? '', detail: dueAt })
        emit({ type: 'organization.changed', data: {} })
        afterCommit(() => letters.wake())
        return dueAt
      }),

    list: orgIds => listDeletions(databases.read, orgIds),

    undo: (orgId, by) =>
      writes.run(orgId, by, async ({ db, emit, afterCommit }) => {
        if ((await findDeletion(db, orgId)) === undefined) return
        await removeDeletion(db, orgId)
        await queue.cancel(db, installation, [orgId])
        await letters.add(db, orgId, { what: 'deletionUndone', by: by.name ?? '', detail: '' })
        emit({ type: 'organization.changed', data: {} })
        afterCommit(() => letters.wake())
      }),
  }
}
