interface Line {
  readonly cells: readonly string[]
  readonly isUnclosed: boolean
}

/** Header and separator are detected in this much of a file. */
export const headChars = 64 * 1024

/** Takes two milliseconds at most. */
const charsAtOnce = 64 * 1024
/** Longer cells are cut: they take time and are refused anyway. */
const cellMaxChars = 100_000
/** Blank lines cost more than their characters. */
const linesAtOnce = 1000

const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d]

export const isBlank = (cells: readonly string[]) => cells.every(cell => cell.trim() === '')

/**
 * The cells of each line; quotes may span lines, and an unclosed quote takes the rest. Undefined: the caller should
 * yield, because much was read without a line, or many lines were blank. @see RFC 4180
 */
export function* readLines(
  text: string,
  { separator, from: start = 0, maxColumns }: { separator: string; from?: number; maxColumns: number },
): Generator<Line | undefined> {
  const parting = separator.charCodeAt(0)
  let cells: string[] = []
  /** Start of the cell, or of the text after its closing quote. */
  let from = start
  let isQuoted = false
  /** Only spaces since the cell began, so a quote opens it. */
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
