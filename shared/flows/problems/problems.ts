import { type FlowGraph, type FlowNode, indexGraph, nodeKind, outputsOf } from '../graph.ts'
import { flowLimits } from '../limits.ts'
import { patternProblems } from '../nodes/pattern-problems.ts'
import {
  addCounts,
  countKeywords,
  type KeywordCount,
  keywordLimitPassed,
  keywordLimits,
} from '../triggers/keyword-limits.ts'
import { type FlowTrigger, plainPattern } from '../triggers/triggers.ts'
import { mayFindWindowClosed } from '../triggers/window.ts'
import { broughtVariables, ownVariables, patternsIn, variablesInside } from '../uses.ts'
import { builtInVariables, namesInGraph } from '../variables.ts'
import { nodeProblems } from './node-problems.ts'
import type { FlowFacts, FlowProblem, Found } from './problem.ts'

const followersOf = (graph: FlowGraph) => {
  const { node, after } = indexGraph(graph)
  return (one: FlowNode): FlowNode[] => {
    const { jumpsTo } = nodeKind(one)
    const next = jumpsTo ? [node(jumpsTo(one))] : outputsOf(one).map(output => after(one.id, output))
    return next.filter(found => found !== undefined)
  }
}

const breaksLoops = (node: FlowNode): boolean => nodeKind(node).breaksLoops === true

/** Nodes of endless loops, where a session would never wait: one node of each loop. */
const loopsOf = (graph: FlowGraph): FlowNode[] => {
  const followers = followersOf(graph)
  const state = new Map<FlowNode, 'open' | 'done'>()
  const found = new Set<FlowNode>()
  for (const root of graph.nodes) {
    if (breaksLoops(root) || state.has(root)) continue
    const path = [{ node: root, next: followers(root) }]
    state.set(root, 'open')
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.next.pop()
      if (!next) {
        state.set(top.node, 'done')
        path.pop()
      } else if (breaksLoops(next)) continue
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

const wiringProblems = (graph: FlowGraph, triggers: readonly FlowTrigger[]): Found[] => {
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
      if (!after(one.id, output) && !one.ends?.includes(output) && nodeKind(one).personAt !== output)
        found.push({ nodeId: one.id, field: output, code: 'outputOpen' })
  }
  for (const { id } of mayFindWindowClosed(graph, triggers))
    found.push({ nodeId: id, field: 'fallback', code: 'windowMayClose', isError: false })
  for (const { id } of loopsOf(graph)) found.push({ nodeId: id, code: 'endlessLoop' })
  return found
}

/** The live flows together exceed a keyword limit. */
export const keywordProblem = (passed: keyof KeywordCount): FlowProblem => ({
  field: 'words',
  code: ({ patterns: 'patternsTooMany', words: 'wordsTooMany', wordChars: 'wordsTooLong' } as const)[passed],
  params: { limit: keywordLimits[passed] },
  isError: true,
})

const triggerProblems = (triggers: readonly FlowTrigger[], facts: FlowFacts): Found[] => {
  const found: Found[] = triggers.length ? [] : [{ code: 'triggerMissing', isError: false }]
  const ids = new Set<string>()
  let defaults = facts.hasOtherDefault ? 1 : 0
  let count = facts.otherKeywords ?? countKeywords([])
  for (const trigger of triggers) {
    const triggerId = trigger.id
    const add = (one: Found) => found.push({ ...one, triggerId })
    if (ids.has(triggerId)) add({ code: 'idTwice' })
    ids.add(triggerId)
    if (trigger.tagId && !facts.tagIds.includes(trigger.tagId)) add({ field: 'tagId', code: 'tagUnknown' })
    if (trigger.kind === 'keyword') {
      if (!trigger.words.some(word => word.trim())) add({ field: 'words', code: 'keywordMissing' })
      if (trigger.match === 'pattern') {
        const faults = trigger.words.flatMap(word => patternProblems(plainPattern(word), 'words', facts))
        if (faults[0]) add(faults[0])
      }
      count = addCounts(count, countKeywords([trigger]))
      const passed = keywordLimitPassed(count)
      if (passed) add(keywordProblem(passed))
    }
    if ((trigger.kind === 'tagAdded' || trigger.kind === 'tagRemoved') && !facts.tagIds.includes(trigger.changedTagId))
      add({ field: 'changedTagId', code: 'tagUnknown' })
    if (
      trigger.kind === 'campaign' &&
      trigger.sendId !== undefined &&
      facts.sendIds?.includes(trigger.sendId) === false
    )
      add({ field: 'sendId', code: 'sendUnknown' })
    if (trigger.kind === 'default') {
      defaults += 1
      if (defaults > 1) add({ code: 'defaultTwice' })
    }
  }
  return found
}

/** The maximum number of reported problems; further ones appear once these are fixed. */
const maxProblems = 1000

/** Questions and rules beyond the number allowed to have a pattern. */
const patternsBeyond = (graph: FlowGraph): Found[] =>
  patternsIn(graph)
    .slice(flowLimits.patterns)
    .map(({ nodeId, field }) => ({ nodeId, field, code: 'patternsTooMany', params: { limit: flowLimits.patterns } }))

/** The problems of a draft, errors first. Browser and server use the same check. */
export function problemsOf(
  { graph, triggers }: { graph: FlowGraph; triggers: readonly FlowTrigger[] },
  facts: FlowFacts,
): FlowProblem[] {
  const names = new Set<string>([
    ...builtInVariables,
    // If they are unknown here, every name is accepted.
    ...(facts.fields ?? namesInGraph(graph).filter(name => name.startsWith('contacto.'))),
    ...[...ownVariables(graph), ...broughtVariables(triggers), ...variablesInside(graph, facts.flows)].map(
      name => `flujo.${name}`,
    ),
  ])
  const ofNodes = patternsBeyond(graph)
  // Patterns beyond the limit are not compiled.
  const judged = ofNodes.length ? { ...facts, patternFault: () => undefined } : facts
  for (const node of graph.nodes) {
    if (ofNodes.length >= maxProblems) break
    ofNodes.push(...nodeProblems(node, graph, judged, names))
  }
  const found = [...wiringProblems(graph, triggers), ...ofNodes, ...triggerProblems(triggers, facts)].map(one => ({
    params: {},
    isError: true,
    ...one,
  }))
  return [
    ...found.filter(({ isError }) => isError).slice(0, maxProblems),
    ...found.filter(({ isError }) => !isError).slice(0, maxProblems),
  ]
}
