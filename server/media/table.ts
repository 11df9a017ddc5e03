export interface MediaTable {
  id: string
  org_id: string
  message_id: string
  provider_id: string
  mime: string
  name: string | null
  size: number | null
  sha256: string | null
  state: 'pending' | 'stored' | 'failed'
  path: string | null
  /** Why it was given up. */
  error: string | null
  created_at: string
}

export interface MediaTables {
  media: MediaTable
}
