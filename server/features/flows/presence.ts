import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { updatePresence } from '#server/platform/http/presence.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { flowPresenceApi } from '#shared/flows/presence.ts'
import { maxPresent } from '#shared/inbox/presence.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { flowErrors } from './errors.ts'
import { deleteEditor, listEditors, saveEditor } from './presence-store.ts'
import { hasFlow } from './store.ts'

/** Tracks who has a flow's editor open and who is editing, to avoid conflicting edits. */
export const createFlowPresence = ({
  clock,
  writes,
}: {
  clock: Clock
  writes: Pick<Writes, 'run'>
}): ServiceOf<typeof flowPresenceApi, OrgCaller> => ({
  setPresence: (caller, { params: { id: flowId }, body: { state } }) =>
    writes.run(caller.orgId, actorOf(caller), async ({ db, orgId, emit }) => {
      if (!(await hasFlow(db, orgId, flowId))) throw flowErrors.NOT_FOUND()
      const now = clock.now()
      const there = await listEditors(db, orgId, { flowId, at: now.toISOString(), limit: maxPresent + 1 })
      const { items, kept, left, news } = updatePresence(caller, state, { there, now })
      if (kept) await saveEditor(db, orgId, flowId, kept)
      if (left) await deleteEditor(db, orgId, flowId, left)
      if (news) emit({ type: 'flow.presence', data: { flowId, ...news } })
      return { items }
    }),
})
