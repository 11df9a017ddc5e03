/** Changes to what is written, at the place where one writes; each answers the field's new text. */

/**
 * In place of what stands between two places, as if it were typed: Ctrl+Z takes it back. The browser keeps its undo stack
 * for `execCommand` alone, which it lists as deprecated and has no successor for.
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

/** In place of what is chosen. */
export const putIn = (field: HTMLTextAreaElement, words: string): string =>
  replaceRange(field, words, field.selectionStart, field.selectionEnd)

/** The bar that begins a ready answer's name. */
export const putBar = (field: HTMLTextAreaElement): string =>
  putIn(field, /\S$/.test(field.value.slice(0, field.selectionStart)) ? ' /' : '/')

/** Between two of WhatsApp's signs; what was chosen stays so. */
export const setApart = (field: HTMLTextAreaElement, mark: string): string => {
  const { selectionStart: from, selectionEnd: to } = field
  const text = putIn(field, mark + field.value.slice(from, to) + mark)
  field.setSelectionRange(from + 1, to + 1)
  return text
}
