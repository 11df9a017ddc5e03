import { type FlowNode, nodeKind } from '#shared/flows/graph.ts'
import type { FlowNames } from '#shared/flows/names.ts'
import { cut, type FlowsT, shortTitleOf, titleOf, withVariableNames } from './words.ts'

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
  const says = cut(withVariableNames(t, contentOf(t, node, names)), 40)
  return says ? `${titleOf(t, node)}: ${says}` : titleOf(t, node)
}

const jumpChars = 32
/** The name of the member or team to whom a handoff gives the conversation. Undefined: nobody in particular. */
const handoffTarget = (node: FlowNode, { members, teams }: FlowNames): string | undefined => {
  if (node.type !== 'handoff') return undefined
  const { userId, teamId } = node
  return userId ? members.get(userId) : teamId ? teams.get(teamId) : undefined
}

/** Names the target of an output in few words that fit whole: a team, `Persona`, or the step's name or kind. */
export const leadsTo = (t: FlowsT, node: FlowNode, names: FlowNames): string =>
  node.name || handoffTarget(node, names) || shortTitleOf(t, node)

/** Names the target of a jump in few words: `Persona: Ya te atiende…`. */
export const jumpsTo = (t: FlowsT, node: FlowNode, names: FlowNames): string => {
  const says = cut(withVariableNames(t, contentOf(t, node, names)), jumpChars)
  return says ? `${shortTitleOf(t, node)}: ${says}` : shortTitleOf(t, node)
}
