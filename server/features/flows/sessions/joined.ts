import type { Db } from '#server/platform/db/database.ts'
import type { FlowGraph, GraphIndex } from '#shared/flows/graph.ts'
import { maxJoined } from '#shared/flows/reached.ts'
import { type JoinedFlow, joinFlows, readInside } from '#shared/flows/subflows.ts'
import { calledBy } from '#shared/flows/uses.ts'
import type { LiveFlows } from '../live-flows.ts'
import type { SessionPosition } from '../step/advance-types.ts'
import { hasFlow } from '../store.ts'

export interface Joined {
  readonly graph: FlowGraph
  readonly index: GraphIndex
}

/** The versions of subflows that a session is inside of, except deleted ones. */
async function heldBy(db: Db, orgId: string, { nodeId, inside = [] }: SessionPosition) {
  const held = [nodeId, ...inside].flatMap(id => readInside(id) ?? [])
  const there: { flowId: string; version: number }[] = []
  for (const { flowId, version } of held) if (await hasFlow(db, orgId, flowId)) there.push({ flowId, version })
  return there
}

/**
 * A flow with the flows it calls in their live versions, and those the session is inside of in the version in which it
 * entered them.
 */
export async function joinedFor(
  db: Db,
  orgId: string,
  root: FlowGraph,
  { place, liveFlows }: { place: SessionPosition | undefined; liveFlows: LiveFlows },
): Promise<Joined> {
  const called = calledBy(root)
  const held = place ? await heldBy(db, orgId, place) : []
  if (!called.length && !held.length) return joinFlows(root, [], new Map())
  const live = new Map((await liveFlows.list(db, orgId)).map(({ flowId, version }) => [flowId, version]))
  const versionsOf = (ids: readonly string[]) =>
    ids.flatMap(flowId => {
      const version = live.get(flowId)
      return version === undefined ? [] : [{ flowId, version }]
    })
  const joined = new Map<string, JoinedFlow>()
  let open = [...held, ...versionsOf(called)]
  while (open.length && joined.size < maxJoined) {
    const next: string[] = []
    for (const { flowId, version } of open) {
      const key = `${flowId} ${version}`
      if (joined.has(key) || joined.size >= maxJoined) continue
      const found = await liveFlows.findVersionCached(db, orgId, flowId, version)
      if (!found) continue
      joined.set(key, { flowId, version, graph: found.graph })
      next.push(...calledBy(found.graph))
    }
    open = versionsOf(next)
  }
  return joinFlows(root, [...joined.values()], live)
}
