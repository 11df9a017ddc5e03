import t from 'tap'
import { joinedWith } from '#client/inbox/thread/join-messages.ts'
import type { Message } from '#shared/inbox/messages.ts'

const messages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ id: String(from + i) }) as Message)
const ids = (list: readonly Message[]) => list.map(({ id }) => Number(id))

t.test('a part that does not reach the newest messages stays separate', async t => {
  const joined = joinedWith(messages(10, 20), messages(22, 30))
  t.same(ids(joined.messages), ids(messages(10, 20)))
  t.equal(joined.isWhole, false)
})

t.test('overlapping parts become one list without gaps or duplicates', async t => {
  for (const [from, to] of [
    [10, 22],
    [10, 25],
    [10, 30],
    [22, 30],
    [24, 26],
  ] as const) {
    const joined = joinedWith(messages(from, to), messages(22, 31))
    t.same(ids(joined.messages), ids(messages(Math.min(from, 22), 31)))
    t.equal(joined.isWhole, true)
  }
})
