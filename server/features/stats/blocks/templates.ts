import { findOwnNumberId } from '#server/messaging/conversations/shown/named.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { DeliveryCounts, TemplateBlock } from '#shared/stats/blocks.ts'
import { anyTemplate } from '#shared/stats/cost.ts'
import { countingOf } from '../cost/progress.ts'
import { listTemplateSums } from '../cost/sums-store.ts'
import { unknownName } from '../stats-request.ts'
import type { Block } from './block.ts'

const counts = ['sent', 'delivered', 'read', 'replied', 'failed', 'optedOut'] as const

/** The outcomes of templates sent in a period, including those of bulk sends and flows. */
export const createTemplateBlock = ({ databases: { read } }: { databases: Databases }): Block<TemplateBlock> => ({
  name: 'templates',
  async read({ orgId, orgSlug, scope }, { period: { from, to }, number, rows }) {
    const isPartial = scope.kind !== 'all'
    const connectionId = number === undefined ? undefined : ((await findOwnNumberId(read, orgId, number)) ?? null)
    const sums = isPartial ? [] : await listTemplateSums(read, orgId, { from, to, connectionId })
    const listed = { from, to, ...(number ? { number: connectionId === null ? unknownName : number } : {}) }
    const hrefOf = (part: Record<string, string>) =>
      `${paths.statsMessages(orgSlug)}?${new URLSearchParams({ ...listed, ...part })}`
    return {
      from,
      to,
      isPartial,
      counting: await countingOf(read),
      templates: sums.length,
      total: {
        ...(Object.fromEntries(
          counts.map(name => [name, sums.reduce((all, sum) => all + sum[name], 0)]),
        ) as DeliveryCounts),
        href: hrefOf({ template: anyTemplate }),
      },
      items: sums
        .slice(0, rows)
        .map(sum => ({ ...sum, href: hrefOf({ template: sum.template, category: sum.category }) })),
    }
  },
  toTable: ({ items }, say) => ({
    columns: ['template', 'category', ...counts].map(name => say(`column.${name}`)),
    rows: items.map(item => [item.template, say(`category.${item.category}`), ...counts.map(name => item[name])]),
  }),
})
