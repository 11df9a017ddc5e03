import { actorOf } from '#server/platform/events/actors.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { maxFlows } from '#shared/flows/api.ts'
import { keptGraph, showGraph } from '#shared/flows/exchange.ts'
import { emptyGraph } from '#shared/flows/graph.ts'
import { createEditing } from './editing.ts'
import { flowErrors } from './errors.ts'
import { createListing } from './listing.ts'
import { createPublishing } from './publishing.ts'
import { createRuns } from './runs/runs.ts'
import type { FlowService, FlowServiceParts } from './service-parts.ts'
import { findLive, findSession, isMute, listLiveOf } from './sessions/session-store.ts'
import { insertFlow, listPlaces, setDeleted, setEnabled, setPosition } from './store.ts'
import { createMatching } from './trials/matching.ts'
import { createTrials } from './trials/trials.ts'
import { createVersions } from './versions.ts'

/** About ten milliseconds of the single writer. */
const sessionsPerCommit = 10

/** Drafts, publishing, ordering and undo of flows. */
export function createFlowService(parts: FlowServiceParts): FlowService {
  const { databases, clock, ids, writes, liveFlows, engine, hooks } = parts

  const flows = createEditing(parts)
  const { getFlow, presentWhole, requireRevision, change, saveNextRevision, editorOf } = flows
  /** The version's customers are listed with it. */
  const runs = createRuns(parts)

  return {
    ...createListing(parts),

    create: (caller, { body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId, emit } = write
        const known = await listPlaces(db, orgId, { limit: maxFlows })
        if (known.length >= maxFlows) throw flowErrors.TOO_MANY({ params: { limit: maxFlows } })
        const flow = {
          id: ids(clock.now().getTime()),
          name: body.name.trim(),
          position: Math.max(0, ...known.map(({ position }) => position + 1)),
          wireGraph: body.graph ? keptGraph(body.graph) : showGraph(emptyGraph()),
          wireTriggers: body.triggers ?? [],
        }
        await insertFlow(db, orgId, flow, editorOf(caller))
        await hooks.ensure(write, flow.id, flow.wireTriggers, caller.name)
        emit({ type: 'flow.changed', data: { flowId: flow.id, name: flow.name, change: 'created' } })
        return presentWhole(db, orgId, await getFlow(db, orgId, flow.id))
      }),

    async get({ orgId }, { params }) {
      return presentWhole(databases.read, orgId, await getFlow(databases.read, orgId, params.id))
    },

    save: (caller, { params, body }) =>
      change(caller, params.id, async (write, flow) => {
        requireRevision(flow, body.revision)
        const { name = flow.name, triggers: wireTriggers = flow.wireTriggers } = body
        const wireGraph = body.graph ? keptGraph(body.graph) : flow.wireGraph
        return ['saved', await saveNextRevision(write, caller, flow, { name: name.trim(), wireGraph, wireTriggers })]
      }),

    /** Sessions are ended in batches; if that is interrupted, the flow still exists. @throws FLOWS_HAS_SESSIONS */
    async remove(caller, { params, query }) {
      const by = actorOf(caller)
      const { id } = await getFlow(databases.read, caller.orgId, params.id)
      if (query.endSessions) {
        await writes.run(caller.orgId, by, ({ db, orgId }) => setEnabled(db, orgId, id, false))
        await inBatches(sessionsPerCommit, limit =>
          writes.run(caller.orgId, by, async write => {
            const sessions = await listLiveOf(write.db, write.orgId, id, limit)
            for (const session of sessions) await engine.letGo(write, session, { state: 'stopped', reason: null })
            return sessions.length
          }),
        )
      }
      return writes.run(caller.orgId, by, async write => {
        const { db, orgId, emit } = write
        const { name } = await getFlow(db, orgId, id)
        if ((await listLiveOf(db, orgId, id, 1)).length) throw flowErrors.HAS_SESSIONS()
        await setDeleted(db, orgId, id, isoNow(clock))
        await hooks.remove(write, id)
        emit({ type: 'flow.changed', data: { flowId: id, name, change: 'deleted' } })
        return { success: true }
      })
    },

    ...createPublishing(parts, flows),

    order: (caller, { body }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId, emit }) => {
        const flows = await listPlaces(db, orgId, { limit: maxFlows })
        const wanted = [...new Set(body.ids)]
        const first = wanted.map(id => flows.find(flow => flow.id === id))
        if (first.includes(undefined)) throw flowErrors.NOT_FOUND()
        const inOrder = [...first, ...flows.filter(({ id }) => !wanted.includes(id))] as typeof flows
        let moved: (typeof flows)[number] | undefined
        for (const [position, flow] of inOrder.entries())
          if (flow.position !== position) {
            await setPosition(db, orgId, flow.id, position)
            moved ??= flow
          }
        if (moved) emit({ type: 'flow.changed', data: { flowId: moved.id, name: moved.name, change: 'moved' } })
        return { success: true }
      }),

    ...createVersions(parts, flows),

    ...createTrials(parts, flows),

    start: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const { id: flowId } = await getFlow(db, orgId, params.id)
        const { conversationId, contactId } = await parts.requireChat(db, caller, body.phone)
        if ((await findLive(db, orgId, [contactId])).length) throw flowErrors.IN_A_FLOW()
        if (!(await liveFlows.list(db, orgId)).some(live => live.flowId === flowId)) throw flowErrors.NOT_LIVE()
        await parts.inbox.changeControl(write, conversationId, { cause: 'released', by: write.by })
        const id = await engine.begin(write, { flowId, trigger: 'manual', conversationId, contactId })
        if (id === undefined) throw flowErrors.RUN_NOT_FOUND()
        const session = await findSession(db, orgId, id)
        if (session && (await isMute(db, orgId, session))) throw flowErrors.WINDOW_CLOSED()
        return runs.find(db, caller, id)
      }),

    ...runs.service,

    ...createMatching(parts, { getFlow }),
  }
}
