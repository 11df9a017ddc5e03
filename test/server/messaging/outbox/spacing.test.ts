/** The rate limiter of bulk sends, tested with a manual clock and manual pauses. */
import fc from 'fast-check'
import t from 'tap'
import { createSpacing, shareOfProcess } from '#server/messaging/outbox/spacing.ts'

/** A clock that advances to the next pause once everything before it is done, and later if the process is stalled. */
const createPauses = () => {
  let now = 0
  const pauses: { at: number; end: () => void }[] = []
  return {
    nowMs: () => now,
    pause: (ms: number) => new Promise<void>(end => void pauses.push({ at: now + ms, end })),
    nextTick: async () => undefined,
    /** The process stalls for `ms`. */
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

/** Stalls of the process: after each of its checks in turn, or periodically. */
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
 * A process that always has something to send: it checks, claims, and stalls now and then. With `delays`, each message
 * is answered as soon as it arrives, after its delay; without, no message is answered.
 */
const play = async (perSecond: number, seconds: number, holds: Holds, ways: readonly number[] = []) => {
  const clock = createPauses()
  const left: number[] = []
  const spacing = createSpacing(clock)
  spacing.setRate('number', perSecond)
  const heldAt = createHolds(holds)
  const claim = async () => {
    for (;;) {
      const { count, inMs } = spacing.capacity('number')
      for (let i = 0; i < Math.min(count, 64); i += 1) {
        spacing.countClaimed('number')
        spacing.waitForSlot('number').then(async one => {
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

t.test('no second has more sends than allowed, however the process stalls', async () => {
  await fc.assert(
    fc.asyncProperty(paces, holdsUpTo(400), async (perSecond, holds) => {
      const most = mostInASecond(await play(perSecond, 6, holds))
      if (most > perSecond) throw new Error(`${most} of ${perSecond}`)
    }),
    { numRuns: 60 },
  )
})

t.test('no second has more arrivals than allowed, each some milliseconds after its send', async () => {
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

t.test('no second has more arrivals than allowed if responses show much longer delays', async () => {
  const way = fc.oneof({ weight: 40, arbitrary: fc.integer({ min: 1, max: 6 }) }, fc.integer({ min: 20, max: 50 }))
  await fc.assert(
    fc.asyncProperty(paces, fc.array(way, { minLength: 100, maxLength: 400 }), async (pace, some) => {
      // The shortest delay is known from the first message on.
      const ways = [1, ...some]
      const left = await play(pace, 5, [0], ways)
      const arrived = left.map((at, i) => at + (ways[i % ways.length] as number)).sort((a, b) => a - b)
      const most = mostInASecond(arrived)
      if (most > pace) throw new Error(`${most} of ${pace}`)
    }),
    { numRuns: 30 },
  )
})

t.test('irregular response times cost little throughput', async t => {
  const ways = Array.from({ length: 500 }, (_, i) => 100 + ((i * 7919) % 300))
  for (const pace of [80, 1000]) {
    const left = await play(pace, 30, [0], ways)
    t.ok(Math.abs(meanOf(left) - pace) <= pace * 0.02, `${meanOf(left)} of ${pace}`)
  }
})

/** Stalls a few times a second at most, each as long as a commit or a garbage collection. */
const nowAndThen = fc
  .tuple(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 10, maxLength: 40 }), fc.integer({ min: 0, max: 60 }))
  .map(([often, once]) => [...Array.from({ length: 160 }, (_, i) => often[i % often.length] as number), once])

t.test('a message in hand during a stall counts at the latest time at which it may have left', async t => {
  let now = 0
  const spacing = createSpacing({
    nowMs: () => now,
    pause: async ms => {
      now += ms
    },
    // It is unknown whether it was written before this or after it.
    nextTick: async () => {
      now += 100
    },
  })
  spacing.setRate('number', 2)
  const left: number[] = []
  for (let i = 0; i < 3; i += 1) {
    spacing.countClaimed('number')
    await spacing.waitForSlot('number')
    left.push(now)
    await new Promise(resolve => setImmediate(resolve))
  }
  const [first, , third] = left as [number, number, number]
  t.ok(third - (first + 100) >= 1000, `${third - first} ms`)
})

t.test('the mean rate is the allowed one within 2 %, with short stalls made up for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(1, 7, 20, 80, 250, 1000), nowAndThen, async (perSecond, holds) => {
      const mean = meanOf(await play(perSecond, 60, holds))
      if (Math.abs(mean - perSecond) > perSecond * 0.02) throw new Error(`${mean} of ${perSecond}`)
    }),
    { numRuns: 12 },
  )
})

t.test('the mean rate also holds with stalls of a fifth of a second now and then', async t => {
  for (const perSecond of [80, 1000]) {
    const left = await play(perSecond, 40, { everyMs: 5_000, ms: 200 })
    t.ok(Math.abs(meanOf(left) - perSecond) <= perSecond * 0.02, `${meanOf(left)} of ${perSecond}`)
    t.ok(mostInASecond(left) <= perSecond)
  }
})

/**
 * Plays messages that need preparation, those of one interval together. Also returns the largest number prepared but
 * unsent.
 */
const playPrepared = async (perSecond: number, seconds: number, preparingMs: number) => {
  const clock = createPauses()
  const left: number[] = []
  const early: number[] = []
  let ready = 0
  let prepared = 0
  const spacing = createSpacing(clock)
  spacing.setRate('number', perSecond)
  const claim = async () => {
    for (;;) {
      const { count, inMs } = spacing.capacity('number')
      for (let i = 0; i < count; i += 1) {
        spacing.countClaimed('number')
        const prepare = async () => {
          await clock.pause(preparingMs)
          prepared += 1
          // Every hundredth message is dropped.
          if (prepared % 100 === 0) return false
          ready += 1
          return true
        }
        spacing.waitForSlot('number', prepare).then(way => {
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

t.test('messages are prepared just before their turn, at the same rate', async t => {
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

t.test('a message whose preparation throws gets the error and delays no other', async t => {
  const spacing = createSpacing()
  const refused = spacing.waitForSlot('number', async () => Promise.reject(new Error('no disk')))
  const next = spacing.waitForSlot('number', async () => true)
  await t.rejects(refused, { message: 'no disk' })
  t.ok(await next)
})

t.test('a message that waits for a connection counts from when it is written', async t => {
  let now = 0
  const spacing = createSpacing({
    nowMs: () => now,
    pause: async ms => {
      now += ms
    },
    nextTick: async () => undefined,
  })
  spacing.setRate('number', 2)
  const send = async (waitsMs: number) => {
    spacing.countClaimed('number')
    const way = await spacing.waitForSlot('number')
    now += waitsMs
    way.written()
    return now
  }
  const first = await send(300)
  await send(0)
  const third = await send(0)
  t.ok(third - first >= 1000, `${third - first} ms`)
})

t.test('messages claimed together are sent one after another', async t => {
  const times = await play(80, 10, [0], [2])
  const gaps = times.slice(1).map((at, i) => at - (times[i] as number))
  t.ok(Math.max(...gaps) <= 25, `${Math.max(...gaps)} ms between two`)
  t.equal(new Set(times).size, times.length, 'never two at once')
})

t.test('messages of one interval are claimed together, at most as many as fit in a commit', async t => {
  for (const [perSecond, timesASecond] of [
    [1, 1],
    [20, 8],
    [80, 8],
    [250, 8],
    [1000, 16],
  ] as const) {
    let now = 0
    const spacing = createSpacing({ nowMs: () => now })
    spacing.setRate('number', perSecond)
    const counts: number[] = []
    while (now < 10_000) {
      const { count, inMs } = spacing.capacity('number')
      if (count) counts.push(count)
      for (let i = 0; i < count; i += 1) spacing.countClaimed('number')
      now += inMs
    }
    const [, ...later] = counts
    t.ok(counts.length <= 10 * timesASecond, `${counts.length} times at ${perSecond} a second`)
    t.ok(Math.max(...later) <= 128, `${Math.max(...later)} together at ${perSecond} a second`)
  }
})

t.test('no message is claimed ahead of its time, and one number’s waits do not affect another', async t => {
  let now = 5_000
  const spacing = createSpacing({
    nowMs: () => now,
    pause: async ms => {
      now += ms
    },
    nextTick: async () => undefined,
  })
  spacing.setRate('slow', 1)
  spacing.setRate('fast', 1000)
  spacing.countClaimed('slow')
  t.equal(spacing.capacity('slow').count, 0)
  t.ok(spacing.capacity('slow').inMs > 500)
  for (let taken = 0; spacing.capacity('fast').count; taken += 1) {
    spacing.countClaimed('fast')
    if (taken > 400) throw new Error('there is no end to it')
  }
  now += 10_000
  t.ok(spacing.capacity('slow').count >= 1)
})

t.test('a changed rate counts what was sent before', async t => {
  let now = 0
  const spacing = createSpacing({
    nowMs: () => now,
    pause: async ms => {
      now += ms
    },
    nextTick: async () => undefined,
  })
  spacing.setRate('number', 100)
  const send = async () => {
    const { inMs } = spacing.capacity('number')
    now += inMs
    spacing.countClaimed('number')
    await spacing.waitForSlot('number')
  }
  for (let i = 0; i < 100; i += 1) await send()
  spacing.setRate('number', 10)
  const from = now
  await send()
  t.ok(now - from > 900, `after ${now - from} ms`)
  spacing.setRate('number', 10)
  spacing.setRate('number', 50)
  for (let i = 0; i < 60; i += 1) await send()
  t.ok(now - from > 1_800)
})

t.test('processes that share a number do not exceed its rate together', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 20 }), (perSecond, processes) => {
      const part = shareOfProcess(perSecond, processes)
      return part >= 1 && (part === 1 || part * processes <= perSecond)
    }),
  )
})
