import type { Generated } from 'kysely'

export interface TagTable {
  id: string
  org_id: string
  label: string
  /** Index into the palette of eight, from 0. */
  hue: Generated<number>
  created_at: string
}

export interface ContactTagTable {
  contact_id: string
  tag_id: string
  org_id: string
}

export interface TagTables {
  tag: TagTable
  contact_tag: ContactTagTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends TagTables {}
}
