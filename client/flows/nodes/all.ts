import type { FlowNames, FlowsT } from '#client/flows/words.ts'
import { cut, titleOf } from '#client/flows/words.ts'
import { type FlowNode, type FlowNodeType, kindOf } from '#shared/flows/graph.ts'
import type { NodeLook } from './look.ts'

/** Every file of this folder is a kind of node, by its name. */
const files = import.meta.glob<NodeLook<FlowNodeType>>('./*.tsx', { eager: true, import: 'default' })

/** How nodes of a kind look in the editor. */
export const lookOf = ({ type }: { readonly type: FlowNodeType }): NodeLook<FlowNodeType> =>
  files[`./${type}.tsx`] as NodeLook<FlowNodeType>

/** What a step says or does, as a text; empty where its kind says it all. */
export const sayingOf = (t: FlowsT, node: FlowNode, names: FlowNames): string =>
  lookOf(node).says?.(node, t, names) ?? ''

/** What the customer reads of a step that is known by something else: a template's text, a word before a person comes. */
export const spokenBeside = (node: FlowNode, names: FlowNames): string => {
  const { isSpoken, speech } = kindOf(node)
  return lookOf(node).reads?.(node, names) ?? (isSpoken ? '' : (speech?.(node)?.trim() ?? ''))
}

/** What a step says in one short line. */
export const summaryOf = (t: FlowsT, node: FlowNode, names: FlowNames): string => cut(sayingOf(t, node, names), 90)

/** How a step is named where several are listed: `Mensaje: Hola, soy…`. */
export const listedAs = (t: FlowsT, node: FlowNode, names: FlowNames): string => {
  const says = cut(sayingOf(t, node, names), 40)
  return says ? `${titleOf(t, node)}: ${says}` : titleOf(t, node)
}
