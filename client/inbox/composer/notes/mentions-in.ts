import { queryFor } from '#client/app/queries/queries.ts'
import type { Mentionable } from '#shared/inbox/notes.ts'

/** The members whom a note on this chat may mention. */
export const mentionableQuery = (org: string, phone: string) =>
  queryFor(org, 'notes.listMentionable', { params: { phone } })

/** `@` and the beginning of a name before the caret. */
const beginning = /(?:^|\s)@([^\s@]{0,40})$/

/** The name being typed at the caret, without `@`. Undefined: none. */
export const mentionAt = (text: string, caret: number): { from: number; typed: string } | undefined => {
  const found = beginning.exec(text.slice(0, caret))
  return found ? { from: caret - (found[1] as string).length - 1, typed: found[1] as string } : undefined
}

/** The members mentioned in a text by `@` and their full name. A longer name is not matched by its beginning. */
export const mentionsIn = (text: string, people: readonly Mentionable[]): Mentionable[] => {
  let rest = text
  const byLength = [...people].sort((a, b) => b.name.length - a.name.length)
  const called = new Set<string>()
  for (const { name } of byLength)
    if (rest.includes(`@${name}`)) {
      called.add(name)
      rest = rest.replaceAll(`@${name}`, ' ')
    }
  return people.filter(({ name }) => called.has(name))
}
