import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { ReplyOf } from '#shared/kernel/contract.ts'
import type { ShowPart, StatsFilter } from '#shared/stats/filter.ts'
import { segmentsPerPage, type statsSummaryApi } from '#shared/stats/summary.ts'
import type { SegmentFacts } from './figures/segment-facts.ts'
import { isOfNow, isShown } from './figures/show.ts'
import { listItems } from './segment-items.ts'
import { walkSegments } from './segment-walk.ts'
import { type RequestParts, resolveRequest } from './stats-request.ts'

interface SegmentListParts extends RequestParts {
  readonly databases: Databases
  readonly clock: Clock
}

/** The lists behind figures. They read the same segments with the same tests as the figures, so that the counts agree. */
export function createSegmentList(parts: SegmentListParts) {
  const { databases, clock } = parts
  const { read } = databases

  return {
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
        items: await listItems(read, caller, found),
        page,
        pageSize: segmentsPerPage,
        hasMore: total > first + segmentsPerPage,
        total,
        unknown,
      }
    },
  }
}
