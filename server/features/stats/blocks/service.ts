import type { BusinessHoursService } from '#server/identity/orgs/settings/business-hours.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { wallTime } from '#shared/kernel/time.ts'
import {
  blockRows,
  type FlowSteps,
  maxBlockRows,
  type OpenBlockName,
  type SummaryBlockName,
  type statsBlocksApi,
} from '#shared/stats/blocks.ts'
import type { statsCostApi } from '#shared/stats/cost.ts'
import type { StatsFilter } from '#shared/stats/filter.ts'
import type { StatsSummary } from '#shared/stats/summary.ts'
import { type CostsService, createCostBlock } from '../cost/block.ts'
import { createMessageList } from '../cost/messages.ts'
import { costReport } from '../cost/report.ts'
import { requirePeriod } from '../figures/required-period.ts'
import { type Block, type BlockRequest, type Say, tableCsv } from './block.ts'
import { type BulkBlockParts, createBulkBlock } from './bulk-sends.ts'
import { createFlowBlock, type FlowBlockParts } from './flows.ts'
import { createHealthBlock, type HealthBlockParts } from './health.ts'
import { summaryTables } from './summary-tables.ts'
import { createTemplateBlock } from './templates.ts'

type Params = Record<string, string | number>

interface BlockParts extends BulkBlockParts, FlowBlockParts, HealthBlockParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly costs: CostsService
  readonly businessHours: Pick<BusinessHoursService, 'zonedHours'>
  readonly bulkSends: BulkBlockParts['bulkSends'] & HealthBlockParts['bulkSends']
  readonly flows: FlowBlockParts['flows'] & {
    readFunnel(db: Db, orgId: string, of: { flowId: string; language: Language }): Promise<FlowSteps>
  }
  translate(language: Language, key: string, params?: Params): string
}

/** All blocks by name. To add one, add it here and to `openBlocks`. */
export const createBlocks = (parts: BlockParts) => ({
  templates: createTemplateBlock(parts),
  bulkSends: createBulkBlock(parts),
  flows: createFlowBlock(parts),
  health: createHealthBlock(parts),
  /** Only for callers with the capability `cost:read`. */
  cost: createCostBlock(parts.costs),
})
type Blocks = ReturnType<typeof createBlocks>

/** The words of blocks in a language. */
const sayIn =
  ({ translate }: Pick<BlockParts, 'translate'>, language: Language): Say =>
  key =>
    translate(language, `stats:blocks.${key}`)

type Range = Pick<StatsFilter, 'from' | 'to' | 'days' | 'number'>
type BlockApi = typeof statsBlocksApi & typeof statsCostApi

/** Answers the calls of single blocks and their reports. */
export function createBlockService(
  parts: BlockParts & {
    getSummary(caller: OrgCaller, asked: { query: StatsFilter }): Promise<StatsSummary> | StatsSummary
  },
  blocks: Blocks,
): ServiceOf<BlockApi, OrgCaller> {
  const { databases, clock, businessHours, costs, flows, translate, getSummary } = parts

  const readTimeZone = async (orgId: string) => (await businessHours.zonedHours(orgId, databases.read)).timeZone

  const requestOf = async ({ orgId }: OrgCaller, { number, ...query }: Range, rows: number): Promise<BlockRequest> => {
    const timeZone = await readTimeZone(orgId)
    const now = clock.now().getTime()
    return {
      period: requirePeriod(query, { now, timeZone }),
      number,
      rows,
      today: wallTime(now, timeZone).slice(0, 10),
    }
  }
  const read = async <Answer>(block: Block<Answer>, caller: OrgCaller, query: Range): Promise<Answer> =>
    block.read(caller, await requestOf(caller, query, blockRows))

  const tableOf = async (caller: OrgCaller, name: OpenBlockName | SummaryBlockName, query: StatsFilter) => {
    const { language } = caller
    if (name in summaryTables) {
      const words = { language, say: (key: string, params?: Params) => translate(language, `stats:${key}`, params) }
      return summaryTables[name as SummaryBlockName](await getSummary(caller, { query }), words)
    }
    const block = blocks[name as OpenBlockName] as Block
    const answer = await block.read(caller, await requestOf(caller, query, maxBlockRows))
    return block.toTable(answer, sayIn(parts, language))
  }

  return {
    ...createMessageList({ databases, clock, readTimeZone }),
    getTemplateBlock: (caller, { query }) => read(blocks.templates, caller, query),
    getBulkBlock: (caller, { query }) => read(blocks.bulkSends, caller, query),
    getFlowBlock: (caller, { query }) => read(blocks.flows, caller, query),
    getHealthBlock: caller => read(blocks.health, caller, {}),

    getFlowSteps: ({ orgId, language }, { params }) =>
      flows.readFunnel(databases.read, orgId, { flowId: params.id, language }),

    getCostBlock: (caller, { query }) => read(blocks.cost, caller, query),

    async exportBlock(caller, { params, query }) {
      const { columns, rows } = await tableOf(caller, params.name, query)
      return { csv: tableCsv([columns, ...rows], caller.language), next: null }
    },
    /** @throws InvalidInput for days that do not exist */
    async exportCostBlock(caller, { query: { after, ...query } }) {
      if (after !== undefined && Number.isNaN(Date.parse(after)))
        throw new InvalidInput([{ field: 'query.after', code: 'invalid', params: {} }])
      const { period, number } = await requestOf(caller, query, maxBlockRows)
      return costReport(costs, caller, { period, number, after }, sayIn(parts, caller.language))
    },
  }
}
