import { readCsv } from '#shared/people-files/csv.ts'
import { findSeparator } from '#shared/people-files/csv-head.ts'
import { headChars } from '#shared/people-files/csv-lines.ts'
import { decodedText } from './csv-text.ts'

/** A file of which any part can be read. */
export interface SlicedFile {
  readonly size: number
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** Whole rows of a file, by their bytes. */
export interface FilePart {
  /** The names of the columns end there, or where the first row begins if there are none. */
  readonly headTo: number
  readonly hasHeader: boolean
  readonly from: number
  readonly to: number
  readonly rows: number
  /** The line as a spreadsheet counts: the first is 1. */
  readonly firstRow: number
}

const [lineFeed, carriageReturn, quote, space] = [0x0a, 0x0d, 0x22, 0x20]
const chunkBytes = 2 ** 20

/** Detects encoding and separator of a file from its beginning. */
const readHead = async (file: SlicedFile, given: boolean | undefined) => {
  const bytes = new Uint8Array(await file.slice(0, Math.min(file.size, headChars)).arrayBuffer())
  const text = decodedText(bytes)
  const { separator, from } = findSeparator(text.replace(/^\uFEFF/, ''))
  const markBytes = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const hasHeader = given ?? readCsv(text).hasHeader
  return { separator: separator.charCodeAt(0), start: markBytes + from, hasHeader }
}

/**
 * The whole rows of a file, in parts that are no larger and have no more rows than they may: whatever its size, no more than a megabyte of
 * it is looked at at a time. A quote opens a cell as it does for who reads the part: at its beginning. A row of
 * names is no part; a row that is longer than a part may be is one by itself.
 */
export async function* partsOfFile(
  file: SlicedFile,
  {
    maxBytes,
    maxRows,
    signal,
    hasHeader: given,
  }: { maxBytes: number; maxRows: number; signal?: AbortSignal; hasHeader?: boolean },
): AsyncGenerator<FilePart> {
  const { separator, start, hasHeader } = await readHead(file, given)
  let isQuoted = false
  /** Nothing but blanks since the cell began. */
  let isCellBlank = true
  let isRowBlank = true
  let wasReturn = false
  let row = 1
  let isHead = hasHeader
  let headTo = start
  let part = { from: start, rows: 0, firstRow: 1, hasHeader }
  /** The position at which the last whole row of the part ended. */
  let end = start

  for (let at = start; at < file.size; at += chunkBytes) {
    signal?.throwIfAborted()
    const bytes = new Uint8Array(await file.slice(at, Math.min(file.size, at + chunkBytes)).arrayBuffer())
    for (let i = 0; i < bytes.length; i += 1) {
      const byte = bytes[i] as number
      if (wasReturn && byte === lineFeed) {
        wasReturn = false
        end = at + i + 1
        if (part.rows === 0) {
          if (part.from === headTo) headTo = end
          part.from = end
        }
        continue
      }
      wasReturn = false
      if (isQuoted) {
        if (byte === quote) isQuoted = false
        continue
      }
      if (byte === quote && isCellBlank) {
        isQuoted = true
        isRowBlank = false
        continue
      }
      if (byte === separator) {
        isCellBlank = true
        continue
      }
      if (byte !== lineFeed && byte !== carriageReturn) {
        if (byte > space) {
          isCellBlank = false
          isRowBlank = false
        }
        continue
      }
      wasReturn = byte === carriageReturn
      const rowEnd = at + i + 1
      // A line feed may still belong to it.
      const mostBytes = rowEnd - part.from + (wasReturn ? 1 : 0)
      const isFull = part.rows > 0 && (mostBytes > maxBytes || part.rows === maxRows)
      if (isFull) {
        yield { ...part, headTo, to: end }
        part = { from: end, rows: 0, firstRow: row, hasHeader }
      }
      end = rowEnd
      row += 1
      if (isHead && !isRowBlank) {
        isHead = false
        headTo = end
        part = { from: end, rows: 0, firstRow: row, hasHeader }
      } else if (!isHead) part.rows += 1
      isCellBlank = true
      isRowBlank = true
    }
  }
  if (end < file.size && !isHead) {
    if (part.rows > 0 && (file.size - part.from > maxBytes || part.rows === maxRows)) {
      yield { ...part, headTo, to: end }
      part = { from: end, rows: 0, firstRow: row, hasHeader }
    }
    part.rows += 1
    end = file.size
  }
  if (part.rows > 0) yield { ...part, headTo, to: end }
}

/** The text of a part below the names of the file; undefined: it is no text, or one whose letters take two bytes. */
export async function textOfPart(
  file: SlicedFile,
  { headTo, from, to }: Pick<FilePart, 'headTo' | 'from' | 'to'>,
): Promise<string | undefined> {
  const textOf = async (start: number, end: number) =>
    decodedText(new Uint8Array(await file.slice(start, end).arrayBuffer()))
  const text = (await textOf(0, headTo)) + (await textOf(from, to))
  return text.includes('\0') ? undefined : text
}
