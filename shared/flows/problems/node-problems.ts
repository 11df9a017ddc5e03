import { outboundLimits } from '#shared/outbound/api.ts'
import { type FlowGraph, type FlowNode, nodeKind } from '../graph.ts'
import { isSecretReference } from '../http/http.ts'
import { ownLength, variablesIn } from '../variables.ts'
import { type FlowFacts, type Found, maxUnknownNamed } from './problem.ts'

const textProblems = (node: FlowNode, names: ReadonlySet<string>): Found[] => {
  const { texts, textLimit, takesSecrets } = nodeKind(node)
  const limit = textLimit?.(node) ?? outboundLimits.text
  const isKnown = (name: string) => names.has(name) || (takesSecrets === true && isSecretReference(name))
  return (texts?.(node) ?? []).flatMap(({ field, text, isRequired }) => {
    const found: Found[] = []
    const length = ownLength(text)
    if (isRequired && !text.trim()) found.push({ field, code: 'textMissing' })
    else if (length > limit) found.push({ field, code: 'textTooLong', params: { limit, length } })
    const unknown = [...new Set(variablesIn(text))].filter(name => !isKnown(name)).slice(0, maxUnknownNamed)
    return [...found, ...unknown.map(name => ({ field, code: 'variableUnknown', params: { name } }))]
  })
}

/** The problems of a single node. */
export const nodeProblems = (
  node: FlowNode,
  { nodes }: FlowGraph,
  facts: FlowFacts,
  names: ReadonlySet<string>,
): Found[] =>
  [...textProblems(node, names), ...(nodeKind(node).problems?.(node, { nodes, facts, names }) ?? [])].map(one => ({
    ...one,
    nodeId: node.id,
  }))
