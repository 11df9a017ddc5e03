import { sql } from 'kysely'
import { packDays } from '#server/features/stats/packs/packer.ts'
import { defaultSlice, readSlice, type SliceSize } from '#server/features/stats/segments/read-slice.ts'
import { createSummary } from '#server/features/stats/summary.ts'
import { seesAll } from '#server/identity/visibility/scope.ts'
import { createTags } from '#server/messaging/tags/tags.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { noCosts } from '#test/helpers/costs.ts'
import { promising } from '#test/helpers/promising.ts'
import { openInstallation } from './parts/installation.ts'
import { bound, figure, report } from './parts/report.ts'
import { measureStatsServer } from './parts/stats-server.ts'

export const name = 'stats'
export const title = 'Conversation segments built from messages, and the figures counted from them, in the process'

const goals = { rebuildSeconds: 60, sliceMs: 50, pageMs: 120, holdMs: 50, ratio: 20 }
const days = 90

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
const spreadOf = (value: number) => ({ median: value, low: value, high: value })
const p95 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0

/** The most processor time between two turns of the event loop while `work` is under way. */
const longestHold = async (work: () => Promise<unknown>): Promise<number> => {
  let [longest, since, isDone] = [0, cpuMs(), false]
  const look = () => {
    longest = Math.max(longest, cpuMs() - since)
    since = cpuMs()
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isDone = true
  return longest
}

/** Measures processor time, which other work on the machine does not change. `--conversations N --messages N --rounds N` */
export async function run(args: readonly string[]): Promise<boolean> {
  const of = (word: string, fallback: number) =>
    args.includes(`--${word}`) ? Number(args[args.indexOf(`--${word}`) + 1]) || fallback : fallback
  const [conversations, messages] = [of('conversations', 2_500), of('messages', 1_000_000)]
  const rounds = of('rounds', 20)
  const place = await openInstallation({ conversations, messages, people: 1 })
  const databases = openDatabase(place.databasePath)
  const db = databases.read
  const orgId = place.org.id
  const newest = (
    await db
      .selectFrom('message')
      .select(eb => eb.fn.max('at').as('at'))
      .executeTakeFirstOrThrow()
  ).at
  const clock = { now: () => new Date(Date.parse(newest) + 1) }
  const caller = { kind: 'person', orgId, orgSlug: 'x', role: 'owner', scope: seesAll } as unknown as Member

  /** Builds segments until no message is left or `maxSlices` are done. Returns the ms of each slice. */
  const buildSegments = async (size: SliceSize, maxSlices = Number.POSITIVE_INFINITY) => {
    const times: number[] = []
    for (let found = 'slice'; found !== 'nothing' && times.length < maxSlices; ) {
      const began = cpuMs()
      found = await inTransaction(databases, trx => readSlice(trx, size))
      times.push(cpuMs() - began)
    }
    return times
  }
  const timesOf = async (work: () => Promise<unknown>) => {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const began = cpuMs()
      await work()
      times.push(cpuMs() - began)
    }
    return times
  }
  try {
    const tenMessages = { messages: 10, conversations: 10 }
    const smallSlices = await buildSegments(tenMessages, 200)
    const slices = await buildSegments(defaultSlice)
    const packingBegan = cpuMs()
    while (await packDays(databases, clock.now().getTime()));
    const packingMs = cpuMs() - packingBegan
    const sum = (times: readonly number[]) => times.reduce((total, ms) => total + ms, 0)
    const segments = await db
      .selectFrom('conversation_segment')
      .select(eb => eb.fn.countAll().as('n'))
      .executeTakeFirst()
    const { getSummary } = createSummary({
      databases,
      clock,
      costs: noCosts,
      tags: createTags(),
      orgSettings: promising(15),
      businessHours: { zonedHours: async () => ({ hours: null, timeZone: defaultTimeZone }) },
    })
    const countPage = () => getSummary(caller, { query: { days, compare: true } })
    // A server that has run for a while has compiled it.
    await timesOf(countPage)
    const page = await timesOf(countPage)
    const hold = await longestHold(countPage)
    const since = new Date(Date.parse(newest) - days * 86_400_000).toISOString()
    // The comparison: reports that have no segments compute each wait from the messages.
    const withoutSegments = await timesOf(() =>
      sql`select substr(at, 1, 10) as day, count(*), avg(wait) from (
        select at, direction, julianday(at) - julianday(lag(at) over (partition by conversation_id order by at)) as wait
        from message where org_id = ${orgId} and at >= ${since}) group by day`.execute(db),
    )
    const perMessageUs = (1000 * sum(smallSlices)) / (smallSlices.length * tenMessages.messages)
    const lines = [
      bound(`rebuild of ${messages} messages, ${segments?.n} segments`, sum(slices) / 1000, 's', goals.rebuildSeconds),
      bound(
        'longest slice of the rebuild',
        slices.reduce((most, ms) => Math.max(most, ms), 0),
        'ms',
        goals.sliceMs,
      ),
      figure('one message, in slices of ten', spreadOf(perMessageUs), 'µs'),
      figure('packing all past days', spreadOf(packingMs), 'ms'),
      bound(`figures of ${days} days with comparison, p95`, p95(page), 'ms', goals.pageMs),
      bound('longest hold of the event loop meanwhile', hold, 'ms', goals.holdMs),
      bound(
        'SQL over messages takes this many times as long',
        p95(withoutSegments) / p95(page),
        '×',
        goals.ratio,
        true,
      ),
    ]
    await databases.close()
    return report(args, [...lines, ...(await measureStatsServer(place, { days, perMessageUs }))])
  } finally {
    await databases.close()
    place.remove()
  }
}
