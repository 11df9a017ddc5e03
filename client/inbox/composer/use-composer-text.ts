import { type RefObject, useEffect, useRef, useState } from 'react'
import { useIsomorphicLayoutEffect, useSteady } from '#client/ui/page/steady.ts'
import { fit } from './composer-parts.tsx'
import { writeQuote } from './draft-quote.ts'
import { listenToDrafts, readDraft, writeDraft } from './drafts.ts'

/** What is drawn around the field changes with few letters: what is written stands in the field alone. */
export interface Facts {
  readonly isEmpty: boolean
  /** There is something in it to be sent. */
  readonly canLeave: boolean
  /** So many signs are too many. */
  readonly over: number
  /** The whole text, where something that is drawn says or needs it. */
  readonly text: string | undefined
}

const isSame = (a: Facts, b: Facts): boolean =>
  a.isEmpty === b.isEmpty && a.canLeave === b.canLeave && a.over === b.over && a.text === b.text

/**
 * What is written in a chat: the draft that is kept of it, here and wherever else this person writes. The field holds it,
 * and `factsOf` what is drawn anew for it. `isThere`: there is a field.
 */
export function useComposerText(
  scope: string,
  phone: string,
  field: RefObject<HTMLTextAreaElement | null>,
  { isThere, factsOf }: { readonly isThere: boolean; factsOf(text: string): Facts },
) {
  const text = useRef('')
  const [facts, setFacts] = useState(() => factsOf(''))
  const drawn = useRef(facts)
  const drawnFor = useRef<string>(undefined)
  const { show } = useSteady({
    show(value: string) {
      text.current = value
      const box = field.current
      if (box && box.value !== value) box.value = value
      if (box) fit(box)
      const next = factsOf(value)
      if (isSame(drawn.current, next)) return
      drawn.current = next
      setFacts(next)
    },
  })
  useIsomorphicLayoutEffect(() => {
    const draft = readDraft(scope, phone)
    // Typed before the page came alive, when the draft could not be seen yet; later it is another draft's.
    const early = drawnFor.current === undefined ? (field.current?.value ?? '') : ''
    if (drawnFor.current !== undefined) field.current?.focus()
    drawnFor.current = phone
    const kept = early || draft
    if (kept !== draft) {
      // The kept draft is replaced by what was typed, so its quote goes with it.
      if (draft) writeQuote(scope, phone, undefined)
      writeDraft(scope, phone, kept)
    }
    show(kept)
  }, [scope, phone, field, show])
  // A field that has come, or one of another length.
  useIsomorphicLayoutEffect(() => show(text.current), [isThere, factsOf, show])
  useEffect(() => {
    // Written in another tab or on another device, or taken over from a colleague.
    const look = () => {
      const now = readDraft(scope, phone)
      if (drawnFor.current === phone && text.current.trim() !== now.trim()) show(now)
    }
    look()
    return listenToDrafts(look)
  }, [scope, phone, show])
  return {
    facts,
    read: () => text.current,
    write(value: string) {
      show(value)
      writeDraft(scope, phone, value)
    },
  }
}
