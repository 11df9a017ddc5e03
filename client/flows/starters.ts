import type { FlowGraph, FlowNode } from '#shared/flows/graph.ts'
import type { Language } from '#shared/kernel/language.ts'
import { tidyPlaces } from './canvas/layout.ts'
import type { FlowDraft } from './editor/draft/draft.ts'
import { movePlaces } from './editor/draft/operations.ts'
import { type Plan, type StarterKey, spanish } from './starter-plans.ts'
import { english, type Words } from './starter-words.ts'

const graphOf = ({ nodes, edges }: Plan): FlowGraph => {
  const graph: FlowGraph = {
    nodes: [{ id: 'start', type: 'start', x: 0, y: 0 }, ...nodes.map(node => ({ ...node, x: 0, y: 0 }) as FlowNode)],
    edges: edges.map(([from, output, to]) => ({ id: `${from}-${output}`, from, output, to })),
  }
  return movePlaces(graph, tidyPlaces(graph))
}

const inEnglish = (plan: Plan, { name, words, nodes, options }: Words): Plan => ({
  ...plan,
  name,
  triggers: plan.triggers.map(one => (one.kind === 'keyword' && words ? { ...one, words: [...words] } : one)),
  nodes: plan.nodes.map(node => ({
    ...node,
    ...nodes[node.id],
    ...(node.type === 'buttons'
      ? { options: node.options.map(option => ({ ...option, title: options?.[option.id] ?? option.title })) }
      : {}),
  })),
})

/** A complete flow without problems; each path ends with an answer or a person. */
export const starterOf = (key: StarterKey, language: Language): FlowDraft => {
  const plan = language === 'en' ? inEnglish(spanish[key], english[key]) : spanish[key]
  return { name: plan.name, graph: graphOf(plan), triggers: plan.triggers }
}
