import type { Db } from '#server/platform/db/database.ts'
import type { StreamState, UpstreamStreamTable } from '../table.ts'

export interface StoredStream {
  readonly lastId: string | null
  readonly state: StreamState
  /** Why it is not open, or the status. */
  readonly detail: string | null
  readonly changedAt: string
  readonly refused: number
  readonly refusedField: string | null
}

/** The stream of events at an address of the upstream. Undefined: it was never opened. */
export async function findStream(db: Db, address: string): Promise<StoredStream | undefined> {
  const row = await db.selectFrom('upstream_stream').selectAll().where('address', '=', address).executeTakeFirst()
  return (
    row && {
      lastId: row.last_id,
      state: row.state,
      detail: row.detail,
      changedAt: row.changed_at,
      refused: row.refused,
      refusedField: row.refused_field,
    }
  )
}

type Change = Pick<UpstreamStreamTable, 'state' | 'detail' | 'changed_at'>

export async function saveStreamState(db: Db, address: string, change: Change): Promise<void> {
  await db
    .insertInto('upstream_stream')
    .values({ address, last_id: null, refused: 0, refused_field: null, ...change })
    .onConflict(conflict => conflict.column('address').doUpdateSet(change))
    .execute()
}

/**
 * Saves the place up to which the stream was read, in the transaction of its events. `refusedField`: of the last event
 * that was refused.
 */
export async function saveStreamPlace(
  db: Db,
  address: string,
  { lastId, refused, refusedField }: { lastId: string | undefined; refused: number; refusedField: string | undefined },
): Promise<void> {
  await db
    .updateTable('upstream_stream')
    .set(eb => ({
      ...(lastId === undefined ? {} : { last_id: lastId }),
      ...(refused ? { refused: eb('refused', '+', refused), refused_field: refusedField ?? null } : {}),
    }))
    .where('address', '=', address)
    .execute()
}

/** Deletes the places of addresses that the upstream had before. */
export async function deleteOtherStreams(db: Db, address: string, changedBefore: string): Promise<void> {
  await db
    .deleteFrom('upstream_stream')
    .where('address', '!=', address)
    .where('changed_at', '<', changedBefore)
    .execute()
}
