import type { OrgCaller } from '#server/platform/http/actor.ts'
import { paths } from '#shared/kernel/paths.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import type { BulkBlock, BulkFigures, SendCounts } from '#shared/stats/blocks.ts'
import type { Block } from './block.ts'

export interface BulkBlockParts {
  readonly bulkSends: {
    figuresOfPeriod(
      caller: OrgCaller,
      range: { since: string; until: string; rows: number },
    ): Promise<{
      readonly sends: number
      readonly total: SendCounts
      readonly items: readonly Omit<BulkFigures, 'href'>[]
    }>
  }
}

const columns = [
  'at',
  'template',
  'state',
  'sent',
  'delivered',
  'read',
  'replied',
  'failed',
  'optedOut',
  'unconfirmed',
] as const

/** The outcomes of bulk sends that began in a period. */
export const createBulkBlock = ({ bulkSends }: BulkBlockParts): Block<BulkBlock> => ({
  name: 'bulkSends',
  async read(viewer, { period, rows }) {
    const { from, to, since, until } = period
    const mayOpen = roleCan(viewer.role, 'bulk:send')
    const { sends, total, items } = await bulkSends.figuresOfPeriod(viewer, { since, until, rows })
    return {
      from,
      to,
      sends,
      total,
      items: items.map(send => ({ ...send, href: mayOpen ? paths.bulkSend(viewer.orgSlug, send.id) : null })),
      listHref: mayOpen ? `${paths.bulk(viewer.orgSlug)}?${new URLSearchParams({ since, until })}` : null,
    }
  },
  toTable: ({ items }, say) => ({
    columns: columns.map(name => say(`column.${name}`)),
    rows: items.map(send =>
      columns.map(name => (name === 'state' ? say(`bulkSends.state.${send.state}`) : send[name])),
    ),
  }),
})
