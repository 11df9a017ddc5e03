export interface IdempotencyTable {
  org_id: string
  /** The user or API key that asked; two callers never share a key. */
  caller: string
  key: string
  endpoint: string
  request_hash: string
  /** Null while the first call is still at work. */
  status: number | null
  body: string | null
  created_at: string
  /** The process that is at the call; null: from before that was kept, it is gone. */
  owner: string | null
}

export interface IdempotencyTables {
  idempotency: IdempotencyTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends IdempotencyTables {}
}
