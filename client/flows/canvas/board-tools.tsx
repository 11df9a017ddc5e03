import { Background, Panel } from '@xyflow/react'
import { useMemo } from 'react'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { StepAlignment, StepColors } from '../forms/step-colors.tsx'
import { AddStep } from './add-step.tsx'
import { CanvasMap } from './canvas-map.tsx'
import { CanvasTools } from './canvas-tools.tsx'

interface BoardToolsProps {
  readonly graph: FlowGraph
  /** All steps are drawn. */
  readonly isWhole: boolean
  readonly selected: readonly string[]
  readonly isReadOnly: boolean
}

/** The grid, the map, and the tools for the canvas and for the selected steps. */
export function BoardTools({ graph, isWhole, selected, isReadOnly }: BoardToolsProps) {
  const steps = useMemo(() => {
    const chosen = new Set(selected)
    return graph.nodes.flatMap(({ id }) => (chosen.has(id) ? [id] : []))
  }, [graph.nodes, selected])
  return (
    <>
      <Background gap={20} />
      {isWhole ? (
        <Panel position="bottom-right" className="flow-map-place">
          <CanvasMap graph={graph} />
        </Panel>
      ) : null}
      <Panel position="bottom-left">
        <CanvasTools graph={graph} />
      </Panel>
      {isReadOnly ? null : (
        <Panel position="top-left">
          <div className="flow-chosen-tools">
            <AddStep graph={graph} steps={steps} />
            {steps.length ? <StepColors ids={steps} /> : null}
            {steps.length > 1 ? <StepAlignment ids={steps} /> : null}
          </div>
        </Panel>
      )}
    </>
  )
}
