/** A recorded change. Not edited after it is done; deleted when it is old. */
export interface AuditEntryTable {
  id: string
  org_id: string
  at: string
  kind: string
  action: string
  actor_id: string
  /** JSON of the actor, with the name of that time. */
  actor: string
  address: string | null
  /** The user agent. */
  device: string | null
  /** Name of what was changed, at that time. */
  subject: string | null
  /** JSON of the facts that differ. Null: none. */
  changes: string | null
  /** 0: begun; its outcome is unknown. */
  is_done: number
}

/** A site administrator's change of an account. */
export interface SiteAuditEntryTable extends Omit<AuditEntryTable, 'org_id' | 'kind' | 'subject'> {
  /** The account's email address. */
  subject: string
}

interface AuditTables {
  site_audit_entry: SiteAuditEntryTable
  audit_entry: AuditEntryTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends AuditTables {}
}
