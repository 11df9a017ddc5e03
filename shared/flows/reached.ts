/** The most flows inside one another. */
export const mostInside = 5
/** The most flows that can be reached from one. */
export const mostJoined = 20

/** What other flows know of a live flow: which flows it runs, and which variables it sets. */
export interface LiveFlowFacts {
  readonly id: string
  readonly calls: readonly string[]
  readonly variables: readonly string[]
}

/** The flows that these run, directly or not, with their depth. */
export function reachedFrom(calls: readonly string[], live: readonly LiveFlowFacts[]): ReadonlyMap<string, number> {
  const known = new Map(live.map(flow => [flow.id, flow]))
  const depths = new Map<string, number>()
  let next = [...new Set(calls)]
  // A circle is found within so many levels, and a flow that is deeper is refused anyway.
  for (let depth = 1; next.length && depth <= mostInside + 1; depth += 1) {
    for (const id of next) depths.set(id, depth)
    next = [...new Set(next.flatMap(id => known.get(id)?.calls ?? []))]
  }
  return depths
}
