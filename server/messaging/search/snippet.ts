import { isPrefix, wordsIn } from './words.ts'

interface SnippetPart {
  readonly text: string
  readonly found: boolean
}

const maxChars = 180
/** Characters shown before the first match. */
const charsBefore = 50
const word = /[\p{L}\p{N}\p{M}\p{Co}]+|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]*/gu

const isMeant = (said: string, words: readonly string[]): boolean =>
  words.some(one => (isPrefix(one) ? said.startsWith(one) : said === one))

const cutAtSpace = (text: string, at: number): number => {
  const space = text.lastIndexOf(' ', at)
  return space > at - charsBefore && space >= 0 ? space + 1 : at
}

/** The text around the first match, on one line, in matched and other parts. */
export function snippetOf(text: string, words: readonly string[]): SnippetPart[] {
  const line = text.replace(/\s+/g, ' ').trim()
  const found = [...line.matchAll(word)].filter(([said]) => isMeant(wordsIn(said)[0] ?? '', words))
  const first = found[0]?.index ?? 0
  const from = first > charsBefore ? cutAtSpace(line, first - charsBefore) : 0
  const isCut = line.length - from > maxChars
  const to = isCut ? cutAtSpace(line, from + maxChars) : line.length
  const parts: SnippetPart[] = []
  const add = (part: string, isFound: boolean) => part && parts.push({ text: part.toWellFormed(), found: isFound })
  let at = from
  add(from > 0 ? '…' : '', false)
  for (const { index, 0: said } of found) {
    if (index < at) continue
    if (index >= to) break
    add(line.slice(at, index), false)
    at = Math.min(index + said.length, to)
    add(line.slice(index, at), true)
  }
  add(line.slice(at, to) + (isCut ? '…' : ''), false)
  return parts
}
