import t from 'tap'
import type { Db } from '#server/platform/db/database.ts'
import { sharedVersion } from '#server/platform/db/postgres/version-store.ts'

/** A server that answers when the test says so. */
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

t.test('calls during a reading share one that begins afterwards', async t => {
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
  t.equal(await later, '3', 'a caller after its start gets the next one')
  const alone = version()
  t.equal(asked.length, 4, 'without readers nobody waits')
  asked[3]?.answer('4')
  t.equal(await alone, '4')
})

t.test('a failed reading rejects its own callers, and the next one is read', async t => {
  const { asked, version } = aServer()
  const first = version()
  const during = version()
  asked[0]?.fail()
  await t.rejects(first, { message: 'gone' })
  await turn()
  asked[1]?.answer('2')
  t.equal(await during, '2')
})
