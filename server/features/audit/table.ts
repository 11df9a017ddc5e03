/** What somebody changed. Never edited once it is done; deleted when it is old. */
export interface AuditEntryTable {
  id: string
  org_id: string
  at: string
  kind: string
  action: string
  actor_id: string
  /** JSON of who acted, as they were called. */
  actor: string
  address: string | null
  /** What the browser or program says of itself. */
  device: string | null
  /** What it was done to, as it was called. */
  subject: string | null
  /** JSON of the facts that differ; null: none. */
  changes: string | null
  /** 0: begun, and nobody knows whether it was done. */
  is_done: number
}

/** What an administrator of the site did to an account. */
export interface SiteAuditEntryTable extends Omit<AuditEntryTable, 'org_id' | 'kind' | 'subject'> {
  /** The address of the account. */
  subject: string
}

export interface AuditTables {
  site_audit_entry: SiteAuditEntryTable
  audit_entry: AuditEntryTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends AuditTables {}
}
