import t from 'tap'
import { selectNamed } from '#server/features/stats/cohort-store.ts'
import { packDays } from '#server/features/stats/packs/packer.ts'
import { createSegmentList } from '#server/features/stats/segment-list.ts'
import { createSummary } from '#server/features/stats/summary.ts'
import { seesSome } from '#server/identity/visibility/scope.ts'
import { createTags } from '#server/messaging/tags/tags.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { type BusinessHours, weekdays } from '#shared/orgs/business-hours.ts'
import type { CostEstimate } from '#shared/stats/cost.ts'
import type { Origin } from '#shared/stats/definitions.ts'
import type { Show } from '#shared/stats/filter.ts'
import { bucketOf, maxDays, responseBucketsMs } from '#shared/stats/filter.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { nothingBilled } from '#test/helpers/costs.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { randomCases } from '#test/helpers/night.ts'
import { plainMedian, plainRank, plainSegments } from '#test/helpers/plain-figures.ts'
import { promising } from '#test/helpers/promising.ts'
import { aHistory, chance, type LineName, lines } from '#test/helpers/segment-history.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = '2026-03-20T15:00:00.000Z'
const nowMs = Date.parse(now)

interface Promised {
  readonly hours?: BusinessHours | null
  readonly promise?: number
  readonly costs?: Partial<CostEstimate>
}

const aRoom = async (
  t: { teardown(fn: () => unknown): void },
  { hours = null, promise = 15, costs = {} }: Promised = {},
) => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const owner = await aMember({ databases })
  const parts = {
    databases,
    clock: handClock(now),
    costs: { total: async () => ({ ...nothingBilled, ...costs }) },
    tags: createTags(),
    orgSettings: promising(promise),
    businessHours: { zonedHours: async () => ({ hours, timeZone: defaultTimeZone }) },
  }
  const stats = { ...createSummary(parts), ...createSegmentList(parts) }
  return { databases, owner, stats, ...aHistory(databases, owner.org.id) }
}
type Room = Awaited<ReturnType<typeof aRoom>>

/** The filter that an address of the list stands for. */
const queryOf = (href: string) => {
  const query: Record<string, unknown> = Object.fromEntries(new URLSearchParams(href.split('?')[1]))
  for (const name of ['bucket', 'weekday', 'hour']) if (name in query) query[name] = Number(query[name])
  return query as { show?: Show; origin?: Origin }
}

interface Counted {
  count: number
  href: string
}
const isCounted = (value: unknown): value is Counted =>
  typeof value === 'object' && value !== null && typeof (value as Counted).href === 'string'

/** Every figure that has an address, as it stands in the answer. */
const countedIn = (value: unknown, path = ''): [string, Counted & Record<string, unknown>][] => {
  if (typeof value !== 'object' || value === null) return []
  const own = isCounted(value) ? [[path, value] as [string, Counted & Record<string, unknown>]] : []
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => countedIn(inner, `${path}.${key}`))]
}

/** The list of one day, as the page makes it of that of the range. */
const onDay = (href: string, day: string) => href.replace(/from=[^&]+&to=[^&]+/, `from=${day}&to=${day}`)

const listed = async (stats: Room['stats'], member: AMember['member'], href: string) =>
  stats.listSegments(member, { query: queryOf(href) })

t.test('figures are those of the plainest count, and each is as many as its list', async t => {
  const names = Object.keys(lines) as LineName[]
  for (let seed = 1; seed <= randomCases({ day: 4, night: 60 }); seed += 1) {
    const { databases, owner, stats, conversation, say, read } = await aRoom(t)
    const next = chance(seed)
    const pick = <T>(some: readonly T[]): T => some[Math.floor(next() * some.length)] as T
    const tagId = newId()
    await databases.write
      .insertInto('tag')
      .values({ id: tagId, org_id: owner.org.id, label: 'Reclamo', hue: 1, created_at: now })
      .execute()
    for (let i = 0; i < 12; i += 1) {
      const { id, contactId } = await conversation()
      if (next() < 0.4)
        await databases.write
          .insertInto('contact_tag')
          .values({ contact_id: contactId, tag_id: tagId, org_id: owner.org.id })
          .execute()
      for (let at = nowMs - 12 * day * next(), said = 0; at < nowMs && said < 40; said += 1) {
        await say(id, at, lines[next() < 0.6 ? pick(['customer', 'ana', 'bot'] as const) : pick(names)])
        at += pick([1000, 20_000, minute, 8 * minute, hour, 20 * hour, 26 * hour])
      }
    }
    await read(200)
    const query = { from: '2026-03-12', to: '2026-03-20', compare: true }
    const got = await stats.getSummary(owner.member, { query })
    while (await packDays(databases, nowMs));
    t.same(await stats.getSummary(owner.member, { query }), got, `history ${seed}: the same once days are packed`)
    const midnight = Date.parse('2026-03-12T03:00:00.000Z')
    const all = await plainSegments(databases, owner.org.id, nowMs)
    const own = all.filter(({ start }) => start >= midnight)
    const before = all.filter(({ start }) => start >= midnight - 9 * day && start < midnight)
    const { figures } = got
    const responses = own.flatMap(({ response }) => response ?? [])
    const waits = own.flatMap(segment => segment.waits)
    const resolutions = own.flatMap(({ resolution }) => resolution ?? [])
    const ofBot = own.filter(({ bot, end }) => bot && end !== null)
    t.same(
      {
        attended: [figures.attended.value, figures.attended.before],
        response: [figures.firstResponse.count, figures.firstResponse.medianMs, figures.firstResponse.before],
        waits: [figures.customerWait.count, figures.customerWait.medianMs, figures.customerWait.waitingNow],
        ranks: [figures.firstResponse.p90Ms, figures.firstResponse.meanMs, figures.customerWait.p90Ms],
        resolution: [figures.resolution.count, figures.resolution.medianMs, figures.resolution.p90Ms],
        unattended: [got.unattended.total.count, got.unattended.ages.reduce((sum, { count }) => sum + count, 0)],
        bots: [figures.containment.ended, figures.containment.withBot],
        kept: got.promise.kept.count,
        person: got.needsPerson.count,
        unanswered: got.unanswered.count,
        heat: got.heat.flat().reduce((sum, count) => sum + count, 0),
        days: got.days.reduce((sum, { attended }) => sum + attended, 0),
        buckets: got.buckets.reduce((sum, { count }) => sum + count, 0),
        members: got.members.reduce((sum, { needsPerson }) => sum + needsPerson.count, 0),
        teams: got.teams.reduce((sum, { needsPerson }) => sum + needsPerson.count, 0),
        ana: got.members.find(({ id }) => id === 'ana')?.needsPerson.count ?? 0,
      },
      {
        attended: [own.length, before.length],
        response: [
          responses.length,
          plainMedian(responses),
          plainMedian(before.flatMap(({ response }) => response ?? [])),
        ],
        waits: [waits.length, plainMedian(waits), own.filter(({ waiting }) => waiting !== null).length],
        ranks: [
          plainRank(responses, 0.9),
          responses.length ? Math.round(responses.reduce((sum, ms) => sum + ms) / responses.length) : null,
          plainRank(waits, 0.9),
        ],
        resolution: [resolutions.length, plainMedian(resolutions), plainRank(resolutions, 0.9)],
        unattended: Array.from({ length: 2 }, () => all.filter(({ isUnattended }) => isUnattended).length),
        bots: [ofBot.filter(({ person }) => !person).length, ofBot.length],
        kept: responses.filter(ms => ms <= 15 * minute).length,
        person: own.filter(({ person }) => person).length,
        unanswered: own.filter(({ person, response, end }) => person && response === null && end !== null).length,
        heat: own.length,
        days: own.length,
        buckets: responses.length,
        members: own.filter(({ person }) => person).length,
        teams: own.filter(({ person }) => person).length,
        ana: own.filter(({ person, owner: who }) => person && who === 'ana').length,
      },
      `history ${seed}`,
    )
    const lateIn = (bars: readonly { readonly late: number }[]) => bars.reduce((sum, { late }) => sum + late, 0)
    t.same(
      got.buckets.map(({ late }) => late),
      got.buckets.map((_, bucket) => {
        const there = responses.filter(ms => bucketOf(ms, responseBucketsMs) === bucket)
        return there.filter(ms => ms > 15 * minute).length
      }),
      `history ${seed}: a bar that the promise divides is late only in part`,
    )
    const lateHref = got.unattended.total.href.replace('show=unattended', 'show=unattendedLate')
    t.equal(lateIn(got.unattended.ages), (await listed(stats, owner.member, lateHref)).total, lateHref)
    // Waits are many in a conversation: the list has the conversations of them.
    const conversations: Record<string, number> = {
      '.figures.attended': figures.attended.value,
      '.figures.customerWait': own.filter(segment => segment.waits.length).length,
      '.figures.containment': figures.containment.ended,
    }
    for (const [path, { count, href }] of countedIn(got)) {
      const { total, unknown } = await listed(stats, owner.member, href)
      t.same([total, unknown], [conversations[path] ?? count, []], `history ${seed}: ${path} ${href}`)
    }
    const others = [
      [figures.customerWait.waitingHref, figures.customerWait.waitingNow],
      [figures.containment.withBotHref, figures.containment.withBot],
      ...[...got.members, ...got.teams, ...got.tags].map(group => [group.inPromiseHref, group.inPromise] as const),
      ...got.days.map(({ day, attended }) => [onDay(figures.attended.href, day), attended] as const),
      ...got.days.map(({ day, withBot }) => [onDay(figures.containment.withBotHref, day), withBot] as const),
    ] as const
    for (const [href, count] of others) t.equal((await listed(stats, owner.member, href)).total, count, href)
    const cells = got.heat.flatMap((hours, weekday) => hours.map((count, at) => [weekday + 1, at, count] as const))
    for (const [weekday, at, count] of cells.filter((_, i) => i % 31 === seed % 31)) {
      const { total } = await listed(stats, owner.member, `${got.heatHref}&weekday=${weekday}&hour=${at}`)
      t.equal(total, count, `weekday ${weekday}, hour ${at}`)
    }
  }
})

t.test('a list has pages, and says what is known of each conversation', async t => {
  const { owner, stats, conversation, say, read } = await aRoom(t)
  for (let i = 0; i < 60; i += 1) {
    const { id } = await conversation({ waId: `54911555${1000 + i}` })
    await say(id, nowMs - 3 * day + i * minute, lines.customer)
    if (i % 2) await say(id, nowMs - 3 * day + i * minute + 30_000, lines.phone)
  }
  await read(500)
  const [one, two] = [1, 2].map(page => stats.listSegments(owner.member, { query: { page } }))
  const [first, second] = [await one, await two]
  t.same([first?.items.length, first?.hasMore, first?.total], [50, true, 60])
  t.same([second?.items.length, second?.hasMore, second?.total], [10, false, 60])
  t.equal(new Set([...(first?.items ?? []), ...(second?.items ?? [])].map(({ id }) => id)).size, 60)
  t.match(first?.items[0], {
    number: '549115551059',
    address: '549115551059',
    owner: null,
    team: null,
    origin: 'organic',
    firstResponseMs: 30_000,
    waitMs: 30_000,
    messagesIn: 1,
    messagesOut: 1,
    state: 'silent',
  })
})

t.test('each sees what they did themselves, and who manages members everybody', async t => {
  const { databases, owner, stats, conversation, say, read } = await aRoom(t)
  const member = await aMember({ databases, org: owner.org, role: 'member', name: 'Beto' })
  for (const [i, who] of ['ana', member.user.id, member.user.id].entries()) {
    const { id } = await conversation()
    await say(id, nowMs - hour - i * minute, lines.customer)
    await say(id, nowMs - hour + minute, { direction: 'out', authorKind: 'person', authorId: who })
  }
  await read(100)
  const ids = async (who: AMember) => (await stats.getSummary(who.member, { query: {} })).members.map(({ id }) => id)
  t.same(await ids(owner), [member.user.id, 'ana'])
  t.same(await ids(member), [member.user.id])
  for (const query of [{ member: 'ana' }, { answeredBy: 'ana' }]) {
    const { total, unknown } = await stats.listSegments(member.member, { query })
    t.same([total, unknown], [0, ['member']])
    t.equal((await stats.listSegments(owner.member, { query })).total, 1)
  }
  const limited = { ...member.member, scope: seesSome({ tagIds: [], assigneeId: member.user.id }) }
  const { figures } = await stats.getSummary(limited, { query: {} })
  t.equal(figures.attended.value, 0, 'what somebody does not see is not counted')
})

t.test('what to look at first leads to its conversations', async t => {
  const { databases, owner, stats, conversation, say, read } = await aRoom(t)
  t.same((await stats.getSummary(owner.member, { query: {} })).alerts, [], 'nothing')
  const tagId = newId()
  await databases.write
    .insertInto('tag')
    .values({ id: tagId, org_id: owner.org.id, label: 'Reclamo', hue: 1, created_at: now })
    .execute()
  for (let i = 0; i < 5; i += 1) {
    const { id, contactId } = await conversation()
    await databases.write
      .insertInto('contact_tag')
      .values({ contact_id: contactId, tag_id: tagId, org_id: owner.org.id })
      .execute()
    await say(id, nowMs - 5 * hour, lines.customer)
    await say(id, nowMs - 4 * hour, lines.luis)
  }
  for (const minutes of [72, 34, 5]) await say((await conversation()).id, nowMs - minutes * minute, lines.customer)
  const forgotten = await conversation()
  await say(forgotten.id, nowMs - 2 * day, lines.customer)
  await say(forgotten.id, nowMs - 2 * day + minute, lines.resolved)
  await read(100)
  const { alerts } = await stats.getSummary(owner.member, { query: {} })
  t.match(alerts, [
    { kind: 'waiting', count: 2, ms: 72 * minute },
    { kind: 'unanswered', count: 1 },
    { kind: 'slowTag', count: 5, ms: hour, name: 'Reclamo' },
  ])
  for (const { count, href } of alerts) t.equal((await listed(stats, owner.member, href)).total, count, href)
})

t.test('the promise counts business hours, whatever times are shown', async t => {
  const spans = [{ from: '09:00', to: '18:00' }]
  const week = Object.fromEntries(weekdays.map(day => [day, spans])) as BusinessHours['week']
  const room = await aRoom(t, { hours: { week, exceptions: [] }, promise: 10 })
  const { owner, stats, conversation, say, read } = room
  // At night, answered five minutes and a quarter of an hour after opening; the third waits since the night.
  const opening = Date.parse('2026-03-19T12:00:00.000Z')
  for (const minutes of [5, 15]) {
    const { id } = await conversation()
    await say(id, opening - 8 * hour, lines.customer)
    await say(id, opening + minutes * minute, lines.ana)
  }
  await say((await conversation()).id, nowMs - 10 * hour, lines.customer)
  await read(100)
  for (const hours of [undefined, 'business'] as const) {
    const { promise, promiseMs, alerts, figures } = await stats.getSummary(owner.member, { query: { hours } })
    t.same([promiseMs, promise.kept.count, promise.late.count], [10 * minute, 1, 1])
    t.equal(figures.firstResponse.medianMs, 5 * minute + (hours ? 0 : 8 * hour))
    t.match(alerts, [{ kind: 'waiting', count: 1 }], 'three hours of today')
    for (const { count, href } of [promise.kept, promise.late])
      t.equal((await listed(stats, owner.member, href)).total, count)
  }
})

t.test('costs of two currencies stand side by side', async t => {
  const amounts = [
    { currency: 'ARS', amount: 900 },
    { currency: 'USD', amount: 0.3 },
  ]
  const { owner, stats } = await aRoom(t, { costs: { amounts, unpriced: 3 } })
  t.same((await stats.getSummary(owner.member, { query: {} })).figures.cost, {
    ...amounts[0],
    amounts,
    estimated: true,
    unpriced: 3,
    href: `/org/${owner.org.slug}/stats/messages?from=2026-03-14&to=2026-03-20&charge=regular&outcome=delivered`,
  })
})

t.test('ranges that cannot be are refused by their field', async t => {
  const { owner, stats } = await aRoom(t)
  const fault = async (query: { from?: string; to?: string }) => {
    try {
      const { from, to } = await stats.getSummary(owner.member, { query })
      return `${from} ${to}`
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      return error.faults.map(({ field, text }) => `${field} ${text?.replace('errors:field.', '')}`).join()
    }
  }
  t.equal(await fault({}), '2026-03-14 2026-03-20')
  t.equal(await fault({ from: '2026-03-20' }), '2026-03-20 2026-03-20')
  t.equal(await fault({ from: '2026-03-02', to: '2026-03-01' }), 'query.to rangeReversed')
  t.equal(await fault({ from: '2016-03-01', to: '2026-03-01' }), 'query.to rangeTooLong')
  t.equal(await fault({ from: '2026-03-21', to: '2026-03-25' }), 'query.from dayFuture')
  t.equal(await fault({ from: '2026-02-30' }), 'query.from noDay')
  t.equal(await fault({ to: '2026-99-99' }), 'query.to noDay')
  t.equal(maxDays, 366)
})

t.test('what the organization does not have counts nothing, and the answer says so', async t => {
  const { databases, owner, stats, conversation, say, read } = await aRoom(t)
  const other = await aMember({ databases })
  await say((await conversation()).id, nowMs - hour, lines.customer)
  await read()
  const query = { team: 'x', member: other.user.id, tag: 'x', number: '1' }
  const { figures, unknown, unattended } = await stats.getSummary(owner.member, { query })
  t.same(unknown, ['team', 'member', 'tag', 'number'])
  t.same([figures.attended.value, unattended.total.count], [0, 0])
  const none = await stats.getSummary(owner.member, { query: { team: 'none', member: 'none' } })
  t.same([none.figures.attended.value, none.unknown, none.unattended.total.count], [1, [], 1])
  t.equal((await stats.getSummary(other.member, { query: {} })).figures.attended.value, 0)
})

testOnSqlite('a member or a team that may have left is looked up by an index', async t => {
  const { databases } = await aRoom(t)
  for (const column of ['owner_id', 'team_id', 'first_reply_by'] as const) {
    const { sql, parameters } = selectNamed(databases.read, 'x', { column, id: 'y' }).compile()
    const plan = databases.raw.read
      .prepare(`explain query plan ${sql}`)
      .all(...(parameters as string[]))
      .map(row => (row as { detail: string }).detail)
    t.match(plan, [new RegExp(`USING INDEX conversation_segment_${column} `)])
  }
})
