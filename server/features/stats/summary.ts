import { colleagues } from '#server/messaging/people/colleagues.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { covers, roleCan } from '#shared/kernel/permissions.ts'
import { maxTeams } from '#shared/orgs/members.ts'
import { ageBucketsMs, nobody, type ShowPart, type StatsFilter } from '#shared/stats/filter.ts'
import { type GroupAnswer, maxGroupedMembers, type StatsSummary } from '#shared/stats/summary.ts'
import type { CostsService } from './cost/block.ts'
import { hrefOfDelivered } from './cost/messages.ts'
import { alertsOf } from './figures/alerts.ts'
import { medianOf } from './figures/durations.ts'
import { lateSince } from './figures/late-since.ts'
import { isoDay, type Period, periodBefore } from './figures/period.ts'
import { createTally, type GroupFigures, Groups, type Tallied, Totals } from './figures/tally.ts'
import type { PackIds } from './packs/store.ts'
import { countingProgress } from './progress.ts'
import { countUnattended, createTagLookup, pauseOf, walkSegments } from './segment-walk.ts'
import { readProgress } from './segments/progress-store.ts'
import { ownId, type RequestParts, resolveRequest, type StatsRequest, seesMembers } from './stats-request.ts'

export interface SummaryParts extends RequestParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly costs: Pick<CostsService, 'total'>
}

const daysOf = ({ from, days }: Period): string[] => {
  const first = Date.parse(from) / 86_400_000
  return Array.from({ length: days }, (_, i) => isoDay(first + i))
}

const shareOf = ({ contained, withBot }: Pick<Tallied, 'contained' | 'withBot'>): number | null =>
  withBot ? contained / withBot : null

/** A key sees costs only if it has the capability; a key without a list of capabilities has those of its role. */
const maySeeCost = (caller: OrgCaller): boolean =>
  roleCan(caller.role, 'cost:read') &&
  (caller.kind !== 'key' || caller.capabilities === null || covers(caller.capabilities, 'cost:read'))

/** The figures of the period, beside those of the period before if it is compared. */
function comparedFigures(
  now: Tallied,
  was: Totals | undefined,
  hrefOf: StatsRequest['hrefOf'],
): Omit<StatsSummary['figures'], 'cost'> {
  return {
    attended: { value: now.attended, before: was?.attended ?? null, href: hrefOf({ show: 'attended' }) },
    firstResponse: {
      ...now.firstResponse,
      before: was ? medianOf(was.responses.values) : null,
      href: hrefOf({ show: 'firstResponse' }),
    },
    customerWait: {
      count: now.customerWait.count,
      medianMs: now.customerWait.medianMs,
      p90Ms: now.customerWait.p90Ms,
      meanMs: now.customerWait.meanMs,
      before: was ? medianOf(was.waits.values) : null,
      href: hrefOf({ show: 'customerWait' }),
      waitingNow: now.customerWait.waitingNow,
      waitingHref: hrefOf({ show: 'waitingNow' }),
    },
    resolution: {
      ...now.resolution,
      before: was ? medianOf(was.resolutions.values) : null,
      href: hrefOf({ show: 'resolution' }),
    },
    containment: {
      share: shareOf(now),
      before: (was && shareOf(was)) ?? null,
      ended: now.contained,
      withBot: now.withBot,
      href: hrefOf({ show: 'contained' }),
      withBotHref: hrefOf({ show: 'withBot' }),
    },
  }
}

export function createSummary(parts: SummaryParts) {
  const { databases, clock, costs, tags } = parts
  const { read } = databases

  const walkPeriod = (caller: OrgCaller, { cohort, clocks }: StatsRequest, period: Period, ids: PackIds = 'none') =>
    cohort ? walkSegments(databases, { viewer: caller, cohort: { ...cohort, period }, clocks, ids }) : []

  /** Only what the page compares. */
  const countTotals = async (caller: OrgCaller, request: StatsRequest, period: Period): Promise<Totals> => {
    const totals = new Totals()
    for await (const segments of walkPeriod(caller, request, period))
      for (const segment of segments) totals.add(segment, request.measure)
    return totals
  }

  const countPeriod = async (caller: OrgCaller, request: StatsRequest, period: Period, withTags: boolean) => {
    const tally = createTally(request.measure, daysOf(period))
    const ofTags = new Groups()
    const tagsNow = createTagLookup(databases, caller)
    for await (const segments of walkPeriod(caller, request, period, withTags ? 'conversations' : 'none')) {
      for (const segment of segments) tally.add(segment)
      if (!withTags) continue
      await tagsNow.load(segments)
      for (const segment of segments)
        for (const tag of tagsNow.of(segment.conversationId)) ofTags.add(tag, segment, request.measure)
    }
    const pause = pauseOf(databases)
    return { figures: await tally.figures(pause), tags: await ofTags.figures(pause) }
  }

  const unattendedNow = async (caller: OrgCaller, { cohort, measure, clocks, hrefOf }: StatsRequest) => {
    const { now, promiseMs } = measure
    const lateAt = promiseMs === null ? undefined : lateSince(clocks.businessTime, now, promiseMs)
    const since = [...ageBucketsMs.map(ms => now - ms), lateAt ?? 0].map(at => new Date(at).toISOString())
    const found = cohort && (await countUnattended(databases, { viewer: caller, cohort, since }))
    const all = found?.all ?? 0
    const waiting = found?.waiting ?? []
    const isLate = waiting.at(-1) ?? 0
    // Each counts those who have waited at least so long; the late ones are those who have waited longest.
    const ages = [all, ...waiting.slice(0, -1)].map((count, bucket, counts) => {
      const longer = counts[bucket + 1] ?? 0
      return { count: count - longer, late: Math.min(count, isLate) - Math.min(longer, isLate) }
    })
    const oldestMs = found?.oldest ? Math.max(0, now - Date.parse(found.oldest)) : null
    return {
      total: { count: all, href: hrefOf({ show: 'unattended' }) },
      ages: ages.map((age, bucket) => ({ ...age, href: hrefOf({ show: 'unattended', bucket }) })),
      oldestMs,
      late: { count: isLate, href: hrefOf({ show: 'unattendedLate' }), oldestMs },
    }
  }

  const costOf = async (
    caller: OrgCaller,
    period: Period,
    number: string | undefined,
  ): Promise<StatsSummary['figures']['cost']> => {
    if (!maySeeCost(caller)) return null
    const { amounts, unpriced } = await costs.total(caller.orgId, { period, number, today: period.to })
    const [first] = amounts
    if (!first) return null
    const href = hrefOfDelivered(caller, { period, number }, { charge: 'regular' })
    return { ...first, amounts: [...amounts], estimated: true, unpriced, href }
  }

  const namedGroups = (
    groups: readonly GroupFigures[],
    names: ReadonlyMap<string, string>,
    { hrefOf }: StatsRequest,
    by: 'member' | 'team' | 'tag',
  ): GroupAnswer[] =>
    groups.map(({ id, needsPerson, answered, inPromise, openNow, firstResponse, resolution }) => {
      const href = (part: ShowPart) => hrefOf({ ...part, [by]: id ?? nobody })
      return {
        id,
        name: id === null ? null : (names.get(id) ?? null),
        needsPerson: { count: needsPerson, href: href({ show: 'needsPerson' }) },
        answered: { count: answered, href: href({ show: 'firstResponse' }) },
        inPromise,
        inPromiseHref: href({ show: 'inPromise' }),
        openNow: { count: openNow, href: href({ show: 'openNow' }) },
        firstResponse: { ...firstResponse, href: href({ show: 'firstResponse' }) },
        resolution: { ...resolution, href: href({ show: 'resolution' }) },
      }
    })

  return {
    async getSummary(
      caller: OrgCaller,
      { query }: { query: StatsFilter & { compare?: boolean } },
    ): Promise<StatsSummary> {
      const { orgId } = caller
      const request = await resolveRequest(databases, caller, { now: clock.now().getTime(), query }, parts)
      const { period, measure, hrefOf } = request
      const tagNames = new Map((await tags.list(read, orgId)).map(({ id, label }) => [id, label]))
      const earlier = query.compare ? periodBefore(period, measure.timeZone) : undefined
      const { figures: now, tags: counts } = await countPeriod(caller, request, period, tagNames.size > 0)
      const was = earlier && (await countTotals(caller, request, earlier))
      const members = seesMembers(caller)
        ? now.members
        : now.members.filter(({ id }) => id !== null && id === ownId(caller))
      const shown = members.slice(0, maxGroupedMembers)
      const names = await colleagues.findNames(read, orgId, {
        personIds: shown.flatMap(({ id }) => id ?? []),
        teamIds: now.teams.flatMap(({ id }) => id ?? []),
      })
      const counted = (count: number, part: ShowPart) => ({ count, href: hrefOf(part) })
      const { late, ...unattended } = await unattendedNow(caller, request)
      const unanswered = counted(now.unanswered, { show: 'unanswered' })
      const teams = namedGroups(now.teams.slice(0, maxTeams + 1), names.teams, request, 'team')
      const ofTags = counts.filter(({ id }) => id !== null && tagNames.has(id))
      const byTag = namedGroups(ofTags, tagNames, request, 'tag')
      return {
        from: period.from,
        to: period.to,
        timeZone: measure.timeZone,
        comparedWith: earlier ? { from: earlier.from, to: earlier.to } : null,
        promiseMs: measure.promiseMs,
        unknown: request.unknown,
        counting: countingProgress(await readProgress(read)),
        alerts: alertsOf({ promiseMs: measure.promiseMs, unanswered, tags: byTag, teams, late }),
        figures: { ...comparedFigures(now, was, hrefOf), cost: await costOf(caller, period, query.number) },
        needsPerson: counted(now.needsPerson, { show: 'needsPerson' }),
        unanswered,
        promise: {
          kept: counted(now.inPromise, { show: 'inPromise' }),
          late: counted(measure.promiseMs === null ? 0 : now.firstResponse.count - now.inPromise, {
            show: 'latePromise',
          }),
        },
        buckets: now.buckets.map((of, bucket) => ({ ...of, href: hrefOf({ show: 'firstResponse', bucket }) })),
        heat: now.heat.map(hours => [...hours]),
        heatHref: hrefOf({ show: 'attended' }),
        unattended,
        days: [...now.days],
        members: namedGroups(shown, names.people, request, 'member'),
        teams,
        tags: byTag,
      }
    },
  }
}
