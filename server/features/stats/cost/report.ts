import type { OrgCaller } from '#server/platform/http/actor.ts'
import { maxBlockRows } from '#shared/stats/blocks.ts'
import { type Say, tableCsv } from '../blocks/block.ts'
import { dayAfter, type Period } from '../figures/period.ts'
import { type CostsService, moneyCells } from './block.ts'
import { estimateBy } from './estimate.ts'

/** A part reads at most as many days. */
const daysPerPart = 31

interface PartRequest {
  readonly period: Pick<Period, 'from' | 'to'>
  readonly number?: string | undefined
  /** The last day of the part before; undefined: this is the first part. */
  readonly after?: string | undefined
}

const columns = ['day', 'category', 'country', 'delivered', 'free', 'billed', 'unpriced', 'amount', 'currency']
const earlier = (a: string, b: string): string => (a < b ? a : b)
const later = (a: string, b: string): string => (a < b ? b : a)

/**
 * Costs by day, category and country as comma-separated values, in parts of whole days. `next`: the last day of the part;
 * null: it was the last part.
 */
export async function costReport(
  costs: Pick<CostsService, 'sumsOf'>,
  { orgId, language }: Pick<OrgCaller, 'orgId' | 'language'>,
  { period, number, after }: PartRequest,
  say: Say,
): Promise<{ csv: string; next: string | null }> {
  // The range may have moved since the part before.
  if (after !== undefined && after >= period.to) return { csv: '', next: null }
  const from = after === undefined ? period.from : later(period.from, dayAfter(after))
  const to = earlier(period.to, dayAfter(from, daysPerPart - 1))
  const { cards, sums } = await costs.sumsOf(orgId, { period: { from, to }, number })
  const lines = estimateBy(cards, sums, ({ day, category, country }) => `${day} ${category} ${country}`).map(
    ([key, estimate]) => {
      const [day = '', category = '', country = ''] = key.split(' ')
      const { delivered, free, billed, unpriced } = estimate
      // All messages of a day have the prices of one list, so there is one amount.
      const [money = []] = moneyCells(estimate)
      return [day, say(`category.${category}`), country, delivered, free, billed, unpriced, ...money]
    },
  )
  // A day has fewer lines than a part: the rest of a day that does not fit begins the next part.
  const cut = lines.length > maxBlockRows ? lines[maxBlockRows]?.[0] : undefined
  const rows = cut === undefined ? lines : lines.filter(([day]) => String(day) < String(cut))
  const last = cut === undefined ? to : String(rows.at(-1)?.[0])
  const head = after === undefined ? [columns.map(name => say(`column.${name}`))] : []
  return { csv: tableCsv([...head, ...rows], language), next: last < period.to ? last : null }
}
