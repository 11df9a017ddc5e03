import type { FlowTrigger } from './triggers.ts'

/** Limits over all live flows of an organization together. Keywords beyond them never match and cannot be published. */
export const keywordLimits = { words: 10_000, wordChars: 100_000, patterns: 100 } as const

export interface KeywordCount {
  readonly words: number
  readonly wordChars: number
  readonly patterns: number
}

/** Counts the keywords of these triggers. */
export const countKeywords = (triggers: readonly FlowTrigger[]): KeywordCount => {
  let [words, wordChars, patterns] = [0, 0, 0]
  for (const trigger of triggers) {
    if (trigger.kind !== 'keyword') continue
    if (trigger.match === 'pattern') patterns += trigger.words.length
    else {
      words += trigger.words.length
      for (const word of trigger.words) wordChars += word.length
    }
  }
  return { words, wordChars, patterns }
}

export const addCounts = (a: KeywordCount, b: KeywordCount): KeywordCount => ({
  words: a.words + b.words,
  wordChars: a.wordChars + b.wordChars,
  patterns: a.patterns + b.patterns,
})

/** The first exceeded limit; undefined: none. */
export const keywordLimitPassed = (count: KeywordCount): keyof KeywordCount | undefined =>
  (['patterns', 'words', 'wordChars'] as const).find(name => count[name] > keywordLimits[name])
