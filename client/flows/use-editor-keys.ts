import { useEffect, useEffectEvent } from 'react'

interface EditorKeys {
  undo(): void
  redo(): void
  save(): void
  copy(): void
  cut(): void
  paste(): void
  duplicate(): void
  selectAll(): void
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select, [contenteditable]')

/** Keys of the whole editor. In a field they are the field's own; what opens over the page keeps its keys. */
export function useEditorKeys(keys: EditorKeys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return
    const { target } = event
    if (target instanceof Element && target.closest('[role="dialog"], dialog')) return
    const key = event.key.toLowerCase()
    if (key === 's' && !event.shiftKey) {
      event.preventDefault()
      return keys.save()
    }
    if (isWriting(target)) return
    const hasText = !getSelection()?.isCollapsed
    const run: Record<string, (() => void) | undefined> = {
      z: event.shiftKey ? keys.redo : keys.undo,
      y: keys.redo,
      v: keys.paste,
      d: keys.duplicate,
      a: keys.selectAll,
      c: hasText ? undefined : keys.copy,
      x: hasText ? undefined : keys.cut,
    }
    const found = run[key]
    if (!found) return
    event.preventDefault()
    found()
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
