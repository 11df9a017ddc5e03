import { Type } from 'typebox'
import { unknownCountry } from '#server/platform/text/phone-country.ts'
import { createGraph, type GraphOptions } from '../graph/graph.ts'
import { asList, asNumber, asObject, asText } from '../scalars.ts'

/** Meta's count and cost of the messages of one day, country, category and type. */
interface VendorPrices {
  /** The beginning of the day, in ms. */
  readonly startMs: number
  /** ISO 3166-1 alpha-2, or `unknownCountry`. */
  readonly country: string
  /** Meta's words in lower case: `marketing`, `service`. */
  readonly category: string
  /** Meta's words in lower case: `regular`, `free_entry_point`. */
  readonly type: string
  readonly volume: number
  readonly cost: number
}

export interface PricingReader {
  /** Billed and free messages of an account by day. Rejects with `WhatsAppError` only. */
  read(
    range: { startMs: number; endMs: number },
    signal?: AbortSignal,
  ): Promise<{ readonly currency: string | null; readonly prices: readonly VendorPrices[] }>
}

const AccountNode = Type.Object({
  currency: Type.Optional(Type.Unknown()),
  pricing_analytics: Type.Optional(Type.Unknown()),
})

const seconds = (ms: number): string => `${Math.floor(ms / 1000)}`

const wordOf = (value: unknown): string | undefined => asText(value)?.toLowerCase()

const priceOf = (point: unknown): VendorPrices[] => {
  const read = asObject(point)
  const [start, volume, cost] = [asNumber(read?.start), asNumber(read?.volume), asNumber(read?.cost)]
  const [category, type] = [wordOf(read?.pricing_category), wordOf(read?.pricing_type)]
  if (start === undefined || volume === undefined || !category || !type) return []
  const country = asText(read?.country)?.toUpperCase() ?? unknownCountry
  return [{ startMs: start * 1000, country, category, type, volume, cost: cost ?? 0 }]
}

/** @see Meta, "WhatsApp Business Account › Pricing analytics" */
export function createPricingReader(options: GraphOptions & { wabaId: string }): PricingReader {
  const graph = createGraph(options)
  return {
    async read({ startMs, endMs }, signal) {
      const dimensions = '.dimensions(["COUNTRY","PRICING_CATEGORY","PRICING_TYPE"])'
      const analytics = `pricing_analytics.start(${seconds(startMs)}).end(${seconds(endMs)}).granularity(DAILY)${dimensions}`
      const said = await graph.request({
        call: 'number',
        method: 'GET',
        path: `/${encodeURIComponent(options.wabaId)}`,
        query: { fields: `currency,${analytics}` },
        reply: AccountNode,
        signal,
      })
      const data = asList(asObject(said.pricing_analytics)?.data)
      return {
        currency: asText(said.currency) ?? null,
        prices: data.flatMap(part => asList(asObject(part)?.data_points).flatMap(priceOf)),
      }
    },
  }
}
