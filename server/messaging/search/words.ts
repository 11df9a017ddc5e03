import { searchTextMinChars } from '#shared/inbox/message-search.ts'
import { fold } from '#shared/kernel/fold.ts'

/**
 * A word in the index: letters and digits in a row, or an emoji without its colour. A joined emoji is several words.
 */
const word = /[\p{L}\p{N}\p{Co}]+|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}/gu
const emojiAtFirst = /^(?:\p{Regional_Indicator}|(?!\p{L})\p{Extended_Pictographic})/u

export const isEmoji = (one: string): boolean => emojiAtFirst.test(one)

/** A typed word of this length or more matches longer words too. A single letter would match a third of all. */
const minPrefixChars = 2
const maxWords = 12

/** The distinct words of a text, folded, as indexed. */
export const wordsIn = (text: string): string[] => [...new Set(fold(text).match(word))]

/** The first twelve words of a typed text, folded. Empty: it has none. */
export const searchWords = (typed: string): string[] => wordsIn(typed).slice(0, maxWords)

/** Messages are searched for some letters at least, or for an emoji. */
export const isEnough = (typed: string): boolean =>
  typed.length >= searchTextMinChars || searchWords(typed).some(isEmoji)

export const isPrefix = (word: string): boolean => [...word].length >= minPrefixChars

/** The text must have all words, whole or as a beginning. This must agree with the index. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const said = wordsIn(text)
  return words.every(word => said.some(other => (isPrefix(word) ? other.startsWith(word) : other === word)))
}
