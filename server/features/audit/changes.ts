import { type AuditFact, auditFacts } from '#shared/audit/api.ts'
import type { AuditedState } from './state.ts'

export interface Change {
  readonly fact: AuditFact
  readonly before: string | null
  readonly after: string | null
}

const maxChars = 500
const textOf = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value).slice(0, maxChars)

/** The facts that differ, in the order of `auditFacts`. */
export const changesBetween = (before: AuditedState, after: AuditedState): Change[] =>
  auditFacts.flatMap(fact => {
    const change = { fact, before: textOf(before?.facts[fact]), after: textOf(after?.facts[fact]) }
    return change.before === change.after ? [] : [change]
  })
