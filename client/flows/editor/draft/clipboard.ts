import { readGraph, showGraph } from '#shared/flows/exchange.ts'
import type { FlowGraph, FlowNode } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import type { WireGraph } from '#shared/flows/wire.ts'
import { forbiddenNameIn } from '../../import/exchange.ts'
import { addableTypes, newNode } from './draft.ts'
import type { Fragment } from './operations.ts'

const key = 'recado:flow-steps'
/** Identifies our clipboard texts. */
const format = 'recado-steps'
const maxChars = 1024 * 1024

const copiedText = (parts: Fragment): string => JSON.stringify({ format, version: 1, ...showGraph(parts) })

/**
 * Stores the copied steps in this browser, for other flows in other tabs, and in the clipboard as text for other
 * browsers and programs.
 */
export const keepCopied = (parts: Fragment): void => {
  try {
    localStorage.setItem(key, JSON.stringify(parts))
  } catch {
    // If storage is full or forbidden, the copy lasts as long as the page.
  }
  inPage = parts
  // The clipboard needs https and permission; without them the copy is only in this browser.
  navigator.clipboard?.writeText(copiedText(parts)).catch(() => undefined)
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

/** Undefined: nothing was copied, or it cannot be parsed. */
export const findCopied = (): Fragment | undefined => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isFragment(kept) ? kept : inPage
  } catch {
    return inPage
  }
}

const isFlat = (value: unknown): boolean =>
  typeof value !== 'object' || (value !== null && Object.values(value).every(one => typeof one !== 'object'))

/**
 * The fields of its kind must be there with the right types, because foreign texts are rendered before a server
 * validates them.
 */
const isDrawable = (node: FlowNode): boolean => {
  const type = addableTypes.find(one => one === node.type)
  if (!type || typeof node.id !== 'string' || !Number.isFinite(node.x) || !Number.isFinite(node.y)) return false
  const given = node as unknown as Record<string, unknown>
  return Object.entries(newNode(type, { x: 0, y: 0 })).every(([name, plain]) => {
    const value = given[name]
    if (Array.isArray(plain)) return Array.isArray(value) && value.every(isFlat)
    return typeof value === typeof plain && value !== null
  })
}

/** The steps in a clipboard text; undefined: it has other content, or steps that cannot be rendered. */
export const readCopied = (text: string): Fragment | undefined => {
  if (text.length > maxChars || !text.includes(format)) return undefined
  try {
    const found = JSON.parse(text) as { format?: unknown } & Partial<WireGraph>
    if (found?.format !== format || forbiddenNameIn(found)) return undefined
    const { nodes, edges } = readGraph({ nodes: found.nodes ?? [], edges: found.edges ?? [] })
    if (!nodes.length || nodes.length > flowLimits.nodes || !nodes.every(isDrawable)) return undefined
    const ids = new Set(nodes.map(({ id }) => id))
    return {
      nodes,
      edges: edges.filter(({ from, to, output }) => ids.has(from) && ids.has(to) && typeof output === 'string'),
    }
  } catch {
    return undefined
  }
}
