import t from 'tap'
import { seesAll, seesSome } from '#server/identity/visibility/scope.ts'
import { listNewestSeqs, meantOf } from '#server/messaging/search/narrowing-store.ts'
import { newestSeqs, newestThatMay } from '#server/messaging/search/newest-store.ts'
import type { Db } from '#server/platform/db/database.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage, text } from '#test/helpers/items.ts'

/** The plans of all statements of a piece of work. */
const plansOf = async (work: (db: Db) => Promise<unknown>): Promise<string[]> => {
  // The statements that a connection asks first, once it is ready.
  const databases = await freshDatabases()
  const { read } = databases.raw
  const prepare = read.prepare.bind(read)
  const asked: string[] = []
  read.prepare = ((text: string) => {
    asked.push(text)
    return prepare(text)
  }) as typeof read.prepare
  await work(databases.read)
  const plans = asked.map(text => {
    const steps = prepare(`explain query plan ${text}`).all(...Array(text.split('?').length - 1).fill('0'))
    return (steps as { detail: string }[]).map(({ detail }) => detail).join('\n')
  })
  await databases.close()
  return plans
}

const seqs = Array.from({ length: 1000 }, (_, i) => i + 1)
const everything = {
  conversationId: 'c',
  fromCustomersOf: ['c', 'd'],
  tagIds: ['t', 'u'],
  types: ['image', 'video'],
  statuses: ['failed'],
  archived: true,
  since: '2026-01-01T00:00:00.000Z',
  until: '2026-12-01T00:00:00.000Z',
  agents: ['ana'],
} as const

testOnSqlite('whatever narrows a search, messages are taken by their own key and none is scanned', async t => {
  const scopes = [seesAll, seesSome({ tagIds: ['t'], assigneeId: 'a' })]
  for (const scope of scopes)
    for (const narrowing of [{}, everything, { tagIds: ['t'] }, { types: ['image'] as const }, { archived: false }]) {
      const [plan = ''] = await plansOf(db => meantOf(db, { orgId: 'o', scope }, seqs, narrowing))
      t.match(plan, /SEARCH message USING INTEGER PRIMARY KEY \(rowid=\?\)/)
      t.match(plan, /SEARCH conversation USING INDEX sqlite_autoindex_conversation_1 \(id=\?\)/)
      t.notMatch(plan, /SCAN (message|conversation|contact)/)
    }
})

testOnSqlite('without words the newest come from an index in their order, sorted by nobody', async t => {
  const [all = ''] = await plansOf(db => newestSeqs(db, 'o', { before: 100, limit: 10 }))
  t.match(all, /^SEARCH message USING COVERING INDEX message_org \(org_id=\? AND seq<\?\)$/)
  const [one = ''] = await plansOf(db => listNewestSeqs(db, 'o', { conversationId: 'c', limit: 10 }))
  t.match(one, /SEARCH message USING COVERING INDEX message_thread \(conversation_id=\?\)/)
  t.notMatch(one, /TEMP B-TREE|SCAN message/)
})

testOnSqlite('a kind that is no text, and what could not be sent, is found without a look at the others', async t => {
  const ask = (narrowing: Parameters<typeof newestThatMay>[0]) =>
    plansOf(db => newestThatMay(narrowing)(db, 'o', { before: 100, limit: 10 }))
  const kind = /^SEARCH message USING COVERING INDEX message_kinds \(org_id=\? AND type=\? AND seq<\?\)$/
  for (const plan of await ask({ types: ['image', 'video'] })) t.match(plan, kind)
  const failed = /^SEARCH message USING COVERING INDEX message_failed \(org_id=\? AND seq<\?\)$/
  t.match((await ask({ statuses: ['failed'] }))[0], failed)
  const failedKind = /^SEARCH message USING COVERING INDEX message_failed_kinds \(org_id=\? AND type=\? AND seq<\?\)$/
  for (const plan of await ask({ types: ['text', 'image'], statuses: ['failed'] })) t.match(plan, failedKind)
  const all = /^SEARCH message USING COVERING INDEX message_org/
  for (const narrowing of [{}, { types: ['text', 'image'] }, { statuses: ['failed', 'sent'] }] as const)
    t.match((await ask(narrowing))[0], all)
})

t.test('several kinds are listed together in order of arrival, each message once', async t => {
  const stage = await anInbox()
  const bodies = ['a', 'b', 'c', 'd', 'e', 'f'].map((words, i) => ({
    ...text(words),
    type: (['text', 'location', 'sticker'] as const)[i % 3] ?? 'text',
  }))
  await stage.apply(...bodies.map(body => aMessage({ body })))
  const seqs = await newestThatMay({ types: ['location', 'sticker'] })(stage.databases.read, stage.orgId, {
    before: Number.MAX_SAFE_INTEGER,
    limit: 3,
  })
  const rows = await stage.databases.read.selectFrom('message').select(['seq', 'text']).execute()
  t.same(
    seqs.map(seq => rows.find(row => row.seq === seq)?.text),
    ['f', 'e', 'c'],
  )
})
