/** Changes to what is written, at the place where one writes; each answers the field's new text. */

/** In place of what is chosen. */
export const putIn = (field: HTMLTextAreaElement, words: string): string => {
  field.setRangeText(words, field.selectionStart, field.selectionEnd, 'end')
  return field.value
}

/** The bar that begins a ready answer's name. */
export const putBar = (field: HTMLTextAreaElement): string =>
  putIn(field, /\S$/.test(field.value.slice(0, field.selectionStart)) ? ' /' : '/')

/** Between two of WhatsApp's signs; what was chosen stays so. */
export const setApart = (field: HTMLTextAreaElement, mark: string): string => {
  const { selectionStart: from, selectionEnd: to } = field
  field.setRangeText(mark + field.value.slice(from, to) + mark, from, to)
  field.setSelectionRange(from + 1, to + 1)
  return field.value
}
