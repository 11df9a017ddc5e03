import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'

/** About ten milliseconds of the single writer. */
const rowsPerCommit = 1000

interface AgedTable {
  readonly name: string
  readonly key: string
  readonly times: readonly string[]
  /** Rows with a later time here were written after the clock was moved, and stay as they are. */
  readonly touched?: string
}

const agedTables: readonly AgedTable[] = [
  {
    name: 'sandbox_customer',
    key: 'wa_id',
    times: ['window_from_ms', 'ad_at_ms', 'entry_until_ms', 'typing_until_ms', 'seen_ms'],
    touched: 'seen_ms',
  },
  { name: 'sandbox_message', key: 'seq', times: ['at_ms'], touched: 'at_ms' },
  { name: 'sandbox_media', key: 'id', times: ['expires_ms'] },
  { name: 'sandbox_template', key: 'id', times: ['review_ms', 'deleted_ms', 'created_ms'], touched: 'created_ms' },
]

type Key = string | number

/** The last key of the next page; undefined: none. */
const findLastKey = async (db: Db, orgId: string, { name, key }: AgedTable, after: Key): Promise<Key | undefined> => {
  const { rows } = await sql<{ last: Key | null }>`select max(id) as last from (
    select ${sql.ref(key)} as id from ${sql.table(name)} where org_id = ${orgId} and ${sql.ref(key)} > ${after}
    order by ${sql.ref(key)} limit ${sql.lit(rowsPerCommit)}) as page`.execute(db)
  return rows[0]?.last ?? undefined
}

const ageRows = (
  db: Db,
  orgId: string,
  { name, key, times, touched }: AgedTable,
  { after, last, ms, nowMs }: { after: Key; last: Key; ms: number; nowMs: number },
) =>
  sql`update ${sql.table(name)}
  set ${sql.join(times.map(time => sql`${sql.ref(time)} = ${sql.ref(time)} - ${ms}`))}
  where org_id = ${orgId} and ${sql.ref(key)} > ${after} and ${sql.ref(key)} <= ${last}
  ${touched ? sql`and ${sql.ref(touched)} <= ${nowMs}` : sql``}`.execute(db)

/** Moves a number's clock: makes all its rows older, in batches. */
export async function ageNumber(databases: Databases, orgId: string, { ms, nowMs }: { ms: number; nowMs: number }) {
  await inTransaction(databases, trx =>
    trx
      .updateTable('sandbox_number')
      .set(eb => ({ aged_ms: eb('aged_ms', '+', ms) }))
      .where('org_id', '=', orgId)
      .execute(),
  )
  for (const table of agedTables) {
    let after: Key | undefined = table.key === 'seq' ? 0 : ''
    while (after !== undefined) {
      const from: Key = after
      after = await inTransaction(databases, async trx => {
        const last = await findLastKey(trx, orgId, table, from)
        if (last !== undefined) await ageRows(trx, orgId, table, { after: from, last, ms, nowMs })
        return last
      })
      await nextTurn()
    }
  }
}

const tablesOfCustomers = [
  ['sandbox_fault', 'seq'],
  ['sandbox_media', 'id'],
  ['sandbox_message', 'seq'],
  ['sandbox_customer', 'wa_id'],
] as const

/** Deletes customers, messages, media and faults of an organization in batches; the number stays. */
export async function deleteCustomers(databases: Databases, orgId: string): Promise<void> {
  for (const [name, key] of tablesOfCustomers) {
    const [table, id] = [sql.table(name), sql.ref(key)]
    await inBatches(rowsPerCommit, async limit => {
      const some = sql`select ${id} from ${table} where org_id = ${orgId} limit ${sql.lit(limit)}`
      const { numAffectedRows } = await inTransaction(databases, trx =>
        sql`delete from ${table} where org_id = ${orgId} and ${id} in (${some})`.execute(trx),
      )
      return Number(numAffectedRows ?? 0)
    })
    await nextTurn()
  }
}
