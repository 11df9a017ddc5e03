import type { Expression } from 'kysely'
import { findOwnNumberId, findOwnPhones } from '#server/messaging/conversations/shown/named.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import { loopTurn } from '#server/platform/work/loop-turn.ts'
import {
  type CostBlock,
  type CostEstimate,
  type SentCategory,
  type SentSource,
  sentCategories,
  sentSources,
} from '#shared/stats/cost.ts'
import type { Block, BlockRequest } from '../blocks/block.ts'
import type { Period } from '../figures/period.ts'
import { unknownName } from '../stats-request.ts'
import { type BilledSum, type DatedCard, type Estimate, estimateAll, estimateBy } from './estimate.ts'
import { hrefOfDelivered } from './messages.ts'
import { readMetaCost } from './meta-cost.ts'
import { countingOf } from './progress.ts'
import { listReplies } from './reply-month-store.ts'
import { findFirstDay, listBilled, listBilledAmong } from './sums-store.ts'

interface CostParts {
  readonly databases: Databases
  listRateCards(db: Db, orgId: string): Promise<readonly DatedCard[]>
}

type CostRequest = Pick<BlockRequest, 'period' | 'number' | 'today'>

/** The data from which a block of costs is computed. */
interface Costs {
  readonly cards: readonly DatedCard[]
  readonly sums: readonly BilledSum[]
  readonly isUnknownNumber: boolean
}

/** Estimates the costs of an organization's messages. */
export function createCosts({ databases, listRateCards }: CostParts) {
  const { read } = databases

  const readCosts = async (
    orgId: string,
    { period: { from, to }, number }: { period: Pick<Period, 'from' | 'to'>; number?: string | undefined },
  ): Promise<Costs> => {
    const connectionId = number === undefined ? undefined : ((await findOwnNumberId(read, orgId, number)) ?? null)
    return {
      cards: await listRateCards(read, orgId),
      sums: await listBilled(read, orgId, { from, to, connectionId }),
      isUnknownNumber: connectionId === null,
    }
  }

  const readReplies = async (orgId: string, today: string): Promise<CostBlock['freeReplies']> => {
    const phones = await findOwnPhones(read, orgId)
    return (await listReplies(read, orgId, today.slice(0, 7))).flatMap(({ connectionId, count }) => {
      const phone = phones.get(connectionId)
      return phone === undefined ? [] : [{ number: displayPhone(phone) || phone, used: count }]
    })
  }

  return {
    /** The sums from which costs are computed. */
    sumsOf: readCosts,

    /** The costs of all messages of a range, or of one number's if one is named. */
    async total(orgId: string, request: CostRequest): Promise<CostEstimate> {
      const { cards, sums } = await readCosts(orgId, request)
      return estimateAll(cards, sums)
    },

    /**
     * Reads the cost of the messages that queries select by id, and lets other requests pass between two of them.
     * Undefined: none of the messages was counted, or no longer is.
     */
    async ofMessages(db: Db, orgId: string, queries: readonly Expression<string>[]): Promise<CostEstimate | undefined> {
      const sums: BilledSum[] = []
      for (const ids of queries) {
        await loopTurn.letRequestsPass()
        sums.push(...(await listBilledAmong(db, orgId, ids)))
      }
      return sums.length ? estimateAll(await listRateCards(db, orgId), sums) : undefined
    },

    async read(caller: OrgCaller, request: BlockRequest): Promise<CostBlock> {
      const { orgId } = caller
      const { cards, sums, isUnknownNumber } = await readCosts(orgId, request)
      const listed = { period: request.period, number: isUnknownNumber ? unknownName : request.number }
      const hrefOf = (part: Record<string, string>) => hrefOfDelivered(caller, listed, part)
      const by = <K extends string>(keyOf: (sum: BilledSum) => K) => estimateBy(cards, sums, keyOf)
      const categories = new Map(by(({ category }) => category))
      const sources = new Map(by(({ source }) => source))
      return {
        from: request.period.from,
        to: request.period.to,
        knownSince: (await findFirstDay(read, orgId)) ?? null,
        counting: await countingOf(read),
        unknownNumber: isUnknownNumber,
        cards: cards.map(({ currency, validFrom }) => ({ currency, validFrom })),
        total: { ...estimateAll(cards, sums), href: hrefOf({}) },
        byCategory: sentCategories.flatMap((category: SentCategory) => {
          const estimate = categories.get(category)
          return estimate?.delivered ? [{ category, ...estimate, href: hrefOf({ category }) }] : []
        }),
        bySource: sentSources.flatMap((source: SentSource) => {
          const estimate = sources.get(source)
          return estimate?.delivered ? [{ source, ...estimate, href: hrefOf({ source }) }] : []
        }),
        byCountry: by(({ country }) => country)
          .filter(([, { delivered }]) => delivered > 0)
          .sort(([a, one], [b, other]) => other.delivered - one.delivered || a.localeCompare(b))
          .map(([country, estimate]) => ({ country, ...estimate, href: hrefOf({ country }) })),
        byDay: by(({ day }) => day)
          .filter(([, { delivered }]) => delivered > 0)
          .map(([day, estimate]) => ({ day, ...estimate, href: hrefOf({ from: day, to: day }) })),
        meta: request.number === undefined ? await readMetaCost(read, orgId, request.period, { cards, sums }) : null,
        freeReplies: await readReplies(orgId, request.today),
      }
    },
  }
}
export type CostsService = ReturnType<typeof createCosts>

/** An amount and its currency. An estimate has as many as currencies, because amounts of two are never added. */
export const moneyCells = ({ amounts }: Estimate): (readonly [number | null, string | null])[] =>
  amounts.length ? amounts.map(({ amount, currency }) => [amount, currency]) : [[null, null]]

/** Costs as a block: by category, which is enough for a mail. Its CSV has more lines. @see costReport */
export const createCostBlock = (costs: Pick<CostsService, 'read'>): Block<CostBlock> => ({
  name: 'cost',
  needs: 'cost:read',
  read: costs.read,
  toTable: ({ byCategory }, say) => ({
    columns: ['category', 'delivered', 'billed', 'amount', 'currency'].map(name => say(`column.${name}`)),
    rows: byCategory.flatMap(estimate =>
      moneyCells(estimate).map((money, i) => [
        say(`category.${estimate.category}`),
        // Messages are counted on the line of the first currency.
        ...(i === 0 ? [estimate.delivered, estimate.billed] : [0, 0]),
        ...money,
      ]),
    ),
  }),
})
