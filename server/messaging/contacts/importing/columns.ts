import { InvalidInput } from '#server/platform/http/validate.ts'
import type { ContactField } from '#shared/contacts/fields.ts'
import { fieldTarget } from '#shared/contacts/imports.ts'
import { fold } from '#shared/kernel/fold.ts'
import { findNameColumns, otherTarget } from '#shared/people-files/column-names.ts'

/** Several columns may have these targets. Their values are combined. */
const isRepeatable = (target: string): boolean => ['phone', 'name', 'tags'].includes(target)

/** Guesses the target of each column: numbers by their cells, others by their titles. */
export function guessTargets(
  columns: readonly string[],
  { fields, phoneColumns }: { fields: readonly ContactField[]; phoneColumns: readonly string[] },
): string[] {
  const names = findNameColumns(columns.filter(column => !phoneColumns.includes(column)))
  const used = new Set<string>()
  return columns.map(column => {
    const folded = fold(column).trim()
    const field = fields.find(({ label }) => fold(label) === folded)
    const known = names.includes(column) ? 'name' : otherTarget(column)
    const target = phoneColumns.includes(column) ? 'phone' : field ? fieldTarget(field.id) : known
    if (target === undefined || (used.has(target) && !isRepeatable(target))) return 'ignore'
    used.add(target)
    return target
  })
}

const refuse = (field: string, code: string) => new InvalidInput([{ field: `body.${field}`, code, params: {} }])

/**
 * @throws InvalidInput when the count differs from the file's columns, for an unknown field, and for a target that may
 * occur only once
 */
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
    if (!isThere || (!isRepeatable(target) && used.has(target))) throw refuse(`columns.${i}`, 'invalid')
    used.add(target)
  }
  return given
}
