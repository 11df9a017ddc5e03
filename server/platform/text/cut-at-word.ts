const lengthOf = (text: string): number => [...text].length

/** Cuts a text to `max` code points, after a whole word, with an ellipsis. */
export const cutAtWord = (text: string, max: number): string => {
  const chars = [...text]
  if (chars.length <= max) return text
  const kept = chars.slice(0, max - 1).join('')
  const words = /^([\s\S]*\S)\s+\S*$/.exec(kept)?.[1] ?? ''
  const isBetweenWords = /\s/.test(chars[max - 1] ?? '')
  // A single word that fills most of it is cut inside.
  const whole = isBetweenWords || lengthOf(words) < max / 2 ? kept.trimEnd() : words
  return `${whole}…`
}
