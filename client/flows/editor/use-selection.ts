import { useEffect, useRef, useState } from 'react'
import type { Flow } from '#shared/flows/api.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { stepButton } from '../outline/outline.tsx'

/** The panel beside the drawing. */
type Pane = 'step' | 'problems' | 'play' | 'figures' | undefined

export type Selection = ReturnType<typeof useSelection>

/** Returns the selected steps, what is open beside them, and the step that is new. @param graph as drawn now */
export function useSelection(flow: Flow, graph: FlowGraph, isReadOnly: boolean) {
  const [selected, setSelected] = useState<readonly string[]>([])
  const [pane, setPane] = useState<Pane>()
  const [focusKey, setFocusKey] = useState(0)
  const answeredFocus = useRef(0)
  const [revealKey, setRevealKey] = useState(0)
  const [newStart] = useState(() => (flow.graph.nodes.length === 1 ? flow.graph.nodes[0]?.id : undefined))
  const [freshId, setFreshId] = useState(newStart)

  const leaveFor = (next: Pane) => {
    setFreshId(undefined)
    setPane(next)
  }

  // A new flow begins with the question how it starts.
  useEffect(() => {
    if (newStart === undefined || isReadOnly || !matchMedia('(min-width: 1024px)').matches) return
    setSelected([newStart])
    setPane('step')
  }, [newStart, isReadOnly])
  // A step removed by undo or by somebody else is no longer selected.
  useEffect(() => {
    const there = new Set([...graph.nodes, ...(graph.notes ?? [])].map(({ id }) => id))
    if (selected.some(id => !there.has(id))) setSelected(ids => ids.filter(id => there.has(id)))
  }, [graph, selected])

  return {
    selected,
    /** The only selected step. */
    node: selected.length === 1 ? graph.nodes.find(({ id }) => id === selected[0]) : undefined,
    pane,
    setPane,
    /** Opens a pane, or none, and leaves the new step. */
    leaveFor,
    /** Changes when the panel of the step takes the focus. */
    focusKey,
    answeredFocus,
    /** Changes when the drawing moves to the selected step. */
    revealKey,
    /** The only step of a new flow. */
    newStart,
    /** The step that was added last, until it is left. Its problems are not shown yet. In a new flow the start. */
    freshId,
    setFreshId,
    select(ids: readonly string[], goesIntoPanel?: boolean) {
      setSelected(ids)
      setFreshId(now => (ids.length === 1 && ids[0] === now ? now : undefined))
      setPane(ids.length === 1 ? 'step' : undefined)
      if (!goesIntoPanel) return
      setFocusKey(key => key + 1)
      setRevealKey(key => key + 1)
    },
    /** Selects a step and scrolls to it. */
    reveal(id: string) {
      setSelected([id])
      setFreshId(now => (id === now ? now : undefined))
      // Beside a simulation or the figures the step is only selected; on a narrow screen its panel is opened instead.
      setPane(now => ((now === 'play' || now === 'figures') && matchMedia('(min-width: 768px)').matches ? now : 'step'))
      setRevealKey(key => key + 1)
      requestAnimationFrame(() => stepButton(id)?.scrollIntoView({ block: 'nearest' }))
    },
    /** Closes the pane and focuses the step it was about. */
    close() {
      leaveFor(undefined)
      const [id] = selected
      if (id) requestAnimationFrame(() => stepButton(id)?.focus())
    },
  }
}
