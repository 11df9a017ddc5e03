import { countSince } from '#server/features/flows/runs/day-store.ts'
import { createRuns } from '#server/features/flows/runs/runs.ts'
import { findLive, findSession, isMute, listLiveOf } from '#server/features/flows/sessions/session-store.ts'
import { createMatching } from '#server/features/flows/trials/matching.ts'
import { createTrials } from '#server/features/flows/trials/trials.ts'
import type { Db } from '#server/platform/db/database.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import {
  type Flow,
  type FlowSummary,
  type flowsApi,
  flowsPerPage,
  maxFlows,
  maxVariablesListed,
  versionsPerPage,
} from '#shared/flows/api.ts'
import { keptGraph, readGraph, readTriggers, showGraph } from '#shared/flows/exchange.ts'
import { emptyGraph } from '#shared/flows/graph.ts'
import { isSameFlow } from '#shared/flows/same.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { wallTime } from '#shared/kernel/time.ts'
import { flowErrors } from './errors.ts'
import { createPublishing } from './publishing.ts'
import type { FlowServiceParts } from './service-parts.ts'
import { type FlowChanged, flowState, present, type ShownFlow, shortened } from './shown.ts'
import {
  findFlow,
  insertFlow,
  listFlows,
  listPlaces,
  type StoredFlow,
  saveDraft,
  setDeleted,
  setEnabled,
  setPosition,
} from './store.ts'
import { findVersion, listVersions } from './version-store.ts'

export type FlowService = ServiceOf<typeof flowsApi, OrgCaller>

/** About ten milliseconds of the single writer. */
const sessionsPerCommit = 10
/** Flows read at once for the list, because their triggers may be megabytes. */
const maxFlowsPerRead = 20
const dayMs = 24 * 60 * 60 * 1000
/** Drafts, publishing, ordering and undo of flows. */
export function createFlowService(parts: FlowServiceParts): FlowService {
  const { databases, clock, ids, writes, liveFlows, engine, hooks } = parts

  const weekOf = async (db: Db, orgId: string) => {
    const first = wallTime(clock.now().getTime() - 6 * dayMs, await parts.timeZoneOf(orgId, db)).slice(0, 10)
    return countSince(db, orgId, first)
  }

  const getFlow = async (db: Db, orgId: string, id: string): Promise<StoredFlow> => {
    const flow = await findFlow(db, orgId, id)
    if (!flow) throw flowErrors.NOT_FOUND()
    return flow
  }

  const versionOf = async (db: Db, orgId: string, id: string, version: number) => {
    const found = await findVersion(db, orgId, id, version)
    if (!found) throw flowErrors.VERSION_NOT_FOUND()
    return found
  }

  const getVersion = async (db: Db, orgId: string, id: string, version: number) => {
    await getFlow(db, orgId, id)
    return versionOf(db, orgId, id, version)
  }

  const presentWhole = async (db: Db, orgId: string, flow: ShownFlow): Promise<Flow> => {
    const week = (await weekOf(db, orgId)).get(flow.id)
    return { ...present(flow, week), graph: flow.wireGraph }
  }

  /** @throws FLOWS_STALE if somebody has saved meanwhile. */
  const requireRevision = ({ revision, editorName }: StoredFlow, wanted: number) => {
    if (revision !== wanted) throw flowErrors.STALE({ fields: ['body.revision'], params: { name: editorName } })
  }

  const editorOf = (caller: OrgCaller) => ({ id: callerId(caller), name: caller.name, at: isoNow(clock) })

  /**
   * Changes a flow, emits the event and returns the new flow. `work` returns the kind of change; undefined: nothing
   * changed.
   */
  const change = (
    caller: OrgCaller,
    id: string,
    work: (write: OrgWrite, flow: StoredFlow) => Promise<[FlowChanged, Partial<ShownFlow>] | undefined>,
  ): Promise<Flow> =>
    writes.run(caller.orgId, actorOf(caller), async write => {
      const flow = await getFlow(write.db, write.orgId, id)
      const [done, changed] = (await work(write, flow)) ?? []
      const after = { ...flow, ...changed }
      const { name, revision } = after
      if (done) write.emit({ type: 'flow.changed', data: { flowId: id, name, change: done, revision } })
      return presentWhole(write.db, write.orgId, after)
    })

  /** Saves the draft as the next revision and returns the kind of change. */
  const draw = async (
    write: OrgWrite,
    caller: OrgCaller,
    { id, version, ...flow }: StoredFlow,
    drawn: Pick<ShownFlow, 'name' | 'wireGraph' | 'wireTriggers'>,
  ): Promise<Partial<ShownFlow>> => {
    const editor = editorOf(caller)
    const revision = flow.revision + 1
    const published = version === null ? undefined : await findVersion(write.db, write.orgId, id, version)
    const draft = { graph: readGraph(drawn.wireGraph), triggers: readTriggers(drawn.wireTriggers) }
    const publishedRevision = published && isSameFlow(published, draft) ? revision : flow.publishedRevision
    await saveDraft(write.db, write.orgId, { ...drawn, id, revision, publishedRevision }, editor)
    await hooks.ensure(write, id, drawn.wireTriggers, caller.name)
    return { ...drawn, revision, publishedRevision, editedAt: editor.at, editorName: editor.name }
  }

  /** The version's customers are listed with it. */
  const runs = createRuns(parts)

  return {
    async list({ orgId }, { query: { page = 1 } }) {
      const db = databases.read
      const found = await listPlaces(db, orgId, { offset: (page - 1) * flowsPerPage, limit: flowsPerPage + 1 })
      const ids = found.slice(0, flowsPerPage).map(({ id }) => id)
      const week = await weekOf(db, orgId)
      const items: FlowSummary[] = []
      for (let at = 0; at < ids.length; at += maxFlowsPerRead) {
        if (at) await databases.turn.giveWay()
        for (const flow of await listFlows(db, orgId, ids.slice(at, at + maxFlowsPerRead))) {
          const { version, isEnabled } = flow
          const live =
            isEnabled && version !== null ? await liveFlows.versionOf(db, orgId, flow.id, version) : undefined
          const { wireTriggers } = live ?? flow
          items.push(present({ ...flow, wireTriggers: shortened(wireTriggers) }, week.get(flow.id)))
        }
      }
      return { items, page, pageSize: flowsPerPage, hasMore: found.length > flowsPerPage }
    },

    async listNames({ orgId }) {
      const found = await listPlaces(databases.read, orgId, { limit: maxFlows })
      return { items: found.map(flow => ({ id: flow.id, name: flow.name, state: flowState(flow) })) }
    },

    async listLive({ orgId }) {
      let left: number = maxVariablesListed.ofAll
      const items = (await liveFlows.list(databases.read, orgId)).map(({ flowId, triggers, calls, variables: all }) => {
        const variables = all.slice(0, Math.min(left, maxVariablesListed.ofOne))
        left -= variables.length
        return { id: flowId, isDefault: triggers.some(({ kind }) => kind === 'default'), calls: [...calls], variables }
      })
      return { items }
    },

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
        return ['saved', await draw(write, caller, flow, { name: name.trim(), wireGraph, wireTriggers })]
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

    ...createPublishing(parts, { getFlow, versionOf, requireRevision, change }),

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

    async listVersions({ orgId }, { params, query: { page = 1 } }) {
      await getFlow(databases.read, orgId, params.id)
      const found = await listVersions(databases.read, orgId, params.id, {
        offset: (page - 1) * versionsPerPage,
        limit: versionsPerPage + 1,
      })
      const items = found.slice(0, versionsPerPage)
      return { items, page, pageSize: versionsPerPage, hasMore: found.length > versionsPerPage }
    },

    async getVersion({ orgId }, { params }) {
      const {
        wireGraph,
        wireTriggers,
        graph: _graph,
        ...head
      } = await getVersion(databases.read, orgId, params.id, params.version)
      return { ...head, graph: wireGraph, triggers: [...wireTriggers] }
    },

    restore: (caller, { params, body }) =>
      change(caller, params.id, async (write, flow) => {
        requireRevision(flow, body.revision)
        const { wireGraph, wireTriggers } = await versionOf(write.db, write.orgId, flow.id, params.version)
        return ['saved', await draw(write, caller, flow, { name: flow.name, wireGraph, wireTriggers })]
      }),

    ...createTrials(parts, { getFlow, getVersion }),

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
