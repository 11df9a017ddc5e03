import { byPlaceInName, findNameColumns } from '#shared/people-files/column-names.ts'

/** How a row of a file calls its person, by the names of its columns; null: it does not. */
export function nameInRow(values: Readonly<Record<string, string>>): string | null {
  const filled = Object.keys(values).filter(column => values[column]?.trim())
  const columns = byPlaceInName(findNameColumns(filled))
  const name = columns.map(column => values[column]?.trim()).join(' ')
  return name.slice(0, 100) || null
}
