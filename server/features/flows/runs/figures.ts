import type { SessionState } from '#shared/flows/runs/runs.ts'
import { type StepCount, type TimedAnswer, underWay } from './run-store.ts'

interface NodeFigures {
  nodeId: string
  entered: number
  here: number
  gaveUp: number
  outputs: { output: string; count: number }[]
  medianMs: number | null
}

/** Reasons of further steps at a node where the session already was: an input arrived, or none did. */
const isAnother: ReadonlySet<string | null> = new Set([
  'answered',
  'notAnAnswer',
  'askedAgain',
  'tooManyTries',
  'chosen',
  'otherAnswer',
  'noAnswer',
  'waited',
  'typing',
  'returned',
  'callAnswered',
  'callRefused',
  'callRejected',
  'callNotJson',
  'callSecret',
  'callTimedOut',
  'callNoAnswer',
  'callUnconfirmed',
])
const isUnderWay = (state: SessionState): boolean => underWay.some(one => one === state)

/** True if the flow's author intended this end: the flow finished, or handed over without a failure. */
const isMeant = ({ output, why, ended }: StepCount): boolean =>
  ended === 'finished' || (ended === 'handedOff' && output === null && why === null)

const median = (numbers: readonly number[]): number | null =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? null

/** The figures of each node, from counts by kind of step and from how long answers took. */
export function nodeFigures(counts: readonly StepCount[], answers: readonly TimedAnswer[]): NodeFigures[] {
  const took = Map.groupBy(answers, ({ nodeId }) => nodeId)
  const nodes = new Map<string, NodeFigures>()
  for (const one of counts) {
    const { nodeId, output, why, ended, count } = one
    const node = nodes.get(nodeId) ?? { nodeId, entered: 0, here: 0, gaveUp: 0, outputs: [], medianMs: null }
    nodes.set(nodeId, node)
    if (!isAnother.has(why)) node.entered += count
    if (ended !== null && isUnderWay(ended)) node.here += count
    else if (ended !== null && !isMeant(one)) node.gaveUp += count
    if (output === null) continue
    const known = node.outputs.find(way => way.output === output)
    if (known) known.count += count
    else node.outputs.push({ output, count })
  }
  for (const node of nodes.values())
    node.medianMs = median(
      (took.get(node.nodeId) ?? []).map(({ askedAt, at }) => Math.max(0, Date.parse(at) - Date.parse(askedAt))),
    )
  return [...nodes.values()]
}
