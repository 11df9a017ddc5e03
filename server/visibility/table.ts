/** People of this role have the content of contacts with this tag. */
export interface ContentAccessTable {
  org_id: string
  role: string
  tag_id: string
  granted_at: string
}

/** Whether access to content also says which conversations are seen; no row: it does not. */
export interface ContentAccessSettingTable {
  org_id: string
  conversations: number
  updated_at: string
}

export interface VisibilityTables {
  content_access: ContentAccessTable
  content_access_setting: ContentAccessSettingTable
}
