import { setImmediate as nextTurn } from 'node:timers/promises'
import { Type } from 'typebox'
import type { EventActor } from '#shared/events/actor.ts'
import { type Clock, isoIn } from '../clock.ts'
import { type Databases, inTransaction } from '../db.ts'
import { systemActor } from '../events/actors.ts'
import type { OrgWrite, Writes } from '../events/writes.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { isMember, listAssigned, unassign } from './assignment-store.ts'
import { placeOf } from './present.ts'

interface ReleaseParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'register'>
  readonly writes: Pick<Writes, 'run'>
}

/** Gives back the conversations of whoever leaves, however many they had. */
export interface Releases {
  /** Before it is tried: done a little later even if the process dies in between, and nothing if they stayed. */
  expect(orgId: string, userId: string): Promise<void>
  /** They are no member any more. Emits `conversation.assigned` for each, then `member.left`. */
  begin(orgId: string, userId: string, by: EventActor): Promise<void>
}

/** Some ten milliseconds of the one writer. */
const perCommit = 200
/** Longer than a call takes. */
const expectedAfterMs = 30_000

const ReleasePayload = Type.Object({
  userId: Type.String(),
  by: Type.Object({
    kind: Type.String(),
    id: Type.Union([Type.String(), Type.Null()]),
    name: Type.Union([Type.String(), Type.Null()]),
  }),
})

/** One batch; false: it was the last, or the person is a member (again). A crash may say twice that somebody left. */
const releaseBatch = async ({ db, orgId, by, emit }: OrgWrite, userId: string): Promise<boolean> => {
  if (await isMember(db, orgId, userId)) return false
  const rows = await listAssigned(db, orgId, userId, perCommit)
  await unassign(
    db,
    orgId,
    rows.map(({ id }) => id),
  )
  for (const row of rows)
    emit({ type: 'conversation.assigned', data: { ...placeOf(row), from: { userId }, to: { userId: null }, by } })
  if (rows.length === perCommit) return true
  emit({ type: 'member.left', data: { userId } })
  return false
}

export function createReleases({ databases, clock, jobs, writes }: ReleaseParts): Releases {
  const queue = jobs.register({
    name: 'conversation.release',
    payload: ReleasePayload,
    lane: 'person',
    atOnce: 2,
    perOrg: 1,
    isKept: false,
    async run({ orgId, payload: { userId, by } }, { signal }) {
      while (await writes.run(orgId, by as EventActor, write => releaseBatch(write, userId))) {
        if (signal.aborted) return { kind: 'released' }
        await nextTurn()
      }
      return undefined
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  return {
    async expect(orgId, userId) {
      const payload = { userId, by: systemActor('members') }
      await inTransaction(databases, trx =>
        queue.add(trx, orgId, [{ payload, uniqueKey: userId, dueAt: isoIn(clock, expectedAfterMs) }]),
      )
    },
    async begin(orgId, userId, by) {
      await inTransaction(databases, async trx => {
        await queue.cancelWaiting(trx, orgId, { uniqueKeys: [userId] })
        await queue.add(trx, orgId, [{ payload: { userId, by } }])
      })
      queue.wake()
    },
  }
}
