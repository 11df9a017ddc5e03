import type { Databases } from '#server/platform/db/db.ts'
import { phoneCountry } from '#server/platform/text/phone-country.ts'
import type { Json } from '#server/whatsapp/scalars.ts'
import { listDelivered } from '../customers/message-store.ts'
import type { SandboxNumber } from '../numbers/number-store.ts'
import { categoriesOf } from '../templates/template-categories.ts'

const dayMs = 86_400_000

/** Prices of a message in US dollars, the same for every country. */
const prices: Readonly<Record<string, number>> = {
  marketing: 0.0618,
  utility: 0.026,
  authentication: 0.026,
  service: 0.026,
}

/** Replies of a number that are free in each month. Replies before the requested range do not use them up. */
const freeReplies = 1_000
/** Reading the countries of these takes some five milliseconds. */
const messagesAtOnce = 100

/** `start` and `end` in seconds, from `pricing_analytics.start(1).end(2)…`. Undefined: the field is not requested. */
const rangeIn = (fields: unknown): { startMs: number; endMs: number } | undefined => {
  const found = /pricing_analytics\.start\((\d{1,12})\)\.end\((\d{1,12})\)/.exec(
    typeof fields === 'string' ? fields : '',
  )
  return found ? { startMs: Number(found[1]) * 1000, endMs: Number(found[2]) * 1000 } : undefined
}

/** The field `pricing_analytics` of an account: its delivered messages by day, country, category and type. */
export async function pricingAnalytics(
  { read, turn }: Pick<Databases, 'read' | 'turn'>,
  { orgId }: SandboxNumber,
  fields: unknown,
): Promise<Json | undefined> {
  const range = rangeIn(fields)
  if (!range) return undefined
  const points = new Map<string, { start: number; country: string; category: string; type: string; volume: number }>()
  const replies = new Map<string, number>()
  for (let after: number | undefined = 0; after !== undefined; ) {
    await turn.giveWay()
    const messages = await listDelivered(read, orgId, { ...range, after, limit: messagesAtOnce })
    const categories = await categoriesOf(read, orgId, messages)
    for (const { wamid, waId, atMs } of messages) {
      const category = categories.get(wamid) ?? 'service'
      const start = Math.floor(atMs / dayMs) * (dayMs / 1000)
      const country = phoneCountry(waId)
      const month = new Date(atMs).toISOString().slice(0, 7)
      const before = replies.get(month) ?? 0
      if (category === 'service') replies.set(month, before + 1)
      const type = category === 'service' && before < freeReplies ? 'FREE_CUSTOMER_SERVICE' : 'REGULAR'
      const key = `${start} ${country} ${category} ${type}`
      const known = points.get(key) ?? { start, country, category, type, volume: 0 }
      known.volume += 1
      points.set(key, known)
    }
    after = messages.length === messagesAtOnce ? messages.at(-1)?.seq : undefined
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
