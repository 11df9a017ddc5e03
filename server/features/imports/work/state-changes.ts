import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { shownState } from '../present.ts'
import { findImport, type StoredImport, updateImport } from '../store.ts'
import type { WorkParts } from './parts.ts'

/** Tells open pages the state of an import. */
export const announceState = ({ emit }: OrgWrite, { id, state }: Pick<StoredImport, 'id' | 'state'>): void =>
  emit({ type: 'chatImport.changed', data: { id, state: state === 'discarding' ? 'discarded' : shownState(state) } })

/** Changes an import if it is still in the state in which it was read. False: it is not. */
export const changeImport = (
  { writes, clock }: Pick<WorkParts, 'writes' | 'clock'>,
  orgId: string,
  one: StoredImport,
  changes: Parameters<typeof updateImport>[3],
): Promise<boolean> =>
  writes.run(orgId, systemActor('imports'), async write => {
    const now = await findImport(write.db, orgId, one.id)
    if (now?.state !== one.state) return false
    await updateImport(write.db, orgId, one.id, { ...changes, announced_at: isoNow(clock) })
    announceState(write, { ...one, ...changes })
    return true
  })

/** Called in the commit of the last step. Outgoing webhooks get one event for the whole import. */
export async function finishImport(write: OrgWrite, clock: Clock, one: StoredImport): Promise<void> {
  await updateImport(write.db, write.orgId, one.id, { state: 'done', failure: null, ended_at: isoNow(clock) })
  announceState(write, { id: one.id, state: 'done' })
  const { messages, files, contacts, existing } = one.taken
  const { id, source, refused } = one
  write.emit({
    type: 'chatImport.finished',
    data: { id, source, messages, files, contacts, existing, refused: refused.count },
  })
}
