/** Markup that is ready to be set. Only `html` makes it, so everything in it that came from somebody is escaped. */
export interface Html {
  readonly __html: string
}

/** What may stand between the literal parts; `false`, `null` and `undefined` are nothing. */
export type HtmlValue = Html | readonly Html[] | string | number | false | null | undefined

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}
const special = /[&<>"']/
const allSpecial = /[&<>"']/g

const escapeHtml = (text: string): string =>
  special.test(text) ? text.replace(allSpecial, sign => escapes[sign] as string) : text

const print = (value: HtmlValue): string => {
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if (!value) return ''
  return '__html' in value ? value.__html : value.map(part => part.__html).join('')
}

/**
 * Markup of what is drawn many times and holds nothing that reacts by itself: a row, a bubble. As elements of React
 * each of its twenty parts is made, walked, flushed and hydrated by itself; as text it costs its bytes. Values are
 * escaped for content and for attributes in double quotes; never put one into an unquoted attribute, a style or a script.
 */
export const html = (literals: TemplateStringsArray, ...values: HtmlValue[]): Html => {
  let text = literals[0] as string
  for (let i = 0; i < values.length; i += 1) text += print(values[i]) + (literals[i + 1] as string)
  return { __html: text }
}

/** ` name="value"`, or nothing where there is no value. */
export const attribute = (name: `${'aria-' | 'data-' | ''}${string}`, value: string | null | undefined): Html | null =>
  value === null || value === undefined ? null : { __html: ` ${name}="${escapeHtml(value)}"` }
