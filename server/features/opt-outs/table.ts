/** No row: the defaults. */
interface OptOutSettingsTable {
  org_id: string
  /** JSON */
  stop_words: string
  /** JSON */
  resume_words: string
  /** 0/1 */
  confirms: number
  /** null: the default of the organization's language. */
  stop_text: string | null
  resume_text: string | null
  updated_at: string
}

interface OptOutTables {
  opt_out_settings: OptOutSettingsTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends OptOutTables {}
}
