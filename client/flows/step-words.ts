import { type FlowNode, nodeKind } from '#shared/flows/graph.ts'
import type { FlowNames } from '#shared/flows/names.ts'
import { cut, type FlowsT, shortTitleOf, titleOf } from './words.ts'

/** A step's content as text, such as `Esperar 2 horas`. Empty for kinds whose title says everything. */
export const sayingOf = (t: FlowsT, node: FlowNode, names: FlowNames): string =>
  nodeKind(node).summary?.(node, (key, params) => t(key as 'says.handoff', { ...params }), names) ?? ''

/** The text that the customer reads, if `sayingOf` returns another one, as for templates and handoffs. Otherwise empty. */
export const messageTextBeside = (node: FlowNode, names: FlowNames): string => {
  const { sendsMessage, messageText, messageTextFrom } = nodeKind(node)
  return messageTextFrom?.(node, names) ?? (sendsMessage ? '' : (messageText?.(node)?.trim() ?? ''))
}

/** The text that the customer reads, otherwise a description of the step. */
const contentOf = (t: FlowsT, node: FlowNode, names: FlowNames): string =>
  messageTextBeside(node, names) || sayingOf(t, node, names)

/** A step's content, cut to one line. */
export const summaryOf = (t: FlowsT, node: FlowNode, names: FlowNames): string => cut(contentOf(t, node, names), 90)

/** Names a step where several are listed: `Mensaje: Hola, soy…`. */
export const listedAs = (t: FlowsT, node: FlowNode, names: FlowNames): string => {
  const says = cut(contentOf(t, node, names), 40)
  return says ? `${titleOf(t, node)}: ${says}` : titleOf(t, node)
}

const jumpChars = 32
/** A step's content where another step leads to it, with the names of variables. */
const contentAtEnd = (t: FlowsT, node: FlowNode, names: FlowNames): string =>
  cut(contentOf(t, node, names).replace(/\{\{([^{}]*)\}\}/g, '$1'), jumpChars)

/** Names the target of an output beside its kind's icon: `Ya te atiende…`. Steps of one kind differ in it. */
export const leadsTo = (t: FlowsT, node: FlowNode, names: FlowNames): string =>
  node.name || contentAtEnd(t, node, names) || shortTitleOf(t, node)

/** Names the target of a jump in few words: `Persona: Ya te atiende…`. */
export const jumpsTo = (t: FlowsT, node: FlowNode, names: FlowNames): string => {
  const says = contentAtEnd(t, node, names)
  return says ? `${shortTitleOf(t, node)}: ${says}` : shortTitleOf(t, node)
}
