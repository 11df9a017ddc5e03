import { randomUUID } from '#server/platform/crypto/random.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { flowsApi } from '#shared/flows/api.ts'
import { type CallResult, prepareCall, readCall } from '#shared/flows/http/http.ts'
import { httpProblems } from '#shared/flows/problems/http-problems.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { flowErrors } from '../errors.ts'
import type { FlowServiceParts } from '../service-parts.ts'
import { attemptCall } from '../sessions/calls.ts'
import { joinedFor } from '../sessions/joined.ts'
import type { StoredFlow } from '../store.ts'
import type { StoredVersion } from '../version-store.ts'
import { simulate } from './simulate.ts'
import { createWorlds } from './worlds.ts'

/** The length of a response shown in the editor. */
const textShownChars = 4096

interface Readers {
  getFlow(db: Db, orgId: string, id: string): Promise<StoredFlow>
  getVersion(db: Db, orgId: string, id: string, version: number): Promise<StoredVersion>
}

/** Simulates a draft, and tries its service calls. */
export function createTrials(
  parts: Pick<
    FlowServiceParts,
    | 'databases'
    | 'clock'
    | 'tags'
    | 'readOpening'
    | 'readTimeZone'
    | 'readOrgVariables'
    | 'readListLabel'
    | 'listTagIds'
    | 'templates'
    | 'liveFlows'
    | 'flowSecrets'
    | 'outbound'
  >,
  { getFlow, getVersion }: Readers,
): Pick<ServiceOf<typeof flowsApi, OrgCaller>, 'simulate' | 'call'> {
  const { databases, clock } = parts

  const worldOf = createWorlds(parts)

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
        graph: index,
        from,
        opening,
        inputs,
        isOpen: at => body.isOpen ?? world.isOpen(at),
        giveWay: () => databases.turn.giveWay(),
      })
      return { version, revision: flow.revision, ...played }
    },

    async call({ orgId, name }, { params, body }) {
      const db = databases.read
      const { graph } = await getFlow(db, orgId, params.id)
      const node = graph.nodes.find(({ id }) => id === body.nodeId)
      if (node?.type !== 'http') throw flowErrors.CALL_NOT_READY()
      const secrets = await parts.flowSecrets.listFor(db, orgId, graph)
      if (httpProblems(node, { secrets, mayCall: parts.outbound.mayCall }).length) throw flowErrors.CALL_NOT_READY()
      const builtIn = {
        'contacto.nombre': name,
        'contacto.telefono': '',
        'agente.nombre': '',
        ...(await parts.readOrgVariables(orgId, db)),
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
  }
}
