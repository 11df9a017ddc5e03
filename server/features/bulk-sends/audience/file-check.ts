import type { CountryCode } from 'libphonenumber-js/max'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { firstPhone } from '#server/platform/text/phone-lists.ts'
import type { Audience, FileCheck, FileFault } from '#shared/bulk-sends/audience.ts'
import { maxRecipients } from '#shared/bulk-sends/limits.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { isRounded } from '#shared/kernel/phone-reader.ts'
import type { CsvRow } from '#shared/people-files/csv.ts'
import { openAudienceFile } from './audience.ts'
import { createSeenNumbers } from './seen-numbers.ts'

type Csv = NonNullable<Audience['csv']>

const rowsShown = 5
const faultsShown = 100
/** Faulty rows that are shown whole. */
const wholeRowsShown = 20
/** Batch size: parsing the numbers takes a millisecond, more for the first batch. */
const atOnce = 25
/** Shown beginning of a cell. */
const shownChars = 60

/**
 * Checks a file before planning: columns, first rows, and faults by row. @throws InvalidInput for a file without rows,
 * without such columns, or with too many rows.
 */
export async function checkFile(
  csv: Csv,
  {
    country,
    giveWay,
    withNumbers = false,
  }: { country: CountryCode; giveWay(): Promise<void> | undefined; withNumbers?: boolean },
): Promise<FileCheck> {
  const { file, phoneColumns } = openAudienceFile(csv, country, 'body.csv')
  const { columns } = file
  const seen = createSeenNumbers()
  let numbers = ''
  let line = 1
  const noteNumber = (row: number, key: string) => {
    if (!withNumbers) return
    numbers += '\n'.repeat(row - line) + key
    line = row
  }
  const faultOf = ({ row, values, cells, isUnclosed }: CsvRow): [FileFault, string] | undefined => {
    if (isUnclosed) return ['unclosedQuote', Object.values(values).find(value => value !== '') ?? '']
    if (!phoneColumns.length) return cells === columns.length ? undefined : ['unequalCells', '']
    const numbers = phoneColumns.map(name => values[name] ?? '').filter(Boolean)
    const given = numbers[0] ?? ''
    const phone = firstPhone(numbers, country)?.phone
    if (phone === undefined)
      return [given === '' ? 'numberMissing' : numbers.some(isRounded) ? 'numberRounded' : 'invalidNumber', given]
    const key = phoneKey(phone)
    noteNumber(row, key)
    if (!seen.add(key)) return ['duplicate', given]
    return cells === columns.length ? undefined : ['unequalCells', given]
  }
  const first: string[][] = []
  const faults: FileCheck['faults'] = []
  let rows = 0
  let faulty = 0
  for (const one of file.entries()) {
    if (!one) {
      await giveWay()
      continue
    }
    rows += 1
    if (rows > maxRecipients)
      throw new InvalidInput([{ field: 'body.csv.text', code: 'maxItems', params: { limit: maxRecipients } }])
    if (rows % atOnce === 0) await giveWay()
    const cellsOf = () => columns.map(name => (one.values[name] ?? '').slice(0, shownChars))
    if (first.length < rowsShown) first.push(cellsOf())
    const found = faultOf(one)
    if (!found) continue
    faulty += 1
    const [fault, value] = found
    if (faults.length < faultsShown) {
      const cells = faults.length < wholeRowsShown ? { cells: cellsOf() } : {}
      faults.push({ row: one.row, fault, value: value.slice(0, shownChars), ...cells })
    }
  }
  const head = { columns: [...columns], phoneColumns: [...phoneColumns], phoneColumn: phoneColumns[0] ?? null }
  return { ...head, hasHeader: file.hasHeader, rows, first, faulty, faults, ...(withNumbers ? { numbers } : {}) }
}
