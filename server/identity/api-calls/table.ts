/** A call that came with an API key. */
export interface ApiCallTable {
  id: string
  org_id: string
  key_id: string
  at: string
  method: string
  /** As it was mounted, without what stood in its places. */
  route: string
  status: number
  has_failed: number
  /** Why it was refused; null: it was not. */
  code: string | null
  /** Whose sentence says more than that of its code. */
  text_code: string | null
  took_ms: number
  address: string
  /** As the refusal and the log of the server name it. */
  request_id: string
}

export interface ApiCallTables {
  api_call: ApiCallTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends ApiCallTables {}
}
