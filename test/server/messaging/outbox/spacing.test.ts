/** How what goes to many leaves one after another, by a clock and pauses that are held by hand. */
import fc from 'fast-check'
import t from 'tap'
import { createSpacing, partOf } from '#server/messaging/outbox/spacing.ts'

/** A clock that goes on to the next pause once everything before it is done, and later where the process is held. */
const createPauses = () => {
  let now = 0
  const pauses: { at: number; end: () => void }[] = []
  return {
    nowMs: () => now,
    pause: (ms: number) => new Promise<void>(end => void pauses.push({ at: now + ms, end })),
    nextTurn: async () => undefined,
    /** Everything stands still for so long. */
    hold(ms: number) {
      now += ms
    },
    async goOn() {
      await new Promise(resolve => setImmediate(resolve))
      const [next] = pauses.sort((a, b) => a.at - b.at).splice(0, 1)
      if (!next) return
      now = Math.max(now, next.at)
      next.end()
    },
  }
}

/** What holds a process: so long after each of its looks, or once in a while. */
type Holds = readonly number[] | { readonly everyMs: number; readonly ms: number }
const createHolds = (holds: Holds) => {
  let looks = 0
  let since = 0
  return (now: number): number => {
    looks += 1
    if (!('ms' in holds)) return holds[(looks - 1) % holds.length] ?? 0
    if (now - since < holds.everyMs) return 0
    since = now
    return holds.ms
  }
}

/**
 * A process that always has something to send: it looks, takes, and is now and then held by something else. Each of what it sends is
 * answered as soon as it has arrived, after its way; without ways nothing is.
 */
const play = async (perSecond: number, seconds: number, holds: Holds, ways: readonly number[] = []) => {
  const clock = createPauses()
  const left: number[] = []
  const spacing = createSpacing(clock)
  spacing.setPace('number', perSecond)
  const heldAt = createHolds(holds)
  const claim = async () => {
    for (;;) {
      const { count, inMs } = spacing.free('number')
      for (let i = 0; i < Math.min(count, 64); i += 1) {
        spacing.take('number')
        spacing.reach('number').then(async one => {
          const at = left.push(clock.nowMs()) - 1
          const wayMs = ways[at % ways.length]
          if (wayMs === undefined) return
          await clock.pause(wayMs)
          one.answered()
        })
      }
      await clock.pause(count ? 1 : inMs)
      clock.hold(heldAt(clock.nowMs()))
    }
  }
  void claim()
  while (clock.nowMs() < seconds * 1000) await clock.goOn()
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

const meanOf = (times: readonly number[]) =>
  ((times.length - 1) * 1000) / ((times.at(-1) as number) - (times[0] as number))

const paces = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constantFrom(1, 20, 80, 250, 1000))
const holdsUpTo = (max: number) => fc.array(fc.integer({ min: 0, max }), { minLength: 1, maxLength: 20 })

t.test('never more in any second than was said, however the process is held up', async () => {
  await fc.assert(
    fc.asyncProperty(paces, holdsUpTo(400), async (perSecond, holds) => {
      const most = mostInASecond(await play(perSecond, 6, holds))
      if (most > perSecond) throw new Error(`${most} of ${perSecond}`)
    }),
    { numRuns: 60 },
  )
})

t.test('nor where they arrive, each some milliseconds later than it left', async () => {
  await fc.assert(
    fc.asyncProperty(paces, holdsUpTo(150), holdsUpTo(8), async (perSecond, holds, ways) => {
      const left = await play(perSecond, 6, holds)
      const arrived = left.map((at, i) => at + (ways[i % ways.length] as number)).sort((a, b) => a - b)
      const most = mostInASecond(arrived)
      if (most > perSecond) throw new Error(`${most} of ${perSecond}`)
    }),
    { numRuns: 60 },
  )
})

t.test('nor where they arrive much later than they left, as answers tell', async () => {
  const way = fc.oneof({ weight: 40, arbitrary: fc.integer({ min: 1, max: 6 }) }, fc.integer({ min: 20, max: 50 }))
  await fc.assert(
    fc.asyncProperty(paces, fc.array(way, { minLength: 100, maxLength: 400 }), async (pace, some) => {
      // The fastest way is known from the first one on.
      const ways = [1, ...some]
      const left = await play(pace, 5, [0], ways)
      const arrived = left.map((at, i) => at + (ways[i % ways.length] as number)).sort((a, b) => a - b)
      const most = mostInASecond(arrived)
      if (most > pace) throw new Error(`${most} of ${pace}`)
    }),
    { numRuns: 30 },
  )
})

t.test('however unevenly answers come, little is given for it', async t => {
  const ways = Array.from({ length: 500 }, (_, i) => 100 + ((i * 7919) % 300))
  for (const pace of [80, 1000]) {
    const left = await play(pace, 30, [0], ways)
    t.ok(Math.abs(meanOf(left) - pace) <= pace * 0.02, `${meanOf(left)} of ${pace}`)
  }
})

/** Held now and then, a few times a second at most, for as long as a commit takes or a collection of garbage. */
const nowAndThen = fc
  .tuple(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 10, maxLength: 40 }), fc.integer({ min: 0, max: 60 }))
  .map(([often, once]) => [...Array.from({ length: 160 }, (_, i) => often[i % often.length] as number), once])

t.test('a process that is held with one in its hands counts it as late as it may have left', async t => {
  let now = 0
  const spacing = createSpacing({
    nowMs: () => now,
    pause: async ms => {
      now += ms
    },
    // Nobody knows whether it was written before this or after it.
    nextTurn: async () => {
      now += 100
    },
  })
  spacing.setPace('number', 2)
  const left: number[] = []
  for (let i = 0; i < 3; i += 1) {
    spacing.take('number')
    await spacing.reach('number')
    left.push(now)
    await new Promise(resolve => setImmediate(resolve))
  }
  const [first, , third] = left as [number, number, number]
  t.ok(third - (first + 100) >= 1000, `${third - first} ms`)
})

t.test('the mean is what was said, within two in a hundred, with short stops made up for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(1, 7, 20, 80, 250, 1000), nowAndThen, async (perSecond, holds) => {
      const mean = meanOf(await play(perSecond, 60, holds))
      if (Math.abs(mean - perSecond) > perSecond * 0.02) throw new Error(`${mean} of ${perSecond}`)
    }),
    { numRuns: 12 },
  )
})

t.test('nor is it less where the process is held for a fifth of a second now and then', async t => {
  for (const perSecond of [80, 1000]) {
    const left = await play(perSecond, 40, { everyMs: 5_000, ms: 200 })
    t.ok(Math.abs(meanOf(left) - perSecond) <= perSecond * 0.02, `${meanOf(left)} of ${perSecond}`)
    t.ok(mostInASecond(left) <= perSecond)
  }
})

/** The same where each has to be prepared, those of a moment together; how many were ready at most and had not left. */
const playPrepared = async (perSecond: number, seconds: number, preparingMs: number) => {
  const clock = createPauses()
  const left: number[] = []
  const early: number[] = []
  let ready = 0
  let prepared = 0
  const spacing = createSpacing(clock)
  spacing.setPace('number', perSecond)
  const claim = async () => {
    for (;;) {
      const { count, inMs } = spacing.free('number')
      for (let i = 0; i < count; i += 1) {
        spacing.take('number')
        const prepare = async () => {
          await clock.pause(preparingMs)
          prepared += 1
          // Every hundredth does not go.
          if (prepared % 100 === 0) return false
          ready += 1
          return true
        }
        spacing.reach('number', prepare).then(way => {
          if (!way) return
          early.push(ready)
          ready -= 1
          left.push(clock.nowMs())
          way.answered()
        })
      }
      await clock.pause(count ? 1 : inMs)
    }
  }
  void claim()
  while (clock.nowMs() < seconds * 1000) await clock.goOn()
  return { left, maxCompiled: Math.max(...early), meanReady: early.reduce((sum, one) => sum + one, 0) / early.length }
}

t.test('what has to be prepared is so just before its turn, at the same pace', async t => {
  for (const perSecond of [20, 80, 250, 1000])
    for (const preparingMs of [1, 5, 15]) {
      const { left, maxCompiled, meanReady } = await playPrepared(perSecond, 6, preparingMs)
      const says = `${perSecond} a second, prepared in ${preparingMs} ms`
      t.ok(mostInASecond(left) <= perSecond, `${says}: never more`)
      const mean = meanOf(left)
      t.ok(Math.abs(mean - perSecond) <= perSecond * 0.02, `${says}: ${mean}`)
      t.ok(meanReady <= 1.5 + perSecond * 0.02, `${says}: ${meanReady} ready, ${maxCompiled} at most`)
    }
})

t.test('one whose preparing throws hears of it and holds up nobody', async t => {
  const spacing = createSpacing()
  const refused = spacing.reach('number', async () => Promise.reject(new Error('no disk')))
  const next = spacing.reach('number', async () => true)
  await t.rejects(refused, { message: 'no disk' })
  t.ok(await next)
})

t.test('one that waits for a connection counts as of when it is written', async t => {
  let now = 0
  const spacing = createSpacing({
    nowMs: () => now,
    pause: async ms => {
      now += ms
    },
    nextTurn: async () => undefined,
  })
  spacing.setPace('number', 2)
  const send = async (waitsMs: number) => {
    spacing.take('number')
    const way = await spacing.reach('number')
    now += waitsMs
    way.written()
    return now
  }
  const first = await send(300)
  await send(0)
  const third = await send(0)
  t.ok(third - first >= 1000, `${third - first} ms`)
})

t.test('those that are taken together leave one after another', async t => {
  const times = await play(80, 10, [0], [2])
  const gaps = times.slice(1).map((at, i) => at - (times[i] as number))
  t.ok(Math.max(...gaps) <= 25, `${Math.max(...gaps)} ms between two`)
  t.equal(new Set(times).size, times.length, 'never two at once')
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
    t.ok(Math.max(...later) <= 128, `${Math.max(...later)} together at ${perSecond} a second`)
  }
})

t.test('none is taken ahead of its time, and what one number waits for is nothing to another', async t => {
  let now = 5_000
  const spacing = createSpacing({
    nowMs: () => now,
    pause: async ms => {
      now += ms
    },
    nextTurn: async () => undefined,
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
    nextTurn: async () => undefined,
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

t.test('processes that share a number have no more of it together than it has', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 20 }), (perSecond, processes) => {
      const part = partOf(perSecond, processes)
      return part >= 1 && (part === 1 || part * processes <= perSecond)
    }),
  )
})
