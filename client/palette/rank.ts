import { defaultFilter } from 'cmdk'
import { fold } from '#shared/kernel/fold.ts'

/** Below a match of a title at the beginning of its words, above letters that are only somewhere in a title. */
const synonymScore = 0.5

/** The lowest rank that still counts as a match: that of a title with two letters left out. */
const leastScore = 0.02

/** The id before the title distinguishes commands of the same name and is not searched. */
export const keyOf = (id: string, title: string) => `${id}\n${title}`

/** True if each typed word begins a word of the title or of the keywords. */
const beginsWords = (typed: string, text: string): boolean =>
  typed
    .trim()
    .split(/\s+/)
    .every(word => ` ${text}`.includes(` ${word}`))

/**
 * Ranks how well a command matches what is typed, from 0 to 1. Titles match with letters left out. Keywords match only
 * from the beginning of a word, because a command has so many that almost any letters would match.
 */
export const rank = (value: string, typed: string, keywords: readonly string[] = []): number => {
  const title = fold(value.slice(value.indexOf('\n') + 1))
  const wanted = fold(typed)
  const byTitle = defaultFilter(title, wanted)
  if (byTitle >= synonymScore) return byTitle
  return beginsWords(wanted, `${title} ${fold(keywords.join(' '))}`) ? synonymScore : byTitle < leastScore ? 0 : byTitle
}
