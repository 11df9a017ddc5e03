import { partsOfFile, type SlicedFile } from '#client/ui/files/csv-parts.ts'

/** Stored as a float to save memory, if it has no leading zero. */
const kept = (number: string): number | string => (/^[1-9]\d{0,14}$/.test(number) ? Number(number) : number)

/** Finds numbers that occur in several parts of a file. */
export function createRepeats() {
  const earlier = new Set<number | string>()
  return {
    /**
     * The rows of a part whose number was in an earlier part, as spreadsheets count. @param numbers from `FileCheck`:
     * one line per row
     */
    take(numbers: string): ReadonlySet<number> {
      const rows = new Set<number>()
      const own: (number | string)[] = []
      for (const [i, number] of numbers.split('\n').entries()) {
        if (number === '') continue
        const one = kept(number)
        if (earlier.has(one)) rows.add(i + 1)
        else own.push(one)
      }
      for (const one of own) earlier.add(one)
      return rows
    },
  }
}

/** The text of a file without some rows. */
export async function textWithout(
  text: string,
  rows: ReadonlySet<number>,
  { hasHeader }: { hasHeader?: boolean } = {},
): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  const decoder = new TextDecoder()
  const file: SlicedFile = {
    size: bytes.length,
    slice: (from, to) => ({ arrayBuffer: async () => bytes.slice(from, to).buffer }),
  }
  const pieces: string[] = []
  /** Start of kept text that is not in a piece yet. */
  let from = 0
  for await (const part of partsOfFile(file, {
    maxBytes: bytes.length,
    maxRows: 1,
    ...(hasHeader === undefined ? {} : { hasHeader }),
  })) {
    if (!rows.has(part.firstRow)) continue
    pieces.push(decoder.decode(bytes.subarray(from, part.from)))
    from = part.to
  }
  pieces.push(decoder.decode(bytes.subarray(from)))
  return pieces.join('')
}
