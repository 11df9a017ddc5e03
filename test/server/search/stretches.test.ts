import t from 'tap'
import { indexSlice } from '#server/search/indexing.ts'
import { findMessages } from '#server/search/message-search.ts'
import { findConversationsByText } from '#server/search/search.ts'
import { wordsOf } from '#server/search/words.ts'
import { aHouse } from '#test/helpers/house.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { say } from '#test/helpers/said.ts'
import { wholeOrganization } from '#test/helpers/viewers.ts'

const house = await aHouse(t)
const { databases } = house
const here = await aNeighbour(house, { orgName: 'Panadería', customer: '5491155550101' })
const orgId = here.owner.org.id
const viewer = wholeOrganization(orgId)

const stretch = 65_536
/** Some are empty, and each way of asking for several at once has its first and its last. */
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
    const { seqs } = await findMessages(databases.read, viewer, { words: wordsOf(typed), before, limit })
    found.push(...seqs)
    if (seqs.length < limit) return found
  }
}

t.test('what was said long ago is found page by page, each message once, the newest first', async t => {
  for (const limit of [1, 2, 5, 100]) t.same(await pages('medialuna', limit), newestFirst, `${limit} a page`)
})

t.test('all of the words are in one message, wherever it stands', async t => {
  t.same(
    await pages('rellen medialuna', 4),
    newestFirst.filter(seq => places.indexOf(seq) % 3 === 0),
  )
  t.same(await pages('rellena hoy', 4), [])
})

t.test('a conversation is found by what was said in it first', async t => {
  const [oldest] = ids as [string]
  await databases.write.updateTable('message').set({ text: 'chipá' }).where('id', '=', oldest).execute()
  while (await indexSlice(databases));
  t.equal((await findConversationsByText(databases.read, viewer, 'chipa')).length, 1)
})
