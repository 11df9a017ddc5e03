import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { endsInShortcut } from '#client/ready-answers/typed-shortcut.ts'
import { signed } from '#shared/auth/profile.ts'
import { isSeen } from '#shared/kernel/plain-name.ts'
import { readDraft } from './drafts/drafts.ts'

/** A message whose sending was undone. `key`: its id. */
export interface Undone {
  readonly text: string
  readonly key: string
}

interface SendingParts {
  readonly scope: string
  /** The key under which the text is stored. */
  readonly draftKey: string
  readonly field: RefObject<HTMLTextAreaElement | null>
  read(): string
  write(text: string): void
  readonly isNote: boolean
  /** Why nothing can be sent; null: it can. */
  readonly reason: string | null
  readonly maxChars: number
  readonly signature: string
  /** Put back into the field, before newer text. */
  readonly undone: Undone | undefined
  onSend(text: string): void
  onTyping(): void
  /** Resolves when it is stored. False: refused; the text stays. */
  onNote(text: string): Promise<boolean>
}

const typingEveryMs = 20_000

/** Changes and sends the text of the composer. */
export function useComposerSending(parts: SendingParts) {
  const { scope, draftKey, field, read, write, isNote, reason, maxChars, signature, undone } = parts
  const [isSaving, setIsSaving] = useState(false)
  const lastTyping = useRef(0)

  const change = (value: string) => {
    write(value)
    if (!isNote && value.trim() && Date.now() - lastTyping.current > typingEveryMs) {
      lastTyping.current = Date.now()
      parts.onTyping()
    }
  }

  const takeBack = useEffectEvent((sent: string) => {
    const own = signed('', signature)
    const said = own && sent.endsWith(own) ? sent.slice(0, -own.length) : sent
    change([said, read()].filter(Boolean).join('\n'))
    field.current?.focus()
  })
  useEffect(() => {
    if (undone) takeBack(undone.text)
  }, [undone])

  const saveNote = async (note: string) => {
    setIsSaving(true)
    field.current?.focus()
    const isStored = await parts.onNote(note)
    setIsSaving(false)
    if (isStored && readDraft(scope, draftKey).trim() === note) change('')
  }

  /** Returns whether a message is being sent. */
  const send = (): boolean => {
    const ready = read().trim()
    if (!isSeen(ready) || reason || ready.length > maxChars || isSaving) return false
    // A shortcut that matches no ready answer is probably a typing error.
    if (!isNote && endsInShortcut(ready)) return false
    if (isNote) {
      void saveNote(ready)
      return false
    }
    parts.onSend(signed(ready, signature))
    write('')
    field.current?.focus()
    return true
  }

  return { change, send, isSaving }
}
