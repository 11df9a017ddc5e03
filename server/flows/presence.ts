import type { ServiceOf } from '#shared/contract.ts'
import type { flowPresenceApi } from '#shared/flow-presence.ts'
import { lookingMs, mostPresent, writingMs } from '#shared/presence.ts'
import { callerId, type OrgCaller } from '../actor.ts'
import { type Clock, isoNow } from '../clock.ts'
import { actorOf } from '../events/actors.ts'
import type { Writes } from '../events/writes.ts'
import { flowErrors } from './errors.ts'
import { deleteEditor, type EditorStay, listEditors, saveEditor } from './presence-store.ts'
import { hasFlow } from './store.ts'

/** Who has a flow's editor open and who draws in it, so that nobody draws against somebody else. */
export function createFlowPresence({
  clock,
  writes,
}: {
  clock: Clock
  writes: Pick<Writes, 'run'>
}): ServiceOf<typeof flowPresenceApi, OrgCaller> {
  const later = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
  const presentOf = ({ id, name, writesUntil }: EditorStay, at: string) => ({
    ...{ id, name },
    isWriting: (writesUntil ?? '') > at,
  })

  return {
    setPresence: (caller, { params: { id: flowId }, body: { state } }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId, emit }) => {
        if (!(await hasFlow(db, orgId, flowId))) throw flowErrors.NOT_FOUND()
        const at = isoNow(clock)
        const there = await listEditors(db, orgId, { flowId, at, limit: mostPresent + 1 })
        const id = callerId(caller)
        const items = there
          .filter(one => one.id !== id)
          .slice(0, mostPresent)
          .map(one => presentOf(one, at))
        // Whoever acts as somebody else looks unseen: it is not that person who is there.
        if (caller.kind === 'person' && caller.impersonatedBy) return { items }
        const before = there.find(one => one.id === id)
        const isGone = state === 'gone'
        const writesUntil = state === 'writing' ? later(writingMs) : (before?.writesUntil ?? null)
        const stay: EditorStay = { id, name: caller.name, looksUntil: later(lookingMs), writesUntil }
        if (!isGone) await saveEditor(db, orgId, flowId, stay)
        else if (before) await deleteEditor(db, orgId, flowId, id)
        const isNews = isGone ? before : !before || state === 'writing'
        if (isNews) emit({ type: 'flow.presence', data: { flowId, person: presentOf(stay, at), isGone } })
        return { items }
      }),
  }
}
