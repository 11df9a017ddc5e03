export interface TagTable {
  id: string
  org_id: string
  label: string
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
