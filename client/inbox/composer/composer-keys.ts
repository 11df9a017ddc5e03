import type { ClipboardEvent, KeyboardEvent } from 'react'
import { typedShortcut } from '#client/ready-answers/typed-shortcut.ts'
import { isComposing } from '#client/ui/controls/composing.ts'
import { setApart } from '#client/ui/controls/field-edits.ts'
import { openNextUnread } from '../list/next-unread.ts'

type FieldKey = KeyboardEvent<HTMLTextAreaElement>

interface KeyParts {
  readonly isNote: boolean
  readonly canNote: boolean
  onMode(isNote: boolean): void
  change(text: string): void
  send(): boolean
}

/** WhatsApp's formatting characters by key, with Ctrl. */
const marks: Readonly<Record<string, string>> = { b: '*', i: '_' }

/** Enter may select a ready answer that is still loading. */
const isAnswerComing = (field: HTMLTextAreaElement) =>
  !field.hasAttribute('aria-autocomplete') && typedShortcut(field.value, field.selectionStart) !== undefined

/** Enter sends, and with Ctrl opens the next unread chat. Ctrl+B and Ctrl+I format, Ctrl+. changes to a note and back. */
export function pressComposerKey(event: FieldKey, { isNote, canNote, onMode, change, send }: KeyParts) {
  const field = event.currentTarget
  const isWithControl = event.ctrlKey || event.metaKey
  if (canNote && event.key === '.' && isWithControl) {
    event.preventDefault()
    return onMode(!isNote)
  }
  const mark = marks[event.key]
  if (mark && !isNote && isWithControl && !event.shiftKey && !event.altKey) {
    event.preventDefault()
    return change(setApart(field, mark))
  }
  if (event.key === 'Enter' && !event.shiftKey && !isComposing(event.nativeEvent)) {
    event.preventDefault()
    if (!isNote && isAnswerComing(field)) return
    if (send() && isWithControl) openNextUnread()
  }
}

/** Files of the clipboard, which are then not pasted as text. Undefined: none are meant. */
export function takePastedFiles(event: ClipboardEvent): readonly File[] | undefined {
  const files = [...event.clipboardData.files]
  // A table copied from a spreadsheet includes an image of itself; the text is meant.
  if (!files.length || event.clipboardData.types.includes('text/plain')) return undefined
  event.preventDefault()
  return files
}
