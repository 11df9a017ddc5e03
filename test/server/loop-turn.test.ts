import t from 'tap'
import { createLoopTurn } from '#server/loop-turn.ts'
import { countedTurn, countPerTurn, mostPerTurn } from '#test/helpers/loop-turn.ts'

t.test('nobody waits in a short turn', t => {
  let now = 0
  const turn = createLoopTurn(() => now)
  t.equal(turn.giveWay(), undefined)
  now = 7
  t.equal(turn.giveWay(), undefined)
  now = 8
  t.ok(turn.giveWay())
  t.end()
})

t.test('what is asked in a new turn counts from there', async t => {
  let now = 0
  const turn = createLoopTurn(() => now)
  turn.giveWay()
  await new Promise(setImmediate)
  now = 100
  t.equal(turn.giveWay(), undefined)
})

t.test('a hundred that come at once go on in the order they came, some in each turn', async t => {
  const turn = countedTurn()
  const order: number[] = []
  const most = await countPerTurn(count =>
    Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        await turn.giveWay()
        count()
        order.push(i)
      }),
    ),
  )
  t.strictSame(
    order,
    [...order].sort((a, b) => a - b),
  )
  t.equal(order.length, 100)
  t.ok(most <= mostPerTurn, `${most} in one turn`)
})
