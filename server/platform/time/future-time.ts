import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Clock } from './clock.ts'

const dayMs = 86_400_000
/** An offset is required: a time without one would be in the machine's zone. */
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** `Date` would turn February 30 into a day in March. */
const isDay = (date: string): boolean => {
  const at = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date)
}

/**
 * Reads a future time and returns it as ISO 8601 UTC.
 * @throws InvalidInput naming the field, if it is no time, has passed, or is too many days ahead.
 */
export function readFutureTime(clock: Clock, typed: string, { field, days }: { field: string; days: number }): string {
  const at = timeForm.test(typed) && isDay(typed.slice(0, 10)) ? Date.parse(typed) : Number.NaN
  const now = clock.now().getTime()
  const fault = (code: string, params = {}) => new InvalidInput([{ field, code, params }])
  if (Number.isNaN(at)) throw fault('time')
  if (at <= now) throw fault('timePast')
  if (at > now + days * dayMs) throw fault('timeFar', { days })
  return new Date(at).toISOString()
}
