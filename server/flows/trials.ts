import type { ServiceOf } from '#shared/contract.ts'
import type { FlowGraph } from '#shared/flow-graph.ts'
import { type CallResult, prepareCall, readCall } from '#shared/flow-http.ts'
import { httpProblems } from '#shared/flow-http-problems.ts'
import { replayLimits } from '#shared/flow-replay.ts'
import { simulationLimits } from '#shared/flow-simulation.ts'
import type { flowsApi } from '#shared/flows.ts'
import type { OrgCaller } from '../actor.ts'
import { isoNow } from '../clock.ts'
import type { Db } from '../db.ts'
import { randomUUID } from '../random.ts'
import { InvalidInput } from '../validate.ts'
import { attemptCall } from './calls.ts'
import { flowErrors } from './errors.ts'
import type { Customer } from './inbox.ts'
import { joinedFor } from './joined.ts'
import { replay } from './replay.ts'
import { listRunsAfter, listStepsOf, type RunHead } from './run-store.ts'
import type { FlowServiceParts } from './service.ts'
import { type SimulationParts, simulate } from './simulate.ts'
import type { StoredFlow } from './store.ts'
import { templateFiller } from './templates.ts'
import type { StoredVersion } from './version-store.ts'

/** Of an answer, for whoever looks what there is in it. */
const textShownChars = 4096
const dayMs = 24 * 60 * 60 * 1000

interface Readers {
  getFlow(db: Db, orgId: string, id: string): Promise<StoredFlow>
  getVersion(db: Db, orgId: string, id: string, version: number): Promise<StoredVersion>
  withContacts<R extends RunHead>(
    db: Db,
    orgId: string,
    runs: readonly R[],
  ): Promise<(R & { contact: Customer | null })[]>
}

const asksHours = ({ nodes }: FlowGraph): boolean =>
  nodes.some(node => node.type === 'condition' && node.rules.some(({ left }) => left === 'hours'))

/** A draft is tried: by a conversation that is made up, and by those that were. */
export function createTrials(
  parts: Pick<
    FlowServiceParts,
    | 'databases'
    | 'clock'
    | 'tags'
    | 'isOpen'
    | 'timeZoneOf'
    | 'nameOf'
    | 'tagIdsOf'
    | 'templates'
    | 'liveFlows'
    | 'flowSecrets'
    | 'outbound'
  >,
  { getFlow, getVersion, withContacts }: Readers,
): Pick<ServiceOf<typeof flowsApi, OrgCaller>, 'simulate' | 'replay' | 'call'> {
  const { databases, clock } = parts

  /** What is the same for all customers of an organization. */
  const worldOf = async (db: Db, orgId: string, graph: FlowGraph) => {
    const timeZone = await parts.timeZoneOf(orgId, db)
    const orgName = await parts.nameOf(orgId, db)
    const knownTagIds = (await parts.tags.list(db, orgId)).map(({ id }) => id)
    const fillTemplate = await templateFiller(db, orgId, graph, parts.templates)
    const looksAtHours = asksHours(graph)
    return {
      isOpen: async (at: string) => !looksAtHours || (await parts.isOpen(orgId, at, db)),
      for: (name: string, phone: string, tagIds: readonly string[]) => ({
        ...{ timeZone, knownTagIds, tagIds, fillTemplate },
        builtIn: { 'contacto.nombre': name, 'contacto.telefono': phone, 'org.nombre': orgName },
      }),
    } satisfies {
      isOpen: SimulationParts['isOpen']
      for(...facts: never): Omit<SimulationParts, 'graph' | 'from' | 'opening' | 'inputs' | 'isOpen'>
    }
  }

  return {
    async simulate({ orgId }, { params, body }) {
      const db = databases.read
      const { version = null, from = isoNow(clock), opening, customer = {}, inputs } = body
      if (Number.isNaN(Date.parse(from))) throw new InvalidInput([{ field: 'body.from', code: 'pattern', params: {} }])
      const flow = await getFlow(db, orgId, params.id)
      const { graph: root } = version === null ? flow : await getVersion(db, orgId, flow.id, version)
      const { graph, index } = await joinedFor(db, orgId, root, { place: undefined, liveFlows: parts.liveFlows })
      const world = await worldOf(db, orgId, graph)
      const played = await simulate({
        ...world.for(customer.name ?? '', customer.phone ?? '', customer.tagIds ?? []),
        ...{ graph: index, from, opening, inputs },
        isOpen: async at => body.isOpen ?? (await world.isOpen(at)),
      })
      return { version, revision: flow.revision, ...played }
    },

    async call({ orgId, name }, { params, body }) {
      const db = databases.read
      const { graph } = await getFlow(db, orgId, params.id)
      const node = graph.nodes.find(({ id }) => id === body.nodeId)
      if (node?.type !== 'http') throw flowErrors.CALL_NOT_READY()
      const secrets = await parts.flowSecrets.listFor(db, orgId, graph)
      if (httpProblems(node, { secrets }).length) throw flowErrors.CALL_NOT_READY()
      const builtIn = {
        'contacto.nombre': name,
        'contacto.telefono': '',
        'org.nombre': await parts.nameOf(orgId, db),
        ultimo_mensaje: '',
      }
      const prepared = prepareCall(node, body.variables ?? {}, builtIn)
      const result: CallResult =
        typeof prepared === 'string'
          ? { kind: 'failed', why: prepared, ms: 0, tries: 0 }
          : await attemptCall(orgId, prepared, { ...parts, key: randomUUID() })
      const { why, output, facts, values } = readCall(node, result)
      const text = result.kind === 'answered' ? result.text.slice(0, textShownChars) : null
      return { why, output, call: facts, text, values: { ...values } }
    },

    async replay(caller, { params, body }) {
      const db = databases.read
      const { orgId } = caller
      const { id: flowId, graph: root } = await getFlow(db, orgId, params.id)
      const { graph, index } = await joinedFor(db, orgId, root, { place: undefined, liveFlows: parts.liveFlows })
      const since = new Date(clock.now().getTime() - body.days * dayMs).toISOString()
      const found = await listRunsAfter(db, caller, { flowId, after: body.after, limit: replayLimits.atOnce })
      const wanted = found.filter(({ startedAt }) => startedAt >= since)
      const ids = wanted.map(({ id }) => id)
      const steps = await listStepsOf(db, caller, ids, simulationLimits.steps)
      const tagIds = await parts.tagIdsOf(db, orgId, [...new Set(wanted.map(({ contactId }) => contactId))])
      const world = await worldOf(db, orgId, graph)
      const items = []
      for (const { contactId, ...run } of await withContacts(db, orgId, wanted)) {
        const { name = '', phone = '' } = run.contact ?? {}
        const customer = { ...world.for(name, phone, tagIds.get(contactId) ?? []), isOpen: world.isOpen }
        items.push({ ...run, ...(await replay(run, steps.get(run.id) ?? [], index, customer)) })
      }
      const isLast = found.length < replayLimits.atOnce || wanted.length < found.length
      return { items, next: isLast ? null : (ids.at(-1) ?? null) }
    },
  }
}
