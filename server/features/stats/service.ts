import type { Db } from '#server/platform/db/database.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { csvLine } from '#server/platform/text/csv-line.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { dayStart, defaultTimeZone, isTimeZone } from '#shared/kernel/time.ts'
import { costsPerPage, costsPerPart, maxCounted, type SendCost, type statsApi } from '#shared/stats/api.ts'
import type { statsBlocksApi } from '#shared/stats/blocks.ts'
import type { statsCostApi } from '#shared/stats/cost.ts'
import type { statsNowApi } from '#shared/stats/now.ts'
import { createSegmentList } from './segment-list.ts'
import { countConversations, countMessages } from './store.ts'
import { createSummary, type SummaryParts } from './summary.ts'

interface StatsParts extends SummaryParts {
  listSendCosts(db: Db, orgId: string, page: { before?: string | undefined; limit: number }): Promise<SendCost[]>
  translate(language: Language, key: string): string
}

const columns = ['at', 'template', 'people', 'delivered', 'cost', 'currency', 'unpriced'] as const

export function createStats(
  parts: StatsParts,
): Omit<
  ServiceOf<typeof statsApi, OrgCaller>,
  keyof (typeof statsBlocksApi & typeof statsCostApi & typeof statsNowApi)
> {
  const { databases, clock, listSendCosts, translate } = parts

  const lineOf = ({ at, template, people, delivered, cost }: SendCost, language: Language) => {
    const amount = cost ? String(cost.amount) : ''
    const decimal = language === 'es' ? amount.replace('.', ',') : amount
    return csvLine(
      [at, template, `${people}`, `${delivered}`, decimal, cost?.currency ?? '', cost ? `${cost.unpriced}` : ''],
      language,
    )
  }

  return {
    ...createSummary(parts),
    ...createSegmentList(parts),

    /** @throws InvalidInput for an unknown time zone. */
    async getOverview(member, { query: { timeZone = defaultTimeZone } }) {
      if (!isTimeZone(timeZone)) throw new InvalidInput([{ field: 'query.timeZone', code: 'invalid', params: {} }])
      const since = dayStart(clock.now().getTime(), timeZone)
      const limit = maxCounted + 1
      const conversations = await countConversations(databases.read, member, limit)
      const messages = await countMessages(databases.read, member, since, limit)
      return { ...conversations, ...messages, since }
    },

    async listCosts({ orgId }, { query: { before } }) {
      const rows = await listSendCosts(databases.read, orgId, { before, limit: costsPerPage + 1 })
      return { items: rows.slice(0, costsPerPage), hasMore: rows.length > costsPerPage }
    },

    async exportCosts({ orgId, language }, { query: { before } }) {
      const rows = await listSendCosts(databases.read, orgId, { before, limit: costsPerPart + 1 })
      const items = rows.slice(0, costsPerPart)
      const names = columns.map(name => translate(language, `stats:costs.${name}`))
      const head = before === undefined ? csvLine(names, language) : ''
      const next = rows.length > items.length ? (items.at(-1)?.id ?? null) : null
      return { csv: head + items.map(row => lineOf(row, language)).join(''), next }
    },
  }
}
