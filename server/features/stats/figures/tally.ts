import { bucketOf, responseBucketsMs } from '#shared/stats/filter.ts'
import { concatLists, DurationList, type Durations, durationsOf, medianOf } from './durations.ts'
import type { SegmentFacts } from './segment-facts.ts'
import { type Measure, segmentStart, tests } from './show.ts'

/** The figures of one member, team or tag. */
export interface GroupFigures {
  readonly id: string | null
  readonly needsPerson: number
  readonly answered: number
  readonly inPromise: number
  readonly openNow: number
  readonly firstResponse: Durations
  readonly resolution: Durations
}

interface DayFigures {
  readonly day: string
  readonly attended: number
  readonly firstResponses: number
  readonly firstResponseMs: number | null
  readonly customerWaits: number
  readonly customerWaitMs: number | null
  readonly resolutions: number
  readonly resolutionMs: number | null
  readonly withBot: number
  readonly contained: number
}

/** All figures of the segments of a period. */
export interface Tallied {
  readonly attended: number
  readonly firstResponse: Durations
  readonly inPromise: number
  readonly unanswered: number
  readonly customerWait: Durations & { readonly conversations: number; readonly waitingNow: number }
  readonly resolution: Durations
  readonly withBot: number
  readonly contained: number
  readonly needsPerson: number
  readonly openNow: number
  readonly buckets: readonly { readonly count: number; readonly late: number }[]
  /** Counts by weekday from Monday, then by hour. */
  readonly heat: readonly (readonly number[])[]
  readonly days: readonly DayFigures[]
  readonly members: readonly GroupFigures[]
  readonly teams: readonly GroupFigures[]
}

/** Lets others run between two medians, each of which may take milliseconds. */
export type Pause = () => Promise<void> | undefined

class Group {
  #needsPerson = 0
  #answered = 0
  #inPromise = 0
  #openNow = 0
  readonly #responses = new DurationList()
  readonly #resolutions = new DurationList()

  add(segment: SegmentFacts, measure: Measure): void {
    if (segment.needsPerson) this.#needsPerson += 1
    if (tests.openNow(segment, measure)) this.#openNow += 1
    if (segment.resolutionMs !== null) this.#resolutions.add(segment.resolutionMs)
    if (segment.firstResponseMs === null) return
    this.#answered += 1
    this.#responses.add(segment.firstResponseMs)
    if (tests.inPromise(segment, measure)) this.#inPromise += 1
  }

  async figures(id: string | null, pause: Pause): Promise<GroupFigures> {
    const firstResponse = durationsOf(this.#responses.values)
    await pause()
    const resolution = durationsOf(this.#resolutions.values)
    await pause()
    return {
      id,
      needsPerson: this.#needsPerson,
      answered: this.#answered,
      inPromise: this.#inPromise,
      openNow: this.#openNow,
      firstResponse,
      resolution,
    }
  }
}

export class Groups {
  readonly #groups = new Map<string | null, Group>()

  add(id: string | null, segment: SegmentFacts, measure: Measure): void {
    let group = this.#groups.get(id)
    if (!group) {
      group = new Group()
      this.#groups.set(id, group)
    }
    group.add(segment, measure)
  }

  /** Largest first; the group without an id last. */
  async figures(pause: Pause): Promise<GroupFigures[]> {
    const all: GroupFigures[] = []
    for (const [id, group] of this.#groups) all.push(await group.figures(id, pause))
    return all.toSorted((a, b) => Number(a.id === null) - Number(b.id === null) || b.needsPerson - a.needsPerson)
  }
}

/** The sums of a day, and those by which a period is compared with the one before. */
export class Totals {
  attended = 0
  withBot = 0
  contained = 0
  readonly responses = new DurationList()
  readonly waits = new DurationList()
  readonly resolutions = new DurationList()

  add(segment: SegmentFacts, measure: Measure): void {
    this.attended += 1
    if (tests.withBot(segment, measure)) this.withBot += 1
    if (tests.contained(segment, measure)) this.contained += 1
    if (segment.firstResponseMs !== null) this.responses.add(segment.firstResponseMs)
    if (segment.resolutionMs !== null) this.resolutions.add(segment.resolutionMs)
    for (const wait of segment.waits) this.waits.add(wait)
  }
}

const numberOf = (day: string): number => Date.parse(day) / 86_400_000

/** Counts the segments that are added. `figures` computes medians, so call it once at the end. */
export function createTally(measure: Measure, days: readonly string[]) {
  const buckets = Array.from({ length: responseBucketsMs.length + 1 }, () => ({ count: 0, late: 0 }))
  const heat = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0))
  const byDay = new Map<number, Totals>(days.map(day => [numberOf(day), new Totals()]))
  const members = new Groups()
  const teams = new Groups()
  const counts = { inPromise: 0, unanswered: 0, customerWait: 0, waitingNow: 0, needsPerson: 0, openNow: 0 }

  return {
    add(segment: SegmentFacts): void {
      // A loop over their names would take longer: a page counts a hundred thousand segments.
      if (tests.inPromise(segment, measure)) counts.inPromise += 1
      if (tests.unanswered(segment, measure)) counts.unanswered += 1
      if (tests.customerWait(segment, measure)) counts.customerWait += 1
      if (tests.waitingNow(segment, measure)) counts.waitingNow += 1
      if (tests.needsPerson(segment, measure)) counts.needsPerson += 1
      if (tests.openNow(segment, measure)) counts.openNow += 1
      if (segment.firstResponseMs !== null) {
        const bucket = buckets[bucketOf(segment.firstResponseMs, responseBucketsMs)] as (typeof buckets)[number]
        bucket.count += 1
        if (tests.latePromise(segment, measure)) bucket.late += 1
      }
      const { weekday, hour, day } = segmentStart(segment.startedAt, measure.wallClock)
      const hours = heat[weekday - 1] as number[]
      hours[hour] = (hours[hour] ?? 0) + 1
      let ofDay = byDay.get(day)
      if (!ofDay) {
        ofDay = new Totals()
        byDay.set(day, ofDay)
      }
      ofDay.add(segment, measure)
      members.add(segment.ownerId, segment, measure)
      teams.add(segment.teamId, segment, measure)
    },

    async figures(pause: Pause): Promise<Tallied> {
      const all = [...byDay.values()]
      const sumOf = (name: 'attended' | 'withBot' | 'contained') => all.reduce((sum, of) => sum + of[name], 0)
      const durations = async (name: 'responses' | 'waits' | 'resolutions') => {
        await pause()
        return durationsOf(concatLists(all.map(of => of[name])))
      }
      const ofDays: DayFigures[] = []
      for (const day of days) {
        const { attended, withBot, contained, ...of } = byDay.get(numberOf(day)) ?? new Totals()
        ofDays.push({
          day,
          attended,
          withBot,
          contained,
          firstResponses: of.responses.size,
          firstResponseMs: medianOf(of.responses.values),
          customerWaits: of.waits.size,
          customerWaitMs: medianOf(of.waits.values),
          resolutions: of.resolutions.size,
          resolutionMs: medianOf(of.resolutions.values),
        })
        await pause()
      }
      return {
        attended: sumOf('attended'),
        firstResponse: await durations('responses'),
        inPromise: counts.inPromise,
        unanswered: counts.unanswered,
        customerWait: {
          ...(await durations('waits')),
          conversations: counts.customerWait,
          waitingNow: counts.waitingNow,
        },
        resolution: await durations('resolutions'),
        withBot: sumOf('withBot'),
        contained: sumOf('contained'),
        needsPerson: counts.needsPerson,
        openNow: counts.openNow,
        buckets,
        heat,
        days: ofDays,
        members: await members.figures(pause),
        teams: await teams.figures(pause),
      }
    },
  }
}
