import type { Generated } from 'kysely'

interface TagTable {
  id: string
  org_id: string
  label: string
  /** Index into the palette of eight, from 0. */
  hue: Generated<number>
  created_at: string
}

interface ContactTagTable {
  contact_id: string
  tag_id: string
  org_id: string
}

interface TagTables {
  tag: TagTable
  contact_tag: ContactTagTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends TagTables {}
}
