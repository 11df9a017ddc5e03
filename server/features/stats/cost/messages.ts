import { findOwnNumberId, nameConversations } from '#server/messaging/conversations/shown/named.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { paths } from '#shared/kernel/paths.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { messagesPerPage, type statsCostApi } from '#shared/stats/cost.ts'
import { requirePeriod } from '../figures/required-period.ts'
import { countSelected, selectSelected } from './sums-store.ts'

interface MessageListParts {
  readonly databases: Databases
  readonly clock: Clock
  readTimeZone(orgId: string): Promise<string>
}

/** Address of the page that lists delivered messages of a period. Null: the caller may not open it. */
export const hrefOfDelivered = (
  { orgSlug, role, scope }: OrgCaller,
  {
    period: { from, to },
    number,
  }: { readonly period: { from: string; to: string }; readonly number?: string | undefined },
  part: Readonly<Record<string, string>> = {},
): string | null => {
  if (!roleCan(role, 'stats:read') || scope.kind !== 'all') return null
  const query = new URLSearchParams({ from, to, ...(number ? { number } : {}), ...part, outcome: 'delivered' })
  return `${paths.statsMessages(orgSlug)}?${query}`
}

/** The lists behind figures of messages. */
export const createMessageList = ({
  databases: { read },
  clock,
  readTimeZone,
}: MessageListParts): Pick<ServiceOf<typeof statsCostApi, OrgCaller>, 'listSentMessages'> => ({
  async listSentMessages(caller, { query: { page = 1, number, outcome = 'sent', ...query } }) {
    const { orgId } = caller
    const { from, to } = requirePeriod(query, { now: clock.now().getTime(), timeZone: await readTimeZone(orgId) })
    const connectionId = number === undefined ? undefined : ((await findOwnNumberId(read, orgId, number)) ?? null)
    const selection = { ...query, from, to, connectionId, outcome }
    const rows = await selectSelected(read, caller, selection, {
      offset: (page - 1) * messagesPerPage,
      limit: messagesPerPage + 1,
    }).execute()
    const shown = rows.slice(0, messagesPerPage)
    const conversations = await nameConversations(
      read,
      orgId,
      shown.flatMap(row => row.conversation_id ?? []),
    )
    return {
      items: shown.map(row => {
        const conversation = conversations.get(row.conversation_id ?? '')
        return {
          id: row.message_id,
          number: conversation?.number ?? null,
          address: conversation?.address ?? null,
          name: conversation?.name ?? null,
          at: row.at,
          state: row.state,
          replied: row.replied === 1,
          template: row.template || null,
          category: row.category,
          country: row.country,
          charge: row.charge,
        }
      }),
      page,
      pageSize: messagesPerPage,
      hasMore: rows.length > messagesPerPage,
      total: await countSelected(read, orgId, selection),
    }
  },
})
