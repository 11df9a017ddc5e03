import type { CountryCode } from 'libphonenumber-js/max'
import { listOwnNumbers, type OwnNumber } from '#server/messaging/conversations/rows/number-store.ts'
import { listFields } from '#server/messaging/directory/field-store.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import type { Db } from '#server/platform/db/database.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { findPhoneColumns, readPeopleFile } from '#server/platform/text/people-file.ts'
import { maxContactFields } from '#shared/contacts/fields.ts'
import { type ImportInput, importMaxRows } from '#shared/contacts/imports.ts'
import type { CsvFile } from '#shared/people-files/csv.ts'
import { guessTargets, requireTargets } from './columns.ts'
import { type Change, compareRows, type SeenContacts } from './comparing.ts'
import { createReading, type Refused, type Wanted } from './read-rows.ts'

/** Rows compared or imported at once: about ten milliseconds. */
const rowsAtOnce = 100

export interface Opened {
  readonly columns: readonly string[]
  readonly targets: readonly string[]
  readonly file: CsvFile
  /** The number for conversations of new contacts. */
  readonly number: OwnNumber
  readonly read: ReturnType<typeof createReading> | undefined
  readonly seen: SeenContacts
}

const refuse = (field: string, code: string, params = {}) =>
  new InvalidInput([{ field: `body.${field}`, code, params }])

/**
 * Opens a file with the targets of its columns. `read` is absent while no column contains numbers. @throws
 * INBOX_NOT_CONNECTED; InvalidInput for a file without rows, and for targets that do not fit it
 */
export async function openFile(
  db: Db,
  orgId: string,
  { text, columns: given, hasHeader, tagId }: ImportInput,
  { tags, country }: { tags: Tags; country: CountryCode },
): Promise<Opened> {
  const file = readPeopleFile(text, { hasHeader, field: 'body.text' })
  const { columns } = file
  const fields = await listFields(db, orgId, maxContactFields)
  const targets = given
    ? requireTargets(given, columns, fields)
    : guessTargets(columns, { fields, phoneColumns: findPhoneColumns(file, country) })
  const numbers = await listOwnNumbers(db, orgId)
  const [number] = numbers.filter(({ isConnected }) => isConnected)
  if (!number) throw inboxErrors.NOT_CONNECTED()
  const tag = tagId === undefined ? undefined : (await tags.list(db, orgId)).find(({ id }) => id === tagId)
  if (tagId !== undefined && !tag) throw refuse('tagId', 'invalid')
  const ownPhones = numbers.map(({ phone }) => phone)
  const read = targets.includes('phone')
    ? createReading({ columns, targets, fields, country, ownPhones, tag: tag?.label })
    : undefined
  return { columns, targets, file, number, read, seen: new Map() }
}

/** Rows of a file in batches. @throws InvalidInput for a file with too many */
export function* readInBatches({ file, read }: Opened): Generator<{ rows: (Wanted | Refused)[]; last: number }> {
  if (!read) return
  let rows: (Wanted | Refused)[] = []
  let count = 0
  let last = 0
  for (const row of file.entries()) {
    if (!row) {
      yield { rows, last }
      rows = []
      continue
    }
    count += 1
    if (count > importMaxRows) throw refuse('text', 'maxItems', { limit: importMaxRows })
    rows.push(read(row))
    last = row.row
    if (rows.length < rowsAtOnce) continue
    yield { rows, last }
    rows = []
  }
  if (rows.length) yield { rows, last }
}

/** Returns the change of each row. */
export const compare = (
  db: Db,
  orgId: string,
  rows: readonly (Wanted | Refused)[],
  { existing, number, seen }: Pick<ImportInput, 'existing'> & Pick<Opened, 'number' | 'seen'>,
): Promise<(Change | Refused)[]> =>
  compareRows(db, orgId, rows, { existing: existing ?? 'keep', kind: number.kind, seen })
