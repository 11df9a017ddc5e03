/**
 * Finds which of many words occur in a text, in one pass however many there are (Aho-Corasick).
 * @see https://doi.org/10.1145/360825.360855
 */
export interface WordMatcher {
  /** Calls `found` once for each word that occurs. `isAtStart`: the text begins with it. */
  match(text: string, found: (word: number, isAtStart: boolean) => void): void
  /** The word that the whole text equals; undefined: none. */
  numberOf(text: string): number | undefined
}

const keyOf = (state: number, code: number): number => state * 0x1_0000 + code

/** Yields after every `atOnce` words. */
export function* buildWordMatcher(words: readonly string[], atOnce = 2000): Generator<void, WordMatcher> {
  const numbers = new Map(words.map((word, number) => [word, number]))
  const next = new Map<number, number>()
  const parents = [0]
  const codes = [0]
  const depths = [0]
  /** The word that ends in a state; -1: none. */
  const ends = [-1]
  for (const [number, word] of words.entries()) {
    if (number % atOnce === atOnce - 1) yield
    let state = 0
    for (let at = 0; at < word.length; at += 1) {
      const key = keyOf(state, word.charCodeAt(at))
      let to = next.get(key)
      if (to === undefined) {
        to = ends.length
        next.set(key, to)
        parents.push(state)
        codes.push(word.charCodeAt(at))
        depths.push(at + 1)
        ends.push(-1)
      }
      state = to
    }
    if (word && ends[state] === -1) ends[state] = number
  }
  /** The state of the longest proper suffix; and that of the longest suffix that is a word. */
  const fails = new Int32Array(ends.length)
  const shorter = new Int32Array(ends.length)
  const step = (from: number, code: number): number => {
    for (let state = from; ; state = fails[state] as number) {
      const to = next.get(keyOf(state, code))
      if (to !== undefined) return to
      if (state === 0) return 0
    }
  }
  const byDepth = [...ends.keys()].sort((a, b) => (depths[a] as number) - (depths[b] as number))
  for (const [i, state] of byDepth.entries()) {
    if (i % (atOnce * 5) === 0) yield
    if ((depths[state] as number) > 1)
      fails[state] = step(fails[parents[state] as number] as number, codes[state] as number)
    const other = fails[state] as number
    shorter[state] = (ends[other] as number) >= 0 ? other : (shorter[other] as number)
  }
  return {
    numberOf: text => numbers.get(text),
    match(text, found) {
      const seen = new Set<number>()
      let state = 0
      for (let at = 0; at < text.length; at += 1) {
        state = step(state, text.charCodeAt(at))
        // Words that end in a state seen before have been reported.
        let end: number | undefined = (ends[state] as number) >= 0 ? state : shorter[state]
        for (; end && !seen.has(end); end = shorter[end]) {
          seen.add(end)
          found(ends[end] as number, at + 1 === depths[end])
        }
      }
    },
  }
}
