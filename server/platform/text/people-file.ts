import type { CountryCode } from 'libphonenumber-js/max'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { findPhone } from '#shared/kernel/phone-reader.ts'
import { hasPhoneShape } from '#shared/kernel/phone-text.ts'
import { byPhoneRank, phoneRank } from '#shared/people-files/column-names.ts'
import { type CsvFile, readCsv } from '#shared/people-files/csv.ts'
import { isVcard, readVcards } from '#shared/people-files/vcard.ts'

/** True if the text is a workbook or a web page that was decoded as text. */
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: archives begin with them
const isOtherFormat = (text: string): boolean =>
  /^\uFEFF?(?:PK\u0003\u0004|\s*(?:<!doctype|<html|<table|<\?xml|<meta|\{\\rtf))/i.test(text.slice(0, 1000)) ||
  text.includes('\0')
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: archives begin with them

/**
 * Reads people from a file: comma-separated values or vCards.
 * @param field names the text in a refusal
 * @throws InvalidInput for a workbook or a web page, and for a text without a line
 */
export function readPeopleFile(
  text: string,
  { hasHeader, field }: { hasHeader?: boolean | undefined; field: string },
): CsvFile {
  if (isOtherFormat(text)) throw new InvalidInput([{ field, code: 'notCsv', params: {} }])
  const file = isVcard(text) ? readVcards(text) : readCsv(text, { hasHeader })
  if (!file.columns.length) throw new InvalidInput([{ field, code: 'required', params: {} }])
  return file
}

const rowsLookedAt = 100
const cellsOfColumn = 25
/** Fewer rows are examined if rows are longer than this. */
const pausesAtMost = 2
/** Reading this many numbers takes about twenty milliseconds, however many columns there are. */
const readsAtMost = 500

interface Judged {
  readonly name: string
  readonly rank: number
  readonly filled: number
  /** The share of numbers among the examined cells. `certain`: the share of unambiguous numbers. */
  readonly valid: number
  readonly certain: number
}

const judge = ({ columns, entries }: CsvFile, country: CountryCode): Judged[] => {
  const cells = new Map<string, string[]>(columns.map(name => [name, []]))
  let rows = 0
  let pauses = 0
  for (const one of entries()) {
    if (!one) {
      pauses += 1
      if (pauses === pausesAtMost) break
      continue
    }
    for (const name of columns) {
      const value = one.values[name] ?? ''
      const list = cells.get(name) as string[]
      if (value !== '' && list.length < cellsOfColumn) list.push(value)
    }
    rows += 1
    if (rows === rowsLookedAt) break
  }
  const shaped = new Map(
    [...cells].map(([name, list]) => [name, list.filter(cell => cell.split(' ::: ').some(hasPhoneShape))]),
  )
  const candidates = [...shaped.values()].filter(list => list.length).length
  const most = Math.max(2, Math.min(cellsOfColumn, Math.floor(readsAtMost / Math.max(1, candidates))))
  return columns.map(name => {
    const filled = cells.get(name)?.length ?? 0
    const looked = (shaped.get(name) ?? []).slice(0, most)
    const found = looked.map(cell =>
      cell
        .split(' ::: ')
        .map(one => findPhone(one, country))
        .find(Boolean),
    )
    const share = (count: number) =>
      looked.length ? (count / looked.length) * ((shaped.get(name)?.length ?? 0) / filled) : 0
    return {
      name,
      rank: phoneRank(name),
      filled,
      valid: share(found.filter(Boolean).length),
      certain: share(found.filter(one => one?.isCertain).length),
    }
  })
}

/**
 * The columns with phone numbers, best first; the first valid number of a row counts. Decided by cells, then by column
 * names. Empty: undecided, so a person must choose.
 */
export function findPhoneColumns(file: CsvFile, country: CountryCode): string[] {
  const judged = judge(file, country)
  const namesOf = (list: readonly Judged[]) => byPhoneRank(list.map(({ name }) => name))
  const called = judged.filter(({ rank }) => rank >= 2)
  const agreeing = called.filter(({ filled, valid }) => filled > 0 && valid >= 0.5)
  // A column that is empty in the examined rows may have numbers further down.
  if (agreeing.length) return namesOf(called.filter(one => one.filled === 0 || agreeing.includes(one)))
  const numbers = judged.filter(({ rank, valid }) => rank === 1 && valid >= 0.5)
  const others = judged.filter(({ rank, certain }) => rank >= 0 && rank < 2 && certain >= 0.8)
  const certainNumbers = numbers.filter(({ certain }) => certain >= 0.8)
  if (certainNumbers.length) return namesOf(certainNumbers)
  // No column name says phone, but this is the only column with numbers.
  if (others.length === 1) return namesOf(others)
  if (others.length > 1) return []
  if (numbers.length === 1) return namesOf(numbers)
  const likely = judged.filter(({ rank, valid }) => rank >= 0 && valid >= 0.8)
  if (!called.length && !file.hasHeader && likely.length === 1) return namesOf(likely)
  // Without numbers, or with wrong ones, only names can decide.
  const named = called.length
    ? called
    : judged.filter(({ rank, filled, valid }) => rank === 1 && (filled === 0 || valid > 0))
  return namesOf(named)
}
