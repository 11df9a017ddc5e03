import t, { type Test } from 'tap'
import { readMetaCost } from '#server/features/stats/cost/meta-cost.ts'
import { createPricingReader } from '#server/whatsapp/management/pricing-analytics.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { fakeGraph, type GraphAnswer, graphError } from '#test/helpers/graph.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const account = { phoneNumberId: '106540352242922', wabaId: '102290129340398' }

/** A day of Meta's `pricing_analytics`. */
interface DataPoint {
  readonly start: number
  readonly country: string
  readonly pricing_category: string
  readonly pricing_type: string
  readonly volume: number
  readonly cost: number
}

const pricesAnswer = (points: readonly object[]): GraphAnswer => ({
  status: 200,
  body: { id: account.wabaId, currency: 'USD', pricing_analytics: { data: [{ data_points: points }] } },
})

/** An organization whose number is at a fake Graph API, which answers requests for prices as the test says. */
const stage = async (t: Test) => {
  const graph = await fakeGraph()
  t.teardown(() => graph.close())
  const clock = handClock('2026-11-20T15:00:00.000Z')
  const backend = await startBackend(t, { clock, env: { GRAPH_URL: graph.url } })
  const { databases } = backend
  const { cookie, org } = await aMember({ databases, name: 'Ana' })
  const call = async (method: 'PUT' | 'DELETE', payload?: object) => {
    const options = { method, url: '/api/whatsapp/connection', headers: { cookie } }
    const { statusCode, body } = await backend.inject({ ...options, ...(payload ? { payload } : {}) })
    t.ok(statusCode < 300, body)
  }
  await call('PUT', { ...account, accessToken: 'token', appSecret: 'app-secret-of-the-fake' })
  let answer: GraphAnswer = pricesAnswer([])
  graph.on(/pricing_analytics/, () => answer, Number.POSITIVE_INFINITY)
  return {
    backend,
    databases,
    orgId: org.id,
    clock,
    disconnect: () => call('DELETE'),
    /** For how many days prices were requested, request by request. */
    askedDays: () =>
      graph.requests.flatMap(({ path }) => {
        const range = /pricing_analytics\.start\((\d+)\)\.end\((\d+)\)/.exec(decodeURIComponent(path))
        return range ? [Math.round(((Number(range[2]) - Number(range[1])) * 1000) / dayMs)] : []
      }),
    /** Lets the hourly chore run, and what it queues. */
    passHour: async () => {
      clock.advance(hourMs)
      await backend.settle()
    },
    says: (next: GraphAnswer) => {
      answer = next
    },
  }
}

const price = (day: string, more: Partial<DataPoint> = {}): DataPoint => ({
  ...{
    start: Date.parse(`${day}T03:00:00.000Z`) / 1000,
    country: 'AR',
    pricing_category: 'MARKETING',
    pricing_type: 'REGULAR',
    volume: 10,
    cost: 0.6,
  },
  ...more,
})

t.test("Meta's figures are read again for the last days, and stand beside ours", async t => {
  const { databases, orgId, clock, askedDays, passHour, says } = await stage(t)
  const inUtc = { start: Date.parse('2026-11-10T00:00:00.000Z') / 1000 }
  const free = { pricing_type: 'FREE_ENTRY_POINT', volume: 2, cost: 0 }
  says(pricesAnswer([price('2026-11-10'), price('2026-11-10', { ...inUtc, ...free })]))
  await passHour()
  t.same(
    (await databases.read.selectFrom('meta_price').select('day').distinct().execute()).map(({ day }) => day),
    ['2026-11-10'],
    'also where days of Meta begin at midnight of UTC',
  )
  const november = { from: '2026-11-01', to: '2026-11-30' }
  const cards = [{ currency: 'USD', validFrom: '2026-10-01', rates: [{ country: 'AR', prices: { MARKETING: 0.05 } }] }]
  const ours = { country: 'AR', category: 'marketing', charge: 'regular', source: 'bulk' } as const
  const sums = [
    { day: '2026-11-10', ...ours, sent: 12, delivered: 10 },
    { day: '2026-11-20', ...ours, sent: 500, delivered: 500 },
  ]
  const compared = await readMetaCost(databases.read, orgId, november, { cards, sums })
  t.match(compared, {
    from: '2026-11-01',
    to: '2026-11-19',
    currency: 'USD',
    billed: 10,
    free: 2,
    cost: 0.6,
    ours: 0.5,
    differences: [
      { cause: 'price', amount: -0.1 },
      { cause: 'free', amount: 0.1 },
      { cause: 'undelivered', amount: -0.1 },
    ],
  })
  const sum = compared?.differences.reduce((all, { amount }) => all + amount, 0) ?? 0
  t.ok(Math.abs(sum - (0.5 - 0.6)) < 1e-9)
  clock.advance(dayMs)
  says(pricesAnswer([price('2026-11-10', { volume: 11, cost: 0.66 })]))
  await passHour()
  t.same(askedDays(), [90, 30])
  t.match(await readMetaCost(databases.read, orgId, november, { cards, sums }), {
    to: '2026-11-20',
    billed: 11,
    free: 0,
  })
  const inPesos = [{ ...cards[0], currency: 'ARS' } as (typeof cards)[0]]
  t.match(await readMetaCost(databases.read, orgId, november, { cards: inPesos, sums }), {
    ours: null,
    differences: [],
  })
  says(graphError(10, 403))
  clock.advance(dayMs)
  await passHour()
  t.match(await readMetaCost(databases.read, orgId, november, { cards, sums }), { hasFailed: true, billed: 11 })
  t.equal(await readMetaCost(databases.read, orgId, { from: '2026-11-25', to: '2026-11-26' }, { cards, sums }), null)
})

t.test("a day of Meta's answer that cannot be read is left out", async t => {
  const graph = await fakeGraph()
  t.teardown(() => graph.close())
  const point = price('2025-11-21', { start: 1_763_690_400, volume: 5, cost: 0.309 })
  graph.on(/pricing_analytics/, pricesAnswer([point, { start: 'soon', volume: 5 }]))
  const reader = createPricingReader({
    baseUrl: graph.url,
    version: 'v25.0',
    accessToken: 'token',
    wabaId: account.wabaId,
  })
  t.match(await reader.read({ startMs: 1_763_000_000_000, endMs: 1_764_000_000_000 }), {
    currency: 'USD',
    prices: [{ country: 'AR', category: 'marketing', type: 'regular', volume: 5, cost: 0.309 }],
  })
  t.match(
    decodeURIComponent(graph.requests[0]?.path ?? ''),
    'pricing_analytics.start(1763000000).end(1764000000).granularity(DAILY)',
  )
})

t.test('the prices of an account that is no longer connected are deleted after 400 days', async t => {
  const { databases, clock, passHour, says, disconnect } = await stage(t)
  says(pricesAnswer([price('2026-11-10')]))
  await passHour()
  const left = async () => [
    (await databases.read.selectFrom('meta_price').selectAll().execute()).length,
    (await databases.read.selectFrom('meta_price_reading').selectAll().execute()).length,
  ]
  await disconnect()
  clock.advance(399 * dayMs)
  await passHour()
  t.same(await left(), [1, 1])
  clock.advance(2 * dayMs)
  await passHour()
  t.same(await left(), [0, 0])
})
