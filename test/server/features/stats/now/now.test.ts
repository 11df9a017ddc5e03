import t, { type Test } from 'tap'
import { createNow } from '#server/features/stats/now/now.ts'
import { hasMoreUnattended, listUnattended } from '#server/features/stats/now/now-store.ts'
import { createSegmentList } from '#server/features/stats/segment-list.ts'
import { seesSome } from '#server/identity/visibility/scope.ts'
import { createTags } from '#server/messaging/tags/tags.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { type BusinessHours, weekdays } from '#shared/orgs/business-hours.ts'
import type { Show } from '#shared/stats/filter.ts'
import { maxWaitingRows, type StatsNow } from '#shared/stats/now.ts'
import { aMember } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { randomCases } from '#test/helpers/night.ts'
import { plainSegments } from '#test/helpers/plain-figures.ts'
import { promising } from '#test/helpers/promising.ts'
import { aHistory, chance, type LineName, lines } from '#test/helpers/segment-history.ts'

const minute = 60_000
const hour = 60 * minute
const now = '2026-03-20T15:00:00.000Z'
const nowMs = Date.parse(now)

const anOffice = async (
  t: { teardown(fn: () => unknown): void },
  { hours = null, promise = 15 }: { hours?: BusinessHours | null; promise?: number } = {},
) => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const owner = await aMember({ databases })
  const online = new Set<string>()
  const parts = {
    databases,
    clock: handClock(now),
    translate: (_language: string, key: string) => key,
    tags: createTags(),
    orgSettings: promising(promise),
    businessHours: { zonedHours: async () => ({ hours, timeZone: defaultTimeZone }) },
    isOnline: (userId: string) => online.has(userId),
  }
  return {
    databases,
    owner,
    online,
    ...createNow(parts),
    ...createSegmentList(parts),
    ...aHistory(databases, owner.org.id),
  }
}
type Office = Awaited<ReturnType<typeof anOffice>>

const listed = async ({ owner, listSegments }: Office, href: string, member = owner.member) => {
  const query = Object.fromEntries(new URLSearchParams(href.split('?')[1])) as { show?: Show }
  return (await listSegments(member, { query })).total
}

const expectCountsOfLists = async (t: Test, office: Office, answer: StatsNow) => {
  for (const { count, href } of [answer.unattended, answer.soon, answer.late])
    t.equal(await listed(office, href), count, href)
}

t.test('who waits longest comes first, with what is left of the promise', async t => {
  const office = await anOffice(t)
  const { owner, getNow, conversation, say, read } = office
  const wait = async (minutes: number, facts = {}) => {
    const one = await conversation(facts)
    await say(one.id, nowMs - minutes * minute, lines.customer)
    return one.id
  }
  const [late, fresh, soon] = [await wait(72), await wait(2), await wait(13)]
  const answered = await wait(30)
  await say(answered, nowMs - 20 * minute, lines.ana)
  await say(answered, nowMs - 19 * minute, lines.customer)
  const archived = await wait(40)
  await say(archived, nowMs - 39 * minute, lines.resolved)
  const bots = await wait(50)
  await say(bots, nowMs - 49 * minute, lines.bot)
  await read()
  const answer = await getNow(owner.member)
  t.same(
    answer.waiting.map(({ conversationId, state, since, dueAt }) => [conversationId, state, since, dueAt]),
    [
      [late, 'late', '2026-03-20T13:48:00.000Z', '2026-03-20T14:03:00.000Z'],
      [soon, 'soon', '2026-03-20T14:47:00.000Z', '2026-03-20T15:02:00.000Z'],
      [fresh, 'inTime', '2026-03-20T14:58:00.000Z', '2026-03-20T15:13:00.000Z'],
    ],
  )
  t.match(answer, {
    unattended: { count: 3, more: false },
    soon: { count: 1 },
    late: { count: 1 },
    worstMs: 57 * minute,
  })
  t.equal(answer.nextChangeAt, '2026-03-20T15:02:00.000Z', 'the next one to be late')
  await expectCountsOfLists(t, office, answer)
})

t.test('the promise runs in business hours only', async t => {
  const week = Object.fromEntries(weekdays.map(day => [day, [{ from: '09:00', to: '11:00' }]])) as BusinessHours['week']
  // It is 12:00 in Buenos Aires: closed for an hour.
  const office = await anOffice(t, { hours: { week, exceptions: [] } })
  const { owner, getNow, conversation, say, read } = office
  for (const minutes of [62, 90]) await say((await conversation()).id, nowMs - minutes * minute, lines.customer)
  await read()
  const answer = await getNow(owner.member)
  t.same(
    answer.waiting.map(({ state, dueAt }) => [state, dueAt]),
    [
      ['late', '2026-03-20T13:45:00.000Z'],
      ['inTime', '2026-03-21T12:13:00.000Z'],
    ],
  )
  t.match(answer, { isOpen: false, opensAt: '2026-03-21T12:00:00.000Z', worstMs: 15 * minute })
  await expectCountsOfLists(t, office, answer)
})

t.test('as many wait as the plainest count says, and as each list has', async t => {
  const names = Object.keys(lines) as LineName[]
  for (let seed = 1; seed <= randomCases({ day: 4, night: 60 }); seed += 1) {
    const office = await anOffice(t)
    const next = chance(seed)
    const pick = <T>(some: readonly T[]): T => some[Math.floor(next() * some.length)] as T
    for (let i = 0; i < 20; i += 1) {
      const { id } = await office.conversation()
      for (let at = nowMs - 20 * hour * next(), said = 0; at < nowMs && said < 12; said += 1) {
        await office.say(id, at, lines[next() < 0.7 ? pick(['customer', 'bot', 'handedOver'] as const) : pick(names)])
        at += pick([20_000, minute, 8 * minute, hour])
      }
    }
    await office.read(200)
    const answer = await office.getNow(office.owner.member)
    const all = await plainSegments(office.databases, office.owner.org.id, nowMs)
    const waiting = all.filter(segment => segment.waiting !== null && segment.response === null)
    t.equal(answer.unattended.count, waiting.length, `history ${seed}`)
    const overdue = waiting.filter(({ waiting: since }) => nowMs - (since ?? 0) > 15 * minute)
    t.equal(answer.late.count, overdue.length, `history ${seed}`)
    await expectCountsOfLists(t, office, answer)
  }
})

t.test('the list of waiting customers is cut, their count is not', async t => {
  const office = await anOffice(t)
  for (let i = 0; i < maxWaitingRows + 7; i += 1)
    await office.say((await office.conversation()).id, nowMs - i * minute, lines.customer)
  await office.read(500)
  const answer = await office.getNow(office.owner.member)
  t.equal(answer.waiting.length, maxWaitingRows)
  t.equal(answer.unattended.count, maxWaitingRows + 7)
  const { databases, owner } = office
  t.equal((await listUnattended(databases.read, owner.member, 3)).length, 3)
  t.equal(await hasMoreUnattended(databases.read, owner.org.id, maxWaitingRows), true)
  t.equal(await hasMoreUnattended(databases.read, owner.org.id, maxWaitingRows + 7), false)
})

t.test('who may not see a conversation does not have it counted', async t => {
  const office = await anOffice(t)
  const { owner, getNow, conversation, say, read, databases } = office
  const [own, other] = [await conversation(), await conversation()]
  for (const { id } of [own, other]) await say(id, nowMs - hour, lines.customer)
  await databases.write.updateTable('conversation').set({ assignee_id: 'beto' }).where('id', '=', own.id).execute()
  await read()
  const beto = {
    ...owner.member,
    role: 'member' as const,
    userId: 'beto',
    scope: seesSome({ tagIds: [], assigneeId: 'beto' }),
  }
  const answer = await getNow(beto)
  t.same(
    answer.waiting.map(({ conversationId }) => conversationId),
    [own.id],
  )
  t.equal(answer.unattended.count, 1)
  t.equal(await listed(office, answer.unattended.href, beto), 1)
})

t.test('a manager sees everybody with their open conversations; a member only their own row', async t => {
  const office = await anOffice(t)
  const { owner, online, getNow, conversation, databases } = office
  const ana = await aMember({ databases, org: owner.org, role: 'member', name: 'Ana' })
  const away = await aMember({ databases, org: owner.org, role: 'member', name: 'Zoe' })
  await databases.write
    .insertInto('availability')
    .values({ org_id: owner.org.id, user_id: away.member.userId, state: 'away', changed_at: now })
    .execute()
  for (const archived of [0, 0, 1]) {
    const { id } = await conversation({ archived })
    await databases.write
      .updateTable('conversation')
      .set({ assignee_id: ana.member.userId })
      .where('id', '=', id)
      .execute()
  }
  online.add(ana.member.userId)
  const all = await getNow(owner.member)
  const row = (userId: string) => all.people.find(one => one.userId === userId)
  t.match(row(ana.member.userId), { isAvailable: true, isOnline: true, open: { count: 2 } })
  t.match(row(ana.member.userId)?.open.href, new RegExp(`assignee=${ana.member.userId}`))
  t.match(row(away.member.userId), { state: 'away', isAvailable: false, isOnline: false, open: { count: 0 } })
  t.match(row(owner.member.userId), { isOnline: true }, 'who asks is there')
  const own = await getNow(ana.member)
  t.same(
    own.people.map(({ userId }) => userId),
    [ana.member.userId],
  )
})

t.test('a key without the right to chats gets no words of customers', async t => {
  const { owner, getNow, conversation, say, read } = await anOffice(t)
  const { id } = await conversation()
  await say(id, nowMs - minute, lines.customer)
  await read()
  const { orgId, orgSlug, orgName, role, scope, language } = owner.member
  const caller = { orgId, orgSlug, orgName, role, scope, language, kind: 'key' as const, keyId: 'k', name: 'Panel' }
  const key = { ...caller, capabilities: ['stats:read'] as const, creatorId: owner.member.userId }
  t.same(
    (await getNow(key)).waiting.map(({ said }) => said),
    [null],
  )
})

testOnSqlite('the list and the count of waiting customers are read by an index', async t => {
  const { databases, owner } = await anOffice(t)
  const plans: string[] = []
  const { raw } = databases
  const prepare = raw.read.prepare.bind(raw.read)
  raw.read.prepare = ((sql: string) => {
    if (sql.includes('conversation_segment'))
      plans.push(
        (
          prepare(`explain query plan ${sql}`).all(...Array(sql.split('?').length - 1).fill(null)) as {
            detail: string
          }[]
        )
          .map(row => row.detail)
          .join('\n'),
      )
    return prepare(sql)
  }) as never
  await listUnattended(databases.read, owner.member, 11)
  await hasMoreUnattended(databases.read, owner.org.id, 11)
  t.equal(plans.length, 2)
  for (const plan of plans) {
    t.match(plan, /conversation_segment USING (?:COVERING )?INDEX conversation_segment_unattended \(org_id=\?\)/)
    t.notMatch(plan, /TEMP B-TREE/)
  }
})
