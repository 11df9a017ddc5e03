import { byPlaceInName, findNameColumns } from '#shared/people-files/column-names.ts'

/** The person's name in a row of a file, found by column titles. Null: none. */
export function nameInRow(values: Readonly<Record<string, string>>): string | null {
  const filled = Object.keys(values).filter(column => values[column]?.trim())
  const columns = byPlaceInName(findNameColumns(filled))
  const name = columns.map(column => values[column]?.trim()).join(' ')
  return name.slice(0, 100) || null
}
