import type { Generated } from 'kysely'

export interface TemplateTable {
  id: string
  org_id: string
  waba_id: string
  name: string
  language: string
  status: string
  category: string
  category_asked: string | null
  parameter_format: 'POSITIONAL' | 'NAMED'
  /** Meta's JSON. */
  components: string
  /** JSON: `[{ card, id }]` of stored files. */
  media: string
  /** Folded name and texts. */
  search_text: string
  quality: string
  rejected_reason: string | null
  note: string | null
  /** Meta ends its pause at this time. Null: not paused, or Meta did not say which pause it is. */
  paused_until: string | null
  ttl_seconds: number | null
  uses: number
  last_used_at: string | null
  created_at: string
  updated_at: string
  synced_at: string | null
}

interface TemplateMediaTable {
  id: string
  org_id: string
  mime: string
  name: string | null
  size: number
  sha256: string
  path: string
  /** Person or key. Null: stored by a version that did not record it. */
  brought_by: Generated<string | null>
  /** A message last carried it at this time. Null: never. */
  sent_at: Generated<string | null>
  /** The only conversation with those messages. '': several. */
  sent_in: Generated<string | null>
  /** It was last checked for being unused at this time. '': never. */
  looked_at: Generated<string>
  created_at: string
}

/** The last reading of an organization's templates from Meta. No row: never. */
interface TemplateSyncTable {
  org_id: string
  waba_id: string
  synced_at: string | null
  /** Code of the last failure. Null: it succeeded. */
  failure: string | null
}

interface TemplateTables {
  template: TemplateTable
  template_media: TemplateMediaTable
  template_sync: TemplateSyncTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends TemplateTables {}
}
