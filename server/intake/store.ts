import { sql } from 'kysely'
import { bulkQuery } from '../bulk.ts'
import { type Db, hotQuery } from '../db.ts'
import { journalState } from './table.ts'

/**
 * The journal stands before anybody knows whose a webhook is, so these functions take no
 * organization.
 */
export interface NewJournalRow {
  connectionId: string | null
  receivedAt: string
  raw: Uint8Array
  state: number
  note: string | null
}

export interface WaitingRow {
  seq: number
  connectionId: string | null
  receivedAt: string
  raw: Buffer
  attempts: number
}

const insertRows = bulkQuery<NewJournalRow, object, never>((db, rows) =>
  db.insertInto('webhook_journal').values(
    rows.map(row => ({
      connection_id: row.connectionId,
      received_at: row.receivedAt,
      raw: row.raw,
      state: row.state,
      note: row.note,
    })),
  ),
)

/** Writes rows in order; the caller opens the transaction when there is more than one statement. Answers nothing. */
export async function insertJournalRows(db: Db, rows: readonly NewJournalRow[]): Promise<void> {
  await insertRows(db, rows, {})
}

/** `state = 0` stands in the text: a bound value would keep SQLite from using the partial index. */
const waiting = sql<boolean>`state = ${sql.lit(journalState.waiting)}`

type WaitingColumns = { seq: number; connection_id: string | null; received_at: string; raw: Buffer; attempts: number }

const selectSizes = hotQuery<{ after: number; limit: number }, { seq: number; bytes: number }>(
  (db, p) =>
    db
      .selectFrom('webhook_journal')
      .select(['seq', sql<number>`length(raw)`.as('bytes')])
      .where(waiting)
      .where('seq', '>', p.after)
      .orderBy('seq')
      .limit(p.limit) as never,
)

const selectWaiting = hotQuery<{ after: number; until: number }, WaitingColumns>(
  (db, p) =>
    db
      .selectFrom('webhook_journal')
      .select(['seq', 'connection_id', 'received_at', 'raw', 'attempts'])
      .where(waiting)
      .where('seq', '>', p.after)
      .where('seq', '<=', p.until)
      .orderBy('seq') as never,
)

/** The last of the rows that together hold so many bytes; one at least, however large it is. */
const lastWithin = (sizes: readonly { seq: number; bytes: number }[], maxBytes: number): number | undefined => {
  let last = sizes[0]
  let bytes = 0
  for (const row of sizes) {
    bytes += row.bytes
    if (bytes > maxBytes) break
    last = row
  }
  return last?.seq
}

/** Rows not derived yet, in order of arrival, after `after`: as many as fit both limits, and always one. */
export async function listWaiting(
  db: Db,
  after: number,
  { rows, bytes }: { rows: number; bytes: number },
): Promise<WaitingRow[]> {
  const until = lastWithin(await selectSizes(db, { after, limit: rows }), bytes)
  if (until === undefined) return []
  const found = await selectWaiting(db, { after, until })
  return found.map(row => ({
    seq: row.seq,
    connectionId: row.connection_id,
    receivedAt: row.received_at,
    raw: row.raw,
    attempts: row.attempts,
  }))
}

const applyRows = bulkQuery<{ seq: number }, object, never>(
  (db, rows) =>
    db
      .updateTable('webhook_journal')
      .set({ state: sql.lit(journalState.applied) })
      .where(waiting)
      .where(
        'seq',
        'in',
        rows.map(row => row.seq),
      ) as never,
  'lookup',
)

/** Marks these rows as applied, those of them that wait: what was settled with a remark keeps it. */
export async function markApplied(db: Db, rows: readonly { seq: number }[]): Promise<void> {
  await applyRows(db, rows, {})
}

/** Settles one row apart from its neighbours: parked, kept for an unknown number, or applied with a remark. */
export async function settleRow(db: Db, seq: number, state: number, note: string | null): Promise<void> {
  await db.updateTable('webhook_journal').set({ state, note }).where('seq', '=', seq).execute()
}

/** Counts one failed try of a row and keeps the reason; the row stays waiting. */
export async function noteFault(db: Db, seq: number, attempts: number, note: string): Promise<void> {
  await db.updateTable('webhook_journal').set({ attempts, note }).where('seq', '=', seq).execute()
}

/** A window of the oldest rows, for clearing out; walking by `seq` needs no index on the time. */
export const listOldest = (db: Db, after: number, limit: number): Promise<{ seq: number; received_at: string }[]> =>
  db
    .selectFrom('webhook_journal')
    .select(['seq', 'received_at'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()

/** Deletes settled rows of a range; waiting and parked ones stay. Answers how many went. */
export async function deleteSettled(db: Db, first: number, last: number): Promise<number> {
  const result = await db
    .deleteFrom('webhook_journal')
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .where('state', 'in', [journalState.applied, journalState.unknownNumber])
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** The first webhook that has not been applied. */
export const findOldestWaiting = (db: Db): Promise<{ received_at: string } | undefined> =>
  db.selectFrom('webhook_journal').select('received_at').where(waiting).orderBy('seq').limit(1).executeTakeFirst()
