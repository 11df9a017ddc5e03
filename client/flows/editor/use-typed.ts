import { type RefObject, use, useReducer, useRef, useState } from 'react'
import { useIsomorphicLayoutEffect } from '#client/ui/page/steady.ts'
import { KeptDraftContext } from './editor-context.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

interface Typed<F extends Field> {
  /** The ref of an uncontrolled field. */
  readonly ref: RefObject<F | null>
  readonly defaultValue: string
  change(text: string): void
  /** The focus leaves: subsequent undo applies to the text typed here. */
  leave(): void
}

/**
 * A field shows a letter by itself without rendering; the draft changes at once, and components that use the draft
 * render after the letter is painted.
 */
export function useTyped<F extends Field>(value: string, onChange: (text: string) => void): Typed<F> {
  const kept = use(KeptDraftContext)
  const ref = useRef<F>(null)
  const [defaultValue] = useState(value)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  /** Some letters are not in the rendered value yet. */
  const isAhead = useRef(false)
  // Undone, changed by somebody else, or normalized.
  useIsomorphicLayoutEffect(() => {
    if (ref.current && !isAhead.current && ref.current.value !== value) ref.current.value = value
  })
  return {
    ref,
    defaultValue,
    change(text) {
      if (!kept) {
        onChange(text)
        return redraw()
      }
      isAhead.current = true
      kept.quietly(
        () => onChange(text),
        () => {
          isAhead.current = false
          redraw()
        },
      )
    },
    leave: () => kept?.catchUp(),
  }
}
