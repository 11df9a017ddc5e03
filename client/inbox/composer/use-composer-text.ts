import { type RefObject, useEffect, useRef, useState } from 'react'
import { useIsomorphicLayoutEffect, useSteady } from '#client/ui/page/steady.ts'
import { fit } from './composer-parts.tsx'
import { writeQuote } from './drafts/draft-quote.ts'
import { listenToDrafts, readDraft, writeDraft } from './drafts/drafts.ts'

/** Facts that what surrounds the field renders. They change rarely, while the text itself is only in the field. */
interface Facts {
  readonly isEmpty: boolean
  /** It contains something to send. */
  readonly canLeave: boolean
  /** Characters above the limit. */
  readonly over: number
  /** The whole text, where a component needs it. */
  readonly text: string | undefined
}

const isSame = (a: Facts, b: Facts): boolean =>
  a.isEmpty === b.isEmpty && a.canLeave === b.canLeave && a.over === b.over && a.text === b.text

/**
 * The draft of a chat, here and on the person's other devices. The field holds the text; `factsOf` selects what is
 * rendered. `isThere`: the field is mounted.
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
    // Text typed before hydration, when the stored draft was not visible yet. Later it belongs to another draft.
    const early = drawnFor.current === undefined ? (field.current?.value ?? '') : ''
    if (drawnFor.current !== undefined) field.current?.focus()
    drawnFor.current = phone
    const kept = early || draft
    if (kept !== draft) {
      // The typed text replaces the stored draft, so its quote is removed.
      if (draft) writeQuote(scope, phone, undefined)
      writeDraft(scope, phone, kept)
    }
    show(kept)
  }, [scope, phone, field, show])
  // When the field is mounted, or its limit changes.
  useIsomorphicLayoutEffect(() => show(text.current), [isThere, factsOf, show])
  useEffect(() => {
    // Changed in another tab or on another device, or taken over from a colleague.
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
