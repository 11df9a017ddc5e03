/** Safe markup. Only `html` creates it, which escapes all values. */
export interface Html {
  readonly __html: string
}

/** A value between the literal parts; `false`, `null` and `undefined` become nothing. */
type HtmlValue = Html | readonly Html[] | string | number | false | null | undefined

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
 * Markup of something rendered many times and without handlers of its own, such as a row or a bubble. As React
 * elements, each of its twenty parts would be created, visited, streamed and hydrated; as text it costs only its
 * bytes. Values are escaped for content and for attributes in double quotes. Never put one into an unquoted
 * attribute, a style or a script.
 */
export const html = (literals: TemplateStringsArray, ...values: HtmlValue[]): Html => {
  let text = literals[0] as string
  for (let i = 0; i < values.length; i += 1) text += print(values[i]) + (literals[i + 1] as string)
  return { __html: text }
}

/** ` name="value"`, or nothing if there is no value. */
export const attribute = (name: `${'aria-' | 'data-' | ''}${string}`, value: string | null | undefined): Html | null =>
  value === null || value === undefined ? null : { __html: ` ${name}="${escapeHtml(value)}"` }
