import { type FlowNode, kindOf } from '#shared/flows/graph.ts'
import type { FlowNames } from '#shared/flows/names.ts'
import { cut, type FlowsT, titleOf } from './words.ts'

/** A step's content as text, such as `Esperar 2 horas`. Empty for kinds whose title says everything. */
export const sayingOf = (t: FlowsT, node: FlowNode, names: FlowNames): string =>
  kindOf(node).summary?.(node, (key, params) => t(key as 'says.handoff', { ...params }), names) ?? ''

/** The text that the customer reads, if `sayingOf` returns another one, as for templates and handoffs. Otherwise empty. */
export const spokenBeside = (node: FlowNode, names: FlowNames): string => {
  const { isSpoken, speech, speechFrom } = kindOf(node)
  return speechFrom?.(node, names) ?? (isSpoken ? '' : (speech?.(node)?.trim() ?? ''))
}

/** `sayingOf`, cut to one line. */
export const summaryOf = (t: FlowsT, node: FlowNode, names: FlowNames): string => cut(sayingOf(t, node, names), 90)

/** How a step is named where several are listed: `Mensaje: Hola, soy…`. */
export const listedAs = (t: FlowsT, node: FlowNode, names: FlowNames): string => {
  const says = cut(sayingOf(t, node, names), 40)
  return says ? `${titleOf(t, node)}: ${says}` : titleOf(t, node)
}
