import { fold } from '#shared/fold.ts'

const fullNames = ['nombre completo', 'nombre y apellido', 'full name', 'name', 'cliente', 'contacto', 'contact']
const firstNames = ['nombre', 'nombres', 'first name', 'given name']
const lastNames = ['apellido', 'apellidos', 'last name', 'family name', 'surname']

/** How a row of a file calls its person, by the names of its columns; null: it does not. */
export function nameInRow(values: Readonly<Record<string, string>>): string | null {
  const cells = new Map(Object.entries(values).map(([column, cell]) => [fold(column).trim(), cell.trim()]))
  const first = (columns: readonly string[]) => columns.map(column => cells.get(column)).find(Boolean)
  const name = first(fullNames) ?? [first(firstNames), first(lastNames)].filter(Boolean).join(' ')
  return name.slice(0, 100) || null
}
