import { deviceOf } from '#server/identity/auth/sessions/user-agent.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { readTime } from '#server/platform/http/time-input.ts'
import { csvLine } from '#server/platform/text/csv-line.ts'
import { type Clock, isoIn } from '#server/platform/time/clock.ts'
import {
  type AuditAction,
  type AuditEntry,
  type AuditKind,
  type auditApi,
  auditEntriesPerPage,
  auditEntriesPerPart,
  type SiteAction,
} from '#shared/audit/api.ts'
import { auditChangeText, auditFactLabel } from '#shared/audit/words.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { SiteEntry } from '#shared/site/api.ts'
import type { Change } from './changes.ts'
import { type EntryFilter, listEntries, type StoredEntry, type StoredSiteEntry } from './store.ts'

/** No call takes longer. */
const longestCallMs = 120_000

interface ServiceParts {
  readonly databases: Databases
  readonly clock: Clock
  translate(language: Language, key: string): string
}

/** An entry of the site's log for the API. */
export const presentSiteEntry = (row: StoredSiteEntry): SiteEntry => {
  const { id, name } = row.actor
  return {
    id: row.id,
    at: row.at,
    action: row.action as SiteAction,
    who: { id, name },
    address: row.address,
    ...deviceOf(row.device),
    subject: row.subject,
    changes: [...row.changes],
    isDone: row.is_done === 1,
  }
}

const present = (row: StoredEntry): AuditEntry => {
  const { kind, id, name, impersonatedBy } = row.actor
  return {
    id: row.id,
    at: row.at,
    kind: row.kind as AuditKind,
    action: row.action as AuditAction,
    who: { kind, id, name, actedAs: impersonatedBy !== undefined },
    address: row.address,
    ...deviceOf(row.device),
    subject: row.subject,
    changes: [...row.changes],
    isDone: row.is_done === 1,
  }
}

const entryFilterOf = (query: EntryFilter, clock: Clock): EntryFilter => ({
  ...query,
  ...(query.from === undefined ? {} : { from: readTime(query.from, 'query.from') }),
  ...(query.to === undefined ? {} : { to: readTime(query.to, 'query.to') }),
  mayEndFrom: isoIn(clock, -longestCallMs),
})

const columns = ['at', 'who', 'action', 'subject', 'changes', 'address', 'device', 'done'] as const

export function createAuditService({
  databases,
  clock,
  translate,
}: ServiceParts): ServiceOf<typeof auditApi, OrgCaller> {
  const changeText = (change: Change, language: Language) => {
    const text = auditChangeText(change, {
      say: key => translate(language, `audit:value.${key}`),
      sayTime: iso => iso,
      nothing: translate(language, 'audit:nothing'),
    })
    return `${translate(language, auditFactLabel(change.fact))}: ${text}`
  }

  const lineOf = (entry: AuditEntry, language: Language) =>
    csvLine(
      [
        entry.at,
        entry.who.name,
        translate(language, `audit:action.${entry.action}`),
        entry.subject ?? '',
        entry.changes.map(change => changeText(change, language)).join('; '),
        entry.address ?? '',
        [entry.browser, entry.system].filter(Boolean).join(' · '),
        translate(language, entry.isDone ? 'audit:done' : 'audit:unclear'),
      ],
      language,
    )

  return {
    async listEntries({ orgId }, { query }) {
      const rows = await listEntries(databases.read, orgId, entryFilterOf(query, clock), auditEntriesPerPage + 1)
      return { items: rows.slice(0, auditEntriesPerPage).map(present), hasMore: rows.length > auditEntriesPerPage }
    },

    async exportEntries({ orgId, language }, { query }) {
      const rows = await listEntries(databases.read, orgId, entryFilterOf(query, clock), auditEntriesPerPart + 1)
      const items = rows.slice(0, auditEntriesPerPart).map(present)
      const head =
        query.before === undefined
          ? csvLine(
              columns.map(name => translate(language, `audit:column.${name}`)),
              language,
            )
          : ''
      const next = rows.length > items.length ? (items.at(-1)?.id ?? null) : null
      return { csv: head + items.map(entry => lineOf(entry, language)).join(''), next }
    },
  }
}
