/** A call made with an API key. */
export interface ApiCallTable {
  id: string
  org_id: string
  key_id: string
  at: string
  method: string
  /** The route's pattern, without ids. */
  route: string
  status: number
  has_failed: number
  /** Error code; null: the call succeeded. */
  code: string | null
  /** Names a text that is more specific than that of `code`. */
  text_code: string | null
  took_ms: number
  address: string
  /** The same id as in the error reply and the server log. */
  request_id: string
}

interface ApiCallTables {
  api_call: ApiCallTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends ApiCallTables {}
}
