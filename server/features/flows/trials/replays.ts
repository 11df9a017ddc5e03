import { Type } from 'typebox'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { showGraph } from '#shared/flows/exchange.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { replayLimits } from '#shared/flows/testing/replay.ts'
import type { FlowReplay, flowReplaysApi } from '#shared/flows/testing/replays.ts'
import { simulationLimits } from '#shared/flows/testing/simulation.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { flowErrors } from '../errors.ts'
import type { FlowInbox } from '../inbox.ts'
import type { LiveFlows } from '../live-flows.ts'
import { listStepsOf } from '../runs/run-store.ts'
import { joinedFor } from '../sessions/joined.ts'
import { fieldsFor } from '../sessions/needs.ts'
import { findFlow, hasFlow } from '../store.ts'
import { replay, type Stage } from './replay.ts'
import {
  countSince,
  countVerdicts,
  findLastReplay,
  findReplay,
  insertReplay,
  listPlayed,
  listToReplay,
  listVerdicts,
  type PlayedRun,
  readReplayGraph,
  type StoredReplay,
  saveVerdicts,
  stopReplays,
} from './replay-store.ts'
import type { Worlds } from './worlds.ts'

interface ReplayParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
  readonly jobs: Pick<Jobs, 'register'>
  readonly liveFlows: LiveFlows
  readonly inbox: Pick<FlowInbox, 'whoAre' | 'fieldsOf'>
  readonly worldOf: Worlds
  listTagIds(db: Db, orgId: string, contactIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
}

const Play = Type.Object({ replayId: Type.String() })
const dayMs = 24 * 60 * 60 * 1000

/** Replays customers' messages on a draft, some sessions per commit, at the lowest job priority. */
export function createReplays(parts: ReplayParts) {
  const { databases, clock, ids, writes } = parts

  /** Each session as it was and as it would be now. */
  const playAll = async (db: Db, orgId: string, root: FlowGraph, runs: readonly PlayedRun[]) => {
    // The rows belong to this organization; visibility is checked when they are displayed.
    const steps = await listStepsOf(
      db,
      { orgId },
      runs.map(({ id }) => id),
      simulationLimits.steps,
    )
    const contactIds = [...new Set(runs.map(({ contactId }) => contactId))]
    const tagIds = await parts.listTagIds(db, orgId, contactIds)
    const customers = await parts.inbox.whoAre(
      db,
      orgId,
      runs.map(({ conversationId }) => conversationId),
    )
    const stageFor = async (drawn: FlowGraph) => {
      const { graph, index } = await joinedFor(db, orgId, drawn, { place: undefined, liveFlows: parts.liveFlows })
      const fields = await fieldsFor(db, orgId, graph, contactIds, parts.inbox)
      const world = await parts.worldOf(db, orgId, graph)
      return ({ contactId, conversationId }: PlayedRun): Stage => {
        const { name = '', phone = '' } = customers.get(conversationId) ?? {}
        const customer = world.for(name, phone, tagIds.get(contactId) ?? [], fields.get(contactId))
        return { ...customer, isOpen: world.isOpen, graph: index, giveWay: () => databases.turn.giveWay() }
      }
    }
    const draft = await stageFor(root)
    const versions = new Map<string, Awaited<ReturnType<typeof stageFor>> | undefined>()
    for (const { flowId, version } of runs) {
      const key = `${flowId} ${version}`
      if (versions.has(key)) continue
      const found = await parts.liveFlows.findVersionCached(db, orgId, flowId, version)
      versions.set(key, found && (await stageFor(found.graph)))
    }
    const played = []
    for (const whole of runs) {
      const { contactId: _, testId, ...run } = whole
      const ran = versions.get(`${run.flowId} ${run.version}`)?.(whole)
      played.push({
        ...run,
        isTest: testId !== null,
        contact: customers.get(run.conversationId) ?? null,
        ...(await replay(run, steps.get(run.id) ?? [], draft(whole), ran)),
      })
      // Yields to the event loop.
      await new Promise(setImmediate)
    }
    return played
  }

  const queue = parts.jobs.register({
    name: 'flows.replay',
    looksWithinMs: longestGapMs,
    payload: Play,
    lane: 'bulk',
    atOnce: 2,
    perOrg: 1,
    isKept: false,
    async run({ orgId, payload }): Promise<Outcome> {
      const db = databases.read
      const stored = await findReplay(db, orgId, payload.replayId)
      if (stored?.state !== 'running') return { kind: 'done' }
      const { flowId, trigger, after, since, done } = stored
      const found = await listToReplay(db, orgId, { flowId, trigger, after, limit: replayLimits.atOnce })
      const runs = found.filter(({ startedAt }) => startedAt >= since).slice(0, Math.max(0, replayLimits.runs - done))
      const played = await playAll(db, orgId, await readReplayGraph(db, orgId, stored.id), runs)
      const isLast = runs.length < replayLimits.atOnce
      return {
        ...(isLast ? { kind: 'done' } : { kind: 'again', afterMs: 0 }),
        write: ({ of }) => {
          const write = of(orgId)
          return saveVerdicts(write.db, write.orgId, stored, {
            verdicts: played.map(({ id, conversationId, verdict }) => ({ sessionId: id, conversationId, verdict })),
            after: runs.at(-1)?.id ?? after,
            endedAt: isLast ? isoNow(clock) : null,
          })
        },
      }
    },
  })

  const present = async (db: Db, viewer: Viewer, stored: StoredReplay): Promise<FlowReplay> => {
    const { id, state, since, trigger, total, done, startedAt, startedBy, endedAt } = stored
    const counts = await countVerdicts(db, viewer, id)
    return { id, state, since, trigger, total, done, counts, startedAt, startedBy, endedAt }
  }
  const requireFlow = async (db: Db, orgId: string, id: string) => {
    if (!(await hasFlow(db, orgId, id))) throw flowErrors.NOT_FOUND()
  }

  const service: ServiceOf<typeof flowReplaysApi, OrgCaller> = {
    begin: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const flow = await findFlow(db, orgId, params.id)
        if (!flow) throw flowErrors.NOT_FOUND()
        const now = isoNow(clock)
        const since = new Date(clock.now().getTime() - body.days * dayMs).toISOString()
        const { trigger = null } = body
        const total = await countSince(db, orgId, { flowId: flow.id, since, trigger, most: replayLimits.runs })
        const begun: StoredReplay = {
          id: ids(clock.now().getTime()),
          flowId: flow.id,
          since,
          trigger,
          total,
          done: 0,
          after: '',
          state: 'running',
          startedAt: now,
          startedBy: caller.name,
          endedAt: null,
        }
        await stopReplays(db, orgId, flow.id, now)
        await insertReplay(db, orgId, begun, showGraph(flow.graph))
        await queue.add(db, orgId, [{ payload: { replayId: begun.id }, uniqueKey: begun.id }])
        write.afterCommit(queue.wake)
        return present(db, caller, begun)
      }),

    async get(caller, { params }) {
      const db = databases.read
      await requireFlow(db, caller.orgId, params.id)
      const last = await findLastReplay(db, caller.orgId, params.id)
      return { replay: last ? await present(db, caller, last) : null }
    },

    async listReplayed(caller, { params, query: { after = 0, differs = false } }) {
      const db = databases.read
      const { orgId } = caller
      await requireFlow(db, orgId, params.id)
      const last = await findLastReplay(db, orgId, params.id)
      if (!last) return { items: [], next: null }
      const limit = replayLimits.atOnce
      const listed = await listVerdicts(db, caller, last.id, { after, differs, limit })
      if (!listed.length) return { items: [], next: null }
      const order = new Map(listed.map(({ sessionId }, i) => [sessionId, i]))
      const runs = await listPlayed(db, orgId, [...order.keys()])
      runs.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
      const items = await playAll(db, orgId, await readReplayGraph(db, orgId, last.id), runs)
      return { items, next: listed.length < limit ? null : (listed.at(-1)?.place ?? null) }
    },

    stop: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        await requireFlow(db, orgId, params.id)
        await stopReplays(db, orgId, params.id, isoNow(clock))
        return { success: true }
      }),
  }
  return { service }
}
