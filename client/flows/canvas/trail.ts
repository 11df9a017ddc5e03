import type { Trail } from '../editor/editor-context.ts'

interface TakenStep {
  readonly nodeId: string
  readonly output: string | null
}

/** The highlighted part of a flow: the steps taken, and the edges between them. */
export const trailOf = (steps: readonly TakenStep[], at: string | null): Trail => ({
  nodes: new Set(steps.map(({ nodeId }) => nodeId)),
  ways: new Set(steps.flatMap(({ nodeId, output }) => (output === null ? [] : [`${nodeId} ${output}`]))),
  at,
  last: steps.at(-1)?.nodeId,
})
