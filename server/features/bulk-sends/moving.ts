import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { mayRetryMany } from '#server/whatsapp/errors/code-meanings.ts'
import type { bulkSendsApi } from '#shared/bulk-sends/api.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import type { BulkSendState } from '#shared/bulk-sends/states.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { isOfferOver } from '#shared/templates/sending.ts'
import { type Approving, requireApproval } from './approving.ts'
import { moveSend } from './changed.ts'
import { findRecipe } from './drafts/recipe-store.ts'
import { bulkSendErrors } from './errors.ts'
import { listQueued } from './planning/planned-store.ts'
import { curveDelta, curveEnd } from './reports/curve.ts'
import { addToCurve } from './reports/curve-store.ts'
import { presentSend } from './reports/present.ts'
import { countReasons } from './reports/report-store.ts'
import { requireVisible } from './rights/visible.ts'
import type { HandOver, HandOverParts } from './sending/hand-over.ts'
import { maxQueued } from './sending/handing.ts'
import { planAgain } from './sending/recipient-store.ts'
import type { Scheduling } from './sending/scheduling.ts'
import { addToCounts, type SendChange } from './store.ts'
import type { StoredSend } from './stored-send.ts'

export interface MovingParts extends Pick<HandOverParts, 'inbox' | 'scopes'> {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly handOver: HandOver
  readonly scheduling: Scheduling
  readonly approving: Pick<Approving, 'approve'>
}

/** About ten milliseconds of the only writer. */
const plannedAgainAtOnce = 200

/** Starting or rescheduling by hand replaces local start times. */
const withoutLocalStart = ({ care }: StoredSend): Pick<SendChange, 'care'> =>
  care.localStart ? { care: { ...care, localStart: null } } : {}

const requirePeople = ({ counts }: StoredSend): void => {
  if (!counts.planned) throw bulkSendErrors.NOBODY()
}

type Moving = Pick<
  ServiceOf<typeof bulkSendsApi, OrgCaller>,
  'approve' | 'start' | 'schedule' | 'unschedule' | 'retry' | 'pause' | 'resume' | 'cancel'
>

/** Changes a send's state on request. */
export function createMoving({
  databases,
  clock,
  writes,
  inbox,
  scopes,
  handOver,
  scheduling,
  approving,
}: MovingParts): Moving {
  /** Allowed from these states. If it already has the state, nothing changes. */
  const move = (
    caller: OrgCaller,
    id: string,
    {
      from,
      to,
      work,
    }: {
      from: readonly BulkSendState[]
      to: BulkSendState
      work: (write: OrgWrite, send: StoredSend) => Promise<StoredSend>
    },
  ): Promise<BulkSend> =>
    writes.run(caller.orgId, actorOf(caller), async write => {
      const send = await requireVisible(write.db, scopes, caller, id)
      if (send.state === to && !from.includes(to)) return presentSend(send)
      if (!from.includes(send.state)) throw bulkSendErrors.WRONG_STATE({ params: { state: send.state } })
      return presentSend(await work(write, send))
    })

  return {
    approve: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write =>
        presentSend(await approving.approve(write, caller, await requireVisible(write.db, scopes, caller, params.id))),
      ),

    start: (caller, { params }) =>
      move(caller, params.id, {
        from: ['ready', 'scheduled'],
        to: 'running',
        async work(write, send) {
          requirePeople(send)
          requireApproval(send)
          return handOver.begin(write, send, withoutLocalStart(send))
        },
      }),

    async schedule(caller, { params, body }) {
      const startsAt = scheduling.readStart(body.startAt)
      return move(caller, params.id, {
        from: ['ready', 'scheduled'],
        to: 'scheduled',
        async work(write, send) {
          requirePeople(send)
          requireApproval(send)
          const recipe = await findRecipe(write.db, write.orgId, send.id)
          if (isOfferOver(send.template.components, recipe?.values?.offerEndsAt, Date.parse(startsAt)))
            throw new InvalidInput([{ field: 'body.startAt', code: 'afterOffer', params: {} }])
          return scheduling.set(write, send, startsAt, withoutLocalStart(send))
        },
      })
    },

    unschedule: (caller, { params }) =>
      move(caller, params.id, {
        from: ['scheduled'],
        to: 'ready',
        work: (write, send) => moveSend(write, send, { state: 'ready', startsAt: null }),
      }),

    /**
     * Plans failed recipients again in batches. After a crash, calling again continues. @throws
     * BULK_SENDS_NOTHING_TO_RETRY
     */
    async retry(caller, { params }) {
      const { read } = databases
      const { id } = await requireVisible(read, scopes, caller, params.id)
      const groups = await countReasons(read, caller.orgId, id)
      const codes = groups.flatMap(({ state, reason }) => (state === 'failed' && mayRetryMany(reason) ? [reason] : []))
      if (codes.length)
        await inBatches(plannedAgainAtOnce, limit =>
          writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
            const { state, startedAt, createdAt } = await requireVisible(db, scopes, caller, id)
            if (state !== 'completed') return 0
            const at = isoNow(clock)
            const planned = await planAgain(db, orgId, id, { codes, at, limit })
            const deltas = { planned, failed: -planned }
            await addToCounts(db, orgId, id, deltas)
            const until = curveEnd(startedAt ?? createdAt, at)
            await addToCurve(db, orgId, id, { until, ...curveDelta(deltas) })
            return planned
          }),
        )
      return move(caller, id, {
        from: ['completed'],
        to: 'running',
        async work(write, send) {
          if (!send.counts.planned) throw bulkSendErrors.NOTHING_TO_RETRY()
          return handOver.begin(write, send, { endedAt: null })
        },
      })
    },

    pause: (caller, { params }) =>
      move(caller, params.id, {
        from: ['running'],
        to: 'paused',
        work: (write, send) => moveSend(write, send, { state: 'paused' }),
      }),

    resume: (caller, { params }) =>
      move(caller, params.id, {
        from: ['paused', 'blocked'],
        to: 'running',
        async work(write, send) {
          requireApproval(send)
          return handOver.begin(write, send)
        },
      }),

    cancel: (caller, { params }) =>
      move(caller, params.id, {
        from: ['preparing', 'ready', 'scheduled', 'running', 'paused', 'blocked'],
        to: 'cancelled',
        async work(write, send) {
          const moved = await moveSend(write, send, { state: 'cancelled', endedAt: isoNow(clock), isWritten: true })
          await inbox.cancelQueued(write, await listQueued(write.db, write.orgId, send.id, maxQueued))
          return moved
        },
      }),
  }
}
