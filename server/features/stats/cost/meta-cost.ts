import type { Db } from '#server/platform/db/database.ts'
import type { MetaCost, SentCategory } from '#shared/stats/cost.ts'
import { differencesOf, type MetaPart, type OurPart } from './compare.ts'
import { type BilledSum, type DatedCard, estimateAll, estimateBy, messagePrice } from './estimate.ts'
import { listMetaSums, listReadings } from './meta-price-store.ts'

/** Meta's category as ours. */
const categoryOf = (word: string): SentCategory => {
  if (word.startsWith('marketing')) return 'marketing'
  if (word.startsWith('authentication')) return 'authentication'
  return word === 'utility' ? 'utility' : 'service'
}

const latest = (days: readonly string[]): string => days.reduce((a, b) => (a > b ? a : b))
const earliest = (days: readonly string[]): string => days.reduce((a, b) => (a < b ? a : b))

const oursOf = (sums: readonly BilledSum[], cards: readonly DatedCard[], day: string): OurPart[] =>
  estimateBy(cards, sums, ({ category, country }) => `${category} ${country}`).map(([key, estimate]) => {
    const [category = 'unknown', country = ''] = key.split(' ') as [SentCategory, string]
    const undelivered = sums
      .filter(sum => `${sum.category} ${sum.country}` === key)
      .reduce((all, { sent, delivered }) => all + sent - delivered, 0)
    return {
      key,
      country,
      undelivered,
      billed: estimate.billed,
      free: estimate.free,
      amount: estimate.amounts[0]?.amount ?? 0,
      price: messagePrice(cards, { day, country, category })?.amount,
    }
  })

const metaPartsOf = (sums: Awaited<ReturnType<typeof listMetaSums>>): MetaPart[] => {
  const parts = new Map<string, MetaPart>()
  for (const { country, category, type, volume, cost } of sums) {
    const key = `${categoryOf(category)} ${country}`
    const known = parts.get(key) ?? { key, billed: 0, free: 0, cost: 0 }
    const isBilled = type === 'regular'
    parts.set(key, {
      key,
      billed: known.billed + (isBilled ? volume : 0),
      free: known.free + (isBilled ? 0 : volume),
      cost: known.cost + cost / 1e6,
    })
  }
  return [...parts.values()]
}

/** Meta's counts for the days of a range that were requested, beside our estimate. Null: none was requested. */
export async function readMetaCost(
  db: Db,
  orgId: string,
  range: { from: string; to: string },
  { cards, sums }: { cards: readonly DatedCard[]; sums: readonly BilledSum[] },
): Promise<MetaCost | null> {
  const readings = await listReadings(db, orgId)
  const read = readings.flatMap(one =>
    one.firstDay === null || one.lastDay === null ? [] : [{ ...one, firstDay: one.firstDay, lastDay: one.lastDay }],
  )
  if (!read.length) return null
  const from = latest([range.from, ...read.map(({ firstDay }) => firstDay)])
  const to = earliest([range.to, ...read.map(({ lastDay }) => lastDay)])
  if (from > to) return null
  const metas = metaPartsOf(await listMetaSums(db, orgId, { from, to }))
  const total = (name: 'billed' | 'free' | 'cost') => metas.reduce((all, part) => all + part[name], 0)
  const own = sums.filter(({ day }) => day >= from && day <= to)
  const { amounts } = estimateAll(cards, own)
  const currency = read[0]?.currency ?? null
  const isComparable = read.every(one => one.currency === currency) && amounts.every(one => one.currency === currency)
  return {
    from,
    to,
    currency,
    readAt: earliest(read.map(({ readAt }) => readAt)),
    hasFailed: readings.some(({ failure }) => failure !== null),
    billed: total('billed'),
    free: total('free'),
    cost: Math.round(total('cost') * 1e6) / 1e6,
    ours: isComparable ? (amounts[0]?.amount ?? 0) : null,
    differences: isComparable ? differencesOf(oursOf(own, cards, to), metas) : [],
  }
}
