import type { Mentionable } from '#shared/inbox/notes.ts'

/** Behind `@` and before the caret: what somebody begins to be called. */
const beginning = /(?:^|\s)@([^\s@]{0,40})$/

/** The name that is being typed at the caret, without its `@`; undefined: none is. */
export const mentionAt = (text: string, caret: number): { from: number; typed: string } | undefined => {
  const found = beginning.exec(text.slice(0, caret))
  return found ? { from: caret - (found[1] as string).length - 1, typed: found[1] as string } : undefined
}

/** Who is called in a text by `@` and their whole name, whichever way it came there. A longer name is not its beginning. */
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
