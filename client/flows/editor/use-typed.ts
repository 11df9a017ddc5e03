import { type RefObject, use, useReducer, useRef, useState } from 'react'
import { useIsomorphicLayoutEffect } from '#client/ui/page/steady.ts'
import { KeptDraftContext } from './editor-context.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

interface Typed<F extends Field> {
  /** For the field, which keeps what is typed in it by itself. */
  readonly ref: RefObject<F | null>
  readonly defaultValue: string
  change(text: string): void
  /** The keys go elsewhere: what follows is done to what was typed here. */
  leave(): void
}

/**
 * A field shows a letter by itself, and nothing is drawn for it; the draft has it at once, and all that is drawn from the
 * draft follows when the letter is painted.
 */
export function useTyped<F extends Field>(value: string, onChange: (text: string) => void): Typed<F> {
  const kept = use(KeptDraftContext)
  const ref = useRef<F>(null)
  const [defaultValue] = useState(value)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  /** There are letters that what is drawn does not know of yet. */
  const isAhead = useRef(false)
  // Taken back, written by somebody else, or written otherwise than it was typed.
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
