import { pagesFor } from '#client/app/queries/queries.ts'
import { rowsBefore } from '#client/app/queries/rows-before.ts'
import { type AuditKind, auditKinds } from '#shared/audit/api.ts'
import { startOfDay } from '#shared/kernel/time.ts'

export interface AuditFilter {
  readonly person?: string
  readonly kind?: AuditKind
  readonly from?: string
  readonly to?: string
}

const dayForm = /^\d{4}-\d{2}-\d{2}$/
const isDay = (day: string | null): day is string =>
  day !== null && dayForm.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00Z`))

/** The filters of an address: days in the reader's time zone, both inclusive. */
export function readAuditFilter(query: URLSearchParams, timeZone: string): AuditFilter {
  const person = query.get('person')
  const kind = auditKinds.find(one => one === query.get('kind'))
  const [from, to] = [query.get('from'), query.get('to')]
  return {
    ...(person ? { person: person.slice(0, 64) } : {}),
    ...(kind ? { kind } : {}),
    ...(isDay(from) ? { from: startOfDay(from, timeZone) } : {}),
    ...(isDay(to) ? { to: startOfDay(to, timeZone, 1) } : {}),
  }
}

export const entriesQuery = (org: string, filter: AuditFilter) =>
  pagesFor(org, 'audit.listEntries', { query: filter }, rowsBefore)

export const isFiltered = (filter: AuditFilter): boolean => Object.keys(filter).length > 0
