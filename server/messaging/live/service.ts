import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Databases } from '#server/platform/db/db.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { eventsPerPage, type LogActor, type LogEvent, type liveApi } from '#shared/live/log.ts'
import { isMeant } from './audience.ts'
import { type EventRow, eventsWithin, readHead, readOldest } from './store.ts'

/** Event numbers scanned per query: a few milliseconds with any filter, then others run. */
const numbersPerQuery = 2000

const isPart = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const withMessage: ReadonlySet<string> = new Set(['message', 'messageChanged', 'internal'])

/** The actor, as far as it was stored. */
const actorOf = (row: EventRow, data: unknown): LogActor => {
  const said = actorSaid(row.type, data)
  const { actor } = row
  return said === 'system' && (actor === 'person' || actor === 'key' || actor === 'bot') ? actor : said
}

const actorSaid = (type: string, data: unknown): LogActor => {
  if (type === 'status') return 'whatsapp'
  if (!isPart(data) || !withMessage.has(type) || !isPart(data.message)) return 'system'
  const { direction, author: writer, activity } = data.message
  if (direction === 'in') return 'contact'
  const doer = isPart(activity) ? activity.by : writer
  const author = isPart(doer) ? doer.kind : undefined
  if (author === 'customer') return 'contact'
  return author === 'person' || author === 'bot' ? author : 'system'
}

const toLogEvent = (row: EventRow): LogEvent => {
  const data: unknown = JSON.parse(row.json)
  const actor = actorOf(row, data)
  const actorName = actor === row.actor ? row.actorName : null
  return { id: row.seq, type: row.type, at: row.at, actor, actorName, number: row.number, data }
}

const toUtc = (field: string, moment: string | undefined): string | undefined => {
  if (moment === undefined) return undefined
  const time = Date.parse(moment)
  if (Number.isNaN(time)) throw new InvalidInput([{ field, code: 'pattern', params: {} }])
  return new Date(time).toISOString()
}

export const createLiveService = ({ databases }: { databases: Databases }): ServiceOf<typeof liveApi, OrgCaller> => ({
  place: async ({ orgId }) => ({ id: await readHead(databases.read, orgId) }),

  /** Newest first, without events for other people. Pages past the oldest kept event are empty. */
  async events(caller, { query }) {
    const { orgId } = caller
    const creatorId = caller.kind === 'key' ? caller.creatorId : undefined
    const me = { userId: callerId(caller), role: caller.role, creatorId }
    const from = toUtc('query.from', query.from)
    const to = toUtc('query.to', query.to)
    const head = await readHead(databases.read, orgId)
    const floor = Math.max(query.since ?? 0, ((await readOldest(databases.read, orgId)) ?? head + 1) - 1)
    const wanted = query.page * eventsPerPage + 1
    let seen = 0
    const rows: EventRow[] = []
    for (
      let upTo = Math.min(head, (query.before ?? head + 1) - 1);
      upTo > floor && seen < wanted;
      upTo -= numbersPerQuery
    ) {
      const found = await eventsWithin(databases.read, caller, {
        above: Math.max(floor, upTo - numbersPerQuery),
        upTo,
        from,
        to,
        types: query.type && [query.type],
        number: query.number?.replace(/^\+/, ''),
      })
      for (const row of found) {
        if (!isMeant(row.audience, me)) continue
        seen += 1
        if (seen > wanted - 1 - eventsPerPage && seen <= wanted) rows.push(row)
      }
      await nextTurn()
    }
    return {
      items: rows.slice(0, eventsPerPage).map(toLogEvent),
      page: query.page,
      pageSize: eventsPerPage,
      hasMore: rows.length > eventsPerPage,
    }
  },
})
