import { type RawBuilder, sql } from 'kysely'
import { bulkQuery, isOneWrite } from '../bulk.ts'
import { findAppendRows, type NewRows } from '../database/append-rows.ts'
import { type Databases, type Db, hotQuery, inJournalTransaction } from '../db.ts'
import { journalState } from './table.ts'

// The journal stands before anybody knows whose a webhook is, so nothing here takes an organization.

export interface NewJournalRow {
  /** Null: it came to the installation's shared address. */
  connectionId: string | null
  receivedAt: string
  raw: Uint8Array
  /** @see journalState */
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

/** Writes rows in their order and as one commit. */
export async function appendJournalRows(databases: Databases, rows: readonly NewJournalRow[]): Promise<void> {
  const { journal } = databases
  const append = findAppendRows(journal)
  if (append) await append(inColumns(rows))
  // One statement is a transaction by itself.
  else if (isOneWrite(rows.length)) await insertRows(journal, rows, {})
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
  ],
})

/** `state = 0` stands in the text: a bound value would keep SQLite from using the partial index. */
const waiting = sql<boolean>`state = ${sql.lit(journalState.waiting)}`

/** Of which connection; null: of the shared address. */
type Line = string | null
const isOfLine = (line: 'shared' | 'connection', connectionId: unknown): RawBuilder<boolean> =>
  line === 'shared' ? sql`connection_id is null` : sql`connection_id = ${connectionId}`

type WaitingColumns = { seq: number; connection_id: string | null; received_at: string; raw: Buffer; attempts: number }

const sizesIn = (line: 'shared' | 'connection') =>
  hotQuery<{ connectionId: Line; after: number; limit: number }, { seq: number; bytes: number }>(
    (db, p) =>
      db
        .selectFrom('webhook_journal')
        .select(['seq', sql<number>`length(raw)`.as('bytes')])
        .where(waiting)
        .where(isOfLine(line, p.connectionId))
        .where('seq', '>', p.after)
        .orderBy('seq')
        .limit(p.limit) as never,
  )

const rowsIn = (line: 'shared' | 'connection') =>
  hotQuery<{ connectionId: Line; after: number; until: number }, WaitingColumns>(
    (db, p) =>
      db
        .selectFrom('webhook_journal')
        .select(['seq', 'connection_id', 'received_at', 'raw', 'attempts'])
        .where(waiting)
        .where(isOfLine(line, p.connectionId))
        .where('seq', '>', p.after)
        .where('seq', '<=', p.until)
        .orderBy('seq') as never,
  )

const selectSizes = { shared: sizesIn('shared'), connection: sizesIn('connection') }
const selectWaiting = { shared: rowsIn('shared'), connection: rowsIn('connection') }

/** Walks from one connection to the next by the index: what it costs depends on the connections, not on their rows. */
const connectionsBehind = (after: unknown) => sql`with recursive line(connection_id) as (
    select min(connection_id) from webhook_journal where ${waiting} and connection_id > ${after}
    union all
    select (select min(other.connection_id) from webhook_journal as other
      where other.state = ${sql.lit(journalState.waiting)} and other.connection_id > line.connection_id)
    from line where line.connection_id is not null
  )`

const selectConnections = hotQuery<{ after: string; limit: number }, { connection_id: string }>((db, p) => ({
  compile: () =>
    sql<{ connection_id: string }>`${connectionsBehind(p.after)}
      select connection_id from line where connection_id is not null limit ${p.limit}`.compile(db),
}))

/** Connections that have rows waiting, by their ids, at most `limit` behind one; those of the shared address are not among them. */
export const listWaitingConnections = async (db: Db, after: string, limit: number): Promise<string[]> =>
  (await selectConnections(db, { after, limit })).map(row => row.connection_id)

/** How many of the first of these hold no more than so many bytes together; one at least, however large it is. */
const countWithin = (sizes: readonly { bytes: number }[], maxBytes: number): number => {
  let bytes = 0
  const beyond = sizes.findIndex((row, i) => {
    bytes += row.bytes
    return i > 0 && bytes > maxBytes
  })
  return beyond < 0 ? sizes.length : beyond
}

/**
 * Rows of a connection that are not derived yet, in order of arrival, after `after`: as many as fit both limits, and
 * always one. `isAll`: there are no more for now.
 */
export async function listWaiting(
  db: Db,
  connectionId: string | null,
  after: number,
  { rows, bytes }: { rows: number; bytes: number },
): Promise<{ rows: WaitingRow[]; isAll: boolean }> {
  const line = connectionId === null ? 'shared' : 'connection'
  const sizes = await selectSizes[line](db, { connectionId, after, limit: rows })
  const count = countWithin(sizes, bytes)
  const end = sizes[count - 1]
  if (!end) return { rows: [], isAll: true }
  const found = await selectWaiting[line](db, { connectionId, after, until: end.seq })
  return {
    rows: found.map(row => ({
      seq: row.seq,
      connectionId: row.connection_id,
      receivedAt: row.received_at,
      raw: row.raw,
      attempts: row.attempts,
    })),
    isAll: count === sizes.length && sizes.length < rows,
  }
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

/** When the first webhook came that has not been applied: the first of those each connection waits with. */
export async function findOldestWaiting(db: Db): Promise<string | undefined> {
  const first = (isOfLine: RawBuilder<boolean>) => sql`(select j.received_at from webhook_journal as j
    where j.state = ${sql.lit(journalState.waiting)} and ${isOfLine} order by j.seq limit 1)`
  const { rows } = await sql<{ at: string | null }>`${connectionsBehind('')}
    select min(received_at) as at from (
      select ${first(sql`j.connection_id is null`)} as received_at
      union all
      select ${first(sql`j.connection_id = line.connection_id`)} from line where line.connection_id is not null
    ) as firsts`.execute(db)
  return rows[0]?.at ?? undefined
}

const countedTo = 10_000

/** Webhooks that are no work any more, and nobody's messages either. */
export interface PutAside {
  /** Could not be read or applied, for all that was tried. */
  readonly failed: number
  /** Of numbers that nobody here has connected. */
  readonly unknownNumber: number
}

/** How many webhooks were put aside; of very many only the first are counted. */
export async function countPutAside(db: Db): Promise<PutAside> {
  // The index has those behind "applied" alone, and is found by the words that it was made with.
  const count = async (state: number) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from (select seq from webhook_journal
      where state > ${sql.lit(journalState.applied)} and state = ${sql.lit(state)} limit ${countedTo}) as counted`.execute(
      db,
    )
    return Number(rows[0]?.count)
  }
  return { failed: await count(journalState.parked), unknownNumber: await count(journalState.unknownNumber) }
}
