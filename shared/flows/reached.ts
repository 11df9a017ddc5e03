/** The maximum nesting of flows. */
export const maxInside = 5
/** The most flows that can be reached from one. */
export const maxJoined = 20

/** The facts about a live flow that other flows need: the flows it runs and the variables it sets. */
export interface LiveFlowFacts {
  readonly id: string
  readonly calls: readonly string[]
  readonly variables: readonly string[]
}

/** The flows that these run, directly or indirectly, with their depth. */
export function reachedFrom(calls: readonly string[], live: readonly LiveFlowFacts[]): ReadonlyMap<string, number> {
  const known = new Map(live.map(flow => [flow.id, flow]))
  const depths = new Map<string, number>()
  let next = [...new Set(calls)]
  // A cycle is found within this depth, and a deeper flow is refused anyway.
  for (let depth = 1; next.length && depth <= maxInside + 1; depth += 1) {
    for (const id of next) depths.set(id, depth)
    next = [...new Set(next.flatMap(id => known.get(id)?.calls ?? []))]
  }
  return depths
}
