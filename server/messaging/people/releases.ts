import { setImmediate as nextTurn } from 'node:timers/promises'
import { Type } from 'typebox'
import { conversationRef, nameOf } from '#server/messaging/conversations/shown/present.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoIn } from '#server/platform/time/clock.ts'
import { findAssignee, findTeamName, listAssigned, unassign } from './assignment-store.ts'

interface ReleaseParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'register'>
  readonly writes: Pick<Writes, 'run'>
}

/** A person who leaves, or a team that is removed. */
interface Leaver {
  readonly kind: 'person' | 'team'
  readonly id: string
}

/** Unassigns the conversations of people who leave and of removed teams, in batches. */
export interface Releases {
  /**
   * Call before the removal: adds a job that releases a little later even if the process dies, and does nothing if they
   * stayed.
   */
  expect(orgId: string, leaver: Leaver): Promise<void>
  /** Call after the removal. Emits `conversation.assigned` for each, then `member.left` or `team.removed`. */
  begin(orgId: string, leaver: Leaver, by: EventActor): Promise<void>
}

/** About ten milliseconds of the only writer. */
const perCommit = 200
/** Longer than a request takes. */
const expectedAfterMs = 30_000

const ReleasePayload = Type.Object({
  leaver: Type.Object({ kind: Type.Enum(['person', 'team']), id: Type.String() }),
  by: Type.Object({
    kind: Type.String(),
    id: Type.Union([Type.String(), Type.Null()]),
    name: Type.Union([Type.String(), Type.Null()]),
  }),
})

const isThere = async ({ db, orgId }: OrgWrite, { kind, id }: Leaver) =>
  (await (kind === 'person' ? findAssignee : findTeamName)(db, orgId, id)) !== undefined

/**
 * One batch. False: it was the last one, or the person or team exists (again). After a crash `member.left` may be
 * emitted twice.
 */
const releaseBatch = async (write: OrgWrite, leaver: Leaver): Promise<boolean> => {
  if (await isThere(write, leaver)) return false
  const { db, orgId, by, emit } = write
  const { kind, id } = leaver
  const rows = await listAssigned(db, orgId, leaver, perCommit)
  await unassign(
    db,
    orgId,
    kind,
    rows.map(row => row.id),
  )
  for (const row of rows) {
    const from = { userId: row.assignee_id, teamId: row.team_id }
    const to = kind === 'person' ? { ...from, userId: null } : { ...from, teamId: null }
    emit({
      type: 'conversation.assigned',
      data: { ...conversationRef(row), name: nameOf(row), from, to, by, released: true },
    })
  }
  if (rows.length === perCommit) return true
  emit(
    kind === 'person' ? { type: 'member.left', data: { userId: id } } : { type: 'team.removed', data: { teamId: id } },
  )
  return false
}

export function createReleases({ databases, clock, jobs, writes }: ReleaseParts): Releases {
  const queue = jobs.register({
    name: 'conversation.release',
    looksWithinMs: expectedAfterMs,
    keepsTime: 'fromAdding',
    payload: ReleasePayload,
    lane: 'person',
    atOnce: 2,
    perOrg: 1,
    isKept: false,
    async run({ orgId, payload: { leaver, by } }, { signal }) {
      while (await writes.run(orgId, by as EventActor, write => releaseBatch(write, leaver as Leaver))) {
        if (signal.aborted) return { kind: 'released' }
        await nextTurn()
      }
      return undefined
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  return {
    async expect(orgId, leaver) {
      const payload = { leaver, by: systemActor('members') }
      await inTransaction(databases, trx =>
        queue.add(trx, orgId, [{ payload, uniqueKey: leaver.id, dueAt: isoIn(clock, expectedAfterMs) }]),
      )
    },
    async begin(orgId, leaver, by) {
      await inTransaction(databases, async trx => {
        await queue.cancelWaiting(trx, orgId, { uniqueKeys: [leaver.id] })
        await queue.add(trx, orgId, [{ payload: { leaver, by } }])
      })
      queue.wake()
    },
  }
}
