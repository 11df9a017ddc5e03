import { use, useState } from 'react'
import { KeptDraftContext } from './editor-context.ts'

interface Typed {
  /** With the letter typed just now. */
  readonly shown: string
  change(text: string): void
  /** The keys go elsewhere: what follows is done to what was typed here. */
  leave(): void
}

/**
 * A field shows a letter by itself, at once and alone; the draft has it at once, too, and all else that is drawn from
 * the draft follows when the letter is painted.
 */
export function useTyped(value: string, onChange: (text: string) => void): Typed {
  const kept = use(KeptDraftContext)
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: string }>()
  return {
    shown: typed?.of === value ? typed.text : value,
    change(text) {
      if (!kept) return onChange(text)
      setTyped({ text, of: value })
      kept.quietly(
        () => onChange(text),
        () => setTyped(undefined),
      )
    },
    leave: () => kept?.catchUp(),
  }
}
