import t from 'tap'
import { seesSome } from '#server/identity/visibility/scope.ts'
import { runMerges } from '#server/messaging/directory/merge.ts'
import { saveContactTerms } from '#server/messaging/search/contact-index.ts'
import { findInStretch } from '#server/messaging/search/contact-index-store.ts'
import { findContacts, findConversationsByContact } from '#server/messaging/search/contact-search.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Db } from '#server/platform/db/database.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { type AnInbox, anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'
import { wholeOrganization } from '#test/helpers/viewers.ts'

const people = {
  lucia: { waId: '5491155551234', profileName: 'Lucía Méndez' },
  jose: { waId: '5493515550199', profileName: 'José Ñandú O’Brien' },
  pedro: { bsuid: 'AR.7', username: 'Pedro_77', profileName: 'Panadería  La-Nueva' },
  xochitl: { waId: '5215512345678', profileName: 'Xóchitl Núñez' },
}

const addressesOf = async (stage: AnInbox, ids: readonly string[]) => {
  const rows = await stage.databases.read
    .selectFrom('conversation')
    .innerJoin('contact', 'contact.id', 'conversation.contact_id')
    .select(['contact.wa_id', 'contact.bsuid'])
    .where('conversation.id', 'in', [...ids, ''])
    .execute()
  return rows.map(row => row.wa_id ?? row.bsuid).sort()
}
const finder =
  (stage: AnInbox, db: Db = stage.databases.read) =>
  async (typed: string, home?: string) =>
    addressesOf(
      stage,
      await findConversationsByContact(db, wholeOrganization(stage.ana.org.id), { typed, home, limit: 500 }),
    )

t.test('names are found by word prefixes and numbers by any part, however they are typed', async t => {
  const stage = await anInbox()
  await stage.apply(...Object.values(people).map(sender => aMessage({ sender })))
  const found = finder(stage)
  const { lucia, jose, pedro, xochitl } = {
    lucia: '5491155551234',
    jose: '5493515550199',
    pedro: 'AR.7',
    xochitl: '5215512345678',
  }
  const expected: readonly [string, string[]][] = [
    ['mendez', [lucia]],
    ['MÉND luc', [lucia]],
    ['endez', []],
    ['nandu', [jose]],
    ['obrien', []],
    ['o brien', [jose]],
    ['nu', [xochitl, pedro].sort()],
    ['la nueva', [pedro]],
    ['@pedro_7', [pedro]],
    ['1234', [lucia, xochitl].sort()],
    ['mendez 1234', [lucia]],
    ['mendez 5678', []],
    ['+54 9 11 5555-1234', [lucia]],
    ['541155551234', [lucia]],
    ['011 15 5555-1234', [lucia]],
    ['15 5555-1234', [lucia]],
    ['(11) 5555.1234', [lucia]],
    ['54 11 5555', [lucia]],
    ['Lucía +54 9 11 5555-1234', [lucia]],
    ['0351 15 555-0199', [jose]],
    ['0351 555', [jose]],
    ['+52 55 1234 5678', [xochitl]],
    ['+52 55 12', [xochitl]],
    ['99999', []],
    ['', []],
    ['   ', []],
    ['%', []],
    ["' or 1=1 --", []],
    ['🎉', []],
  ]
  for (const [typed, addresses] of expected) t.same(await found(typed), addresses, typed)
  t.same(await found('044 55 1234 5678', '52'), [xochitl], 'the trunk prefix of the country at home')
})

t.test('a contact is found by its current name', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage({ sender: people.lucia, at: '2026-11-20T12:00:00.000Z' }))
  await stage.apply(aMessage({ sender: { ...people.lucia, profileName: 'Luz Gómez' }, at: '2026-11-20T12:01:00.000Z' }))
  const found = finder(stage)
  t.same(await found('mendez'), [])
  t.same(await found('gomez'), ['5491155551234'])
  t.same(await found('5555'), ['5491155551234'])
})

t.test('after a merge the remaining contact is found by the numbers of both', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage({ sender: people.lucia }), aMessage({ sender: people.jose }))
  const terms = () => stage.databases.read.selectFrom('contact_words').select('contact_id').execute()
  const [a, b] = await stage.databases.read.selectFrom('contact').select('id').orderBy('wa_id').execute()
  await stage.write(({ db, orgId }) => runMerges(db, orgId, [{ loser: b?.id ?? '', winner: a?.id ?? '' }]))
  t.same(await terms(), [{ contact_id: a?.id }])
})

t.test('nobody finds a contact they may not see, or one of another organization', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage({ sender: people.lucia }))
  const limited = { orgId: stage.ana.org.id, scope: seesSome({ tagIds: [], assigneeId: null }) }
  const search = { typed: 'mendez', limit: 10 }
  t.equal(
    (await findConversationsByContact(stage.databases.read, wholeOrganization(stage.ana.org.id), search)).length,
    1,
  )
  t.same(await findConversationsByContact(stage.databases.read, limited, search), [])
  t.same(await findConversationsByContact(stage.databases.read, wholeOrganization(newId()), search), [])
})

t.test('a name shared by thousands finds the recently active ones', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage({ sender: people.lucia }))
  const { read } = stage.databases
  const orgId = stage.ana.org.id
  const sample = await read.selectFrom('conversation').selectAll().executeTakeFirstOrThrow()
  const all = Array.from({ length: 3_000 }, (_, i) => ({
    id: newId(),
    names: `maria ${i < 2 ? 'unica' : ''} 54911${70000000 + i}`,
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, i)).toISOString(),
  }))
  await stage.write(async ({ db }) => {
    for (let from = 0; from < all.length; from += 100) {
      const some = all.slice(from, from + 100)
      const contacts = some.map(({ id, at }) => ({ id, org_id: orgId, created_at: at, updated_at: at }))
      await db
        .insertInto('contact')
        .values(contacts as never)
        .execute()
      await saveContactTerms(
        db,
        orgId,
        some.map(({ id, names }) => ({ contactId: id, names, isNew: true })),
      )
      await db
        .insertInto('conversation')
        .values(some.map(({ id, at }) => ({ ...sample, id, contact_id: id, last_activity_at: at })))
        .execute()
    }
  })
  const find = (typed: string) => findConversationsByContact(read, wholeOrganization(orgId), { typed, limit: 100 })
  const newest = await read
    .selectFrom('conversation')
    .select('id')
    .where('last_activity_at', '<', '2026-02-01')
    .orderBy('last_activity_at', 'desc')
    .limit(50)
    .execute()
  const marias = await find('mar')
  t.ok(newest.every(({ id }) => marias.includes(id)))
  t.ok(marias.length <= 1_100)
  t.equal((await find('maria unica')).length, 2, 'what few have narrows it, however old they are')
})

t.test('for a common name the most recently active come first, open or archived', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage({ sender: people.lucia }))
  const { read } = stage.databases
  const orgId = stage.ana.org.id
  const sample = await read.selectFrom('conversation').selectAll().executeTakeFirstOrThrow()
  const [count, every] = [1_500, 5]
  const at = (i: number) => new Date(Date.UTC(2026, 0, 1) - i * 1000).toISOString()
  const isArchived = (i: number) => i % 3 === 2
  const all = Array.from({ length: count }, (_, i) => i)
  await stage.write(async ({ db: trx }) => {
    for (let from = 0; from < count; from += 100) {
      const some = all.slice(from, from + 100)
      const contacts = some.map(i => ({ id: `c${i}`, org_id: orgId, created_at: at(i), updated_at: at(i) }))
      await trx
        .insertInto('contact')
        .values(contacts as never)
        .execute()
      const roses = some.filter(i => i % every === 0)
      await saveContactTerms(
        trx,
        orgId,
        roses.map(i => ({ contactId: `c${i}`, names: 'rosa', isNew: true })),
      )
      const own = (i: number) => ({ id: `c${i}`, contact_id: `c${i}`, last_activity_at: at(i) })
      await trx
        .insertInto('conversation')
        .values(some.map(i => ({ ...sample, ...own(i), archived: isArchived(i) ? 1 : 0 })))
        .execute()
    }
  })
  const roses = all.filter(i => i % every === 0)
  const find = (limit: number, archived?: boolean) =>
    findConversationsByContact(read, wholeOrganization(orgId), { typed: 'rosa', limit, archived })
  const ids = (of: readonly number[], limit: number) => of.slice(0, limit).map(i => `c${i}`)
  for (const limit of [1, 10, 60, 199, 300]) {
    t.same(await find(limit), ids(roses, limit), `${limit} of all`)
    t.same(await find(limit, true), ids(roses.filter(isArchived), limit), `${limit} archived`)
    t.same(
      await find(limit, false),
      ids(
        roses.filter(i => !isArchived(i)),
        limit,
      ),
      `${limit} open`,
    )
  }
  const noOne = { orgId, scope: seesSome({ tagIds: [], assigneeId: null }) }
  t.same(await findConversationsByContact(read, noOne, { typed: 'rosa', limit: 10 }), [])
})

t.test('all contacts of a name come page by page, newest first, also while some are renamed or deleted', async t => {
  const stage = await anInbox()
  const orgId = stage.ana.org.id
  const idOf = (i: number) => `c${String(i).padStart(4, '0')}`
  const all = Array.from({ length: 230 }, (_, i) => i)
  await stage.write(async ({ db }) => {
    const contacts = all.map(i => ({ id: idOf(i), org_id: orgId, created_at: '2026', updated_at: '2026' }))
    await db
      .insertInto('contact')
      .values(contacts as never)
      .execute()
    const named = all.map(i => ({ contactId: idOf(i), names: i % 2 ? 'rosamunda' : 'rosa luz', isNew: true }))
    await saveContactTerms(db, orgId, named)
  })
  const find = (typed: string, after?: string, limit = 20) =>
    findContacts(stage.databases.read, orgId, { typed, after, limit })
  const pages = async (typed: string) => {
    const found: string[] = []
    for (;;) {
      const page = await find(typed, found.at(-1))
      found.push(...page)
      if (page.length < 20) return found
    }
  }
  const newestFirst = all.map(idOf).toReversed()
  t.same(await pages('rosa'), newestFirst)
  t.same(
    await pages('rosamunda'),
    newestFirst.filter((_, i) => i % 2 === 0),
    'longer than what stands in the index',
  )
  t.same(
    await pages('luz ros'),
    newestFirst.filter((_, i) => i % 2),
  )
  await stage.write(({ db }) =>
    saveContactTerms(db, orgId, [{ contactId: idOf(100), names: 'rosa paz', isNew: false }]),
  )
  t.same(await pages('rosa'), newestFirst, 'one that is renamed stays where it was')
  await stage.write(async ({ db }) => {
    const contact = { id: idOf(230), org_id: orgId, created_at: '2026', updated_at: '2026' }
    await db
      .insertInto('contact')
      .values(contact as never)
      .execute()
    const names = 'rosamunda'
    const [last, one] = [idOf(229), idOf(230)]
    await saveContactTerms(db, orgId, [
      { contactId: one, names, isNew: true },
      { contactId: last, names, isNew: false },
    ])
  })
  t.same(await pages('rosa'), [idOf(230), ...newestFirst], 'the last one is renamed as another comes')
  await stage.databases.write.deleteFrom('contact').where('id', '=', idOf(200)).execute()
  t.same(await find('rosa', idOf(200), 2), [idOf(199), idOf(198)], 'behind one that is gone')
  t.same(await find('rosa', idOf(0)), [])
  t.same(await find('nobody'), [])
  t.same(await find('%'), [])
  t.same(await findContacts(stage.databases.read, newId(), { typed: 'rosa', limit: 20 }), [])
})

testOnSqlite('who goes through the list for a name reads its index and no row', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage({ sender: people.lucia }))
  const { raw, read } = stage.databases
  let sql = ''
  const prepare = raw.read.prepare.bind(raw.read)
  raw.read.prepare = ((text: string) => {
    sql = text
    return prepare(text)
  }) as never
  const needles = [['mendez']] as const
  const stretch = { archived: 0, count: 100, limit: 10 }
  t.equal((await findInStretch(read, wholeOrganization(stage.ana.org.id), needles, stretch)).length, 1)
  const places = Array(sql.split('?').length - 1).fill(null)
  const plan = prepare(`explain query plan ${sql}`).all(...places) as { detail: string }[]
  const steps = plan.map(step => step.detail).join('; ')
  t.match(steps, /SEARCH conversation USING COVERING INDEX conversation_list/)
  t.notMatch(steps, /TEMP B-TREE/, 'the first that are met are enough')
})

testOnSqlite('names and numbers are looked up by their index, and no contact is read for nothing', async t => {
  const stage = await anInbox()
  await stage.apply(...Object.values(people).map(sender => aMessage({ sender })))
  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const db = stage.databases.read.withPlugin({
    transformQuery: ({ node, queryId: _ }) => {
      const { sql, parameters } = stage.databases.read.getExecutor().compileQuery(node, _)
      statements.push({ sql, parameters })
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const found = finder(stage, db)
  for (const typed of ['mendez', 'lucia men', '+54 9 11 5555-1234', 'mendez 1234', '1234']) {
    await found(typed)
    await findContacts(db, stage.ana.org.id, { typed, after: 'x', limit: 10 })
  }
  const own = statements.filter(({ sql }) => sql.includes('contact_index'))
  t.ok(own.length >= 5)
  const read = statements.filter(({ sql }) => sql.includes('contact_words') && !sql.includes('contact_index'))
  t.ok(read.length >= 5)
  for (const { sql, parameters } of [...own, ...read]) {
    const plan = stage.databases.raw.read.prepare(`explain query plan ${sql}`).all(...parameters) as {
      detail: string
    }[]
    const steps = plan.map(step => step.detail)
    if (own.some(one => one.sql === sql))
      t.match(
        steps.find(step => step.includes('contact_index')),
        /SCAN contact_index VIRTUAL TABLE INDEX \d+:M/,
      )
    if (/order by hit\.seq/.test(sql)) t.notMatch(steps.join('; '), /TEMP B-TREE/, 'in the order of the index')
    for (const step of steps) {
      t.notMatch(step, /^SCAN (?!contact_index|meant|json_each|CONSTANT)/, sql)
      if (/contact_words\b/.test(step))
        t.match(
          step,
          /SEARCH contact_words USING (INTEGER PRIMARY KEY \(rowid=\?|COVERING INDEX contact_words_contact \(contact_id[=<]\?)/,
          sql,
        )
      if (/conversation\b/.test(step)) t.match(step, /SEARCH conversation USING .*INDEX .*\(contact_id=\?/, sql)
    }
  }
})
