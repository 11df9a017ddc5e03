import { useEffect, useEffectEvent, useRef } from 'react'

interface EditorKeys {
  undo(): void
  redo(): void
  save(): void
  copy(): void
  cut(): void
  /** `text`: the clipboard's content. */
  paste(text?: string): void
  duplicate(): void
  selectAll(): void
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select, [contenteditable]')

/** The longest wait for the browser's paste event after its key. */
const clipboardMs = 150

/** Shortcuts of the whole editor. They do not act in text fields or in open dialogs. */
export function useEditorKeys(keys: EditorKeys): void {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isElsewhere = (target: EventTarget | null) =>
    isWriting(target) || (target instanceof Element && target.closest('[role="dialog"], dialog') !== null)
  /** The clipboard's content comes with a separate event. */
  const pasteSoon = () => {
    clearTimeout(waiting.current)
    waiting.current = setTimeout(() => keys.paste(), clipboardMs)
  }
  const heardPaste = useEffectEvent((event: ClipboardEvent) => {
    if (event.defaultPrevented || isElsewhere(event.target)) return
    clearTimeout(waiting.current)
    event.preventDefault()
    keys.paste(event.clipboardData?.getData('text/plain'))
  })
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
    if (key === 'v') return pasteSoon()
    const hasText = !getSelection()?.isCollapsed
    const run: Record<string, (() => void) | undefined> = {
      z: event.shiftKey ? keys.redo : keys.undo,
      y: keys.redo,
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
    const onPaste = (event: ClipboardEvent) => heardPaste(event)
    document.addEventListener('keydown', onKey)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('paste', onPaste)
      clearTimeout(waiting.current)
    }
  }, [])
}
