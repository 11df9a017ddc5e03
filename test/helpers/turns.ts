import type { Database as SqliteDatabase } from 'better-sqlite3'
import type { Test } from 'tap'
import { rowsInto } from './many-rows.ts'
import { mostWorkPerTurn } from './sqlite-work.ts'

/** Each limit takes about ten milliseconds. A row costs less than a statement. */
const maxPerTurn = { statements: 1000, rows: 4500 }

/** Asserts that `work` does little in SQLite between two turns of the event loop. */
export const expectLittle = async (
  test: Pick<Test, 'ok'>,
  db: SqliteDatabase,
  about: string,
  work: () => Promise<unknown>,
): Promise<void> => {
  const { statements, rows } = await mostWorkPerTurn(db, work)
  const said = `${about}: ${statements} statements, ${rows} rows in one turn`
  test.ok(statements <= maxPerTurn.statements && rows <= maxPerTurn.rows, said)
}

/** The phone number of the customer with this index. */
export const waIdOf = (i: number): string => `54911${60_000_000 + i}`

/**
 * Adds `count` customers to an organization that has one of everything, each with a conversation (`v0`, …) with an
 * unread message (`in0`, …) and a queued one (`out0`, …).
 */
export const addConversations = (db: SqliteDatabase, orgId: string, count: number): void => {
  const { copy } = rowsInto(db)
  const ofOrg = `org_id = '${orgId}'`
  copy('contact', ofOrg, count, i => ({ id: `c${i}`, wa_id: waIdOf(i), bsuid: null, username: null }))
  copy('conversation', ofOrg, count, i => ({ id: `v${i}`, contact_id: `c${i}`, unread: 1 }))
  copy('message', `${ofOrg} and direction = 'in'`, count, i => ({
    id: `in${i}`,
    conversation_id: `v${i}`,
    wamid: `wamid.in${i}`,
  }))
  copy('message', `${ofOrg} and direction = 'out'`, count, i => ({
    id: `out${i}`,
    conversation_id: `v${i}`,
    wamid: null,
    client_key: null,
    status: 'queued',
    error_code: null,
  }))
}
