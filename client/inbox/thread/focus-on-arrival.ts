import { useEffect } from 'react'
import { hasKeyboard } from '../composer/composer-focus.ts'

/**
 * A chat opened by a link or a reload puts the focus on its messages: arrow keys scroll them, letters are shortcuts, and
 * Tab goes on to the composer. Nothing happens if somebody has focused something already.
 */
export function useFocusOnArrival(isFirstPage: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the chat is there
  useEffect(() => {
    if (!isFirstPage || !hasKeyboard() || document.activeElement !== document.body) return
    const messages = document.querySelector<HTMLElement>('.thread > .messages')
    if (!messages) return
    // The ring appears with the first key: people with a mouse did not ask where the focus is.
    messages.dataset.arrived = ''
    document.addEventListener('keydown', () => delete messages.dataset.arrived, { once: true, capture: true })
    messages.focus({ preventScroll: true })
  }, [])
}
