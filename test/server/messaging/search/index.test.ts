import fc from 'fast-check'
import t from 'tap'
import { seesSome } from '#server/identity/visibility/scope.ts'
import {
  addToIndex,
  findOrgKey,
  listUnread,
  readIndexedEmojiSeq,
  readIndexedSeq,
  removeFromIndex,
} from '#server/messaging/search/index-store.ts'
import { indexSlice } from '#server/messaging/search/indexing.ts'
import { findConversationsByText } from '#server/messaging/search/search.ts'
import { hasWords, isEmoji, searchWords, wordsIn } from '#server/messaging/search/words.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { say } from '#test/helpers/said.ts'
import { wholeOrganization } from '#test/helpers/viewers.ts'

const backend = await startBackend(t)
const { databases } = backend
const [here, there] = [
  await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' }),
  await aNeighbour(backend, { orgName: 'Florería', customer: '5491155550101' }),
]
const orgId = here.owner.org.id
const readAll = async () => {
  while (await indexSlice(databases));
}
const found = (typed: string, viewer = wholeOrganization(orgId)) =>
  findConversationsByText(databases.read, viewer, typed)

t.test('a message is found by prefixes of its words, without accents, in any order', async t => {
  await say(databases, orgId, ['El camión salió mañana temprano'])
  t.equal((await found('camion')).length, 1, 'before it is read in')
  await readAll()
  t.equal((await found('TEMPR camión')).length, 1)
  t.equal((await found('manana')).length, 1)
  t.same(await found('amion'), [])
  t.same(await found('camion nunca'), [])
})

t.test('an organization finds its own messages, and a member those they may see', async t => {
  await say(databases, there.owner.org.id, ['girasoles'])
  await readAll()
  t.same(await found('girasoles'), [])
  t.equal((await found('girasoles', wholeOrganization(there.owner.org.id))).length, 1)
  t.same(await found('girasoles', { orgId: there.owner.org.id, scope: seesSome({ tagIds: [], assigneeId: null }) }), [])
})

t.test('query syntax characters are treated as text', async t => {
  for (const typed of [
    '"',
    '*',
    'org : x',
    'a NOT b',
    'NEAR(a b)',
    '^a',
    '-a',
    "'; drop table message",
    'a" OR body:"b',
  ])
    t.type(await found(typed), Array, typed)
})

t.test('an edited message is found by its new words, a deleted one not at all', async t => {
  const [edited, revoked, deleted] = (await say(databases, orgId, ['zanahoria', 'berenjena', 'remolacha'])) as [
    string,
    string,
    string,
  ]
  await readAll()
  const change = (id: string) => databases.write.updateTable('message').where('id', '=', id)
  await change(edited).set({ text: 'calabaza' }).execute()
  await change(revoked).set({ revoked_at: '2026-11-22T00:00:00.000Z' }).execute()
  await databases.write.deleteFrom('message').where('id', '=', deleted).execute()
  t.equal((await found('calabaza')).length, 1, 'before it is read in again')
  await readAll()
  t.same(await found('zanahoria'), [])
  t.equal((await found('calabaza')).length, 1)
  t.same(await found('berenjena'), [])
  t.same(await found('remolacha'), [])
})

t.test('an emoji is found like a word, in any skin tone', async t => {
  await say(databases, orgId, ['¡Feliz cumple!🥳👍🏽', 'sin nada 🇦🇷'])
  t.equal((await found('🥳')).length, 1, 'before it is read in')
  await readAll()
  for (const typed of ['🥳', 'cumple 🥳', '👍', '👍🏿', '🇦🇷']) t.equal((await found(typed)).length, 1, typed)
  for (const typed of ['🦖', 'nada 🥳', '🇧🇷']) t.same(await found(typed), [], typed)
})

t.test('messages indexed before emojis were words are scanned for them, in slices', async t => {
  const texts = Array.from({ length: 900 }, (_, i) => (i % 3 ? `de antes ${i}` : `de antes ${i} 🧁`))
  await say(databases, orgId, [...texts, 'el último de antes 🪅'])
  await readAll()
  const old = await databases.read
    .selectFrom('message')
    .select(['seq', 'text'])
    .where('text', 'like', '%de antes%')
    .execute()
  const orgKey = (await findOrgKey(databases.read, orgId)) as number
  await inTransaction(databases, async trx => {
    await removeFromIndex(
      trx,
      old.map(({ seq }) => seq),
    )
    const lettersOf = (text: string) => wordsIn(text).filter(word => !isEmoji(word))
    await addToIndex(
      trx,
      old.map(({ seq, text }) => ({ seq, orgKey, words: lettersOf(text) })),
    )
    await trx
      .insertInto('search_place')
      .values({ name: 'emoji', seq: await readIndexedSeq(trx) })
      .execute()
  })
  t.same([await found('🧁'), (await found('antes 897')).length], [[], 1])
  await say(databases, orgId, ['y uno de ahora 🧉'])
  await indexSlice(databases)
  t.same([(await found('🧉')).length, await found('🧁')], [1, []], 'what is new goes before')
  await indexSlice(databases)
  t.same([(await found('antes 900')).length, (await found('🪅')).length, (await found('antes 0 🧁')).length], [0, 1, 0])
  await readAll()
  t.equal((await found('antes 0 🧁')).length, 1)
  t.equal(await readIndexedEmojiSeq(databases.read), undefined)
})

t.test('a file is found by its name', async t => {
  const { message_id: id } = await databases.read
    .selectFrom('media')
    .select('message_id')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  await databases.write.updateTable('media').set({ name: 'factura-octubre.pdf' }).where('message_id', '=', id).execute()
  await databases.write.updateTable('message').set({ text: 'acá está' }).where('id', '=', id).execute()
  t.equal((await found('octub')).length, 1)
})

t.test('a slice has a fixed number of messages, fewer if they are long', async t => {
  await say(
    databases,
    orgId,
    Array.from({ length: 600 }, (_, i) => `breve ${i}`),
  )
  await say(
    databases,
    orgId,
    Array.from({ length: 60 }, () => 'largo '.repeat(680)),
  )
  const slices: number[] = []
  for (;;) {
    const before = await readIndexedSeq(databases.read)
    const unread = await listUnread(databases.read, before, 1_000)
    if (!(await indexSlice(databases))) break
    const after = await readIndexedSeq(databases.read)
    const read = unread.filter(row => row.seq <= after)
    slices.push(read.length)
    t.ok(read.length <= 400)
    t.ok(read.reduce((sum, row) => sum + row.text.length, 0) <= 96 * 1024 + 4096)
  }
  t.ok(slices.length > 3)
})

t.test('a sent message queues an indexing job, shared by messages that follow at once', async t => {
  const jobs = databases.read.selectFrom('job').select('state').where('kind', '=', 'index')
  t.same(await jobs.execute(), [])
  for (const message of ['Ya sale', 'En camino']) {
    const reply = await backend.inject({
      method: 'POST',
      url: '/api/whatsapp/messages',
      headers: here.headers,
      payload: { type: 'text', message, numberTel: here.customer },
    })
    t.equal(reply.statusCode, 202, reply.body)
  }
  t.same(await jobs.execute(), [{ state: 'scheduled' }])
  backend.clock.advance(3_000)
  backend.parts.jobs.wake()
  await backend.settle()
  t.same(await listUnread(databases.read, await readIndexedSeq(databases.read), 1), [])
  t.equal((await found('en camino')).length, 1)
})

t.test('the index gives the same results as scanning every message', async t => {
  const word = fc.constantFrom('a', 'ab', 'abc', 'Ábc', 'b', 'ñu', 'nu', '12', '123', '🎉', 'x.y', "o'b")
  const text = fc.array(word, { minLength: 1, maxLength: 5 }).map(words => `qq ${words.join(' ')}`)
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 4 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      async (texts, typed) => {
        await databases.write.deleteFrom('message').where('text', 'like', 'qq %').execute()
        await say(databases, orgId, texts)
        await readAll()
        const words = searchWords(`qq ${typed.join(' ')}`)
        t.equal(
          (await found(words.join(' '))).length > 0,
          texts.some(one => hasWords(one, words)),
          `${texts} / ${typed}`,
        )
      },
    ),
    { numRuns: 60, seed: 7 },
  )
})

testOnSqlite('messages that a restore copied in are read into the index by the next start', async t => {
  const restored = await freshDatabases()
  t.teardown(() => restored.close())
  const owner = await aMember({ databases: restored })
  const row = {
    org_id: owner.org.id,
    conversation_id: 'c',
    direction: 'in',
    type: 'text',
    at: '2026-11-20T12:00:00.000Z',
    status: 'received',
  }
  restored.raw.write.pragma('foreign_keys = off')
  for (let i = 0; i < 450; i += 1)
    await restored.write
      .insertInto('message')
      .values({ ...row, id: `m${i}`, text: `antes ${i}` } as never)
      .execute()
  t.equal(await readIndexedSeq(restored.read), 0)
  const started = await startBackend(t, { databases: restored })
  await started.parts.indexing.start()
  started.clock.advance(3_000)
  started.parts.jobs.wake()
  await started.settle()
  t.same(await listUnread(restored.read, await readIndexedSeq(restored.read), 1), [])
  t.same(await findConversationsByText(restored.read, wholeOrganization(owner.org.id), 'antes 449'), ['c'])
})
