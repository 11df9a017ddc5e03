import t from 'tap'
import { createLoopTurn, longBulkTurnMs } from '#server/platform/work/loop-turn.ts'
import { countedTurn, countPerTurn, maxPerTurn } from '#test/helpers/loop-turn.ts'

t.test('work yields only after eight milliseconds of a turn', t => {
  let now = 0
  const turn = createLoopTurn(() => now)
  t.equal(turn.giveWay(), undefined)
  now = 7
  t.equal(turn.giveWay(), undefined)
  now = 8
  t.ok(turn.giveWay())
  t.end()
})

t.test('work with a lower limit yields earlier', t => {
  let now = 0
  const turn = createLoopTurn(() => now)
  t.equal(turn.giveWay(longBulkTurnMs), undefined)
  now = longBulkTurnMs
  t.equal(turn.giveWay(), undefined)
  t.ok(turn.giveWay(longBulkTurnMs))
  t.end()
})

/** Waits until the event loop has polled for I/O. */
const nextTurn = async () => {
  await new Promise(setImmediate)
  await new Promise(setImmediate)
}

t.test('a new turn is measured from its first call', async t => {
  let now = 0
  const turn = createLoopTurn(() => now)
  turn.giveWay()
  await nextTurn()
  now = 100
  t.equal(turn.giveWay(), undefined)
})

t.test('a turn does not end before the loop has polled for I/O', async t => {
  let now = 0
  const turn = createLoopTurn(() => now)
  turn.giveWay()
  await new Promise(setImmediate)
  now = 100
  t.ok(turn.giveWay(), 'all that wait for this round of the loop continue in it, one after another')
})

t.test('a hundred concurrent calls continue in order, some in each turn', async t => {
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
  t.ok(most <= maxPerTurn, `${most} in one turn`)
})

t.test('long work waits for readers, for a limited time', async t => {
  let now = 0
  const turn = createLoopTurn(() => now)
  const asks = () => {
    const state = { goesOn: false }
    void (turn.giveWay() ?? Promise.resolve()).then(() => {
      state.goesOn = true
    })
    return state
  }
  t.ok(turn.giveWay() === undefined, 'after a long pause work continues at once')
  const end = turn.read()
  t.equal(turn.giveWay(), undefined, 'and continues in the same turn')
  await nextTurn()
  now = 5
  const waits = asks()
  await nextTurn()
  t.notOk(waits.goesOn)
  t.equal(turn.waitForNewTurn(), undefined, 'a request does not wait for another')
  end()
  await nextTurn()
  await nextTurn()
  t.ok(waits.goesOn, 'there is no reader any more')
  turn.read()
  await nextTurn()
  now = 10
  const longer = asks()
  await nextTurn()
  t.notOk(longer.goesOn)
  now = 30
  await nextTurn()
  await nextTurn()
  t.ok(longer.goesOn, 'it has waited the longest time')
  await nextTurn()
  now = 111
  t.equal(turn.giveWay(), undefined)
  await nextTurn()
  now = 112
  t.equal(turn.giveWay(), undefined, 'a reader of this length is a download')
  await nextTurn()
  now = 200
  t.equal(turn.giveWay(), undefined)
  now = 207
  t.equal(turn.giveWay(), undefined, 'its turn has not ended')
  await nextTurn()
  turn.read()
  now = 226
  const last = asks()
  await nextTurn()
  t.notOk(last.goesOn, 'the time of a reader counts from its last step')
  now = 227
  await nextTurn()
  await nextTurn()
  t.ok(last.goesOn)
})

t.test('a request that computes for long lets requests that wait go first, for a limited time', async t => {
  let now = 0
  const turn = createLoopTurn(() => now)
  t.equal(turn.letRequestsPass(2), undefined, 'nobody waits')
  now = 8
  const order: string[] = []
  const computes = turn.letRequestsPass(2)?.then(() => order.push('computing'))
  const waits = turn.waitForNewTurn()?.then(() => order.push('request'))
  t.ok(computes && waits, 'this turn is too long')
  await Promise.all([computes, waits])
  t.strictSame(order, ['request', 'computing'])

  await nextTurn()
  now = 100
  t.equal(turn.letRequestsPass(2), undefined)
  now = 108
  const first = turn.letRequestsPass(2)
  void turn.waitForNewTurn()
  const second = turn.waitForNewTurn()
  now = 108 + 20
  await first
  t.ok(second, 'it has waited the longest time')
})
