import t from 'tap'
import { readMetaCost } from '#server/features/stats/cost/meta-cost.ts'
import { createMetaPrices } from '#server/features/stats/cost/meta-prices.ts'
import { createPricingReader, type PricingReader, type VendorPrices } from '#server/whatsapp/pricing-analytics.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import { aMember } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'

const zone = 'America/Argentina/Buenos_Aires'
const dayMs = 86_400_000

/** The job without its queue: `read` runs it once. */
const aRoom = async () => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const { org } = await aMember({ databases })
  const clock = handClock('2026-11-20T15:00:00.000Z')
  const asked: number[] = []
  let answer: () => readonly VendorPrices[] = () => []
  const reader: PricingReader = {
    async read({ startMs, endMs }) {
      asked.push(Math.round((endMs - startMs) / dayMs))
      return { currency: 'USD', prices: answer() }
    },
  }
  let run: (job: { orgId: string }, context: { signal: AbortSignal }) => Promise<unknown> = async () => undefined
  const { chore } = createMetaPrices({
    databases,
    clock,
    jobs: {
      register(queue: { run: typeof run }) {
        run = queue.run
        return { add: async () => true, wake: () => undefined }
      },
    } as never,
    log: { info: () => undefined } as never,
    writes: { run: (orgId, _by, work) => work({ db: databases.write, orgId } as never) },
    timeZoneOf: async () => zone,
    readersOf: async () => [{ wabaId: 'waba', reader }],
  })
  return {
    databases,
    orgId: org.id,
    clock,
    asked,
    chore,
    read: () => run({ orgId: org.id }, { signal: new AbortController().signal }),
    says: (prices: () => readonly VendorPrices[]) => {
      answer = prices
    },
  }
}

const price = (day: string, more: Partial<VendorPrices> = {}): VendorPrices => ({
  ...{
    startMs: Date.parse(`${day}T03:00:00.000Z`),
    country: 'AR',
    category: 'marketing',
    type: 'regular',
    volume: 10,
    cost: 0.6,
  },
  ...more,
})

t.test("Meta's figures are read again for the last days, and stand beside ours", async t => {
  const { databases, orgId, clock, asked, read, says } = await aRoom()
  const inUtc = { startMs: Date.parse('2026-11-10T00:00:00.000Z') }
  says(() => [price('2026-11-10'), price('2026-11-10', { ...inUtc, type: 'free_entry_point', volume: 2, cost: 0 })])
  await read()
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
  says(() => [price('2026-11-10', { volume: 11, cost: 0.66 })])
  await read()
  t.same(asked, [90, 30])
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
  says(() => {
    throw new WhatsAppError({ code: '10', retry: 'credentials', message: 'no permission' })
  })
  await read()
  t.match(await readMetaCost(databases.read, orgId, november, { cards, sums }), { hasFailed: true, billed: 11 })
  t.equal(await readMetaCost(databases.read, orgId, { from: '2026-11-25', to: '2026-11-26' }, { cards, sums }), null)
})

t.test("Meta's answer is read as far as it can be", async t => {
  const fetched: string[] = []
  const reader = createPricingReader({
    baseUrl: 'http://graph.test',
    version: 'v25.0',
    accessToken: 'token',
    wabaId: '102290129340398',
    fetch: (async (url: URL) => {
      fetched.push(String(url))
      return new Response(
        JSON.stringify({
          currency: 'USD',
          pricing_analytics: {
            data: [
              {
                data_points: [
                  {
                    start: 1_763_690_400,
                    end: 1_763_776_800,
                    country: 'AR',
                    pricing_type: 'REGULAR',
                    pricing_category: 'MARKETING',
                    volume: 5,
                    cost: 0.309,
                  },
                  { start: 'soon', volume: 5 },
                ],
              },
            ],
          },
        }),
        { headers: { 'content-type': 'application/json' } },
      )
    }) as never,
  })
  t.match(await reader.read({ startMs: 1_763_000_000_000, endMs: 1_764_000_000_000 }), {
    currency: 'USD',
    prices: [{ country: 'AR', category: 'marketing', type: 'regular', volume: 5, cost: 0.309 }],
  })
  t.match(
    decodeURIComponent(fetched[0] ?? ''),
    'pricing_analytics.start(1763000000).end(1764000000).granularity(DAILY)',
  )
})

t.test('the prices of an account that nobody reads any more are forgotten', async t => {
  const { databases, clock, read, says, chore } = await aRoom()
  says(() => [price('2026-11-10')])
  await read()
  const left = async () => [
    (await databases.read.selectFrom('meta_price').selectAll().execute()).length,
    (await databases.read.selectFrom('meta_price_reading').selectAll().execute()).length,
  ]
  clock.advance(399 * dayMs)
  t.equal(await chore.run(clock.now()), 0)
  t.same(await left(), [1, 1])
  clock.advance(2 * dayMs)
  t.equal(await chore.run(clock.now()), 1)
  t.same(await left(), [0, 0])
})
