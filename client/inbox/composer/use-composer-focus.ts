import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { Message } from '#shared/inbox/messages.ts'
import { hasKeyboard } from './composer-focus.ts'

interface FocusCauses {
  readonly isRecording: boolean
  readonly replyTo: Message | null
  readonly openedBy: string | undefined
}

/** True if the person types in the search, or has a menu open. */
const isBusyElsewhere = () => !document.activeElement?.matches('body, a')

/** Focuses the field after a recording, when a message is quoted, and when the chat is opened. */
export function useComposerFocus(
  field: RefObject<HTMLTextAreaElement | null>,
  { isRecording, replyTo, openedBy }: FocusCauses,
): void {
  const wasRecording = useRef(false)
  useEffect(() => {
    if (wasRecording.current && !isRecording && hasKeyboard()) field.current?.focus()
    wasRecording.current = isRecording
  }, [field, isRecording])
  const quotedBefore = useRef(replyTo?.id)
  useEffect(() => {
    if (replyTo && replyTo.id !== quotedBefore.current) field.current?.focus()
    quotedBefore.current = replyTo?.id
  }, [field, replyTo])
  // Focus before the first paint, so that the first key reaches the field.
  useLayoutEffect(() => {
    if (openedBy && hasKeyboard() && !isBusyElsewhere()) field.current?.focus({ preventScroll: true })
  }, [field, openedBy])
}
