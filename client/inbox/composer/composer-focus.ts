import { useEffect, useRef } from 'react'

/** False on touch devices, where focusing would open a keyboard over the messages. */
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

/** Gives up the focus for a chat that is about to open: its composer takes it only from the page or a link. */
export const leaveFocusToChat = (): void => {
  if (hasKeyboard() && document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

/**
 * Returns a function to call while something is open over the chat: the composer gets the focus after that has closed. A
 * popover returns the focus to its button when it is removed, and React runs this effect after that.
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
