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
}

export interface IdempotencyTables {
  idempotency: IdempotencyTable
}
