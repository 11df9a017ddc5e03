import type { InboxT } from '../words.ts'

/** `screen_0_Nombre_completo_1`: the field names of Meta's form editor. */
const madeByMeta = /^screen_\d+_(?<name>.+?)_\d+$/

/** A readable label of a form field: separators become spaces. */
export const formLabel = (key: string): string => {
  const words = (madeByMeta.exec(key)?.groups?.name ?? key).replace(/_+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A readable answer: yes or no for a checkbox; Meta's editor prefixes choices with their index: `0_Muy_bueno`. */
export const formValue = ({ key, value }: { key: string; value: string }, t: InboxT): string => {
  if (value === 'true' || value === 'false') return t(value === 'true' ? 'bubble.yes' : 'bubble.no')
  if (!madeByMeta.test(key)) return value
  return value
    .split(', ')
    .map(one => (/^\d+_./.test(one) ? one.replace(/^\d+_/, '').replace(/_/g, ' ') : one))
    .join(', ')
}
