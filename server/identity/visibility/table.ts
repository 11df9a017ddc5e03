import type { Generated } from 'kysely'

/** People of this role have the content of contacts with this tag. */
export interface ContentAccessTable {
  org_id: string
  role: string
  tag_id: string
  granted_at: string
}

/** What limits which conversations are seen; no row: nothing does. */
export interface ContentAccessSettingTable {
  org_id: string
  /** 1: the tags of one's role. */
  conversations: number
  /** 1: what is assigned to a team is for its people only. */
  teams: Generated<number>
  updated_at: string
}

export interface VisibilityTables {
  content_access: ContentAccessTable
  content_access_setting: ContentAccessSettingTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends VisibilityTables {}
}
