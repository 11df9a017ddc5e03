import type { FlowNode } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import type { Names } from './typebot-text.ts'

/** The kinds of losses: parts of a file that are missing or changed here. */
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

/** An output of a step: an edge of the file, or what follows the block. */
export interface Way {
  readonly output: string
  /**
   * Ids of edges, of which the first existing one counts; `next`: what follows the block; `self`: the question is
   * repeated.
   */
  readonly to: readonly string[] | 'next' | 'self'
}

/** The steps made from a block, each with its outputs; others connect to the first. */
export interface Carried {
  readonly steps: readonly { readonly content: Content; readonly ways: readonly Way[] }[]
  /** The flow continues at another block. */
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
