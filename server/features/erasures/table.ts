import type { ErasureReason } from '#shared/erasures/api.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'

export interface ErasureTable {
  id: string
  org_id: string
  reason: ErasureReason
  author_id: string
  author_name: string
  requested_at: string
  finished_at: string | null
  /** Keyed hash: reveals nothing to somebody who has only the database. */
  number_hash: string
  /** Null after it has ended. */
  contact_id: string | null
  /** Encrypted JSON of a `Target`. Null after it has ended. */
  target: string | null
  /** The current step, and the key it has reached. */
  step: number
  place: string
  /** Number of deleted messages. */
  messages: number
}

/** An opt-out of an erased person. */
export interface OptOutMarkTable {
  org_id: string
  hash: string
  /** The marks of one person are removed together. */
  erasure_id: string
  at: string
  source: OptOut['source']
}

/** A block of an erased person. */
export interface BlockMarkTable {
  org_id: string
  hash: string
  /** The marks of one person are removed together. */
  erasure_id: string
  at: string
  /** Name. */
  blocked_by: string
}

interface ErasureTables {
  erasure: ErasureTable
  opt_out_mark: OptOutMarkTable
  block_mark: BlockMarkTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends ErasureTables {}
}
