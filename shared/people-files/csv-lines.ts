interface Line {
  readonly cells: readonly string[]
  readonly isUnclosed: boolean
}

/** The header and the separator are looked for in this much of a file. */
export const headChars = 64 * 1024

/** Reading this much takes two milliseconds at most. */
const charsAtOnce = 64 * 1024
/** No cell of a list of people is longer; what is behind is cut off, as it costs time and is refused anyway. */
const cellMaxChars = 100_000
/** Lines without text cost more than their characters. */
const linesAtOnce = 1000

const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d]

export const isBlank = (cells: readonly string[]) => cells.every(cell => cell.trim() === '')

/**
 * Cells of each line, quotes over several lines included; a quote that never ends takes the rest.
 * Undefined: much was read since the last line, or many lines were blank.
 * @see RFC 4180
 */
export function* readLines(
  text: string,
  { separator, from: start = 0, maxColumns }: { separator: string; from?: number; maxColumns: number },
): Generator<Line | undefined> {
  const parting = separator.charCodeAt(0)
  let cells: string[] = []
  /** Where the cell begins, or where what stands behind its closing quote does. */
  let from = start
  let isQuoted = false
  /** Nothing but blanks since the cell began: a quote opens it. */
  let isFresh = true
  let quotedText = ''
  let hasDoubled = false
  let pause = start + charsAtOnce
  let lines = 0
  const unquote = (to: number) => {
    const part = text.slice(from, Math.min(to, from + cellMaxChars))
    quotedText = hasDoubled ? part.replaceAll('""', '"') : part
    hasDoubled = false
    from = to + 1
  }
  const endCell = (to: number) => {
    if (cells.length <= maxColumns) cells.push(quotedText + text.slice(from, Math.min(to, from + cellMaxChars)))
    quotedText = ''
    isFresh = true
  }
  for (let i = start; i < text.length; i += 1) {
    if (i >= pause) {
      pause = i + charsAtOnce
      yield undefined
    }
    const char = text.charCodeAt(i)
    if (isQuoted) {
      if (char !== quote) continue
      if (text.charCodeAt(i + 1) === quote) {
        hasDoubled = true
        i += 1
        continue
      }
      isQuoted = false
      unquote(i)
      continue
    }
    if (char === quote && isFresh) {
      isQuoted = true
      isFresh = false
      from = i + 1
      continue
    }
    if (char !== parting && char !== lineFeed && char !== carriageReturn) {
      if (isFresh && char > 0x20 && char !== 0xa0) isFresh = false
      continue
    }
    endCell(i)
    if (char === carriageReturn && text.charCodeAt(i + 1) === lineFeed) i += 1
    from = i + 1
    if (char === parting) continue
    yield { cells, isUnclosed: false }
    cells = []
    lines += 1
    if (lines % linesAtOnce === 0) yield undefined
  }
  if (from >= text.length && quotedText === '' && cells.length === 0 && !isQuoted) return
  if (isQuoted) unquote(text.length)
  endCell(text.length)
  yield { cells, isUnclosed: isQuoted }
}
