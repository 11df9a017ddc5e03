import type { KeyboardEvent } from 'react'
import { isComposing } from './composing.ts'

/** Arrow keys move from a field into the list below it, through its buttons, and back. For the element around both. */
export const walkByArrows = (event: KeyboardEvent<HTMLElement>): void => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || isComposing(event.nativeEvent)) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button:enabled')]
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
