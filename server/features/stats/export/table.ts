import type { ColumnType } from 'kysely'
import type { ExportFailure } from '#shared/stats/export.ts'

/** Times are ISO 8601 UTC text, flags 0 or 1. */
export interface StatsExportTable {
  id: string
  org_id: string
  author_kind: 'person' | 'key'
  author_id: string
  author_name: string
  language: 'es' | 'en'
  /** JSON: the filter, with the days that were meant. */
  request: string
  first_day: string | null
  last_day: string | null
  is_own: number
  /** Hash of what its author might see when it was written. */
  rights: string | null
  state: 'running' | 'done' | 'stopped' | 'failed'
  failure: ExportFailure | null
  row_count: number | null
  done: ColumnType<number, number | undefined, number>
  parts: ColumnType<number, number | undefined, number>
  bytes: ColumnType<number, number | undefined, number>
  /** The last segment that is written. */
  place_at: string | null
  place_id: string | null
  created_at: string
  ended_at: string | null
}

interface StatsExportPartTable {
  export_id: string
  org_id: string
  number: number
  body: Uint8Array
}

declare module '#server/platform/db/database.ts' {
  interface Database {
    stats_export: StatsExportTable
    stats_export_part: StatsExportPartTable
  }
}
