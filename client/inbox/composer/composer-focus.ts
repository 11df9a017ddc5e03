import { useEffect, useRef } from 'react'

/** On touch devices, focusing would open a keyboard over the messages. */
export const hasKeyboard = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches

export const focusComposer = (): void =>
  document.querySelector<HTMLElement>('.composer textarea:not([readonly])')?.focus({ preventScroll: true })

/**
 * Call it before something opens over the chat: when it closes, focus returns to the composer. A menu first focuses its
 * own button, within the same event.
 */
export const focusComposerFirst = (): void => {
  if (hasKeyboard()) queueMicrotask(focusComposer)
}

/**
 * Returns a function that asks for the focus in the composer once what is open has closed. A popover returns the focus
 * to its button as it is removed; React runs the effects of other components after that.
 */
export function useComposerAfter(isOpen: boolean): () => void {
  const isAsked = useRef(false)
  useEffect(() => {
    if (isOpen || !isAsked.current) return
    isAsked.current = false
    if (hasKeyboard()) focusComposer()
  }, [isOpen])
  return () => {
    isAsked.current = true
  }
}
