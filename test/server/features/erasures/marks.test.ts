/** The data kept after an erasure, and its lookup cost in organizations without erasures. */
import t from 'tap'
import { createMarks } from '#server/features/erasures/marks.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'

const at = '2026-11-20T13:00:00.000Z'
const optOut = { at, source: 'keyword', note: null, by: null } as const

/** Two organizations; somebody was erased in the first. */
const stage = async () => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const db = databases.write as Db as OrgDb
  for (const id of ['a', 'b'])
    await db.insertInto('organization').values({ id, name: id, slug: id, createdAt: at }).execute()
  const erasure = { org_id: 'a', reason: 'asked', author_id: 'u', author_name: 'Ana', requested_at: at } as const
  await db
    .insertInto('erasure')
    .values({ ...erasure, id: 'e', number_hash: '', step: 0, place: '', messages: 0 })
    .execute()
  let hashed = 0
  const marks = createMarks(value => {
    hashed += 1
    return `hash of ${value}`
  })
  const known = [{ kind: 'phone' as const, key: '5491155550101' }]
  return { databases, db, marks, known, hashedSoFar: () => hashed }
}

t.test('no number is hashed in an organization without erasures, however many are looked up', async t => {
  const { db, marks, known, hashedSoFar } = await stage()
  const { findPhones, take } = marks.keptMarks
  const contacts = [{ id: 'c', known }]
  t.equal((await findPhones(db, 'a', ['5491155550101', '5491155550102'])).size, 0)
  t.equal((await take(db, 'a', contacts)).size, 0)
  t.equal(hashedSoFar(), 0)
  await marks.keep(db, 'a', known, { erasureId: 'e', optOut, block: null })
  const before = hashedSoFar()
  t.equal((await findPhones(db, 'b', ['5491155550101'])).size, 0)
  t.equal((await take(db, 'b', contacts)).size, 0)
  t.equal(hashedSoFar(), before, 'what another organization keeps is none of theirs')
})

for (const [what, kept] of Object.entries({
  'who opted out': { optOut, block: null },
  'who was blocked': { optOut: null, block: { at, by: 'Ana' } },
}))
  t.test(`${what} is recognized by their number, and no longer once the number is theirs again`, async t => {
    const { db, marks, known } = await stage()
    const { findPhones, take } = marks.keptMarks
    await marks.keep(db, 'a', known, { erasureId: 'e', ...kept })
    t.same([...(await findPhones(db, 'a', ['5491155550102', '5491155550101']))], [['5491155550101', kept]])
    t.same([...(await take(db, 'a', [{ id: 'c', known }]))], [['c', kept]])
    t.equal((await findPhones(db, 'a', ['5491155550101'])).size, 0)
  })

testOnSqlite('whether anything is kept is one look at an index', async t => {
  const { databases } = await stage()
  const { read } = databases.raw
  for (const table of ['opt_out_mark', 'block_mark']) {
    const plan = read.prepare(`explain query plan select hash from ${table} where org_id = +? limit +?`).all('a', 1)
    t.match(JSON.stringify(plan), new RegExp(`SEARCH ${table} USING COVERING INDEX \\S+ \\(org_id=\\?\\)`))
  }
})
