import type { Db } from '#server/platform/db/database.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { readTime } from '#server/platform/http/time-input.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { flowsApi } from '#shared/flows/api.ts'
import { maxStepsShown, runsPerPage, shownValueMaxChars } from '#shared/flows/runs/runs.ts'
import { readInside } from '#shared/flows/subflows.ts'
import type { WireNode } from '#shared/flows/wire.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { flowErrors } from '../errors.ts'
import type { Drawn } from '../live-flows.ts'
import type { FlowServiceParts } from '../service-parts.ts'
import { findLive } from '../sessions/session-store.ts'
import { findFlowName, hasFlow } from '../store.ts'
import { mostCounted, readNodeFigures } from './flow-figures.ts'
import {
  findRun,
  findSender,
  listRuns,
  listRunsAtStep,
  listSteps,
  type RunHead,
  type RunStep,
  selectCountedRuns,
} from './run-store.ts'

/** The trigger in wire format; undefined if none has this id. */
const triggerOf = ({ triggers = [], wireTriggers = [] }: Drawn, id: string) =>
  wireTriggers[triggers.findIndex(one => one.id === id)]

const stepsAtOnce = 20

const cut = <T extends string | null>(value: T): T | string =>
  value !== null && value.length > shownValueMaxChars
    ? `${value.slice(0, shownValueMaxChars - 1).toWellFormed()}…`
    : value

const shortened = (step: RunStep): RunStep => ({
  ...step,
  input: cut(step.input),
  changes: Object.fromEntries(
    Object.entries(step.changes).map(([name, { before, after }]) => [name, { before: cut(before), after: cut(after) }]),
  ),
})

/** Lists who was in a flow, each step with its reason, and what customers did at each node. */
export function createRuns(parts: Pick<FlowServiceParts, 'databases' | 'liveFlows' | 'inbox' | 'requireChat'>) {
  const { databases, liveFlows } = parts

  const requireFlow = async (orgId: string, id: string): Promise<void> => {
    if (!(await hasFlow(databases.read, orgId, id))) throw flowErrors.NOT_FOUND()
  }

  const withContacts = async (db: Db, orgId: string, runs: readonly RunHead[]) => {
    const customers = await parts.inbox.whoAre(
      db,
      orgId,
      runs.map(({ conversationId }) => conversationId),
    )
    return runs.map(({ testId, ...run }) => ({
      ...run,
      isTest: testId !== null,
      contact: customers.get(run.conversationId) ?? null,
    }))
  }
  const pageOf = async (caller: OrgCaller, page: number, found: readonly RunHead[]) => ({
    items: await withContacts(databases.read, caller.orgId, found.slice(0, runsPerPage)),
    page,
    pageSize: runsPerPage,
    hasMore: found.length > runsPerPage,
  })
  /** Finds a session as it is listed. @throws FLOWS_RUN_NOT_FOUND */
  const find = async (db: Db, caller: OrgCaller, id: string) => {
    const found = await findRun(db, caller, id)
    const [run] = found ? await withContacts(db, caller.orgId, [found]) : []
    if (!run) throw flowErrors.RUN_NOT_FOUND()
    return run
  }

  /** Only the first steps: the largest possible session has a hundred megabytes of rows. */
  const readTimeline = async (caller: OrgCaller, sessionId: string): Promise<RunStep[]> => {
    const steps: RunStep[] = []
    for (let isMore = true; isMore && steps.length < maxStepsShown; ) {
      const page = { sessionId, after: steps.at(-1)?.place ?? 0, limit: stepsAtOnce }
      const found = await listSteps(databases.read, caller, page)
      steps.push(...found.map(shortened))
      isMore = found.length === stepsAtOnce
      await databases.turn.giveWay()
    }
    return steps
  }

  const service: Pick<
    ServiceOf<typeof flowsApi, OrgCaller>,
    'listRuns' | 'getRun' | 'attending' | 'explain' | 'figures'
  > = {
    async listRuns(caller, { params, query: { page = 1, counted, since, until, step } }) {
      await requireFlow(caller.orgId, params.id)
      const asked = { flowId: params.id, offset: (page - 1) * runsPerPage, limit: runsPerPage + 1 }
      if (counted === 'reached' || counted === 'gaveUp') {
        if (step === undefined) throw new InvalidInput([{ field: 'query.step', code: 'required', params: {} }])
        return pageOf(
          caller,
          page,
          await listRunsAtStep(databases.read, caller, { ...asked, step, counted, most: mostCounted }),
        )
      }
      const found = counted
        ? await selectCountedRuns(databases.read, caller, {
            ...asked,
            counted,
            since: since && readTime(since, 'query.since'),
            until: until && readTime(until, 'query.until'),
          }).execute()
        : await listRuns(databases.read, caller, asked)
      return pageOf(caller, page, found)
    },

    async getRun(caller, { params }) {
      const db = databases.read
      const head = await findRun(db, caller, params.id)
      const run = await find(db, caller, params.id)
      const timeline = await readTimeline(caller, run.id)
      const drawn = head && (await liveFlows.findDrawn(db, caller.orgId, head))
      const taken = new Set(timeline.map(({ nodeId }) => nodeId))
      const inside: WireNode[] = []
      for (const id of taken) {
        const at = readInside(id)
        const of = at && (await liveFlows.findVersionCached(db, caller.orgId, at.flowId, at.version))
        const node = of?.wireGraph.nodes.find(one => one.id === at?.nodeId)
        if (node) inside.push({ ...node, id })
      }
      return {
        ...run,
        flowName: drawn?.name ?? '',
        isDeleted: !(await hasFlow(db, caller.orgId, run.flowId)),
        beganBy: (drawn && triggerOf(drawn, run.trigger)) ?? null,
        nodes: [...(drawn?.wireGraph.nodes.filter(({ id }) => taken.has(id)) ?? []), ...inside],
        timeline,
      }
    },

    async attending(caller, { params }) {
      const db = databases.read
      const { conversationId, contactId } = await parts.requireChat(db, caller, params.phone)
      const [live] = await findLive(db, caller.orgId, [contactId])
      if (live?.conversationId !== conversationId) return { session: null }
      const { id, flowId, state, startedAt } = live
      const name = await findFlowName(db, caller.orgId, flowId)
      return { session: name === undefined ? null : { id, flowId, name, state, startedAt } }
    },

    async explain(caller, { params }) {
      const db = databases.read
      const sender = await findSender(db, caller.orgId, params.id)
      const run = sender && (await findRun(db, caller, sender.sessionId))
      if (!sender || !run) throw flowErrors.MESSAGE_NOT_FOUND()
      const [shown] = await withContacts(db, caller.orgId, [run])
      return { ...(shown as NonNullable<typeof shown>), place: sender.place }
    },

    async figures({ orgId }, { params }) {
      return readNodeFigures(databases.read, orgId, params.id)
    },
  }
  return { service, find }
}
