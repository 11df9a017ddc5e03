import { Type } from 'typebox'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { OmissionReason } from '#shared/bulk-sends/states.ts'
import type { Approving } from '../approving.ts'
import { moveSend } from '../changed.ts'
import { createPeopleTags } from '../rights/people-tags.ts'
import type { RightsWatch } from '../rights/rights-watch.ts'
import type { Senders } from '../senders.ts'
import { deleteRecipients, insertRecipients, type NewRecipient } from '../sending/recipient-store.ts'
import { addToCounts, changeSend, findRequest, findSend } from '../store.ts'
import type { StoredSend } from '../stored-send.ts'
import { createCostEstimate } from './cost.ts'
import type { Planned } from './planner.ts'
import type { Planning } from './planning.ts'
import { findRateCard } from './rate-store.ts'

export interface PreparingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
  readonly ids: (at?: number) => string
  readonly planning: Planning
  readonly approving: Pick<Approving, 'begin'>
  readonly rightsWatch: Pick<RightsWatch, 'rightsIn'>
  readonly senders: Pick<Senders, 'findRole'>
}

const deletedAtOnce = 300
/** Recipients per commit. */
const writtenAtOnce = 192
/** Omitted for a reason that means they are no valid recipient, or known only as typed text. */
const noPeople: readonly OmissionReason[] = ['invalidNumber', 'usernameOnly', 'ownNumber', 'duplicate', 'noPermission']
const isPerson = (one: Planned): boolean => !('omitted' in one && noPeople.includes(one.omitted))

/** Rows per statement, which takes one or two milliseconds. */
const perStatement = 64

/** Writes a send's recipients, about a hundred at a time. A half-written plan of a dead process is started over. */
export function createPreparing(parts: PreparingParts) {
  const { databases, clock, jobs, writes, ids, planning, approving, rightsWatch, senders } = parts
  const by = systemActor('bulkSends')

  const rowOf = (one: Planned, place: number): NewRecipient => {
    const { candidate } = one
    const common = { id: ids(clock.now().getTime()), place, name: candidate.name }
    if ('omitted' in one)
      return { ...common, given: candidate.given, state: 'omitted', reason: one.omitted, values: null }
    return {
      ...common,
      given: candidate.phone ?? '',
      state: 'planned',
      reason: null,
      values: JSON.stringify(one.values),
    }
  }

  /** Runs in the transaction of each batch, unless the send was cancelled meanwhile. */
  const whileWanted = (orgId: string, id: string, work: (write: OrgWrite, send: StoredSend) => Promise<void>) =>
    writes.run(orgId, by, async write => {
      const send = await findSend(write.db, orgId, id)
      if (send?.state !== 'preparing') return false
      await work(write, send)
      return true
    })

  const forget = async (orgId: string, id: string): Promise<void> => {
    for (let gone = deletedAtOnce; gone === deletedAtOnce; )
      gone = await writes.run(orgId, by, ({ db }) => deleteRecipients(db, orgId, id, deletedAtOnce))
  }

  const writeAll = async (orgId: string, send: StoredSend, signal: AbortSignal): Promise<Outcome> => {
    const request = await findRequest(databases.read, orgId, send.id)
    if (!request) return { kind: 'done' }
    await forget(orgId, send.id)
    const role = (await senders.findRole(databases.read, orgId, send.creatorId)) ?? 'viewer'
    const estimate = createCostEstimate(await findRateCard(databases.read, orgId), send.template.category)
    const tags = createPeopleTags()
    let place = 0
    let omitted = 0
    const write = (rows: readonly NewRecipient[]): Promise<boolean> =>
      whileWanted(orgId, send.id, async ({ db }) => {
        for (let from = 0; from < rows.length; from += perStatement)
          await insertRecipients(db, rows.slice(from, from + perStatement), { orgId, sendId: send.id })
      })
    const open: NewRecipient[] = []
    for await (const batch of planning.planAll(orgId, request, {
      template: send.template,
      role,
      isOneChat: send.audience.isOneChat === true,
      withTags: true,
    })) {
      if (signal.aborted) return { kind: 'released' }
      for (const one of batch) {
        const row = rowOf(one, place)
        if (isPerson(one)) tags.add(one.candidate.tagIds ?? [])
        place += 1
        if (row.state === 'omitted') omitted += 1
        else estimate.add(row.given)
        open.push(row)
      }
      while (open.length >= writtenAtOnce) if (!(await write(open.splice(0, writtenAtOnce)))) return { kind: 'done' }
    }
    if (open.length && !(await write(open))) return { kind: 'done' }
    const planned = place - omitted
    const cost = estimate.estimate()
    await whileWanted(orgId, send.id, async (write, { counts, ...current }) => {
      await addToCounts(write.db, orgId, send.id, { planned, omitted })
      const rights = rightsWatch.rightsIn(write)
      const peopleTags = tags.all()
      const isShared = await rights.isShared(peopleTags)
      await changeSend(write.db, orgId, send.id, { cost, peopleTags, isShared })
      const written = { ...current, cost, peopleTags, isShared, counts: { ...counts, planned, omitted } }
      await approving.begin(write, written)
    })
    return { kind: 'done' }
  }

  /** The number of recipients is known only now. */
  const giveUp = async (orgId: string, id: string): Promise<Outcome> => {
    await forget(orgId, id)
    await whileWanted(orgId, id, async (write, send) => {
      const endedAt = isoNow(clock)
      await moveSend(write, send, { state: 'cancelled', reason: 'tooManyPeople', endedAt, isWritten: true })
    })
    return { kind: 'done' }
  }

  const queue = jobs.register({
    name: 'bulkSends.prepare',
    looksWithinMs: longestGapMs,
    payload: Type.Object({ sendId: Type.String() }),
    lane: 'bulk',
    atOnce: 2,
    isKept: false,
    async run({ orgId, payload }, { signal }) {
      const send = await findSend(databases.read, orgId, payload.sendId)
      if (send?.state !== 'preparing') return undefined
      try {
        return await writeAll(orgId, send, signal)
      } catch (error) {
        if (!(error instanceof InvalidInput)) throw error
        return giveUp(orgId, send.id)
      }
    },
    lost: () => ({ kind: 'retry', reason: 'LOST' }),
  })

  return {
    /** Queues the job, in the transaction that stores the send. */
    async add({ db, orgId, afterCommit }: OrgWrite, sendId: string): Promise<void> {
      await queue.add(db, orgId, [{ payload: { sendId }, uniqueKey: sendId, dueAt: isoNow(clock) }])
      afterCommit(queue.wake)
    },
  }
}
export type Preparing = ReturnType<typeof createPreparing>
