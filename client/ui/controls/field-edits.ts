/** Edits at the cursor of a text field. Each returns the field's new text. */

/**
 * Replaces a range as if the text were typed, so that Ctrl+Z undoes it. Browsers keep the undo stack only for
 * `execCommand`, which is deprecated but has no successor.
 */
export const replaceRange = (field: HTMLTextAreaElement, words: string, from: number, to: number): string => {
  field.focus({ preventScroll: true })
  field.setSelectionRange(from, to)
  if (from === to && words === '') return field.value
  const isDone = words === '' ? document.execCommand('delete') : document.execCommand('insertText', false, words)
  if (!isDone) {
    field.setRangeText(words, from, to, 'end')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return field.value
}

/** Replaces the selection. */
export const putIn = (field: HTMLTextAreaElement, words: string): string =>
  replaceRange(field, words, field.selectionStart, field.selectionEnd)

/** Puts the selection between two formatting marks of WhatsApp and keeps it selected. */
export const setApart = (field: HTMLTextAreaElement, mark: string): string => {
  const { selectionStart: from, selectionEnd: to } = field
  const text = putIn(field, mark + field.value.slice(from, to) + mark)
  field.setSelectionRange(from + 1, to + 1)
  return text
}
