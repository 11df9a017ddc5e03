import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import { emitChanged } from '../changes/emit-changed.ts'
import { findRows } from '../rows/list-row-store.ts'
import { countWaitsAgain } from './waiting-store.ts'

const isAboutFailure = ({ data }: EventOf<'message.status'>): boolean =>
  !data.bulk && (data.status === 'failed') !== (data.before === 'failed')

/** A reply that failed reached nobody, so its customer waits as if it had not been sent. */
export const createWaitsAfterFailures = (): TransactionListener<'message.status'> => ({
  name: 'customers who wait after a failed reply',
  on: ['message.status'],
  async handle(write, events) {
    const ids = new Set(events.filter(isAboutFailure).map(({ data }) => data.conversationId))
    if (!ids.size) return
    const changed = await countWaitsAgain(write.db, write.orgId, [...ids])
    if (changed.length) await emitChanged(write, await findRows.byId(write.db, changed, { orgId: write.orgId }))
  },
})
