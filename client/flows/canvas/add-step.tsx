import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { AddMenu } from '../editor/add-menu.tsx'
import { edgeAt, nextPlace, type OutputPlace } from '../editor/draft/draft.ts'
import { outlineOf, stepsInOrder } from '../outline/outline-tree.ts'

interface AddStepProps {
  readonly graph: FlowGraph
  /** The selected steps. */
  readonly steps: readonly string[]
}

/** The place of a new step: after the only selected step, otherwise at the first output without a successor. */
const placeOf = (graph: FlowGraph, [only, another]: readonly string[]): OutputPlace | undefined => {
  const nodes = new Map(graph.nodes.map(node => [node.id, node]))
  const chosen = another === undefined && only !== undefined ? nodes.get(only) : undefined
  if (chosen) return nextPlace(graph, chosen)
  for (const id of stepsInOrder(outlineOf(graph))) {
    const node = nodes.get(id)
    const place = node && nextPlace(graph, node)
    if (place && !edgeAt(graph, place) && !node.ends?.includes(place.output)) return place
  }
  return undefined
}

/** Adds a step from anywhere on the canvas. `N` opens it, too. */
export function AddStep({ graph, steps }: AddStepProps) {
  const { t } = useTranslation('flows')
  const place = useMemo(() => placeOf(graph, steps), [graph, steps])
  return (
    <AddMenu
      {...(place ? { place } : {})}
      isOpen={place !== undefined && !edgeAt(graph, place)}
      label={t('outline.add')}
      className="button flow-add-step"
    />
  )
}
