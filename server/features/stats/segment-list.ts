import { nameConversations } from '#server/messaging/conversations/named.ts'
import { colleagues } from '#server/messaging/people/colleagues.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { csvLine } from '#server/platform/text/csv-line.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { ReplyOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { ShowPart, StatsFilter } from '#shared/stats/filter.ts'
import { type SegmentItem, segmentsPerPage, segmentsPerPart, type statsSummaryApi } from '#shared/stats/summary.ts'
import { listShown } from './cohort-store.ts'
import type { SegmentFacts } from './figures/segment-facts.ts'
import { isOfNow, isShown } from './figures/show.ts'
import { walkSegments } from './segment-walk.ts'
import { type RequestParts, resolveRequest } from './stats-request.ts'

interface SegmentListParts extends RequestParts {
  readonly databases: Databases
  readonly clock: Clock
  translate(language: Language, key: string): string
}

const csvColumns = [
  'id',
  'number',
  'name',
  'tags',
  'owner',
  'team',
  'origin',
  'startedAt',
  'firstResponse',
  'wait',
  'endedAt',
  'messagesIn',
  'messagesOut',
  'state',
] as const

const stateOf = ({ endedAt, waitingSince }: SegmentFacts, isResolved: boolean): SegmentItem['state'] => {
  if (endedAt === null) return waitingSince === null ? 'open' : 'waiting'
  return isResolved ? 'resolved' : 'silent'
}

const longest = (waits: readonly number[]): number | null =>
  waits.length ? waits.reduce((most, wait) => Math.max(most, wait)) : null

/** The lists behind figures. They read the same segments with the same tests as the figures, so that the counts agree. */
export function createSegmentList(parts: SegmentListParts) {
  const { databases, clock, translate } = parts
  const { read } = databases

  const present = async (caller: OrgCaller, segments: readonly SegmentFacts[]): Promise<SegmentItem[]> => {
    if (!segments.length) return []
    const { orgId } = caller
    const ids = segments.map(({ id }) => id)
    const rows = new Map((await listShown(read, caller, ids)).map(row => [row.id, row]))
    const conversationIds = [...rows.values()].flatMap(row => row.conversation_id ?? [])
    const conversations = await nameConversations(read, orgId, conversationIds)
    const names = await colleagues.findNames(read, orgId, {
      personIds: segments.flatMap(({ ownerId }) => ownerId ?? []),
      teamIds: segments.flatMap(({ teamId }) => teamId ?? []),
    })
    return segments.flatMap(segment => {
      const row = rows.get(segment.id)
      if (!row) return []
      const conversation = conversations.get(row.conversation_id ?? '')
      return {
        id: segment.id,
        number: conversation?.number ?? null,
        address: conversation?.address ?? null,
        name: conversation?.name ?? null,
        tags: [...(conversation?.tags ?? [])],
        owner: names.people.get(segment.ownerId ?? '') ?? null,
        team: names.teams.get(segment.teamId ?? '') ?? null,
        origin: row.origin,
        startedAt: new Date(segment.startedAt).toISOString(),
        firstResponseMs: segment.firstResponseMs,
        waitMs: longest(segment.waits),
        endedAt: segment.endedAt === null ? null : new Date(segment.endedAt).toISOString(),
        messagesIn: row.messages_in,
        messagesOut: row.messages_out,
        state: stateOf(segment, row.resolved_at !== null),
      }
    })
  }

  const lineOf = (item: SegmentItem, language: Language): string => {
    const seconds = (ms: number | null) => (ms === null ? '' : `${Math.round(ms / 1000)}`)
    return csvLine(
      [
        item.id,
        item.number ?? '',
        item.name ?? '',
        item.tags.join(', '),
        item.owner ?? '',
        item.team ?? '',
        translate(language, `stats:summary.origin.${item.origin}`),
        item.startedAt,
        seconds(item.firstResponseMs),
        seconds(item.waitMs),
        item.endedAt ?? '',
        `${item.messagesIn}`,
        `${item.messagesOut}`,
        translate(language, `stats:list.state.${item.state}`),
      ],
      language,
    )
  }

  return {
    async exportSegments(
      caller: OrgCaller,
      { query: { after, ...query } }: { query: StatsFilter & ShowPart & { after?: string } },
    ): Promise<ReplyOf<typeof statsSummaryApi.exportSegments>> {
      const request = await resolveRequest(databases, caller, { now: clock.now().getTime(), query }, parts)
      const { cohort, period, measure, clocks } = request
      const [startedAt = '', id = ''] = after?.split('_') ?? []
      const walk = {
        viewer: caller,
        cohort: { ...cohort, ...(isOfNow(query) ? {} : { period }) },
        clocks,
        after: after === undefined ? undefined : { started_at: startedAt, id },
      }
      const found: SegmentFacts[] = []
      if (cohort)
        for await (const segments of walkSegments(databases, walk)) {
          found.push(...segments.filter(segment => isShown(segment, query, measure)))
          if (found.length > segmentsPerPart) break
        }
      const part = found.slice(0, segmentsPerPart)
      const last = part.at(-1)
      const lines: string[] = []
      for (let from = 0; from < part.length; from += segmentsPerPage) {
        const items = await present(caller, part.slice(from, from + segmentsPerPage))
        lines.push(...items.map(item => lineOf(item, caller.language)))
        await databases.turn.giveWay()
      }
      const columnNames = csvColumns.map(name => translate(caller.language, `stats:csv.${name}`))
      return {
        csv: (after === undefined ? csvLine(columnNames, caller.language) : '') + lines.join(''),
        next: last && found.length > part.length ? `${new Date(last.startedAt).toISOString()}_${last.id}` : null,
      }
    },

    async listSegments(
      caller: OrgCaller,
      { query: { page = 1, ...query } }: { query: StatsFilter & ShowPart & { page?: number } },
    ): Promise<ReplyOf<typeof statsSummaryApi.listSegments>> {
      const request = await resolveRequest(databases, caller, { now: clock.now().getTime(), query }, parts)
      const { cohort, period, measure, clocks, unknown } = request
      const first = (page - 1) * segmentsPerPage
      const found: SegmentFacts[] = []
      let total = 0
      const walk = {
        viewer: caller,
        cohort: { ...cohort, ...(isOfNow(query) ? {} : { period }) },
        clocks,
      }
      if (cohort)
        for await (const segments of walkSegments(databases, walk))
          for (const segment of segments) {
            if (!isShown(segment, query, measure)) continue
            if (total >= first && found.length < segmentsPerPage) found.push(segment)
            total += 1
          }
      return {
        items: await present(caller, found),
        page,
        pageSize: segmentsPerPage,
        hasMore: total > first + segmentsPerPage,
        total,
        unknown,
      }
    },
  }
}
