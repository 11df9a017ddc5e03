import type { FlowNode } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import type { Names } from './typebot-text.ts'

/** What of a file could not be carried over as it was, or at all. */
const typebotLosses = [
  'dropped',
  'inputDropped',
  'asLink',
  'mediaMissing',
  'formula',
  'unknownVariable',
  'textMissing',
  'pictures',
  'optionsCut',
  'titleLong',
  'multiple',
  'dynamic',
  'optionRule',
  'rule',
  'pattern',
  'inputRule',
  'valueUnknown',
  'waitUnknown',
  'split',
  'target',
  'secret',
  'httpBody',
  'httpMethod',
  'httpPath',
  'textCut',
] as const
export type TypebotLoss = (typeof typebotLosses)[number]

export type Content<T = FlowNode> = T extends FlowNode ? Omit<T, 'id' | 'x' | 'y' | 'ends'> : never

/** A way out of a step: an edge of the file, or what follows the block. */
export interface Way {
  readonly output: string
  /** Keys of edges, the first that there is counts; `next`: what follows the block; `self`: it asks again. */
  readonly to: readonly string[] | 'next' | 'self'
}

/** What became of a block: steps, each of which goes on at its ways; the first is where others lead to. */
export interface Carried {
  readonly steps: readonly { readonly content: Content; readonly ways: readonly Way[] }[]
  /** Another block goes on there. */
  readonly jumpsTo?: { readonly groupId: string; readonly blockId: string | undefined }
}

export interface Carrying {
  readonly names: Names
  readonly words: { readonly options: string }
  lose(what: TypebotLoss, detail?: string): void
}

export const goesOn: readonly Way[] = [{ output: 'next', to: 'next' }]
export const nothing: Carried = { steps: [] }
export const one = (content: Content, ways: readonly Way[] = goesOn): Carried => ({ steps: [{ content, ways }] })

export const carryText = (text: string, { names, lose }: Carrying): string => {
  const carried = names.inText(text)
  for (const what of carried.lost) lose(what, text.slice(0, 80))
  if (carried.text.length >= flowLimits.text) lose('textCut', text.slice(0, 80))
  return carried.text
}
