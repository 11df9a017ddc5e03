import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { journalState } from '../table.ts'

/** Webhooks are stored before their organization is known: these functions take the lines that are an organization's own. */
type Lines = readonly string[]

export interface DeliveryRow {
  readonly seq: number
  readonly line: string
  readonly received_at: string
  readonly state: number
  readonly attempts: number
  readonly note: string | null
  readonly bytes: number
}

/** Rows of the journal that one page looks at, of all organizations. */
const lookedAt = 2000

const columns = ['seq', 'line', 'received_at', 'state', 'attempts', 'note'] as const

/** The rows of the window that are listed. */
type Wanted = 'notUnderstood' | 'failed' | undefined

/**
 * Rows of these lines, newest first, among the next rows of the journal before one. `until`: the oldest row that was
 * looked at; undefined: there are no older ones.
 */
export async function listDeliveries(
  db: Db,
  orgId: string,
  { lines, before, wanted, limit }: { lines: Lines; before: number; wanted: Wanted; limit: number },
): Promise<{ rows: DeliveryRow[]; until: number | undefined }> {
  const window = db
    .selectFrom('webhook_journal')
    .select([...columns, sql<number>`length(raw)`.as('bytes')])
    .where('seq', '<', before)
    .orderBy('seq', 'desc')
    .limit(lookedAt)
  const rows = lines.length
    ? await db
        .selectFrom(window.as('looked'))
        .selectAll()
        .where('line', 'in', lines)
        .$if(wanted === 'failed', query => query.where('state', '=', journalState.parked))
        .$if(wanted === 'notUnderstood', query =>
          query.where(eb =>
            eb.exists(
              eb
                .selectFrom('untaken_item')
                .select('untaken_item.seq')
                .whereRef('untaken_item.seq', '=', 'looked.seq')
                .where('untaken_item.org_id', '=', orgId),
            ),
          ),
        )
        .orderBy('seq', 'desc')
        .limit(limit + 1)
        .execute()
    : []
  if (rows.length > limit) {
    const shown = rows.slice(0, limit)
    return { rows: shown, until: shown.at(-1)?.seq }
  }
  const oldest = await db
    .selectFrom('webhook_journal')
    .select('seq')
    .where('seq', '<', before)
    .orderBy('seq', 'desc')
    .offset(lookedAt - 1)
    .limit(1)
    .executeTakeFirst()
  return { rows, until: oldest?.seq }
}

export const findDelivery = (db: Db, lines: Lines, seq: number): Promise<DeliveryRow | undefined> =>
  lines.length
    ? db
        .selectFrom('webhook_journal')
        .select([...columns, sql<number>`length(raw)`.as('bytes')])
        .where('seq', '=', seq)
        .where('line', 'in', lines)
        .executeTakeFirst()
    : Promise.resolve(undefined)

/** The bytes of these rows that are no longer than `maxBytes`. */
export const listRaw = (db: Db, seqs: readonly number[], maxBytes: number): Promise<{ seq: number; raw: Buffer }[]> =>
  seqs.length
    ? (db
        .selectFrom('webhook_journal')
        .select(['seq', 'raw'])
        .where('seq', 'in', seqs)
        .where(sql<boolean>`length(raw) <= ${maxBytes}`)
        .execute() as Promise<{ seq: number; raw: Buffer }[]>)
    : Promise.resolve([])

/** Names of the kept items of these rows. */
export const listKept = (db: Db, orgId: string, seqs: readonly number[]): Promise<{ seq: number; name: string }[]> =>
  seqs.length
    ? db
        .selectFrom('untaken_item')
        .select(['seq', 'name'])
        .distinct()
        .where('org_id', '=', orgId)
        .where('seq', 'in', seqs)
        .execute()
    : Promise.resolve([])

/** The first rows of these lines in a range, in order. */
export async function listSeqs(
  db: Db,
  lines: Lines,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<number[]> {
  if (!lines.length) return []
  const window = db
    .selectFrom('webhook_journal')
    .select(['seq', 'line'])
    .where('seq', '>=', from)
    .where('seq', '<=', to)
    .orderBy('seq')
    .limit(limit)
  const rows = await db
    .selectFrom(window.as('looked'))
    .select('seq')
    .where('line', 'in', lines)
    .orderBy('seq')
    .execute()
  return rows.map(row => row.seq)
}

/** The number of the first row behind `limit` rows from `from`. Undefined: there is none. */
export async function findRest(
  db: Db,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('webhook_journal')
    .select('seq')
    .where('seq', '>=', from)
    .where('seq', '<=', to)
    .orderBy('seq')
    .offset(limit)
    .limit(1)
    .executeTakeFirst()
  return row?.seq
}

/** Lets settled rows wait again, and forgets what was kept of them. Returns how many. */
export async function waitAgain(db: Db, orgId: string, lines: Lines, seqs: readonly number[]): Promise<number> {
  if (!seqs.length || !lines.length) return 0
  await db.deleteFrom('untaken_item').where('org_id', '=', orgId).where('seq', 'in', seqs).execute()
  const result = await db
    .updateTable('webhook_journal')
    .set({ state: journalState.waiting, attempts: 0, note: null })
    .where('seq', 'in', seqs)
    .where('line', 'in', lines)
    .where('state', '<>', journalState.waiting)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}
