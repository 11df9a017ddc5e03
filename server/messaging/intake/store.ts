import { type RawBuilder, sql } from 'kysely'
import { findAppendRows, type NewRows } from '#server/platform/db/append-rows.ts'
import { bulkQuery, isSingleStatement } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, hotQuery, inJournalTransaction } from '#server/platform/db/db.ts'
import { journalState } from './table.ts'

// Webhooks are stored before their organization is known, so these functions take no organization.

export interface NewJournalRow {
  /** Null: it came to the installation's shared address. */
  connectionId: string | null
  receivedAt: string
  raw: Uint8Array
  /** @see journalState */
  state: number
  note: string | null
  /** @see lineOf */
  line: string
  /** @see estimateMessages */
  messages: number
}

export interface StoredWebhook {
  /** The bytes as received. */
  readonly raw: Buffer
  /** Null: it came to the installation's shared address. */
  readonly connectionId: string | null
}

export interface WaitingRow {
  seq: number
  line: string
  connectionId: string | null
  receivedAt: string
  /** Null: the row is large; its bytes are read when it is applied. @see loadRaw */
  raw: Buffer | null
  attempts: number
  /** The index of its first item that has not been applied. */
  place: number
}

/** A larger webhook is applied in slices of its own. */
export const largeBytes = 64 * 1024

const insertRows = bulkQuery<NewJournalRow, object, never>((db, rows) =>
  db.insertInto('webhook_journal').values(
    rows.map(row => ({
      connection_id: row.connectionId,
      received_at: row.receivedAt,
      raw: row.raw,
      state: row.state,
      note: row.note,
      line: row.line,
      messages: row.messages,
    })),
  ),
)

/** Writes rows in order, in one commit. */
export async function appendJournalRows(databases: Databases, rows: readonly NewJournalRow[]): Promise<void> {
  const { journal } = databases
  const append = findAppendRows(journal)
  if (append) await append(inColumns(rows))
  // A single statement is its own transaction.
  else if (isSingleStatement(rows.length)) await insertRows(journal, rows, {})
  else await inJournalTransaction(databases, trx => insertRows(trx, rows, {}))
}

const inColumns = (rows: readonly NewJournalRow[]): NewRows => ({
  table: 'webhook_journal',
  columns: [
    { name: 'connection_id', type: 'text', cells: rows.map(row => row.connectionId) },
    { name: 'received_at', type: 'text', cells: rows.map(row => row.receivedAt) },
    { name: 'raw', type: 'blob', cells: rows.map(row => row.raw) },
    { name: 'state', type: 'integer', cells: rows.map(row => row.state) },
    { name: 'note', type: 'text', cells: rows.map(row => row.note) },
    { name: 'line', type: 'text', cells: rows.map(row => row.line) },
    { name: 'messages', type: 'integer', cells: rows.map(row => row.messages) },
  ],
})

/** `state = 0` is a literal, because SQLite does not use a partial index for a bound value. */
const waiting = sql<boolean>`state = ${sql.lit(journalState.waiting)}`

type WaitingColumns = {
  seq: number
  connection_id: string | null
  received_at: string
  raw: Buffer | null
  attempts: number
  place: number | null
}

const selectSizes = hotQuery<{ line: string; after: number; limit: number }, { seq: number; bytes: number }>(
  (db, p) =>
    db
      .selectFrom('webhook_journal')
      .select(['seq', sql<number>`length(raw)`.as('bytes')])
      .where(waiting)
      .where('line', '=', p.line)
      .where('seq', '>', p.after)
      .orderBy('seq')
      .limit(p.limit) as never,
)

const selectWaiting = hotQuery<{ line: string; after: number; until: number }, WaitingColumns>(
  (db, p) =>
    db
      .selectFrom('webhook_journal')
      .select([
        'seq',
        'connection_id',
        'received_at',
        'attempts',
        sql<Buffer | null>`case when length(raw) <= ${sql.lit(largeBytes)} then raw end`.as('raw'),
        sql<number | null>`(select webhook_place.place from webhook_place
          where webhook_place.seq = webhook_journal.seq)`.as('place'),
      ])
      .where(waiting)
      .where('line', '=', p.line)
      .where('seq', '>', p.after)
      .where('seq', '<=', p.until)
      .orderBy('seq') as never,
)

const selectStored = hotQuery<{ seq: number }, StoredWebhook>(
  (db, p) =>
    db.selectFrom('webhook_journal').select(['raw', 'connection_id as connectionId']).where('seq', '=', p.seq) as never,
)

/** Undefined: the row is gone. */
export const findStored = async (db: Db, seq: number): Promise<StoredWebhook | undefined> =>
  (await selectStored(db, { seq }))[0]

/** The bytes of a large row. Undefined: the row is gone. */
export const loadRaw = async (db: Db, seq: number): Promise<Buffer | undefined> => (await findStored(db, seq))?.raw

/** Jumps from line to line in the index, so that the cost depends on the number of lines and not of rows. */
const linesBehind = (after: RawBuilder<unknown>) => sql`with recursive each_line(line) as (
    select min(line) from webhook_journal where ${waiting} and ${after}
    union all
    select (select min(other.line) from webhook_journal as other
      where other.state = ${sql.lit(journalState.waiting)} and other.line > each_line.line)
    from each_line where each_line.line is not null
  )`

const selectLines = hotQuery<{ after: string; limit: number }, { line: string }>((db, p) => ({
  compile: () =>
    sql<{ line: string }>`${linesBehind(sql`line > ${p.after}`)}
      select line from each_line where line is not null limit ${p.limit}`.compile(db),
}))
const selectFirstLines = hotQuery<{ limit: number }, { line: string }>((db, p) => ({
  compile: () =>
    sql<{ line: string }>`${linesBehind(sql`line >= ''`)}
      select line from each_line where line is not null limit ${p.limit}`.compile(db),
}))

/** Lists at most `limit` lines with waiting rows, after a line or from the first one. */
export const listWaitingLines = async (db: Db, after: string | undefined, limit: number): Promise<string[]> =>
  (after === undefined ? await selectFirstLines(db, { limit }) : await selectLines(db, { after, limit })).map(
    row => row.line,
  )

/**
 * Returns the number of rows, counted from the first, that fit into `maxBytes`; at least one. Large rows count as 0,
 * because they are read without their bytes.
 */
const countWithin = (sizes: readonly { bytes: number }[], maxBytes: number): number => {
  let bytes = 0
  const beyond = sizes.findIndex((row, i) => {
    bytes += row.bytes > largeBytes ? 0 : row.bytes
    return i > 0 && bytes > maxBytes
  })
  return beyond < 0 ? sizes.length : beyond
}

/** Waiting rows of a line after `after`, in order of arrival, as many as fit both limits and at least one. */
export async function listWaiting(
  db: Db,
  line: string,
  after: number,
  { rows, bytes }: { rows: number; bytes: number },
): Promise<WaitingRow[]> {
  const sizes = await selectSizes(db, { line, after, limit: rows })
  const end = sizes[countWithin(sizes, bytes) - 1]
  if (!end) return []
  const found = await selectWaiting(db, { line, after, until: end.seq })
  return found.map(row => ({
    seq: row.seq,
    line,
    connectionId: row.connection_id,
    receivedAt: row.received_at,
    raw: row.raw,
    attempts: row.attempts,
    place: row.place ?? 0,
  }))
}

const sumMessages = hotQuery<{ line: string; limit: number }, { messages: number | string | null }>((db, p) => ({
  compile: () =>
    sql<{ messages: number | string | null }>`select sum(messages) as messages from (select messages
      from webhook_journal where ${waiting} and line = ${p.line} order by seq limit ${p.limit}) as counted`.compile(db),
}))

/** Estimated messages that wait in a line. Counts the first `limit` webhooks only. */
export const countWaitingMessages = async (db: Db, line: string, limit: number): Promise<number> =>
  Number((await sumMessages(db, { line, limit }))[0]?.messages ?? 0)

const upsertPlace = hotQuery<{ seq: number; place: number }, never>(
  (db, p) =>
    db
      .insertInto('webhook_place')
      .values({ seq: p.seq, place: p.place })
      .onConflict(conflict => conflict.column('seq').doUpdateSet(eb => ({ place: eb.ref('excluded.place') }))) as never,
)

/** Stores how many items of a row have been applied, in the transaction that applies them. */
export async function savePlace(db: Db, seq: number, place: number): Promise<void> {
  await upsertPlace(db, { seq, place })
}

/** Call when the last item of the row has been applied. */
export async function forgetPlace(db: Db, seq: number): Promise<void> {
  await db.deleteFrom('webhook_place').where('seq', '=', seq).execute()
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

/** Marks waiting rows as applied. Rows that were settled with a note keep it. */
export async function markApplied(db: Db, rows: readonly { seq: number }[]): Promise<void> {
  await applyRows(db, rows, {})
}

/** Settles one row: parked, of an unknown number, or applied with a note. */
export async function settleRow(db: Db, seq: number, state: number, note: string | null): Promise<void> {
  await db.updateTable('webhook_journal').set({ state, note }).where('seq', '=', seq).execute()
}

/** Stores a failed attempt and its reason. The row stays waiting. */
export async function recordFault(db: Db, seq: number, attempts: number, note: string): Promise<void> {
  await db.updateTable('webhook_journal').set({ attempts, note }).where('seq', '=', seq).execute()
}

/** The oldest rows, for deletion. Walking by `seq` needs no index on the time. */
export const listOldest = (db: Db, after: number, limit: number): Promise<{ seq: number; received_at: string }[]> =>
  db
    .selectFrom('webhook_journal')
    .select(['seq', 'received_at'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()

/** Deletes settled rows of a range. Waiting and parked rows stay. Returns the number of deleted rows. */
export async function deleteSettled(db: Db, first: number, last: number): Promise<number> {
  const result = await db
    .deleteFrom('webhook_journal')
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .where('state', 'in', [journalState.applied, journalState.unknownNumber])
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** The oldest waiting webhook arrived at this time. Undefined: none waits. */
export async function findOldestWaiting(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ at: string | null }>`${linesBehind(sql`line >= ''`)}
    select min(first_at) as at from (select (select j.received_at from webhook_journal as j
      where j.state = ${sql.lit(journalState.waiting)} and j.line = each_line.line order by j.seq limit 1) as first_at
      from each_line where each_line.line is not null) as firsts`.execute(db)
  return rows[0]?.at ?? undefined
}

const countedTo = 10_000

/** Webhooks that will not be applied. */
export interface PutAside {
  /** The number of rows that failed repeatedly. */
  readonly failed: number
  /** Their numbers are connected by no organization. */
  readonly unknownNumber: number
}

/** Counts up to a limit. */
export async function countPutAside(db: Db): Promise<PutAside> {
  // The partial index covers states above `applied`, and is only used when the condition repeats its expression.
  const count = async (state: number) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from (select seq from webhook_journal
      where state > ${sql.lit(journalState.applied)} and state = ${sql.lit(state)} limit ${countedTo}) as counted`.execute(
      db,
    )
    return Number(rows[0]?.count)
  }
  return { failed: await count(journalState.parked), unknownNumber: await count(journalState.unknownNumber) }
}
