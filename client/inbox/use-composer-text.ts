import { type RefObject, useEffect, useRef, useState } from 'react'
import { useIsomorphicLayoutEffect } from '#client/ui/steady.ts'
import { readDraft, useDrafts, writeDraft } from './drafts.ts'

/** What is written in a chat: the draft that is kept of it, here and wherever else this person writes. */
export function useComposerText(scope: string, phone: string, field: RefObject<HTMLTextAreaElement | null>) {
  const kept = useDrafts(scope)[phone]
  const [text, setText] = useState('')
  const drawnFor = useRef<string>(undefined)
  useIsomorphicLayoutEffect(() => {
    const draft = readDraft(scope, phone)
    // Typed before the page came alive, when the draft could not be seen yet; later it is another draft's.
    const early = drawnFor.current === undefined ? (field.current?.value ?? '') : ''
    if (drawnFor.current !== undefined) field.current?.focus()
    drawnFor.current = phone
    const kept = draft.endsWith(early) ? draft : [draft, early].filter(Boolean).join('\n')
    if (kept !== draft) writeDraft(scope, phone, kept)
    setText(kept)
  }, [scope, phone, field])
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked whenever what is kept changes
  useEffect(() => {
    // Written in another tab or on another device, or taken over from a colleague.
    const now = readDraft(scope, phone)
    if (drawnFor.current === phone) setText(before => (before.trim() === now.trim() ? before : now))
  }, [kept, scope, phone])
  return {
    text,
    write(value: string) {
      setText(value)
      writeDraft(scope, phone, value)
    },
  }
}
