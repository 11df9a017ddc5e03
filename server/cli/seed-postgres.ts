import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastNumber } from '#server/messaging/search/contact-index-store.ts'
import { orgKeys } from '#server/messaging/search/index-store.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { createSqliteReader, listTables } from '#server/platform/db/sqlite/copy-store.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import type { Cells, Table } from '#server/platform/db/table-copy.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { type Sown, seedVolume, type Volume } from './seed-volume.ts'

/** The tables that seeding fills, in the order of their references. */
const sownTables = ['contact', 'contact_identity', 'contact_words', 'conversation', 'message']

/** Numbers the rows after the last message. Nothing refers to the numbers that they had in the SQLite file. */
const numberedNext = async (trx: Db, { columns }: Table, rows: readonly Cells[]): Promise<Cells[]> => {
  const last = await lastNumber(trx)
  const place = columns.findIndex(({ name }) => name === 'seq')
  return rows.map((row, i) => row.with(place, last + 1 + i))
}

/**
 * The same volume on PostgreSQL: seeded into a temporary SQLite file with numbers reserved here, then copied over.
 * @see seedVolume
 */
export async function seedPostgres(
  { read, write }: Databases,
  volume: Volume,
  { clock }: { clock: Clock },
): Promise<Sown> {
  const { analyzeAll, appendRows, reserveNumbers } = await import('#server/platform/db/postgres/copy-store.ts')
  const folder = await mkdtemp(join(tmpdir(), 'recado-seed-'))
  const beside = openDatabase(join(folder, 'volume.db'))
  const raw = beside.raw.write
  try {
    await migrate(beside.write)
    raw.pragma('foreign_keys = OFF')
    const { orgId } = volume
    const numbers = await read.selectFrom('wa_connection').selectAll().where('org_id', '=', orgId).execute()
    if (numbers.length) await beside.write.insertInto('wa_connection').values(numbers).execute()
    const { n } = await read
      .selectFrom('contact')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('org_id', '=', orgId)
      .executeTakeFirstOrThrow()
    const org_key = (await orgKeys(write, [orgId])).get(orgId) as number
    await beside.write.insertInto('search_org').values({ org_id: orgId, org_key }).execute()
    const messages = Math.max(volume.messages, volume.conversations)
    const first = await reserveNumbers(write, 'message', messages)
    raw.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run('message', first - 1)
    const sown = seedVolume(beside, { ...volume, messages, contactsElsewhere: n }, { clock })

    if (!numbers.length) {
      const made = await beside.read.selectFrom('wa_connection').selectAll().execute()
      await write.insertInto('wa_connection').values(made).execute()
    }
    const reader = createSqliteReader(beside.raw.read)
    for (const table of listTables(raw).filter(({ name }) => sownTables.includes(name)))
      for await (const rows of reader.read(table, undefined))
        await appendRows(write, table, trx => (table.name === 'contact_words' ? numberedNext(trx, table, rows) : rows))
    await analyzeAll(write)
    return sown
  } finally {
    await beside.close()
    await rm(folder, { recursive: true, force: true })
  }
}
