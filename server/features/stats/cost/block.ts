import { findOwnNumberId, findOwnPhones } from '#server/messaging/conversations/named.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import { paths } from '#shared/kernel/paths.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import {
  type CostBlock,
  type CostEstimate,
  type Money,
  type SentCategory,
  type SentSource,
  sentCategories,
  sentSources,
} from '#shared/stats/cost.ts'
import type { Block, BlockRequest } from '../blocks/block.ts'
import { type BilledSum, type DatedCard, estimateAll, estimateBy } from './estimate.ts'
import { readMetaCost } from './meta-cost.ts'
import { countingOf } from './progress.ts'
import { listReplies } from './reply-month-store.ts'
import { findFirstDay, listBilled } from './sums-store.ts'

export interface CostParts {
  readonly databases: Databases
  listRateCards(db: Db, orgId: string): Promise<readonly DatedCard[]>
}

type CostRequest = Pick<BlockRequest, 'period' | 'number' | 'today'>

/** What a block of costs is computed from. */
interface Costs {
  readonly cards: readonly DatedCard[]
  readonly sums: readonly BilledSum[]
  readonly isUnknownNumber: boolean
}

/** A block with the sums that its report lists. */
export type CostAnswer = CostBlock & { readonly sums: readonly BilledSum[]; readonly prices: readonly DatedCard[] }

/** Estimates the costs of an organization's messages. */
export function createCosts({ databases, listRateCards }: CostParts) {
  const { read } = databases

  const costsOf = async (orgId: string, { period: { from, to }, number }: CostRequest): Promise<Costs> => {
    const connectionId = number === undefined ? undefined : ((await findOwnNumberId(read, orgId, number)) ?? null)
    return {
      cards: await listRateCards(read, orgId),
      sums: await listBilled(read, orgId, { from, to, connectionId }),
      isUnknownNumber: connectionId === null,
    }
  }

  const repliesOf = async (orgId: string, today: string): Promise<CostBlock['freeReplies']> => {
    const phones = await findOwnPhones(read, orgId)
    return (await listReplies(read, orgId, today.slice(0, 7))).flatMap(({ connectionId, count }) => {
      const phone = phones.get(connectionId)
      return phone === undefined ? [] : [{ number: displayPhone(phone) || phone, used: count }]
    })
  }

  const hrefsFor = ({ orgSlug, role, scope }: OrgCaller, { period: { from, to }, number }: CostRequest) => {
    const mayOpen = roleCan(role, 'stats:read') && scope.kind === 'all'
    return (part: Record<string, string>): string | null => {
      if (!mayOpen) return null
      const query = new URLSearchParams({ from, to, ...(number ? { number } : {}), ...part, outcome: 'delivered' })
      return `${paths.statsMessages(orgSlug)}?${query}`
    }
  }

  return {
    /** What all messages of a range cost, of a number if one is named. */
    async total(orgId: string, request: CostRequest): Promise<CostEstimate> {
      const { cards, sums } = await costsOf(orgId, request)
      return { ...estimateAll(cards, sums), amounts: [...estimateAll(cards, sums).amounts] }
    },

    async read(caller: OrgCaller, request: BlockRequest): Promise<CostAnswer> {
      const { orgId } = caller
      const { cards, sums, isUnknownNumber } = await costsOf(orgId, request)
      const hrefOf = hrefsFor(caller, request)
      const plain = (estimate: CostBlock['total'] | ReturnType<typeof estimateAll>) => ({
        ...estimate,
        amounts: [...estimate.amounts],
      })
      const by = <K extends string>(keyOf: (sum: BilledSum) => K) =>
        estimateBy(cards, sums, keyOf).map(([key, estimate]) => [key as K, plain(estimate)] as const)
      const categories = new Map(by(({ category }) => category))
      const sources = new Map(by(({ source }) => source))
      return {
        from: request.period.from,
        to: request.period.to,
        knownSince: (await findFirstDay(read, orgId)) ?? null,
        counting: await countingOf(read),
        unknownNumber: isUnknownNumber,
        cards: cards.map(({ currency, validFrom }) => ({ currency, validFrom })),
        total: plain(estimateAll(cards, sums)),
        byCategory: sentCategories.flatMap((category: SentCategory) => {
          const estimate = categories.get(category)
          return estimate?.delivered ? [{ category, ...estimate, href: hrefOf({ category }) }] : []
        }),
        bySource: sentSources.flatMap((source: SentSource) => {
          const estimate = sources.get(source)
          return estimate?.delivered ? [{ source, ...estimate }] : []
        }),
        byCountry: by(({ country }) => country)
          .filter(([, { delivered }]) => delivered > 0)
          .sort(([a, one], [b, other]) => other.delivered - one.delivered || a.localeCompare(b))
          .map(([country, estimate]) => ({ country, ...estimate, href: hrefOf({ country }) })),
        byDay: by(({ day }) => day)
          .filter(([, { delivered }]) => delivered > 0)
          .map(([day, estimate]) => ({ day, ...estimate })),
        meta: request.number === undefined ? await readMetaCost(read, orgId, request.period, { cards, sums }) : null,
        freeReplies: await repliesOf(orgId, request.today),
        sums,
        prices: cards,
      }
    },
  }
}
export type CostsService = ReturnType<typeof createCosts>

const reportColumns = [
  'day',
  'category',
  'country',
  'delivered',
  'free',
  'billed',
  'unpriced',
  'amount',
  'currency',
] as const

/** Costs as a block, whose report is by day, category and country. */
export const createCostBlock = (costs: Pick<CostsService, 'read'>): Block<CostAnswer> => ({
  name: 'cost',
  read: costs.read,
  toTable: ({ sums, prices }, say) => ({
    columns: reportColumns.map(name => say(`column.${name}`)),
    rows: estimateBy(prices, sums, ({ day, category, country }) => `${day} ${category} ${country}`).flatMap(
      ([key, { delivered, free, billed, unpriced, amounts }]) => {
        const [day = '', category = '', country = ''] = key.split(' ')
        const none: readonly (Money | undefined)[] = [undefined]
        // A second currency gets a line of its own: its messages are counted on the first one.
        return (amounts.length ? amounts : none).map((money, i) => [
          day,
          say(`category.${category}`),
          country,
          ...(i === 0 ? [delivered, free, billed, unpriced] : [0, 0, 0, 0]),
          money?.amount ?? null,
          money?.currency ?? null,
        ])
      },
    ),
  }),
})
