import type { Tags } from '#server/messaging/tags/tags.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'
import { type FlowGraph, usesOf } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import type { FlowFacts } from '#shared/flows/problems/problem.ts'
import { countKeywords, keywordLimits } from '#shared/flows/triggers/keyword-limits.ts'
import { type FlowTrigger, plainPattern } from '#shared/flows/triggers/triggers.ts'
import { patternsIn } from '#shared/flows/uses.ts'
import { fieldValues } from '#shared/flows/variables.ts'
import { parsePattern, patternFaultOf } from '#shared/kernel/pattern.ts'
import type { FlowInbox } from './inbox.ts'
import type { LiveFlows } from './live-flows.ts'
import type { FlowSecrets } from './secrets.ts'
import type { StoredFlow } from './store.ts'
import { type FlowTemplates, templatesOf } from './templates.ts'

/** Teams and members to whom conversations may be assigned. */
interface Colleagues {
  hasTeam(db: Db, orgId: string, id: string): Promise<boolean>
  /** True if the member exists and may answer customers. */
  hasMember(db: Db, orgId: string, id: string): Promise<boolean>
}

export interface FactParts {
  hasSend(db: Db, orgId: string, id: string): Promise<boolean>
  readonly tags: Pick<Tags, 'list'>
  readonly inbox: Pick<FlowInbox, 'fieldsOf'>
  readonly colleagues: Colleagues
  readonly liveFlows: LiveFlows
  readonly templates: FlowTemplates
  readonly flowSecrets: Pick<FlowSecrets, 'listFor'>
  readonly outbound: Pick<Outbound, 'mayCall'>
}

const only = async (ids: ReadonlySet<string>, has: (id: string) => Promise<boolean>): Promise<string[]> => {
  const found: string[] = []
  for (const id of ids) if (await has(id)) found.push(id)
  return found
}

/** Compiles the patterns of a flow before the transaction that needs them; each may take some milliseconds. */
export async function readPatterns({ graph, triggers }: Pick<StoredFlow, 'graph' | 'triggers'>, turn: LoopTurn) {
  const asked = patternsIn(graph).map(({ pattern }) => pattern)
  const keywords = triggers.flatMap(trigger =>
    trigger.kind === 'keyword' && trigger.match === 'pattern' ? trigger.words.map(plainPattern) : [],
  )
  const both = [...asked.slice(0, flowLimits.patterns), ...keywords.slice(0, keywordLimits.patterns)]
  for (const pattern of both) {
    parsePattern(pattern)
    await turn.giveWay()
  }
}

/** The tags, teams, members, templates and other objects outside the flow that its graph refers to. */
export async function factsFor(
  db: Db,
  orgId: string,
  flow: { id: string; graph: FlowGraph; triggers: readonly FlowTrigger[] },
  { tags, colleagues, liveFlows, templates, flowSecrets, hasSend, inbox, outbound }: FactParts,
): Promise<FlowFacts> {
  const uses = flow.graph.nodes.map(usesOf)
  const teams = new Set(uses.flatMap(({ teamIds = [] }) => teamIds))
  const members = new Set(uses.flatMap(({ memberIds = [] }) => memberIds))
  const sends = new Set(flow.triggers.flatMap(trigger => (trigger.kind === 'campaign' ? (trigger.sendId ?? []) : [])))
  const live = await liveFlows.list(db, orgId)
  return {
    tagIds: (await tags.list(db, orgId)).map(({ id }) => id),
    teamIds: await only(teams, id => colleagues.hasTeam(db, orgId, id)),
    memberIds: await only(members, id => colleagues.hasMember(db, orgId, id)),
    flowId: flow.id,
    sendIds: await only(sends, id => hasSend(db, orgId, id)),
    flows: live.map(({ flowId: id, calls, variables }) => ({ id, calls, variables })),
    templates: await templatesOf(db, orgId, flow.graph, templates),
    secrets: await flowSecrets.listFor(db, orgId, flow.graph),
    fields: Object.keys(fieldValues((await inbox.fieldsOf(db, orgId, [''])).get('') ?? [])),
    mayCall: outbound.mayCall,
    patternFault: patternFaultOf,
    otherKeywords: countKeywords(live.flatMap(({ flowId, triggers }) => (flowId === flow.id ? [] : triggers))),
    hasOtherDefault: live.some(
      ({ flowId, triggers }) => flowId !== flow.id && triggers.some(({ kind }) => kind === 'default'),
    ),
  }
}
