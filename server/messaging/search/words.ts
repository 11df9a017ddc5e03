import { searchTextMinChars } from '#shared/inbox/message-search.ts'
import { fold } from '#shared/kernel/fold.ts'

/**
 * The index's idea of a word: letters and digits in a row, or an emoji, whatever its colour. Of one that is joined of
 * several, each is a word.
 */
const word = /[\p{L}\p{N}\p{Co}]+|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}/gu
const emojiAtFirst = /^(?:\p{Regional_Indicator}|(?!\p{L})\p{Extended_Pictographic})/u

export const isEmoji = (one: string): boolean => emojiAtFirst.test(one)

/** From so many letters on, a typed word also stands for words that begin with it; one letter would stand for a third of all. */
const minPrefixChars = 2
const maxWords = 12

/** Every word of a text once, folded: what the index has of it. */
export const wordsIn = (text: string): string[] => [...new Set(fold(text).match(word))]

/** The words of what somebody typed, folded, the first twelve; empty when it has none. */
export const wordsOf = (typed: string): string[] => wordsIn(typed).slice(0, maxWords)

/** Whether so little is worth looking for in what was said: some letters, or an emoji. */
export const isEnough = (typed: string): boolean => typed.length >= searchTextMinChars || wordsOf(typed).some(isEmoji)

export const isPrefix = (word: string): boolean => [...word].length >= minPrefixChars

/** Whether a text has all of the words, each whole or as a beginning, as the index would say. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const said = wordsIn(text)
  return words.every(word => said.some(other => (isPrefix(word) ? other.startsWith(word) : other === word)))
}
