import {
  type FlowGraph,
  type FlowNode,
  type FlowRule,
  indexGraph,
  isWaiting,
  type NodeOf,
  outputsOf,
} from './flow-graph.ts'
import type { FlowTrigger } from './flow-triggers.ts'
import { builtInVariables, variablesIn } from './flow-variables.ts'
import { compilePattern } from './linear-pattern.ts'
import { outboundLimits } from './outbound.ts'

/** What is wrong with a flow; each has a sentence of its own in the texts `flows:problem.*`. */
const problemCodes = [
  'startMissing',
  'startTwice',
  'idTwice',
  'edgeLost',
  'outputOpen',
  'unreachable',
  'endlessLoop',
  'textMissing',
  'textTooLong',
  'optionsMissing',
  'titleMissing',
  'titleTooLong',
  'titleTwice',
  'descriptionTooLong',
  'listLabelMissing',
  'listLabelTooLong',
  'variableMissing',
  'variableUnknown',
  'patternInvalid',
  'rulesMissing',
  'valueMissing',
  'tagUnknown',
  'teamUnknown',
  'memberUnknown',
  'targetUnknown',
  'triggerMissing',
  'keywordMissing',
  'defaultTwice',
] as const
export type ProblemCode = (typeof problemCodes)[number]

export interface FlowProblem {
  /** Whose it is; absent: the flow's as a whole, or a trigger's. */
  readonly nodeId?: string
  readonly triggerId?: string
  /** The node's or trigger's field, its output, or `options.ID`. */
  readonly field?: string
  readonly code: ProblemCode
  /** What the sentence names: a limit, a length, a name. */
  readonly params: Readonly<Record<string, string | number>>
  /** Errors keep a flow from being published, warnings do not. */
  readonly isError: boolean
}

/** What a flow counts on that is not in it. */
export interface FlowFacts {
  readonly tagIds: readonly string[]
  readonly teamIds: readonly string[]
  readonly memberIds: readonly string[]
  /** Another live flow of the organization answers what nobody answers. */
  readonly hasOtherDefault: boolean
}

type Found = Omit<FlowProblem, 'params' | 'isError'> & Partial<Pick<FlowProblem, 'params' | 'isError'>>

const lengthOf = (text: string): number => [...text].length

/** Variables that some node of the graph gives a value. */
export const ownVariables = (graph: FlowGraph): string[] => {
  const names = graph.nodes.flatMap(node => {
    if (node.type === 'question' || node.type === 'set') return [node.variable]
    return node.type === 'buttons' && node.variable ? [node.variable, `${node.variable}_id`] : []
  })
  return [...new Set(names.filter(Boolean))].sort()
}

const textLimitOf = (node: FlowNode): number => {
  if (node.type !== 'buttons') return outboundLimits.text
  return node.options.length > outboundLimits.buttons ? outboundLimits.listBody : outboundLimits.interactiveBody
}

/** The fields of a node that a customer reads, or that become a value. */
const textsOf = (node: FlowNode): [field: string, text: string, isNeeded: boolean][] => {
  switch (node.type) {
    case 'message':
    case 'buttons':
      return [['text', node.text, true]]
    case 'question':
      return [
        ['text', node.text, true],
        ['retryText', node.retryText ?? '', false],
      ]
    case 'set':
      return [['value', node.value, false]]
    case 'handoff':
      return [
        ['text', node.text ?? '', false],
        ['note', node.note ?? '', false],
      ]
    default:
      return []
  }
}

const optionProblems = (node: NodeOf<'buttons'>): Found[] => {
  const isList = node.options.length > outboundLimits.buttons
  const limit = isList ? outboundLimits.rowTitle : outboundLimits.buttonTitle
  const titles = new Set<string>()
  const found: Found[] = node.options.length ? [] : [{ field: 'options', code: 'optionsMissing' }]
  for (const { id, title, description = '' } of node.options) {
    const field = `options.${id}`
    const shown = title.trim()
    const length = lengthOf(shown)
    if (!shown) found.push({ field, code: 'titleMissing' })
    else if (length > limit) found.push({ field, code: 'titleTooLong', params: { limit, length } })
    else if (titles.has(shown)) found.push({ field, code: 'titleTwice', params: { title: shown } })
    titles.add(shown)
    if (isList && lengthOf(description) > outboundLimits.rowDescription)
      found.push({
        field,
        code: 'descriptionTooLong',
        params: { limit: outboundLimits.rowDescription, length: lengthOf(description) },
      })
  }
  if (new Set(node.options.map(({ id }) => id)).size < node.options.length)
    found.push({ field: 'options', code: 'idTwice' })
  const label = node.listLabel?.trim() ?? ''
  if (isList && !label) found.push({ field: 'listLabel', code: 'listLabelMissing' })
  if (isList && lengthOf(label) > outboundLimits.buttonTitle)
    found.push({
      field: 'listLabel',
      code: 'listLabelTooLong',
      params: { limit: outboundLimits.buttonTitle, length: lengthOf(label) },
    })
  return found
}

const ruleProblems = (rule: FlowRule, field: string, facts: FlowFacts, names: ReadonlySet<string>): Found[] => {
  if (rule.left === 'tag') return facts.tagIds.includes(rule.tagId) ? [] : [{ field, code: 'tagUnknown' }]
  if (rule.left === 'hours' || rule.left === 'window') return []
  if (!names.has(rule.name)) return [{ field, code: 'variableUnknown', params: { name: rule.name } }]
  const needsValue = rule.op !== 'isSet' && rule.op !== 'isEmpty'
  return needsValue && !rule.value?.trim() ? [{ field, code: 'valueMissing' }] : []
}

const nodeProblems = (node: FlowNode, graph: FlowGraph, facts: FlowFacts, names: ReadonlySet<string>): Found[] => {
  const found: Found[] = []
  for (const [field, text, isNeeded] of textsOf(node)) {
    const limit = textLimitOf(node)
    const length = lengthOf(text)
    if (isNeeded && !text.trim()) found.push({ field, code: 'textMissing' })
    else if (length > limit) found.push({ field, code: 'textTooLong', params: { limit, length } })
    for (const name of variablesIn(text))
      if (!names.has(name)) found.push({ field, code: 'variableUnknown', params: { name } })
  }
  switch (node.type) {
    case 'question':
      if (!node.variable) found.push({ field: 'variable', code: 'variableMissing' })
      if (node.answer === 'pattern' && !(node.pattern && compilePattern(node.pattern)))
        found.push({ field: 'pattern', code: 'patternInvalid' })
      break
    case 'buttons':
      found.push(...optionProblems(node))
      break
    case 'set':
      if (!node.variable) found.push({ field: 'variable', code: 'variableMissing' })
      break
    case 'condition':
      if (!node.rules.length) found.push({ field: 'rules', code: 'rulesMissing' })
      found.push(...node.rules.flatMap((rule, i) => ruleProblems(rule, `rules.${i}`, facts, names)))
      break
    case 'tag':
      if (!facts.tagIds.includes(node.tagId)) found.push({ field: 'tagId', code: 'tagUnknown' })
      break
    case 'goto':
      if (!graph.nodes.some(({ id, type }) => id === node.nodeId && type !== 'goto'))
        found.push({ field: 'nodeId', code: 'targetUnknown' })
      break
    case 'handoff':
      if (node.teamId && !facts.teamIds.includes(node.teamId)) found.push({ field: 'teamId', code: 'teamUnknown' })
      if (node.memberId && !facts.memberIds.includes(node.memberId))
        found.push({ field: 'memberId', code: 'memberUnknown' })
      break
  }
  return found.map(one => ({ ...one, nodeId: node.id }))
}

const followersOf = (graph: FlowGraph) => {
  const { node, after } = indexGraph(graph)
  return (one: FlowNode): FlowNode[] => {
    const ids = one.type === 'goto' ? [node(one.nodeId)] : outputsOf(one).map(output => after(one.id, output))
    return ids.filter(next => next !== undefined)
  }
}

/** Nodes from which a session could go round without ever waiting: one of each such circle. */
const loopsOf = (graph: FlowGraph): FlowNode[] => {
  const followers = followersOf(graph)
  const state = new Map<FlowNode, 'open' | 'done'>()
  const found = new Set<FlowNode>()
  for (const root of graph.nodes) {
    if (isWaiting(root) || state.has(root)) continue
    const path = [{ node: root, next: followers(root) }]
    state.set(root, 'open')
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.next.pop()
      if (!next) {
        state.set(top.node, 'done')
        path.pop()
      } else if (isWaiting(next)) continue
      else if (state.get(next) === 'open') found.add(next)
      else if (!state.has(next)) {
        state.set(next, 'open')
        path.push({ node: next, next: followers(next) })
      }
    }
  }
  return [...found]
}

const reachedOf = (graph: FlowGraph): ReadonlySet<FlowNode> => {
  const followers = followersOf(graph)
  const reached = new Set<FlowNode>()
  const open = graph.nodes.filter(({ type }) => type === 'start')
  for (let node = open.pop(); node; node = open.pop()) {
    if (reached.has(node)) continue
    reached.add(node)
    open.push(...followers(node))
  }
  return reached
}

const wiringProblems = (graph: FlowGraph): Found[] => {
  const found: Found[] = []
  const starts = graph.nodes.filter(({ type }) => type === 'start')
  if (!starts.length) found.push({ code: 'startMissing' })
  for (const { id } of starts.slice(1)) found.push({ nodeId: id, code: 'startTwice' })
  const ids = new Set<string>()
  for (const { id } of graph.nodes) {
    if (ids.has(id)) found.push({ nodeId: id, code: 'idTwice' })
    ids.add(id)
  }
  const { node, after } = indexGraph(graph)
  for (const { from, output, to } of graph.edges) {
    const source = node(from)
    if (!source || !node(to) || !outputsOf(source).includes(output))
      found.push({ ...(source ? { nodeId: from } : {}), field: output, code: 'edgeLost', isError: false })
  }
  const reached = reachedOf(graph)
  for (const one of graph.nodes) {
    if (!reached.has(one)) found.push({ nodeId: one.id, code: 'unreachable', isError: false })
    for (const output of outputsOf(one))
      if (!after(one.id, output) && !one.ends?.includes(output))
        found.push({ nodeId: one.id, field: output, code: 'outputOpen' })
  }
  for (const { id } of loopsOf(graph)) found.push({ nodeId: id, code: 'endlessLoop' })
  return found
}

const triggerProblems = (triggers: readonly FlowTrigger[], facts: FlowFacts): Found[] => {
  const found: Found[] = triggers.length ? [] : [{ code: 'triggerMissing', isError: false }]
  const ids = new Set<string>()
  let defaults = facts.hasOtherDefault ? 1 : 0
  for (const trigger of triggers) {
    const triggerId = trigger.id
    const add = (one: Found) => found.push({ ...one, triggerId })
    if (ids.has(triggerId)) add({ code: 'idTwice' })
    ids.add(triggerId)
    if (trigger.tagId && !facts.tagIds.includes(trigger.tagId)) add({ field: 'tagId', code: 'tagUnknown' })
    if (trigger.kind === 'keyword') {
      if (!trigger.words.some(word => word.trim())) add({ field: 'words', code: 'keywordMissing' })
      if (trigger.match === 'pattern' && trigger.words.some(word => !compilePattern(word)))
        add({ field: 'words', code: 'patternInvalid' })
    }
    if ((trigger.kind === 'tagAdded' || trigger.kind === 'tagRemoved') && !facts.tagIds.includes(trigger.changedTagId))
      add({ field: 'changedTagId', code: 'tagUnknown' })
    if (trigger.kind === 'default') {
      defaults += 1
      if (defaults > 1) add({ code: 'defaultTwice' })
    }
  }
  return found
}

/** Everything that is wrong with a flow as it is drawn, errors first. The browser and the server ask the same. */
export function problemsOf(
  { graph, triggers }: { graph: FlowGraph; triggers: readonly FlowTrigger[] },
  facts: FlowFacts,
): FlowProblem[] {
  const names = new Set<string>([...builtInVariables, ...ownVariables(graph).map(name => `flujo.${name}`)])
  const found = [
    ...wiringProblems(graph),
    ...graph.nodes.flatMap(node => nodeProblems(node, graph, facts, names)),
    ...triggerProblems(triggers, facts),
  ].map(one => ({ params: {}, isError: true, ...one }))
  return [...found.filter(({ isError }) => isError), ...found.filter(({ isError }) => !isError)]
}
