import { Suspense } from 'react'
import { useFacts } from '#client/app/facts.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import type { Flow } from '#shared/flows/api.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { LazyCanvas } from '../canvas/lazy-canvas.tsx'
import type { View } from '../canvas/use-view.ts'
import { Outline } from '../outline/outline.tsx'
import type { Play } from '../play/use-play.ts'
import { FiguresList } from '../runs/figures-list.tsx'
import type { KeptDraft } from './draft/kept-draft.ts'
import { ProblemsList } from './problems/list.tsx'
import type { Selection } from './use-selection.ts'
import type { useStepFigures } from './use-step-figures.ts'

export const loadNodePanel = () => import('../forms/node-panel.tsx')
const NodePanel = lazyDialog(loadNodePanel)
const PlayPanel = lazyDialog(() => import('../play/play-panel.tsx'))

/** The number of steps per path in the first HTML, before the view is known. */
const firstSteps = 30

interface EditorBodyProps {
  readonly flow: Flow
  readonly kept: KeptDraft
  readonly graph: FlowGraph
  /** The graph as it is drawn, which may be older for a moment. */
  readonly shownGraph: FlowGraph
  /** Undefined until hydrated. */
  readonly view: View | undefined
  readonly selection: Selection
  readonly play: Play
  onPlay(): void
  readonly counted: ReturnType<typeof useStepFigures>['counted']
  onFigures(): void
}

/** The drawing or the outline, and the panel beside it. */
export function EditorBody(props: EditorBodyProps) {
  const { flow, kept, graph, shownGraph, view, selection, play, onPlay, counted, onFigures } = props
  const { selected, node, pane, setPane, revealKey, focusKey, answeredFocus } = selection
  const { flowsAsLists } = useFacts()
  // The window's width is unknown in the first HTML, so both views are in it, unless the user chose the outline.
  const mayBeCanvas = view ? view === 'canvas' : !flowsAsLists
  return (
    <div className="flow-body" data-view={view ?? (mayBeCanvas ? 'unknown' : 'outline')} data-pane={pane}>
      {/* A boundary each: the hidden view is never hydrated. */}
      {mayBeCanvas ? (
        <Suspense>
          <LazyCanvas graph={shownGraph} selected={selected} revealKey={revealKey} />
        </Suspense>
      ) : null}
      {view === 'canvas' ? null : (
        <Suspense>
          <Outline graph={shownGraph} selected={selected} most={view ? undefined : firstSteps} />
        </Suspense>
      )}
      {pane === 'problems' ? <ProblemsList graph={graph} onClose={() => setPane(undefined)} /> : null}
      {pane === 'figures' && counted ? <FiguresList graph={graph} figures={counted} onClose={onFigures} /> : null}
      {pane === 'play' ? (
        <PlayPanel play={play} published={flow.published?.version ?? null} graph={graph} onClose={onPlay} />
      ) : null}
      {pane === 'step' && node ? (
        <NodePanel
          key={node.id}
          node={node}
          graph={shownGraph}
          focusKey={focusKey}
          answeredFocus={answeredFocus}
          flush={kept.flush}
          onClose={selection.close}
        />
      ) : null}
    </div>
  )
}
