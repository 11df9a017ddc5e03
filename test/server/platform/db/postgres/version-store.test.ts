import t from 'tap'
import type { Db } from '#server/platform/db/database.ts'
import { sharedVersion } from '#server/platform/db/postgres/version-store.ts'

/** A server that answers when it is told to. */
const aServer = () => {
  const asked: { answer(version: string): void; fail(): void }[] = []
  const executeQuery = () =>
    new Promise((resolve, reject) =>
      asked.push({
        answer: version => resolve({ rows: [{ version }] }),
        fail: () => reject(new Error('gone')),
      }),
    )
  return { asked, version: sharedVersion({ executeQuery } as unknown as Db) }
}
const turn = () => new Promise(resolve => setImmediate(resolve))

t.test('who asks while one is being read gets one that began afterwards, together with all who did', async t => {
  const { asked, version } = aServer()
  const first = version()
  const during = [version(), version(), version()]
  t.equal(asked.length, 1)
  asked[0]?.answer('1')
  t.equal(await first, '1')
  await turn()
  t.equal(asked.length, 2, 'one for all three')
  const later = version()
  asked[1]?.answer('2')
  t.same(await Promise.all(during), ['2', '2', '2'])
  await turn()
  asked[2]?.answer('3')
  t.equal(await later, '3', 'who came after it had begun has the next')
  const alone = version()
  t.equal(asked.length, 4, 'and nobody waits where nobody reads')
  asked[3]?.answer('4')
  t.equal(await alone, '4')
})

t.test('one that fails is told to those who asked for it, and the next is read all the same', async t => {
  const { asked, version } = aServer()
  const first = version()
  const during = version()
  asked[0]?.fail()
  await t.rejects(first, { message: 'gone' })
  await turn()
  asked[1]?.answer('2')
  t.equal(await during, '2')
})
