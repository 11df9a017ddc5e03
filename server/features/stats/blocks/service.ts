import type { BusinessHoursService } from '#server/identity/orgs/business-hours.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { blockRows, type FlowSteps, maxBlockRows, type statsBlocksApi } from '#shared/stats/blocks.ts'
import type { StatsFilter } from '#shared/stats/filter.ts'
import { requirePeriod } from '../figures/required-period.ts'
import { type Block, type Say, tableCsv } from './block.ts'
import { type BulkBlockParts, createBulkBlock } from './bulk-sends.ts'
import { createFlowBlock, type FlowBlockParts } from './flows.ts'
import { createHealthBlock, type HealthBlockParts } from './health.ts'

export interface BlockParts extends BulkBlockParts, FlowBlockParts, HealthBlockParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly businessHours: Pick<BusinessHoursService, 'zonedHours'>
  readonly bulkSends: BulkBlockParts['bulkSends'] & HealthBlockParts['bulkSends']
  readonly flows: FlowBlockParts['flows'] & {
    readFunnel(db: Db, orgId: string, of: { flowId: string; language: Language }): Promise<FlowSteps>
  }
  translate(language: Language, key: string): string
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
export function createBlockService(parts: BlockParts, blocks: Blocks): ServiceOf<typeof statsBlocksApi, OrgCaller> {
  const { databases, clock, businessHours, flows } = parts

  const requestOf = async ({ orgId }: OrgCaller, query: Range, rows: number) => {
    const { timeZone } = await businessHours.zonedHours(orgId, databases.read)
    return { period: requirePeriod(query, { now: clock.now().getTime(), timeZone }), rows }
  }
  const read = async <Answer>(block: Block<Answer>, caller: OrgCaller, query: Range): Promise<Answer> =>
    block.read(caller, await requestOf(caller, query, blockRows))

  return {
    getBulkBlock: (caller, { query }) => read(blocks.bulkSends, caller, query),
    getFlowBlock: (caller, { query }) => read(blocks.flows, caller, query),
    getHealthBlock: caller => read(blocks.health, caller, {}),

    getFlowSteps: ({ orgId, language }, { params }) =>
      flows.readFunnel(databases.read, orgId, { flowId: params.id, language }),

    async exportBlock(caller, { params, query }) {
      const block: Block = blocks[params.name] as Block
      const answer = await block.read(caller, await requestOf(caller, query, maxBlockRows))
      return { csv: tableCsv(block.toTable(answer, sayIn(parts, caller.language)), caller.language), next: null }
    },
  }
}
