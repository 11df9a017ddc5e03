interface IdempotencyTable {
  org_id: string
  /** Id of the person or API key; callers never share a key. */
  caller: string
  key: string
  endpoint: string
  request_hash: string
  /** Null while the first call is running. */
  status: number | null
  body: string | null
  created_at: string
  /** The process that runs the call; null: from a version that did not store it, which has ended. */
  owner: string | null
}

interface IdempotencyTables {
  idempotency: IdempotencyTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends IdempotencyTables {}
}
