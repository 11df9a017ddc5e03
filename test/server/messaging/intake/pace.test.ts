import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { createPace } from '#server/messaging/intake/pace.ts'

/** Whether the work settles before the next event loop turn. */
const isAtOnce = (work: Promise<void>): Promise<boolean> => Promise.race([work.then(() => true), nextTurn(false)])

const timed = async (work: () => Promise<void>): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

t.test('during a flood webhooks are stored first, and a slice is still derived', async t => {
  const pace = createPace({ isOtherProcess: true, takePeakPendingWebhooks: () => 60 })
  const beforeFirst = await timed(() => pace.resume())
  t.ok(beforeFirst >= 490, `the first waits for half a second, it was ${beforeFirst} ms`)
  pace.begin()
  const between = await timed(() => pace.rest({ rows: pace.rows() }))
  t.ok(between >= 490, `so does each after it, it was ${between} ms`)
})

t.test('waiting webhooks are derived as soon as the flood ends', async t => {
  const pending = [60, 60, 4]
  const pace = createPace({ isOtherProcess: true, takePeakPendingWebhooks: () => pending.shift() ?? 60 })
  await pace.resume()
  t.equal(pending.length, 0, 'it asks until few wait')
})

t.test(
  'few webhooks are derived at once; an engine in this process, with its small slices, knows no flood',
  async t => {
    t.ok(await isAtOnce(createPace({ isOtherProcess: true, takePeakPendingWebhooks: () => 20 }).resume()))
    t.ok(await isAtOnce(createPace({ isOtherProcess: false, takePeakPendingWebhooks: () => 60 }).resume()))
  },
)

t.test('a slow slice is followed by a smaller one, but never smaller than one of mere round trips', async t => {
  for (const [isOtherProcess, tookMs, fewest] of [
    [false, 15, 16],
    [true, 50, 64],
  ] as const) {
    const pace = createPace({ isOtherProcess, takePeakPendingWebhooks: () => 0 })
    for (let i = 0; i < 4; i += 1) {
      pace.begin()
      await pause(tookMs)
      await pace.rest({ rows: pace.rows() })
    }
    t.equal(pace.rows(), fewest)
  }
})
