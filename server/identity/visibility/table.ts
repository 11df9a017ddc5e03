import type { Generated } from 'kysely'

/** Members with this role see the content of contacts with this tag. */
interface ContentAccessTable {
  org_id: string
  role: string
  tag_id: string
  granted_at: string
}

/** The limits on the conversations that members see. No row: there are none. */
interface ContentAccessSettingTable {
  org_id: string
  /** 1: limited to the tags of the member's role. */
  conversations: number
  /** 1: conversations of a team are visible only to its members. */
  teams: Generated<number>
  updated_at: string
}

interface VisibilityTables {
  content_access: ContentAccessTable
  content_access_setting: ContentAccessSettingTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends VisibilityTables {}
}
