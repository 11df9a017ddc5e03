import { findSeen } from '#server/features/bulk-sends/rights/visible.ts'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { RecipientState } from '#shared/bulk-sends/states.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import type { BulkFigures, DeliveryCounts } from '#shared/stats/blocks.ts'
import { type BegunSend, findTemplateNames, listBegun } from './period-store.ts'

/** Outcomes of all sends of a period, and the newest ones. */
export interface SendsOfPeriod {
  readonly sends: number
  readonly total: DeliveryCounts
  readonly items: readonly Omit<BulkFigures, 'href'>[]
}

const sendsAtOnce = 500

/** Replied messages count as read too, and read ones as delivered. */
const figuresOf = ({ counts, optedOut }: BegunSend): DeliveryCounts => {
  const sum = (...states: readonly RecipientState[]) => states.reduce((all, state) => all + counts[state], 0)
  return {
    sent: sum('sent', 'delivered', 'read', 'replied', 'failed'),
    delivered: sum('delivered', 'read', 'replied'),
    read: sum('read', 'replied'),
    replied: counts.replied,
    failed: counts.failed,
    optedOut,
  }
}

const add = (a: DeliveryCounts, b: DeliveryCounts): DeliveryCounts => ({
  sent: a.sent + b.sent,
  delivered: a.delivered + b.delivered,
  read: a.read + b.read,
  replied: a.replied + b.replied,
  failed: a.failed + b.failed,
  optedOut: a.optedOut + b.optedOut,
})

const none: DeliveryCounts = { sent: 0, delivered: 0, read: 0, replied: 0, failed: 0, optedOut: 0 }

/**
 * Sums of the bulk sends of a period that the caller may see. A role without `bulk:send` sees all of them if it sees
 * every conversation, otherwise none.
 */
export const createPeriodFigures =
  ({ databases, scopes }: { databases: Databases; scopes: Pick<Scopes, 'tagsOfRole'> }) =>
  async (
    caller: OrgCaller,
    { since, until, rows }: { since: string; until: string; rows: number },
  ): Promise<SendsOfPeriod> => {
    const { read, turn } = databases
    const isSpectator = !roleCan(caller.role, 'bulk:send')
    let [sends, total] = [0, none]
    const newest: BegunSend[] = []
    for (let after: BegunSend | undefined; ; ) {
      const begun = await listBegun(read, caller.orgId, { since, until, after, limit: sendsAtOnce })
      const seen = isSpectator
        ? begun.filter(() => caller.scope.kind === 'all')
        : await findSeen(read, scopes, caller, begun)
      sends += seen.length
      total = seen.reduce((sum, send) => add(sum, figuresOf(send)), total)
      newest.push(...seen.slice(0, rows - newest.length))
      after = begun.length === sendsAtOnce ? begun.at(-1) : undefined
      if (!after) break
      await turn.giveWay()
    }
    const names = new Map<string, string>()
    for (let from = 0; from < newest.length; from += sendsAtOnce) {
      const ids = newest.slice(from, from + sendsAtOnce).map(({ id }) => id)
      for (const [id, name] of await findTemplateNames(read, caller.orgId, ids)) names.set(id, name)
      await turn.giveWay()
    }
    return {
      sends,
      total,
      items: newest.map(send => ({
        id: send.id,
        template: names.get(send.id) ?? '',
        state: send.state,
        at: send.at,
        ...figuresOf(send),
      })),
    }
  }
