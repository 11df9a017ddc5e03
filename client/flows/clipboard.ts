import type { FlowGraph } from '#shared/flow-graph.ts'
import type { Fragment } from './operations.ts'

const key = 'recado:flow-parts'

/** What was copied is kept in this browser: it can be pasted into another flow, in another tab. */
export const keepCopied = (parts: Fragment): void => {
  try {
    localStorage.setItem(key, JSON.stringify(parts))
  } catch {
    // Full or forbidden storage: it lives as long as the page.
  }
  inPage = parts
}

let inPage: Fragment | undefined

const isFragment = (value: unknown): value is Fragment => {
  const parts = value as Partial<FlowGraph> | null
  return (
    Array.isArray(parts?.nodes) &&
    Array.isArray(parts.edges) &&
    parts.nodes.every(node => typeof node?.type === 'string')
  )
}

/** Undefined: nothing was copied, or nothing that can be read. */
export const findCopied = (): Fragment | undefined => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isFragment(kept) ? kept : inPage
  } catch {
    return inPage
  }
}
