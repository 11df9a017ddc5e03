import { isDeepStrictEqual } from 'node:util'
import type { GraphIndex } from '#shared/flows/graph.ts'
import { type Replayed, readIn } from '#shared/flows/testing/replay.ts'
import { type SimulatedInput, type Simulation, simulationLimits } from '#shared/flows/testing/simulation.ts'
import type { RunHead, RunStep } from '../runs/run-store.ts'
import { type FlowWords, flowWordsOf, wordFor } from '../step/words.ts'
import { type SimulationParts, simulate } from './simulate.ts'

/** A timer may fire this much after it was due. */
const lateMs = 60_000
const titleMaxChars = 80

type PlayedHead = Omit<RunHead, 'testId'>
type TakenStep = Pick<RunStep, 'nodeId' | 'at' | 'input' | 'output' | 'why'>

/** The session ended by the flow and its customer alone. */
const endedWithoutTeam = ({ state }: PlayedHead): boolean =>
  state === 'finished' || state === 'handedOff' || state === 'expired' || state === 'left'

/** The customer's messages and their delays, as far as the flow read them. */
function inputsOf(run: PlayedHead, steps: readonly TakenStep[], words: FlowWords): SimulatedInput[] {
  const inputs: SimulatedInput[] = []
  let clock = Date.parse(run.startedAt)
  const passTo = (at: number) => {
    const ms = Math.min(at - clock, simulationLimits.advanceMs)
    if (ms > 0) inputs.push({ kind: 'advance', ms })
    clock = Math.max(clock, at)
  }
  // The starting message is not an answer.
  for (const { nodeId, at, input, output, why } of steps.slice(1)) {
    if (input === null) continue
    passTo(Date.parse(at))
    // The same option is chosen again, even if it was renamed.
    if (why === 'chosen' && output !== null)
      inputs.push({ kind: 'option', nodeId, optionId: output, title: input.slice(0, titleMaxChars) })
    else inputs.push(input ? { kind: 'text', text: input } : { kind: 'file' })
  }
  if (run.endedAt === null || !endedWithoutTeam(run)) return inputs
  const said = run.state === 'left' ? 'leave' : run.reason === 'wanted' ? 'person' : undefined
  if (said) {
    // The word may no longer have a meaning.
    const text = wordFor(said, words)
    return text === undefined ? inputs : [...inputs, { kind: 'text', text }]
  }
  if (Date.parse(run.endedAt) > clock) passTo(Date.parse(run.endedAt) + lateMs)
  return inputs
}

const withoutTwins = (ids: readonly string[]): string[] => ids.filter((id, i) => id !== ids[i - 1])

const verdictOf = (
  run: PlayedHead,
  was: readonly string[],
  would: Simulation['path'],
  played: Pick<Simulation, 'state' | 'reason'>,
) => {
  const isWhole = run.endedAt !== null && endedWithoutTeam(run)
  const at = was.findIndex((id, i) => id !== would[i])
  const parts = at === -1 ? (isWhole && would.length > was.length ? was.length : -1) : at
  const parting = parts === -1 ? null : { was: was[parts] ?? null, would: would[parts] ?? null }
  const isSameEnd = !isWhole || (run.state === played.state && (run.reason ?? null) === played.reason)
  return { parting, verdict: isSameEnd ? (parting ? 'way' : 'same') : 'end' } as const
}

/** The graph for a replay, and the data it uses. */
export interface Stage extends Omit<SimulationParts, 'from' | 'opening' | 'inputs'> {
  readonly graph: GraphIndex
}

const saidIn = (transcript: Simulation['transcript']): string[] =>
  transcript.filter(({ by }) => by === 'flow').map(readIn)

const isDrawnAlike = (path: readonly string[], one: GraphIndex, other: GraphIndex) =>
  path.every(id => isDeepStrictEqual(one.node(id), other.node(id)))

/**
 * Runs a past session again on another graph with its customer's messages. `ran`: the version of the session; undefined
 * if it was deleted, and texts cannot be compared.
 */
export async function replay(
  run: PlayedHead,
  steps: readonly TakenStep[],
  draft: Stage,
  ran: Stage | undefined,
): Promise<Replayed> {
  const customer = {
    from: run.startedAt,
    opening: steps[0]?.input ?? undefined,
    inputs: inputsOf(run, steps, flowWordsOf(draft.settings)).slice(0, simulationLimits.inputs),
  }
  const played = await simulate({ ...draft, ...customer })
  const { state, reason, transcript, path } = played
  const way = withoutTwins(steps.map(({ nodeId }) => nodeId))
  const { verdict, parting } = verdictOf(run, way, path, played)
  const would = { state, reason, transcript }
  if (verdict !== 'same' || !ran || isDrawnAlike(path, draft.graph, ran.graph))
    return { verdict, parting, would, was: [] }
  const was = saidIn((await simulate({ ...ran, ...customer })).transcript)
  return isDeepStrictEqual(was, saidIn(transcript))
    ? { verdict, parting, would, was: [] }
    : { verdict: 'words', parting, would, was }
}
