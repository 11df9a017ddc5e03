import type { Db } from '#server/platform/db/database.ts'
import { countryOf } from '#server/platform/text/phone-country.ts'
import { listPriced } from '#server/simulator/customers/priced-store.ts'
import type { SandboxNumber } from '#server/simulator/numbers/number-store.ts'
import type { Json } from '#server/whatsapp/scalars.ts'

const dayMs = 86_400_000

/** What the simulator charges for a message, in dollars, wherever it goes. */
const prices: Readonly<Record<string, number>> = {
  marketing: 0.0618,
  utility: 0.026,
  authentication: 0.026,
  service: 0.026,
}

/** So many replies of a number in a month are free; those before the range are not counted. */
const freeReplies = 1_000

/** `start` and `end` in seconds, from `pricing_analytics.start(1).end(2)…`; undefined: it is not asked for. */
const rangeIn = (fields: unknown): { startMs: number; endMs: number } | undefined => {
  const found = /pricing_analytics\.start\((\d{1,12})\)\.end\((\d{1,12})\)/.exec(
    typeof fields === 'string' ? fields : '',
  )
  return found ? { startMs: Number(found[1]) * 1000, endMs: Number(found[2]) * 1000 } : undefined
}

/** Delivered messages by day, country and category, as an account's `pricing_analytics`. */
export async function pricingAnalytics(db: Db, number: SandboxNumber, fields: unknown): Promise<Json | undefined> {
  const range = rangeIn(fields)
  if (!range) return undefined
  const points = new Map<string, { start: number; country: string; category: string; type: string; volume: number }>()
  const replies = new Map<string, number>()
  for (const { waId, atMs, category } of (await listPriced(db, number.orgId, range)).toReversed()) {
    const start = Math.floor(atMs / dayMs) * (dayMs / 1000)
    const country = countryOf(waId)
    const month = new Date(atMs).toISOString().slice(0, 7)
    const before = replies.get(month) ?? 0
    if (category === 'service') replies.set(month, before + 1)
    const type = category === 'service' && before < freeReplies ? 'FREE_CUSTOMER_SERVICE' : 'REGULAR'
    const key = `${start} ${country} ${category} ${type}`
    const known = points.get(key) ?? { start, country, category, type, volume: 0 }
    known.volume += 1
    points.set(key, known)
  }
  const dataPoints = [...points.values()].map(({ start, country, category, type, volume }) => ({
    start,
    end: start + dayMs / 1000,
    country,
    pricing_type: type,
    pricing_category: category.toUpperCase(),
    volume,
    cost: type === 'REGULAR' ? Math.round(volume * (prices[category] ?? 0) * 1e6) / 1e6 : 0,
  }))
  return { data: [{ data_points: dataPoints }] }
}
