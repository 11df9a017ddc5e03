import { memo } from 'react'
import { listedAs } from '#client/flows/nodes/all.ts'
import type { FlowNames, FlowsT } from '#client/flows/words.ts'
import type { FlowNode } from '#shared/flows/graph.ts'

interface StepOptionProps {
  readonly value: string
  readonly node: FlowNode
  readonly names: FlowNames
  readonly t: FlowsT
}

/** A step to choose among hundreds: named anew only where it changed, not with each letter typed in another one. */
export const StepOption = memo(function StepOption({ value, node, names, t }: StepOptionProps) {
  return (
    <option value={value} dir="auto">
      {listedAs(t, node, names)}
    </option>
  )
})
