import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { bulkQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, hotQuery, inSavepoint, inTransaction } from '#server/platform/db/db.ts'
import { findBrokenRule, isDatabaseTrouble } from '#server/platform/db/faults.ts'
import { numberRows, wordIndexOf } from '#server/platform/db/word-index.ts'
import { refusalIn, retryAfterOf } from '#server/platform/http/refusals.ts'

/** A database engine under test. */
export interface EngineUnderTest {
  readonly name: string
  /** A database with all migrations, closed when the test ends. */
  open(t: Test): Promise<Databases>
  /** Faults of a server, a disk or a lock, by name: each makes a write fail and then removes the cause. */
  readonly troubles: Readonly<Record<string, (databases: Databases, t: Test) => Promise<unknown>>>
}

interface Sample {
  seq: number
  name: string
  count: number
  flag: number
  share: number | null
  data: Buffer | null
}

const at = '2026-11-22T10:00:00.000Z'

/** Tables of this suite only, with the column types that migrations use. */
// biome-ignore lint/suspicious/noExplicitAny: a table that is nobody's
const samples = (db: Db): any => db

const createSamples = async ({ write }: Databases) => {
  await write.schema
    .createTable('sample')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('name', 'text', c => c.notNull().unique())
    .addColumn('count', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('flag', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('share', 'real')
    .addColumn('data', 'blob')
    .execute()
}

const add = (db: Db, ...rows: Partial<Sample>[]) => samples(db).insertInto('sample').values(rows).execute()
const list = (db: Db): Promise<Sample[]> => samples(db).selectFrom('sample').selectAll().orderBy('seq').execute()
const names = async (db: Db) => (await list(db)).map(row => row.name)

/** What the product needs from an engine; stores rely on this and nothing more. */
export function conformance({ name, open, troubles }: EngineUnderTest): void {
  const test = (claim: string, prove: (databases: Databases, t: Test) => Promise<void>) =>
    t.test(`${name}: ${claim}`, async t => {
      const databases = await open(t)
      await createSamples(databases)
      await prove(databases, t)
    })

  test('a transaction is visible as a whole, and only after its commit', async (databases, t) => {
    await inTransaction(databases, async trx => {
      await add(trx, { name: 'one' }, { name: 'two' })
      t.same(await names(trx), ['one', 'two'], 'by itself at once')
    })
    t.same(await names(databases.read), ['one', 'two'])
  })

  test('a transaction that throws leaves nothing, and the next one gets the connection', async (databases, t) => {
    const failing = inTransaction(databases, async trx => {
      await add(trx, { name: 'lost' })
      throw new Error('no')
    })
    await t.rejects(failing, { message: 'no' })
    await inTransaction(databases, trx => add(trx, { name: 'kept' }))
    t.same(await names(databases.read), ['kept'])
  })

  test('transactions run one after another, in the order they were requested', async (databases, t) => {
    await add(databases.write, { name: 'counter' })
    const increase = () =>
      inTransaction(databases, async trx => {
        const [row] = await list(trx)
        await samples(trx)
          .updateTable('sample')
          .set({ count: (row as Sample).count + 1 })
          .execute()
        return (row as Sample).count
      })
    t.same(
      await Promise.all(Array.from({ length: 20 }, increase)),
      Array.from({ length: 20 }, (_, i) => i),
    )
    t.equal((await list(databases.read))[0]?.count, 20)
  })

  test('a part of a transaction fails alone', async (databases, t) => {
    const answer = await inTransaction(databases, async trx => {
      await add(trx, { name: 'before' })
      const inPart = await inSavepoint(
        trx,
        async () => {
          await add(trx, { name: 'within' })
          await add(trx, { name: 'before' })
          return 'done'
        },
        () => 'refused',
      )
      await add(trx, { name: 'after' })
      return inPart
    })
    t.equal(answer, 'refused')
    t.same(await names(databases.read), ['before', 'after'])
  })

  test('empty, nested and failing savepoints do not affect the surrounding transaction', async (databases, t) => {
    const part = (trx: Db, work: () => Promise<unknown>) =>
      inSavepoint(
        trx,
        async () => void (await work()),
        () => undefined,
      )
    const nothing = async () => undefined
    const fail = async () => {
      throw new Error('of its own')
    }
    await inTransaction(databases, async trx => {
      await part(trx, nothing)
      await add(trx, { name: 'one' })
      await part(trx, fail)
      await part(trx, () => add(trx, { name: 'one' }))
      await part(trx, () => add(trx, { name: 'two' }))
      await part(trx, async () => {
        await part(trx, nothing)
        await add(trx, { name: 'undone' })
        await part(trx, () => add(trx, { name: 'undone, too' }))
        await fail()
      })
      await part(trx, async () => {
        await part(trx, () => add(trx, { name: 'three' }))
        await part(trx, fail)
      })
    })
    t.same(await names(databases.read), ['one', 'two', 'three'])
    const ends = inTransaction(databases, async trx => {
      await part(trx, () => add(trx, { name: 'four' }))
      await part(trx, nothing)
      throw new Error('all of it')
    })
    await t.rejects(ends, { message: 'all of it' })
    t.same(await names(databases.read), ['one', 'two', 'three'])
    await inTransaction(databases, trx => part(trx, () => add(trx, { name: 'four' })))
    t.same(await names(databases.read), ['one', 'two', 'three', 'four'], 'the last part of a transaction is committed')
  })

  test('an existing row is kept or changed, as the statement says', async (databases, t) => {
    await add(databases.write, { name: 'one', count: 1 })
    const insert = (row: Partial<Sample>) => samples(databases.write).insertInto('sample').values(row)
    const left = await insert({ name: 'one', count: 2 })
      // biome-ignore lint/suspicious/noExplicitAny: a table that is nobody's
      .onConflict((conflict: any) => conflict.column('name').doNothing())
      .returning('seq')
      .execute()
    t.same(left, [], 'later rows are not returned')
    const changed = await insert({ name: 'one', count: 5 })
      // biome-ignore lint/suspicious/noExplicitAny: as above
      .onConflict((conflict: any) => conflict.column('name').doUpdateSet({ count: sql`sample.count + excluded.count` }))
      .returning('count')
      .execute()
    t.same(changed, [{ count: 6 }])
  })

  test('a duplicate key is refused, and not reported as a temporary fault', async (databases, t) => {
    await add(databases.write, { name: 'one' })
    const error = await add(databases.write, { name: 'one' }).catch((thrown: unknown) => thrown)
    t.ok(error instanceof Error)
    t.notOk(isDatabaseTrouble(error))
    t.equal(refusalIn(error), undefined)
    t.same(await names(databases.read), ['one'])
  })

  test('numbers are returned as numbers, up to the largest exact one', async (databases, t) => {
    const large = Number.MAX_SAFE_INTEGER
    await add(databases.write, { name: 'large', seq: 5_000_000_000, count: large, flag: 1, share: 0.125 })
    const [row] = await list(databases.read)
    t.strictSame(
      [row?.seq, row?.count, row?.flag, row?.share, row?.data],
      [5_000_000_000, large, 1, 0.125, null],
      'and null is null',
    )
    const { rows } = await sql`select count(*) as n, sum(flag) as sum, max(seq) as most,
      sum(case when flag = 0 then 1 end) as none from sample`.execute(databases.read)
    t.strictSame({ ...(rows[0] as object) }, { n: 1, sum: 1, most: 5_000_000_000, none: null })
  })

  test('sequence numbers increase, and given numbers are kept', async (databases, t) => {
    await add(databases.write, { name: 'a' })
    await add(databases.write, { name: 'b' })
    await add(databases.write, { name: 'given', seq: 1000 })
    const [a, b, given] = (await list(databases.read)).map(row => row.seq)
    t.ok((a as number) < (b as number))
    t.equal(given, 1000)
  })

  test('texts are returned unchanged, in every script', async (databases, t) => {
    const texts = ['', 'ñandú 🇦🇷', '{"a":[1,"\\u0000",null]}', "O'Higgins \\ %_", '\u{1f469}\u200d\u{1f4bb}', ' \n\t ']
    await add(databases.write, ...texts.map(name => ({ name })))
    t.same(await names(databases.read), texts)
  })

  test('bytes are returned unchanged', async (databases, t) => {
    const data = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
    await add(databases.write, { name: 'bytes', data }, { name: 'empty', data: Buffer.alloc(0) })
    const rows = await list(databases.read)
    t.ok(Buffer.from(rows[0]?.data as Buffer).equals(data))
    t.equal(rows[1]?.data?.length, 0)
  })

  test('texts are ordered and compared by their bytes', async (databases, t) => {
    const sorted = ['A', 'Z', '_', 'a', 'a b', 'a:', 'a:1', 'a;', 'ab', 'z', '~', 'á', '🇦🇷']
    await add(databases.write, ...[...sorted].reverse().map(name => ({ name })))
    const found = (query: { execute(): Promise<Sample[]> }) => query.execute().then(rows => rows.map(row => row.name))
    const all = samples(databases.read).selectFrom('sample').select('name').orderBy('name')
    t.same(await found(all), sorted)
    t.same(await found(all.where('name', '>=', 'a:').where('name', '<', 'a;')), ['a:', 'a:1'], 'a range of keys')
    t.same(await found(all.where('name', '=', 'a')), ['a'], 'case is significant')
  })

  test('a statement returns how many rows it changed, and which', async (databases, t) => {
    await add(databases.write, { name: 'a', flag: 0 }, { name: 'b', flag: 1 }, { name: 'c', flag: 1 })
    const update = samples(databases.write).updateTable('sample').set({ count: 7 }).where('flag', '=', 1)
    t.equal((await update.executeTakeFirst()).numUpdatedRows, 2n)
    const updated: Sample[] = await update.returning(['name', 'count']).execute()
    t.strictSame(updated.map(row => `${row.name} ${row.count}`).sort(), ['b 7', 'c 7'])
    const gone = await samples(databases.write).deleteFrom('sample').where('flag', '=', 0).executeTakeFirst()
    t.equal(gone.numDeletedRows, 1n)
  })

  test('compiled statements get their values', async (databases, t) => {
    const one = hotQuery((db, p: { name: string; least: number }) =>
      samples(db).selectFrom('sample').select('seq').where('name', '=', p.name).where('count', '>=', p.least),
    )
    const many = bulkQuery((db: Db, rows: readonly { name: string }[], common: { count: number }) =>
      samples(db)
        .insertInto('sample')
        .values(rows.map(row => ({ name: row.name, count: common.count }))),
    )
    await many(
      databases.write,
      Array.from({ length: 21 }, (_, i) => ({ name: `n${i}` })),
      { count: 3 },
    )
    t.equal((await list(databases.read)).length, 21)
    const decides = bulkQuery((db: Db, rows: readonly { name: string; isMany: boolean }[]) =>
      samples(db)
        .insertInto('sample')
        .values(rows.map(row => ({ name: row.name, count: row.isMany ? 2 : 1 }))),
    )
    await t.rejects(decides(databases.write, [{ name: 'x', isMany: false }], {}), /unchanged in the statement: isMany/)
    for (const db of [databases.read, databases.write]) {
      t.equal((await one(db, { name: 'n20', least: 3 })).length, 1)
      t.equal((await one(db, { name: 'n20', least: 4 })).length, 0)
    }
    await inTransaction(databases, async trx => t.equal((await one(trx, { name: 'n4', least: 0 })).length, 1))
  })

  test('a reference to a missing row is refused, and rows are deleted with the row they refer to', async (databases, t) => {
    const { write, read } = databases
    const setting = { org_id: 'none', conversations: 0, teams: 0, updated_at: at }
    await t.rejects(write.insertInto('content_access_setting').values(setting).execute())
    await write
      .insertInto('organization')
      .values({ id: 'o', name: 'O', slug: 'o', createdAt: at } as never)
      .execute()
    await write
      .insertInto('content_access_setting')
      .values({ ...setting, org_id: 'o' })
      .execute()
    await write.deleteFrom('organization').where('id', '=', 'o').execute()
    t.same(await read.selectFrom('content_access_setting').selectAll().execute(), [])
  })

  test('the database requires an owner in each organization, and names the broken rule', async (databases, t) => {
    const { write, read } = databases
    await write
      .insertInto('organization')
      .values({ id: 'o', name: 'O', slug: 'o', createdAt: at } as never)
      .execute()
    for (const id of ['u', 'v']) {
      const user = { id, name: id, email: `${id}@example.com`, emailVerified: 1, createdAt: at, updatedAt: at }
      await write
        .insertInto('user')
        .values(user as never)
        .execute()
      const member = { id: `m${id}`, organizationId: 'o', userId: id, role: 'owner', createdAt: at }
      await write
        .insertInto('member')
        .values(member as never)
        .execute()
    }
    const demote = (id: string) => write.updateTable('member').set({ role: 'viewer' }).where('id', '=', id).execute()
    await demote('mu')
    const error = await demote('mv').catch((thrown: unknown) => thrown)
    t.equal(findBrokenRule(error), 'LAST_OWNER')
    t.notOk(isDatabaseTrouble(error))
    const removal = await write
      .deleteFrom('member')
      .where('id', '=', 'mv')
      .execute()
      .catch((thrown: unknown) => thrown)
    t.equal(findBrokenRule(removal), 'LAST_OWNER')
    await write.deleteFrom('organization').where('id', '=', 'o').execute()
    t.same(await read.selectFrom('member').selectAll().execute(), [], 'deleting an organization deletes them too')
  })

  test('words are found by all terms and by prefixes, newest first', async (databases, t) => {
    const index = wordIndexOf(databases.write)
    await inTransaction(databases, trx =>
      index.add(trx, [
        { seq: 1, terms: ['1·0·pan', '1·0·dulce'] },
        { seq: 2, terms: ['1·0·panadería'] },
        { seq: 3_000_000_000, terms: ['1·0·pan', '1·0·ñandú', '1·0·pan'] },
        { seq: 4, terms: ['2·0·pan'] },
      ]),
    )
    const termsOf = (words: readonly string[]) =>
      words.map(word => ({ text: word.replace('*', ''), isPrefix: word.endsWith('*') }))
    const findAny = (lists: readonly (readonly string[])[], range: { end?: number; most?: number } = {}) =>
      index.find(databases.read, lists.map(termsOf), { end: Number.MAX_SAFE_INTEGER, most: 10, ...range })
    const find = (words: readonly string[], range: { end?: number; most?: number } = {}) => findAny([words], range)
    t.same(await find(['1·0·pan']), [3_000_000_000, 1])
    t.same(await find(['1·0·pan*']), [3_000_000_000, 2, 1])
    t.same(await find(['1·0·pan', '1·0·du*']), [1])
    t.same(await find(['1·0·pan*'], { end: 3_000_000_000, most: 1 }), [2])
    t.same(await find(['1·0·ñandú']), [3_000_000_000])
    t.same(await find(['1·0·nada']), [])
    const either = [
      ['1·0·pan', '1·0·du*'],
      ['2·0·pa*', '2·0·pan'],
    ]
    t.same(await findAny(either), [4, 1])
    t.same(await findAny(either, { end: 4 }), [1])
    let merges = 0
    while (await inTransaction(databases, trx => index.merge(trx, 100))) merges += 1
    t.ok(merges < 100, 'merging terminates')
    const { rows } = await sql`select value from ${numberRows(databases.read, [7, 3_000_000_000])} as hit`.execute(
      databases.read,
    )
    t.same(rows, [{ value: 7 }, { value: 3_000_000_000 }], 'numbers as rows')
  })

  for (const [what, cause] of Object.entries(troubles))
    test(`${what}: the caller may retry later, and nothing has changed`, async (databases, t) => {
      await add(databases.write, { name: 'before' })
      const error = await cause(databases, t).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      t.ok(isDatabaseTrouble(error), String(error))
      const refusal = refusalIn(error)
      t.equal(refusal?.status, 503)
      t.ok(refusal && (retryAfterOf(refusal) ?? 0) >= 1)
      await inTransaction(databases, trx => add(trx, { name: 'after' }))
      t.same(await names(databases.read), ['before', 'after'])
    })
}
