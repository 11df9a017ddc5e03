import type { InboxT } from '#client/inbox/words.ts'

/** `screen_0_Nombre_completo_1`, as Meta's own editor names what is asked. */
const madeByMeta = /^screen_\d+_(?<name>.+?)_\d+$/

/** What was asked, for people: names with marks between their words are words. */
export const formLabel = (key: string): string => {
  const words = (madeByMeta.exec(key)?.groups?.name ?? key).replace(/_+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What was answered, a box that was ticked by a word; Meta's editor puts the place of a choice before it: `0_Muy_bueno`. */
export const formValue = ({ key, value }: { key: string; value: string }, t: InboxT): string => {
  if (value === 'true' || value === 'false') return t(value === 'true' ? 'bubble.yes' : 'bubble.no')
  if (!madeByMeta.test(key)) return value
  return value
    .split(', ')
    .map(one => (/^\d+_./.test(one) ? one.replace(/^\d+_/, '').replace(/_/g, ' ') : one))
    .join(', ')
}
