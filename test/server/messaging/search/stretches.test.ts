import t from 'tap'
import { indexSlice, outlineStretch } from '#server/messaging/search/indexing.ts'
import { findMessages } from '#server/messaging/search/message-search.ts'
import { firstWithout, markOutline, saveOutline } from '#server/messaging/search/outline-store.ts'
import { findConversationsByText } from '#server/messaging/search/search.ts'
import { searchWords } from '#server/messaging/search/words.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { say } from '#test/helpers/said.ts'
import { wholeOrganization } from '#test/helpers/viewers.ts'

const backend = await startBackend(t)
const { databases } = backend
const here = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
const orgId = here.owner.org.id
const viewer = wholeOrganization(orgId)

const stretch = 65_536
/** Some stretches are empty, and every way of reading several at once has its first and last. */
const places = [1, 2, 4, 8, 9, 12, 13, 17, 18, 30].flatMap(nth => [
  nth * stretch,
  nth * stretch + 7,
  (nth + 1) * stretch - 1,
])

const ids = await say(
  databases,
  orgId,
  places.map((_, i) => (i % 3 ? 'medialunas para hoy' : 'medialuna rellena')),
)
for (const [i, seq] of places.entries())
  await databases.write
    .updateTable('message')
    .set({ seq })
    .where('id', '=', ids[i] as string)
    .execute()
while (await indexSlice(databases));
const newestFirst = places.toReversed()

const pages = async (typed: string, limit: number): Promise<number[]> => {
  const found: number[] = []
  for (let before: number | undefined; ; before = found.at(-1)) {
    const { seqs } = await findMessages(databases.read, viewer, { words: searchWords(typed), before, limit })
    found.push(...seqs)
    if (seqs.length < limit) return found
  }
}

t.test('old messages are found page by page, each once, newest first', async t => {
  for (const limit of [1, 2, 5, 100]) t.same(await pages('medialuna', limit), newestFirst, `${limit} a page`)
})

t.test('all words must be in one message, wherever it is', async t => {
  t.same(
    await pages('rellen medialuna', 4),
    newestFirst.filter(seq => places.indexOf(seq) % 3 === 0),
  )
  t.same(await pages('rellena hoy', 4), [])
})

t.test('a conversation is found by its newest matching message', async t => {
  const [oldest] = ids as [string]
  await databases.write.updateTable('message').set({ text: 'chipá' }).where('id', '=', oldest).execute()
  while (await indexSlice(databases));
  t.equal((await findConversationsByText(databases.read, viewer, 'chipa')).length, 1)
})

/** The lookups in the word index. */
const asked = async (work: (db: typeof databases.read) => Promise<unknown>): Promise<string[]> => {
  const queries: string[] = []
  // A connection of its own, so that no cached statement takes a shortcut.
  const db = databases.read.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  })
  const execute = db.executeQuery.bind(db)
  db.executeQuery = (query, options) => {
    if ('sql' in query && query.sql.includes('from message_index')) queries.push(String(query.parameters[0]))
    return execute(query, options)
  }
  await work(db)
  return queries
}
const askedFor = (typed: string) =>
  asked(db => findMessages(db, viewer, { words: searchWords(typed), limit: 31 })).then(
    queries => queries.join().split(typed).length - 1,
  )

t.test('with outlines a word is searched only where it may occur, with the same results', async t => {
  t.equal(await askedFor('inaudita'), 31, 'in each of them')
  for (let i = 0; i < 31; i += 1) t.equal(await outlineStretch(databases), true)
  t.equal(await outlineStretch(databases), false, 'all have theirs')
  t.equal(await askedFor('inaudita'), 1, 'in the newest')
  t.equal(await askedFor('medialuna'), 10, 'in the newest, and where it was said')
  for (const limit of [1, 2, 5, 100]) {
    const [oldest, ...others] = newestFirst.toReversed()
    t.same(await pages('medialuna', limit), others.toReversed(), `${limit} a page`)
    t.same(await pages('chipa', limit), [oldest], `${limit} a page`)
  }
  t.same(await pages('rellen medialuna', 4), newestFirst.filter(seq => places.indexOf(seq) % 3 === 0).slice(0, -1))
  t.same(await pages('rellena hoy', 4), [])
  t.equal((await findConversationsByText(databases.read, viewer, 'chipa')).length, 1)
})

t.test('a message edited long afterwards is found by its new words', async t => {
  const id = ids[3] as string
  await databases.write.updateTable('message').set({ text: 'ahora churros' }).where('id', '=', id).execute()
  t.same(await pages('churro', 5), [places[3]], 'before it is read in anew')
  while (await indexSlice(databases));
  t.same(await pages('churro', 5), [places[3]])
  t.equal(await firstWithout(databases.read, 31), 2, 'the outline of its stretch is gone')
  t.equal(await outlineStretch(databases), true)
  t.same(await pages('churro', 5), [places[3]])
  t.equal(await askedFor('inaudita'), 1)
})

t.test('an outline is discarded if words were added while it was built', async t => {
  const mark = await inTransaction(databases, trx => markOutline(trx, 2))
  await databases.write
    .updateTable('message')
    .set({ text: 'ahora vigilantes' })
    .where('id', '=', ids[3] as string)
    .execute()
  while (await indexSlice(databases));
  const parts = Array.from({ length: 32 }, () => Buffer.alloc(0))
  await inTransaction(databases, trx => saveOutline(trx, 2, { mark, parts }))
  t.equal(await firstWithout(databases.read, 31), 2)
  t.same(await pages('vigilante', 5), [places[3]])
})

t.test('missing outlines are built at the start and by the job that indexes new messages', async t => {
  const work = async () => {
    backend.clock.advance(3_000)
    backend.parts.jobs.wake()
    await backend.settle()
  }
  await backend.parts.indexing.start()
  await work()
  t.equal(await firstWithout(databases.read, 31), undefined)
  await databases.write
    .updateTable('message')
    .set({ text: 'ahora bizcochos' })
    .where('id', '=', ids[3] as string)
    .execute()
  const payload = { type: 'text', message: 'Hola', numberTel: here.customer }
  const reply = await backend.inject({ method: 'POST', url: '/api/whatsapp/messages', headers: here.headers, payload })
  t.equal(reply.statusCode, 202, reply.body)
  await work()
  await work()
  t.same(await pages('bizcocho', 5), [places[3]])
  t.equal(await firstWithout(databases.read, 31), undefined)
})
