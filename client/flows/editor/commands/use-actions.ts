import { useMemo, useRef } from 'react'
import type { FlowGraph, FlowNode } from '#shared/flows/graph.ts'
import { newPlace } from '../../canvas/layout.ts'
import { outlineOf, stepsInOrder } from '../../outline/outline-tree.ts'
import { findCopied, keepCopied, readCopied } from '../draft/clipboard.ts'
import { edgeAt, mainOutput, newNode } from '../draft/draft.ts'
import type { HistoryAction } from '../draft/history.ts'
import { addNode, changeNode, copyParts, insertAt, pasteParts, removeParts, renewParts } from '../draft/operations.ts'
import type { EditorActions } from '../editor-context.ts'

interface Parts {
  /** The graph as displayed now. */
  graph(): FlowGraph
  readonly selected: readonly string[]
  readonly isReadOnly: boolean
  dispatch(action: HistoryAction): void
  select(ids: readonly string[], goesIntoPanel?: boolean): void
  reveal(id: string): void
  /** Sets the focus after an action that left nothing selected. */
  focusStep(id: string | undefined): void
  onAdded(id: string): void
  onCopied(count: number): void
  onNothingToPaste(): void
}

/** The functions keep their identity for the editor's life, so that hundreds of steps do not render again. */
export function useEditorActionsOf(parts: Parts): EditorActions {
  const latest = useRef(parts)
  latest.current = parts
  return useMemo(() => {
    const change: EditorActions['change'] = (work, key) => {
      if (latest.current.isReadOnly) return
      latest.current.dispatch({ type: 'change', change: draft => ({ ...draft, graph: work(draft.graph) }), key })
    }
    const select: EditorActions['select'] = (ids, goesIntoPanel) => latest.current.select(ids, goesIntoPanel)
    const duplicate: EditorActions['duplicate'] = ids => {
      const copy = renewParts(copyParts(latest.current.graph(), ids))
      if (!copy.nodes.length) return
      change(graph => pasteParts(graph, copy))
      select(copy.nodes.map(({ id }) => id))
    }
    return {
      change,
      select,
      duplicate,
      reveal: id => latest.current.reveal(id),
      changeNode: (id: string, part: Partial<FlowNode>, key?: string) =>
        change(graph => changeNode(graph, id, part), key),
      changeTriggers: (work, key) => {
        if (latest.current.isReadOnly) return
        latest.current.dispatch({
          type: 'change',
          change: draft => ({ ...draft, triggers: work(draft.triggers) }),
          key: key && `trigger.${key}`,
        })
      },
      toggle: id => {
        const { selected } = latest.current
        select(selected.includes(id) ? selected.filter(one => one !== id) : [...selected, id])
      },
      add: (type, place) => {
        if (latest.current.isReadOnly) return
        const graph = latest.current.graph()
        const node = newNode(type, newPlace(graph, place))
        change(one => (place ? insertAt(one, node, place) : addNode(one, node)))
        select([node.id], true)
        latest.current.onAdded(node.id)
      },
      remove: ids => {
        const graph = latest.current.graph()
        const order = stepsInOrder(outlineOf(graph))
        const before = order.slice(0, order.indexOf(ids[0] ?? '')).findLast(id => !ids.includes(id))
        change(one => removeParts(one, ids))
        select([])
        latest.current.focusStep(before ?? order.find(id => !ids.includes(id)))
      },
      copy: ids => {
        const parts = copyParts(latest.current.graph(), ids)
        if (!parts.nodes.length) return
        keepCopied(parts)
        latest.current.onCopied(parts.nodes.length)
      },
      paste: (place, text = '') => {
        const { selected } = latest.current
        const graph = latest.current.graph()
        const copied = readCopied(text) ?? findCopied()
        if (!copied?.nodes.length) return latest.current.onNothingToPaste()
        const fresh = renewParts(copied)
        const only = selected.length === 1 ? graph.nodes.find(({ id }) => id === selected[0]) : undefined
        const output = only && mainOutput(only)
        const after = only && output ? { from: only.id, output } : undefined
        const target = place ?? (after && !edgeAt(graph, after) ? after : undefined)
        change(one => pasteParts(one, fresh, target))
        select(
          fresh.nodes.map(({ id }) => id),
          fresh.nodes.length === 1,
        )
      },
    }
  }, [])
}
