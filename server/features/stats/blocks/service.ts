import type { BusinessHoursService } from '#server/identity/orgs/business-hours.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import {
  type BlockName,
  blockRows,
  type FlowSteps,
  maxBlockRows,
  type SummaryBlockName,
  type statsBlocksApi,
} from '#shared/stats/blocks.ts'
import type { StatsFilter } from '#shared/stats/filter.ts'
import type { StatsSummary } from '#shared/stats/summary.ts'
import { requirePeriod } from '../figures/required-period.ts'
import { type Block, type Say, tableCsv } from './block.ts'
import { type BulkBlockParts, createBulkBlock } from './bulk-sends.ts'
import { createFlowBlock, type FlowBlockParts } from './flows.ts'
import { createHealthBlock, type HealthBlockParts } from './health.ts'
import { summaryTables } from './summary-tables.ts'

type Params = Record<string, string | number>

export interface BlockParts extends BulkBlockParts, FlowBlockParts, HealthBlockParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly businessHours: Pick<BusinessHoursService, 'zonedHours'>
  readonly bulkSends: BulkBlockParts['bulkSends'] & HealthBlockParts['bulkSends']
  readonly flows: FlowBlockParts['flows'] & {
    readFunnel(db: Db, orgId: string, of: { flowId: string; language: Language }): Promise<FlowSteps>
  }
  translate(language: Language, key: string, params?: Params): string
}

/** All blocks by name. To add one, add it here and to `blockNames`. */
export const createBlocks = (parts: BlockParts) => ({
  bulkSends: createBulkBlock(parts),
  flows: createFlowBlock(parts),
  health: createHealthBlock(parts),
})
export type Blocks = ReturnType<typeof createBlocks>

/** The words of blocks in a language. */
const sayIn =
  ({ translate }: Pick<BlockParts, 'translate'>, language: Language): Say =>
  key =>
    translate(language, `stats:blocks.${key}`)

type Range = Pick<StatsFilter, 'from' | 'to' | 'days'>

/** Answers the calls of single blocks and their reports. */
export function createBlockService(
  parts: BlockParts & {
    getSummary(caller: OrgCaller, asked: { query: StatsFilter }): Promise<StatsSummary> | StatsSummary
  },
  blocks: Blocks,
): ServiceOf<typeof statsBlocksApi, OrgCaller> {
  const { databases, clock, businessHours, flows, translate, getSummary } = parts

  const requestOf = async ({ orgId }: OrgCaller, query: Range, rows: number) => {
    const { timeZone } = await businessHours.zonedHours(orgId, databases.read)
    return { period: requirePeriod(query, { now: clock.now().getTime(), timeZone }), rows }
  }
  const read = async <Answer>(block: Block<Answer>, caller: OrgCaller, query: Range): Promise<Answer> =>
    block.read(caller, await requestOf(caller, query, blockRows))

  const tableOf = async (caller: OrgCaller, name: BlockName | SummaryBlockName, query: StatsFilter) => {
    const { language } = caller
    if (name in summaryTables) {
      const words = { language, say: (key: string, params?: Params) => translate(language, `stats:${key}`, params) }
      return summaryTables[name as SummaryBlockName](await getSummary(caller, { query }), words)
    }
    const block = blocks[name as BlockName] as Block
    const answer = await block.read(caller, await requestOf(caller, query, maxBlockRows))
    return block.toTable(answer, sayIn(parts, language))
  }

  return {
    getBulkBlock: (caller, { query }) => read(blocks.bulkSends, caller, query),
    getFlowBlock: (caller, { query }) => read(blocks.flows, caller, query),
    getHealthBlock: caller => read(blocks.health, caller, {}),

    getFlowSteps: ({ orgId, language }, { params }) =>
      flows.readFunnel(databases.read, orgId, { flowId: params.id, language }),

    async exportBlock(caller, { params, query }) {
      const { name } = params
      return { csv: tableCsv(await tableOf(caller, name, query), caller.language), next: null }
    },
  }
}
