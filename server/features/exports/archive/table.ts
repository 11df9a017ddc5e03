import type { Generated } from 'kysely'
import type { ArchiveFailure } from '#shared/exports/api.ts'
import type { Language } from '#shared/kernel/language.ts'

/** Times are ISO 8601 UTC text. */
export interface OrgArchiveTable {
  org_id: string
  id: string
  /** A person's id. */
  author_id: string
  author_name: string
  language: Language
  state: 'running' | 'done' | 'failed'
  failure: ArchiveFailure | null
  contacts: number
  messages: number
  /** Messages written so far; each is written to a table, a page and records. */
  written: Generated<number>
  /** The path of the file, also while it is written. */
  path: string
  /** Null: there is no whole file. */
  size: number | null
  created_at: string
  ended_at: string | null
}

declare module '#server/platform/db/database.ts' {
  interface Database {
    org_archive: OrgArchiveTable
  }
}
