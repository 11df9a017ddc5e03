import type { HookCallState } from '#shared/incoming-hooks/api.ts'

/** An address that programs call. `secret_hash` finds it; the secret itself is not stored. */
export interface IncomingHookTable {
  id: string
  org_id: string
  name: string
  secret_hash: string
  /** A `HookAction` as JSON. */
  action: string
  sample: string | null
  /** 0/1 */
  active: number
  created_at: string
  changed_at: string
  changed_by: string
  /** Calls in the minute that ends at `minute_ends_at`. */
  calls: number
  minute_ends_at: string | null
}

export interface IncomingCallTable {
  id: string
  org_id: string
  hook_id: string
  at: string
  state: HookCallState
  /** The result, a `HookDone` as JSON, or the reason of the refusal, a `StoredRefusal`. */
  outcome: string
  /** The customer's number, digits. */
  number: string | null
  /** Null: too long to be kept. */
  body: string | null
  bytes: number
  took_ms: number
  /** A hash of the call's `idempotency-key`; only of calls that were done. */
  client_key: string | null
  replay_of: string | null
}

interface IncomingHookTables {
  incoming_hook: IncomingHookTable
  incoming_call: IncomingCallTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends IncomingHookTables {}
}
