import { timeOfWall } from '#shared/kernel/time.ts'

const form = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/

/** Nothing of WhatsApp is older; a chat with a message in the future would stay above all others. */
const [firstYear, lastYear] = [2009, 2099]

/** A time of a database as ISO 8601 in UTC. `zone`: of one that says none. Undefined: it is none, or an absurd one. */
export function dumpTime(text: string | null, zone: string): string | undefined {
  const match = form.exec(text ?? '')
  if (!match) return undefined
  const [, day = '', clock, fraction = '', offset] = match
  const year = Number(day.slice(0, 4))
  if (year < firstYear || year > lastYear) return undefined
  const ms = fraction.padEnd(3, '0').slice(0, 3)
  if (offset === undefined && zone !== 'UTC') {
    const at = timeOfWall(`${day}T${clock}`, zone)
    return at && `${at.slice(0, 19)}.${ms}Z`
  }
  const shift = offset === undefined || offset === 'Z' ? 'Z' : offset.length === 3 ? `${offset}:00` : offset
  const time = Date.parse(`${day}T${clock}.${ms}${shift.replace(/^(.\d\d)(\d\d)$/, '$1:$2')}`)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
