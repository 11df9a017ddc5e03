import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { countedRuns } from '#shared/flows/runs/limits.ts'
import { paths } from '#shared/kernel/paths.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import type { FlowBlock, FlowFigures } from '#shared/stats/blocks.ts'
import type { Block } from './block.ts'

export interface FlowBlockParts {
  readonly databases: Databases
  readonly flows: {
    countBetween(
      db: Db,
      orgId: string,
      range: { from: string; to: string },
    ): Promise<readonly Omit<FlowFigures, 'href'>[]>
  }
}

const columns = countedRuns

/** Counts, for each flow, the sessions of a period that started, came to the end and were handed over. */
export const createFlowBlock = ({ databases, flows }: FlowBlockParts): Block<FlowBlock> => ({
  name: 'flows',
  async read({ orgId, orgSlug, role, scope }, { period: { from, to, since, until }, rows }) {
    const isPartial = scope.kind !== 'all'
    const counted = isPartial ? [] : await flows.countBetween(databases.read, orgId, { from, to })
    const sum = (name: (typeof columns)[number]) => counted.reduce((all, flow) => all + flow[name], 0)
    const mayOpen = roleCan(role, 'chat:read')
    return {
      from,
      to,
      isPartial,
      flows: counted.length,
      total: { started: sum('started'), finished: sum('finished'), handedOff: sum('handedOff') },
      items: counted.slice(0, rows).map(flow => ({
        ...flow,
        href: mayOpen ? `${paths.flowRuns(orgSlug, flow.id)}?${new URLSearchParams({ since, until })}` : null,
      })),
    }
  },
  toTable: ({ items }, say) => ({
    columns: [say('column.flow'), ...columns.map(name => say(`column.${name}`))],
    rows: items.map(flow => [flow.name, ...columns.map(name => flow[name])]),
  }),
})
