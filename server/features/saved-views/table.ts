interface SavedViewTable {
  id: string
  org_id: string
  /** A person or key: the owner while it is not shared. */
  author_id: string
  /** 0/1 */
  shared: number
  name: string
  /** A `ViewFilter` as JSON. */
  filter: string
}

interface SavedViewTables {
  saved_view: SavedViewTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends SavedViewTables {}
}
