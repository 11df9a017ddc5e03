import type { KeyboardEvent } from 'react'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'

/** Enter opens a step, N adds one, Escape leaves the selection. */
export function useBoardKeys() {
  const { select } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  const onKeyDown = (event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
    const { target } = event
    if (!isPlain || !(target instanceof HTMLElement)) return
    const { id } = target.dataset
    // After the library has selected the step.
    if (event.key === 'Enter' && id !== undefined && target.matches('.react-flow__node-step')) {
      event.preventDefault()
      return select([id], true)
    }
    if (event.key.toLowerCase() !== 'n' || isReadOnly || !target.matches('.react-flow__node, .react-flow')) return
    event.preventDefault()
    document.querySelector<HTMLElement>('.flow-add-step')?.click()
  }
  /** The library would also take the focus from the step. */
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const { target } = event
    if (event.key !== 'Escape' || !(target instanceof HTMLElement) || !target.matches('.react-flow__node')) return
    event.stopPropagation()
    select([])
  }
  return { onKeyDown, onKeyDownCapture }
}
