import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { type BulkSendState, figuresOfSend } from '#shared/bulk-sends/states.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import type { BulkFigures, SendCounts } from '#shared/stats/blocks.ts'
import { findSeen } from '../rights/visible.ts'
import { type BegunSend, findTemplateNames, listBegun } from './period-store.ts'

/** Outcomes of all sends of a period, and the newest ones. */
interface SendsOfPeriod {
  readonly sends: number
  readonly total: SendCounts
  readonly items: readonly Omit<BulkFigures, 'href'>[]
}

const sendsAtOnce = 500

const countsOf = ({ counts, optedOut }: BegunSend): SendCounts => ({
  ...figuresOfSend(counts),
  unconfirmed: counts.unconfirmed,
  optedOut,
})

const none: SendCounts = { sent: 0, delivered: 0, read: 0, replied: 0, failed: 0, unconfirmed: 0, optedOut: 0 }

const add = (a: SendCounts, b: SendCounts): SendCounts => ({
  sent: a.sent + b.sent,
  delivered: a.delivered + b.delivered,
  read: a.read + b.read,
  replied: a.replied + b.replied,
  failed: a.failed + b.failed,
  unconfirmed: a.unconfirmed + b.unconfirmed,
  optedOut: a.optedOut + b.optedOut,
})

interface PeriodParts {
  readonly databases: Databases
  readonly scopes: Pick<Scopes, 'tagsOfRole'>
}

/**
 * The bulk sends that began in a period and that the caller may see, the newest first, in slices. A role without
 * `bulk:send` sees all of them if it sees every conversation, otherwise none.
 */
async function* walkBegun(
  { databases: { read, turn }, scopes }: PeriodParts,
  caller: OrgCaller,
  { since, until }: { readonly since: string; readonly until: string },
): AsyncGenerator<readonly BegunSend[]> {
  const isSpectator = !roleCan(caller.role, 'bulk:send')
  for (let after: BegunSend | undefined; ; ) {
    const begun = await listBegun(read, caller.orgId, { since, until, after, limit: sendsAtOnce })
    yield isSpectator ? begun.filter(() => caller.scope.kind === 'all') : await findSeen(read, scopes, caller, begun)
    after = begun.length === sendsAtOnce ? begun.at(-1) : undefined
    if (!after) return
    await turn.giveWay()
  }
}

/** Ids of the sends that the figures of a period count, the newest first. */
export async function listOfPeriod(
  parts: PeriodParts,
  caller: OrgCaller,
  {
    states,
    offset,
    limit,
    ...range
  }: {
    readonly since: string
    readonly until: string
    /** Undefined: all. */
    readonly states: readonly BulkSendState[] | undefined
    readonly offset: number
    readonly limit: number
  },
): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const slice of walkBegun(parts, caller, range)) {
    for (const { id, state } of slice) if (!states || states.includes(state)) ids.push(id)
    if (ids.length >= offset + limit) break
  }
  return ids.slice(offset, offset + limit)
}

/** Sums of the bulk sends that began in a period and that the caller may see. */
export const createPeriodFigures =
  (parts: PeriodParts) =>
  async (
    caller: OrgCaller,
    { rows, ...range }: { since: string; until: string; rows: number },
  ): Promise<SendsOfPeriod> => {
    const { read, turn } = parts.databases
    let [sends, total] = [0, none]
    const newest: BegunSend[] = []
    for await (const seen of walkBegun(parts, caller, range)) {
      sends += seen.length
      total = seen.reduce((sum, send) => add(sum, countsOf(send)), total)
      newest.push(...seen.slice(0, rows - newest.length))
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
        ...countsOf(send),
      })),
    }
  }
