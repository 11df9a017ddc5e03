/** How what goes to many leaves one after another, by a clock and pauses that are held by hand. */
import fc from 'fast-check'
import t from 'tap'
import { createSpacing } from '#server/outbox/spacing.ts'

/** A process that sends as fast as it may: it looks, takes, and is now and then held by something else. */
const play = async (perSecond: number, seconds: number, stalls: readonly number[]) => {
  let now = 0
  let stalled = 0
  const left: number[] = []
  const spacing = createSpacing({
    nowMs: () => now,
    pause: async ms => {
      now += ms
    },
  })
  spacing.setPace('number', perSecond)
  while (now < seconds * 1000) {
    const { count, inMs } = spacing.free('number')
    if (!count) now += inMs
    const taken = Math.min(count, 32)
    for (let i = 0; i < taken; i += 1) spacing.take('number')
    for (let i = 0; i < taken; i += 1) {
      await spacing.reach('number')
      left.push(now)
    }
    const stall = stalls[stalled % stalls.length] ?? 0
    stalled += 1
    now += stall
  }
  return left
}

const mostInASecond = (times: readonly number[]) => {
  let most = 0
  for (let from = 0, to = 0; to < times.length; to += 1) {
    while ((times[to] as number) - (times[from] as number) >= 1000) from += 1
    most = Math.max(most, to - from + 1)
  }
  return most
}

t.test('never more in any second than was said, however the process is held up', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1000 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 20 }),
      async (perSecond, stalls) => {
        const most = mostInASecond(await play(perSecond, 6, stalls))
        if (most > perSecond) throw new Error(`${most} of ${perSecond}`)
      },
    ),
    { numRuns: 60 },
  )
})

t.test('the mean is what was said, within two in a hundred, with short stops made up for', async t => {
  for (const perSecond of [1, 20, 80, 1000]) {
    const times = await play(perSecond, 60, [0, 0, 3, 0, 12, 1])
    const mean = ((times.length - 1) * 1000) / ((times.at(-1) as number) - (times[0] as number))
    t.ok(Math.abs(mean - perSecond) <= perSecond * 0.02, `${mean} of ${perSecond}`)
  }
})

t.test('those of a moment are taken together, and no more of them than a commit takes', async t => {
  for (const [perSecond, timesASecond] of [
    [1, 1],
    [20, 8],
    [80, 8],
    [250, 8],
    [1000, 16],
  ] as const) {
    let now = 0
    const spacing = createSpacing({ nowMs: () => now })
    spacing.setPace('number', perSecond)
    const counts: number[] = []
    while (now < 10_000) {
      const { count, inMs } = spacing.free('number')
      if (count) counts.push(count)
      for (let i = 0; i < count; i += 1) spacing.take('number')
      now += inMs
    }
    const [, ...later] = counts
    t.ok(counts.length <= 10 * timesASecond, `${counts.length} times at ${perSecond} a second`)
    t.ok(Math.max(...later) <= 64, `${Math.max(...later)} together at ${perSecond} a second`)
  }
})

t.test('none is taken ahead of its time, and what one number waits for is nothing to another', async t => {
  let now = 5_000
  const spacing = createSpacing({
    nowMs: () => now,
    pause: async ms => {
      now += ms
    },
  })
  spacing.setPace('slow', 1)
  spacing.setPace('fast', 1000)
  spacing.take('slow')
  t.equal(spacing.free('slow').count, 0)
  t.ok(spacing.free('slow').inMs > 500)
  for (let taken = 0; spacing.free('fast').count; taken += 1) {
    spacing.take('fast')
    if (taken > 400) throw new Error('there is no end to it')
  }
  now += 10_000
  t.ok(spacing.free('slow').count >= 1)
})

t.test('a pace that changes counts for what left before', async t => {
  let now = 0
  const spacing = createSpacing({
    nowMs: () => now,
    pause: async ms => {
      now += ms
    },
  })
  spacing.setPace('number', 100)
  const send = async () => {
    const { inMs } = spacing.free('number')
    now += inMs
    spacing.take('number')
    await spacing.reach('number')
  }
  for (let i = 0; i < 100; i += 1) await send()
  spacing.setPace('number', 10)
  const from = now
  await send()
  t.ok(now - from > 900, `after ${now - from} ms`)
  spacing.setPace('number', 10)
  spacing.setPace('number', 50)
  for (let i = 0; i < 60; i += 1) await send()
  t.ok(now - from > 1_800)
})
