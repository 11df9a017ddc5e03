import type { FlowTrigger } from './triggers.ts'

/** Of all live flows of an organization together. What is over these fits nothing, and cannot be published. */
export const keywordLimits = { words: 10_000, wordChars: 100_000, patterns: 100 } as const

export interface KeywordCount {
  readonly words: number
  readonly wordChars: number
  readonly patterns: number
}

/** What these triggers add to what an organization may have. */
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

/** The first limit that is passed; undefined: none is. */
export const keywordLimitPassed = (count: KeywordCount): keyof KeywordCount | undefined =>
  (['patterns', 'words', 'wordChars'] as const).find(name => count[name] > keywordLimits[name])
