import fc from 'fast-check'
import t from 'tap'
import type { Arrival, EndReason } from '#client/live/source.ts'
import { openTabs } from '#client/live/tabs.ts'
import { handBrowser, handServer, handTime, settle } from './world.ts'

const aBrowser = () => {
  const time = handTime()
  const server = handServer()
  const browser = handBrowser()
  let born = 0
  const openTab = (since?: number, shares = true) => {
    const channel = shares ? browser.channel() : undefined
    const seen = { ids: [] as number[], resyncs: 0, ends: [] as EndReason[], away: [] as boolean[], visible: true }
    const tabs = openTabs({
      ...time,
      random: () => 0.5,
      fetch: (url, init) => server.fetch(url, init),
      url: '/api/sse',
      tab: `tab${++born}`,
      since,
      channel,
      lock: shares ? browser.lock() : undefined,
      isVisible: () => seen.visible,
      deliver(event: Arrival) {
        if (event.event === 'resync') seen.resyncs += 1
        if (event.id !== undefined) seen.ids.push(event.id)
      },
      onAway: away => seen.away.push(away),
      onEnd: reason => seen.ends.push(reason),
    })
    return { ...tabs, seen, channel, close: () => tabs.close(), place: () => tabs.place }
  }
  return { time, server, openTab }
}
const numbers = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

t.test('many tabs share one stream, and each gets every event once', async t => {
  const { server, openTab } = aBrowser()
  const tabs = numbers(1, 12).map(() => openTab())
  await settle(30)
  t.equal(server.open.size, 1)
  for (let i = 0; i < 5; i += 1) server.publish()
  await settle()
  for (const tab of tabs) t.strictSame(tab.seen.ids, [1, 2, 3, 4, 5])
  for (const tab of tabs) tab.close()
  await settle()
  t.equal(server.open.size, 0)
})

t.test('when the reading tab closes, another continues from its position', async t => {
  const { server, openTab } = aBrowser()
  const [first, second, third] = [openTab(), openTab(), openTab()]
  await settle(30)
  server.publish()
  await settle()
  first.close()
  server.publish()
  server.publish()
  await settle(30)
  server.publish()
  await settle()
  t.equal(server.open.size, 1)
  for (const tab of [second, third]) t.strictSame(tab.seen.ids, [1, 2, 3, 4])
  second.close()
  third.close()
})

t.test('a page rendered shortly before gets the events since; one from long ago is told to reload', async t => {
  const { server, openTab } = aBrowser()
  const leader = openTab()
  await settle(30)
  for (let i = 0; i < 400; i += 1) server.publish()
  await settle(30)
  const near = openTab(390)
  const far = openTab(2)
  const now = openTab()
  await settle(30)
  server.publish()
  await settle()
  t.strictSame(near.seen.ids, numbers(391, 401))
  t.strictSame(far.seen.ids, [401])
  t.same([near.seen.resyncs, far.seen.resyncs, now.seen.resyncs], [0, 1, 0])
  t.strictSame(now.seen.ids, [401])
  for (const tab of [leader, near, far, now]) tab.close()
})

t.test('a page ahead of the reading tab gets nothing twice', async t => {
  const { server, openTab } = aBrowser()
  for (let i = 0; i < 10; i += 1) server.publish()
  const leader = openTab(4)
  const ahead = openTab(8)
  await settle(40)
  server.publish()
  await settle()
  t.strictSame(leader.seen.ids, numbers(5, 11))
  t.strictSame(ahead.seen.ids, numbers(9, 11))
  t.equal(ahead.seen.resyncs, 0)
  leader.close()
  ahead.close()
})

t.test('a frozen reader is replaced by a visible tab; once thawed, it follows that tab', async t => {
  const { server, openTab, time } = aBrowser()
  const frozen = openTab()
  await settle(30)
  const hidden = openTab()
  hidden.seen.visible = false
  const seen = openTab()
  await settle(30)
  if (frozen.channel) frozen.channel.frozen = true
  // Frozen: its messages no longer reach the other tabs.
  const post = frozen.channel?.post
  if (frozen.channel && post) frozen.channel.post = word => void (word.t === 'join' && post(word))
  server.publish()
  await settle()
  t.strictSame(seen.seen.ids, [])
  await time.pass(120_000)
  await settle(30)
  t.strictSame(seen.seen.ids, [1])
  t.strictSame(hidden.seen.ids, [1])
  if (frozen.channel && post) {
    frozen.channel.post = post
    frozen.channel.frozen = false
  }
  await settle(30)
  server.publish()
  await settle()
  t.equal(server.open.size, 1)
  for (const tab of [frozen, hidden, seen]) {
    t.strictSame(tab.seen.ids, [1, 2])
    tab.close()
  }
})

t.test('the end is announced to every tab, once', async t => {
  const { server, openTab, time } = aBrowser()
  const tabs = [openTab(), openTab(), openTab()]
  await settle(30)
  server.say('goodbye', { reason: 'notMember' })
  await settle(30)
  server.refuse = async () => new Response('{}', { status: 403 })
  await time.pass(200_000)
  for (const tab of tabs) t.same(tab.seen.ends, ['notMember'])
})

t.test('going offline and online is announced to every tab, also to one opened meanwhile', async t => {
  const { server, openTab, time } = aBrowser()
  const [first, second] = [openTab(), openTab()]
  await settle(30)
  server.refuse = async () => Promise.reject(new TypeError('no network'))
  server.cut()
  await time.pass(5000)
  const third = openTab()
  await settle(30)
  server.refuse = undefined
  await time.pass(30_000)
  for (const tab of [first, second, third]) {
    t.strictSame(tab.seen.away, [true, false])
    tab.close()
  }
})

t.test('a browser without locks has one stream per tab', async t => {
  const { server, openTab } = aBrowser()
  const tabs = [openTab(undefined, false), openTab(undefined, false)]
  await settle()
  t.equal(server.open.size, 2)
  server.publish()
  await settle()
  for (const tab of tabs) {
    t.strictSame(tab.seen.ids, [1])
    tab.close()
  }
})

t.test('whatever opens, closes and breaks, each tab gets every event after its start, once and in order', async t => {
  type Step =
    | { do: 'open'; back: number }
    | { do: 'close'; which: number }
    | { do: 'publish'; count: number }
    | { do: 'cut' }
    | { do: 'wait' }
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constant('open' as const), back: fc.nat(20) }),
    fc.record({ do: fc.constant('close' as const), which: fc.nat(5) }),
    fc.record({ do: fc.constant('publish' as const), count: fc.integer({ min: 1, max: 20 }) }),
    fc.record({ do: fc.constant('cut' as const) }),
    fc.record({ do: fc.constant('wait' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async steps => {
      const { server, openTab, time } = aBrowser()
      const tabs: { tab: ReturnType<typeof openTab>; since: number }[] = []
      for (const one of steps) {
        if (one.do === 'open') {
          const since = Math.max(0, server.head() - one.back)
          tabs.push({ tab: openTab(since), since })
        } else if (one.do === 'close') tabs.splice(one.which, 1)[0]?.tab.close()
        else if (one.do === 'publish') for (let i = 0; i < one.count; i += 1) server.publish()
        else if (one.do === 'cut') server.cut()
        else await settle(3)
      }
      await settle(20)
      await time.pass(3000)
      server.publish()
      await settle(20)
      for (const { tab, since } of tabs) {
        const expected = numbers(since + 1, server.head())
        if (tab.seen.resyncs) t.strictSame(tab.seen.ids, expected.slice(-tab.seen.ids.length))
        else t.strictSame(tab.seen.ids, expected)
        tab.close()
      }
      t.ok(server.open.size <= 1 || tabs.length === 0)
      await settle(5)
    }),
    { numRuns: 60 },
  )
})
