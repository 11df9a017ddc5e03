import type { Db } from '#server/platform/db/database.ts'
import type { AuditFact } from '#shared/audit/api.ts'

/** The input of a call: its body and path parameters, parsed but not validated. */
export interface AuditInput {
  readonly orgId: string
  readonly userId: string | undefined
  readonly given: Readonly<Record<string, unknown>>
}

export type AuditFacts = Partial<Record<AuditFact, string | number | null>>
/** Name and facts of what a call changes, without secrets. Undefined: it does not exist. */
export type AuditedState = { readonly subject: string | null; readonly facts: AuditFacts } | undefined

export type ReadState = (db: Db, input: AuditInput) => Promise<AuditedState>
type Made = { subject: string | null } & AuditFacts

export const text = (value: unknown): string => (typeof value === 'string' ? value : '')
export const asState = (row: Made | undefined): AuditedState => {
  if (!row) return undefined
  const { subject, ...facts } = row
  return { subject, facts }
}
export const firstOf = (given: AuditInput['given'], ...names: string[]) =>
  names.map(name => text(given[name])).find(value => value !== '') ?? ''
