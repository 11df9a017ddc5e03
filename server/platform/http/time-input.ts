import { InvalidInput } from './validate.ts'

/**
 * A time that a caller gave, as rows have it: ISO 8601 UTC with milliseconds.
 * @throws InvalidInput naming the field, for example for a leap second, which `format: 'date-time'` admits
 */
export function readTime(given: string, field: string): string {
  const at = new Date(given)
  if (Number.isNaN(at.getTime())) throw new InvalidInput([{ field, code: 'invalid', params: {} }])
  return at.toISOString()
}
