import { hasPhoneShape } from '#shared/kernel/phone-text.ts'
import { isColumnName } from './column-names.ts'
import { headChars, isBlank, readLines } from './csv-lines.ts'

/** Ordered by how rarely they occur inside texts. */
const separators = ['\t', ';', '|', ','] as const

const linesLookedAt = 50

interface Separator {
  readonly separator: string
  /** The position of the first line, after `sep=;`, which Excel reads and hides. */
  readonly from: number
}

/** The most frequent number of cells per line with this separator, and its share of the lines. */
const measure = (head: string, separator: string, isCut: boolean) => {
  const counts: number[] = []
  for (const line of readLines(head, { separator, maxColumns: 200 })) {
    if (!line || line.isUnclosed || isBlank(line.cells)) continue
    counts.push(line.cells.length)
    if (counts.length > linesLookedAt) break
  }
  // If the text was cut, the last line is incomplete.
  if ((isCut && counts.length > 1) || counts.length > linesLookedAt) counts.pop()
  const often = new Map<number, number>()
  for (const count of counts) often.set(count, (often.get(count) ?? 0) + 1)
  let [cells, lines] = [1, 0]
  for (const [count, times] of often) if (count > 1 && times > lines) [cells, lines] = [count, times]
  return { separator, cells, share: counts.length ? lines / counts.length : 0, first: counts[0] ?? 1 }
}

/** The separator: the character that splits most lines into equally many cells. */
export function findSeparator(text: string): Separator {
  const said = /^(?:"sep=(.)"|sep=(.))[\t ]*(?:\r\n|\n|\r)/i.exec(text.slice(0, 20))
  if (said) return { separator: (said[1] ?? said[2]) as string, from: said[0].length }
  const head = text.slice(0, headChars)
  const found = separators.map(one => measure(head, one, text.length > headChars))
  const steady = found.filter(({ share }) => share >= 0.6)
  if (steady.length) {
    const best = Math.max(...steady.map(({ share }) => share))
    const [first] = steady.filter(({ share }) => share > best - 0.1)
    return { separator: first?.separator as string, from: 0 }
  }
  // Irregular lines: the separator that splits the first line into most cells.
  const most = found.reduceRight((best, one) => (one.first > best.first ? one : best))
  return { separator: most.first > 1 ? most.separator : ',', from: 0 }
}

const isMailAddress = (cell: string): boolean => cell.length < 255 && /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(cell)

/**
 * A first line with a known column name is a header. Another one is, too, unless it has a phone number or email
 * address.
 */
export const hasHeaderRow = (cells: readonly string[]): boolean =>
  cells.some(isColumnName) || !cells.some(cell => hasPhoneShape(cell) || isMailAddress(cell.trim()))
