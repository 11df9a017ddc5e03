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
  /** Keyed, so that it tells nothing to whoever has the database alone. */
  number_hash: string
  /** Whom it is about, while it goes on. */
  contact_id: string | null
  /** Sealed JSON of a `Target`, while it goes on. */
  target: string | null
  /** The step it is at, and within that the key it has come to. */
  step: number
  place: string
  /** Messages that were deleted. */
  messages: number
}

/** Who wanted no marketing and is not known any more. */
export interface OptOutMarkTable {
  org_id: string
  hash: string
  /** One person's are taken back together. */
  erasure_id: string
  at: string
  source: OptOut['source']
}

/** Whom the team had blocked and nobody knows any more. */
export interface BlockMarkTable {
  org_id: string
  hash: string
  /** One person's are taken back together. */
  erasure_id: string
  at: string
  /** By name. */
  blocked_by: string
}

export interface ErasureTables {
  erasure: ErasureTable
  opt_out_mark: OptOutMarkTable
  block_mark: BlockMarkTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends ErasureTables {}
}
