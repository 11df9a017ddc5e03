import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { createPace } from '#server/messaging/intake/pace.ts'

/** Before the event loop has turned. */
const isAtOnce = (work: Promise<void>): Promise<boolean> => Promise.race([work.then(() => true), nextTurn(false)])

const timed = async (work: () => Promise<void>): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

t.test('a flood is journaled first, and a slice of it is derived all the same', async t => {
  const pace = createPace({ isBeside: true, crowd: () => 60 })
  const beforeFirst = await timed(() => pace.resume())
  t.ok(beforeFirst >= 490 && beforeFirst < 2000, `the first waits for half a second, it was ${beforeFirst} ms`)
  pace.begin()
  const between = await timed(() => pace.rest({ rows: pace.rows() }))
  t.ok(between >= 490 && between < 2000, `so does each after it, it was ${between} ms`)
})

t.test('what has come is derived as soon as the flood is over', async t => {
  let crowd = 60
  const pace = createPace({ isBeside: true, crowd: () => crowd })
  const rest = timed(() => pace.resume())
  await pause(60)
  crowd = 4
  t.ok((await rest) < 450, 'long before half a second')
})

t.test('a few are derived at once, and an engine in this process, whose slices are small, has no floods', async t => {
  t.ok(await isAtOnce(createPace({ isBeside: true, crowd: () => 20 }).resume()))
  t.ok(await isAtOnce(createPace({ isBeside: false, crowd: () => 60 }).resume()))
})

t.test('a slice that takes long is followed by a smaller one, but not by one of mere round trips', async t => {
  for (const [isBeside, tookMs, fewest] of [
    [false, 15, 16],
    [true, 50, 64],
  ] as const) {
    const pace = createPace({ isBeside, crowd: () => 0 })
    for (let i = 0; i < 4; i += 1) {
      pace.begin()
      await pause(tookMs)
      await pace.rest({ rows: pace.rows() })
    }
    t.equal(pace.rows(), fewest)
  }
})
