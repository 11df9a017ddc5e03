import type { FlowNames, FlowsT } from '#client/flows/words.ts'
import { cut, titleOf } from '#client/flows/words.ts'
import { type FlowNode, type FlowNodeType, kindOf } from '#shared/flows/graph.ts'
import type { NodeLook } from './look.ts'

/** The build finds the look of a kind by its file's name. */
const files = import.meta.glob<NodeLook<FlowNodeType>>('./looks/*.ts', { eager: true, import: 'default' })

export const lookOf = (type: FlowNodeType): NodeLook<FlowNodeType> =>
  files[`./looks/${type}.ts`] as NodeLook<FlowNodeType>

/** What a step says or does, as a text; empty where its title is enough. */
export const sayingOf = (t: FlowsT, node: FlowNode, names: FlowNames): string =>
  lookOf(node.type).says?.(node, t, names) ?? ''

/** The text that the customer reads at a step whose summary is another one: a template's text, the message of a handoff. */
export const spokenBeside = (node: FlowNode, names: FlowNames): string => {
  const { isSpoken, speech } = kindOf(node)
  return lookOf(node.type).reads?.(node, names) ?? (isSpoken ? '' : (speech?.(node)?.trim() ?? ''))
}

/** What a step says or does, in one short line. */
export const summaryOf = (t: FlowsT, node: FlowNode, names: FlowNames): string => cut(sayingOf(t, node, names), 90)

/** How a step is named where several are listed: `Mensaje: Hola, soy…`. */
export const listedAs = (t: FlowsT, node: FlowNode, names: FlowNames): string => {
  const says = cut(sayingOf(t, node, names), 40)
  return says ? `${titleOf(t, node)}: ${says}` : titleOf(t, node)
}
