import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { rowAddress } from '#server/platform/db/row-address.ts'

/** Tables of long-lived files that name who uploaded them. */
export const broughtTables = ['template_media', 'ready_answer_file'] as const
type BroughtTable = (typeof broughtTables)[number]

interface Bringer {
  readonly id: string
  /** True if the account or key still exists. */
  readonly isThere: boolean
}

/** The distinct uploaders of a table, by id, with one index seek each. Exported for tests. */
export const bringers = (table: BroughtTable, after: string, limit: number) => {
  const next = (behind: ReturnType<typeof sql>) =>
    sql`(select min(brought_by) from ${sql.table(table)} where brought_by is not null and brought_by > ${behind})`
  return sql<{ id: string; is_there: number }>`
    with recursive who(id, place) as (
      select ${next(sql`${after}`)}, 1
      union all
      select ${next(sql`who.id`)}, who.place + 1 from who where who.id is not null and who.place < ${sql.lit(limit)}
    )
    select id, case when exists (select 1 from ${sql.table('user')} as person where person.id = who.id)
      or exists (select 1 from apikey where apikey.id = who.id) then 1 else 0 end as is_there
    from who where id is not null order by id`
}

export async function listBringers(db: Db, table: BroughtTable, after: string, limit: number): Promise<Bringer[]> {
  const { rows } = await bringers(table, after, limit).execute(db)
  return rows.map(({ id, is_there: isThere }) => ({ id, isThere: Number(isThere) === 1 }))
}

/** Clears the uploader from up to `limit` files, of all organizations. Returns how many. */
export async function forgetBringer(db: Db, table: BroughtTable, id: string, limit: number): Promise<number> {
  const address = rowAddress(db)
  const result = await sql`update ${sql.table(table)} set brought_by = null where ${address} in
    (select ${address} from ${sql.table(table)} where brought_by = ${id} limit ${sql.lit(limit)})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
