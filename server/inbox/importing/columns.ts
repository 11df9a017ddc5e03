import type { ContactField } from '#shared/contact-fields.ts'
import { fieldTarget } from '#shared/contact-imports.ts'
import { fold } from '#shared/fold.ts'
import { findPhoneColumn } from '../../phone-input.ts'
import { InvalidInput } from '../../validate.ts'

const named: Readonly<Record<string, readonly string[]>> = {
  name: [
    'nombre',
    'name',
    'nombre para la organizacion',
    'name for the organization',
    'cliente',
    'contacto',
    'full name',
    'nombre completo',
  ],
  note: ['nota', 'notas', 'note', 'notes', 'observaciones', 'comentarios'],
  tags: ['etiquetas', 'etiqueta', 'tags', 'tag', 'labels'],
}

/** What columns hold as far as their names tell; no target twice. */
export function guessTargets(columns: readonly string[], fields: readonly ContactField[]): string[] {
  const phoneColumn = findPhoneColumn(columns)
  const used = new Set<string>()
  return columns.map(column => {
    const folded = fold(column).trim()
    const field = fields.find(({ label }) => fold(label) === folded)
    const known = Object.entries(named).find(([, names]) => names.includes(folded))?.[0]
    const target = column === phoneColumn ? 'phone' : field ? fieldTarget(field.id) : known
    if (target === undefined || used.has(target)) return 'ignore'
    used.add(target)
    return target
  })
}

const refuse = (field: string, code: string) => new InvalidInput([{ field: `body.${field}`, code, params: {} }])

/** @throws InvalidInput for more or fewer than the file's columns, a field there is not, and what is there twice */
export function requireTargets(
  given: readonly string[],
  columns: readonly string[],
  fields: readonly ContactField[],
): readonly string[] {
  if (given.length !== columns.length) throw refuse('columns', 'invalid')
  const used = new Set<string>()
  for (const [i, target] of given.entries()) {
    if (target === 'ignore') continue
    const isThere = !target.startsWith('field.') || fields.some(({ id }) => fieldTarget(id) === target)
    // Tags of several columns are all put on.
    if (!isThere || (target !== 'tags' && used.has(target))) throw refuse(`columns.${i}`, 'invalid')
    used.add(target)
  }
  return given
}
