import { decodedText } from './csv-text.ts'

/** What is read of a file: as much of it as is asked for. */
export interface SlicedFile {
  readonly size: number
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** Whole rows of a file, by their bytes. */
export interface FilePart {
  /** The names of the columns end there. */
  readonly headTo: number
  readonly from: number
  readonly to: number
  readonly rows: number
  /** As a spreadsheet counts it: the line of names is the first. */
  readonly firstRow: number
}

const [lineFeed, carriageReturn, quote, space] = [0x0a, 0x0d, 0x22, 0x20]
const separators = new Set([',', ';', '\t', '|'].map(one => one.charCodeAt(0)))
const chunkBytes = 2 ** 20

/**
 * The whole rows of a file, in parts that are no larger and have no more rows than they may: whatever its size, no more than a megabyte of
 * it is looked at at a time. A quote opens a cell as it does for who reads the part: at its beginning. The first row is
 * that of the names and is no part; a row that is longer than a part may be is one by itself.
 */
export async function* partsOfFile(
  file: SlicedFile,
  { maxBytes, maxRows, signal }: { maxBytes: number; maxRows: number; signal?: AbortSignal },
): AsyncGenerator<FilePart> {
  let isQuoted = false
  /** Nothing but blanks since the cell began. */
  let isCellBlank = true
  let isRowBlank = true
  let wasReturn = false
  let row = 1
  let isHead = true
  let headTo = 0
  let part = { from: 0, rows: 0, firstRow: 1 }
  /** Where the last whole row of the part ended. */
  let end = 0

  for (let at = 0; at < file.size; at += chunkBytes) {
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
      if (separators.has(byte)) {
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
        part = { from: end, rows: 0, firstRow: row }
      }
      end = rowEnd
      row += 1
      if (isHead && !isRowBlank) {
        isHead = false
        headTo = end
        part = { from: end, rows: 0, firstRow: row }
      } else if (!isHead) part.rows += 1
      isCellBlank = true
      isRowBlank = true
    }
  }
  if (end < file.size && !isHead) {
    if (part.rows > 0 && (file.size - part.from > maxBytes || part.rows === maxRows)) {
      yield { ...part, headTo, to: end }
      part = { from: end, rows: 0, firstRow: row }
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
