import { memo } from 'react'
import type { FlowNode } from '#shared/flows/graph.ts'
import type { FlowNames } from '#shared/flows/names.ts'
import { listedAs } from '../step-words.ts'
import type { FlowsT } from '../words.ts'

interface StepOptionProps {
  readonly value: string
  readonly node: FlowNode
  readonly names: FlowNames
  readonly t: FlowsT
}

/** An option for one of hundreds of steps, memoized so that typing in another step does not render it. */
export const StepOption = memo(function StepOption({ value, node, names, t }: StepOptionProps) {
  return (
    <option value={value} dir="auto">
      {listedAs(t, node, names)}
    </option>
  )
})
