import { sql } from 'kysely'
import t from 'tap'
import { allTime } from '#server/features/stats/figures/segment-facts.ts'
import { checkPacks } from '#server/features/stats/packs/checking.ts'
import { packDays } from '#server/features/stats/packs/packer.ts'
import { walkSegments } from '#server/features/stats/segment-walk.ts'
import { checkSegments } from '#server/features/stats/segments/checking.ts'
import type { SegmentMessage } from '#server/features/stats/segments/facts.ts'
import { foldSegments } from '#server/features/stats/segments/fold.ts'
import { isAnyUnread } from '#server/features/stats/segments/progress-store.ts'
import { keptMs, pruneSegments } from '#server/features/stats/segments/retention.ts'
import { rowOf } from '#server/features/stats/segments/store.ts'
import { seesAll } from '#server/identity/visibility/scope.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { aMember } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { randomCases } from '#test/helpers/night.ts'
import { aHistory, chance, type LineName, lines } from '#test/helpers/segment-history.ts'

const hour = 3_600_000
const begin = Date.parse('2026-03-01T12:00:00.000Z')

const aPlace = async (t: { teardown(fn: () => unknown): void }) => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const { org } = await aMember({ databases })
  return { databases, orgId: org.id, ...aHistory(databases, org.id) }
}

const stored = (databases: Databases) =>
  databases.read.selectFrom('conversation_segment').selectAll().orderBy('id').execute()

/** What the messages that are there say, read from the beginning. */
const rebuilt = async (databases: Databases) => {
  const conversations = await databases.read.selectFrom('conversation').selectAll().execute()
  const rows = []
  for (const { id, org_id: orgId, connection_id: connectionId, kind } of conversations) {
    const messages = await databases.read
      .selectFrom('message')
      .select([
        'seq',
        'id',
        'conversation_id',
        'at',
        'direction',
        'type',
        'author_kind',
        'author_id',
        'status',
        'content',
      ])
      .where('conversation_id', '=', id)
      .orderBy('at')
      .orderBy('seq')
      .execute()
    for (const segment of foldSegments(messages as SegmentMessage[]))
      rows.push(rowOf(segment, { conversationId: id, orgId, connectionId, kind }))
  }
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Later than all that the histories below say, so that all of their days are past. */
const longAfter = begin + 1000 * 24 * hour
const pack = async (databases: Databases) => {
  while (await packDays(databases, longAfter));
}
const packed = async (databases: Databases) =>
  (await databases.read.selectFrom('conversation_segment_pack').selectAll().orderBy('day').execute()).filter(
    ({ data }) => data !== null,
  )

/** What figures read of an organization's segments. */
const walked = async (databases: Databases, orgId: string, more: { tagId?: string; teamId?: string | null } = {}) => {
  const period = { since: new Date(begin - 25 * 24 * hour).toISOString(), until: new Date(longAfter).toISOString() }
  const clocks = { now: longAfter, elapsed: allTime, businessTime: allTime }
  const walk = { viewer: { orgId, scope: seesAll }, cohort: { period, ...more }, clocks }
  const found = []
  for await (const segments of walkSegments(databases, walk)) found.push(...segments)
  return found
}

const names = Object.keys(lines) as LineName[]

t.test('segments read as messages come are those read from the beginning, whatever happens to messages', async t => {
  for (let seed = 1; seed <= randomCases({ day: 12, night: 150 }); seed += 1) {
    const { databases, orgId, conversation, say, read } = await aPlace(t)
    const next = chance(seed)
    const pick = <T>(some: readonly T[]): T => some[Math.floor(next() * some.length)] as T
    let all = [await conversation(), await conversation(), await conversation()]
    let now = begin
    const deeds: Record<string, () => Promise<unknown>> = {
      // Half of what is said is the customer's or a person's, at gaps that are often near a day.
      say: async () => {
        now += pick([1, 1000, 60_000, hour, 23 * hour, 24 * hour, 25 * hour])
        const name = next() < 0.5 ? pick(['customer', 'ana'] as const) : pick(names)
        await say(pick(all).id, now, lines[name])
      },
      late: async () => {
        await say(pick(all).id, now - pick([0, 1, 1000, hour, 24 * hour, 72 * hour]), lines[pick(names)])
      },
      imported: async () => {
        await say(pick(all).id, begin - Math.floor(next() * 30 * 24) * hour, lines[pick(names)])
      },
      read: async () => read(pick([1, 3, 50])),
      pack: () => pack(databases),
      edited: async () => {
        await databases.write
          .updateTable('message')
          .set({ text: 'y', edited_at: new Date(now).toISOString(), revoked_at: new Date(now).toISOString() })
          .where('conversation_id', '=', pick(all).id)
          .execute()
      },
      /** A late status: what was sent fails, or what failed is sent again. */
      failed: async () => {
        const rows = await databases.read
          .selectFrom('message')
          .select(['id', 'status'])
          .where('conversation_id', '=', pick(all).id)
          .where('direction', '=', 'out')
          .orderBy('seq')
          .execute()
        const one = rows.length ? pick(rows) : undefined
        if (one)
          await databases.write
            .updateTable('message')
            .set({ status: one.status === 'failed' ? 'queued' : 'failed' })
            .where('id', '=', one.id)
            .execute()
      },
      /** As a copy that a phone brought of what we sent. */
      deleted: async () => {
        const { id } = pick(all)
        const copy = await databases.read
          .selectFrom('message')
          .select('id')
          .where('conversation_id', '=', id)
          .where('direction', '=', 'out')
          .orderBy('seq', 'desc')
          .limit(1)
          .executeTakeFirst()
        if (copy) await databases.write.deleteFrom('message').where('id', '=', copy.id).execute()
      },
      aged: async () => {
        const { id } = pick(all)
        const rows = await databases.read
          .selectFrom('message')
          .select(['seq', 'at'])
          .where('conversation_id', '=', id)
          .execute()
        for (const { seq, at } of rows)
          await databases.write
            .updateTable('message')
            .set({ at: new Date(Date.parse(at) - 30 * hour).toISOString() })
            .where('seq', '=', seq)
            .execute()
      },
      merged: async () => {
        const [kept, gone] = [pick(all), pick(all)]
        if (kept === gone || all.length < 3) return
        await databases.write.transaction().execute(async trx => {
          await trx
            .updateTable('message')
            .set({ conversation_id: kept.id })
            .where('conversation_id', '=', gone.id)
            .execute()
          await trx.deleteFrom('conversation').where('id', '=', gone.id).execute()
        })
        all = all.filter(one => one !== gone)
      },
      parted: async () => {
        const from = pick(all)
        const back = await conversation()
        await databases.write
          .updateTable('message')
          .set({ conversation_id: back.id })
          .where('conversation_id', '=', from.id)
          .where('seq', 'in', eb =>
            eb.selectFrom('message').select('seq').where('conversation_id', '=', from.id).orderBy('id').limit(4),
          )
          .execute()
        all.push(back)
      },
    }
    const often = ['say', 'say', 'say', 'say', 'say', 'late', 'late', 'failed', 'read', 'pack']
    for (let i = 0; i < 60; i += 1) await deeds[next() < 0.85 ? pick(often) : pick(Object.keys(deeds))]?.()
    await read(pick([1, 4, 100]))
    t.same(await stored(databases), await rebuilt(databases), `history ${seed}`)
    t.notOk(await isAnyUnread(databases.read), 'nothing waits')
    t.same((await checkPacks(databases)).different, [], 'a pack is there only if its day has not changed since')
    await pack(databases)
    const someTeam = (await stored(databases)).find(row => row.team_id !== null)?.team_id ?? null
    const ofPacks = [await walked(databases, orgId), await walked(databases, orgId, { teamId: someTeam })]
    const days = new Set((await stored(databases)).map(row => row.started_at.slice(0, 10)))
    t.equal((await packed(databases)).length, days.size, 'each day with segments is packed')
    await databases.write.updateTable('conversation_segment_pack').set({ data: null }).execute()
    t.same(
      [await walked(databases, orgId), await walked(databases, orgId, { teamId: someTeam })],
      ofPacks,
      'figures read the same from packs and from rows',
    )
    t.same((await checkSegments(databases.read, longAfter)).different, [], 'the doctor finds no difference')
    t.same(
      (await stored(databases)).filter(row => row.org_id !== orgId || row.conversation_id === null),
      [],
      'all belong to a conversation',
    )
  }
})

t.test('old messages that are deleted leave what was counted of them', async t => {
  const { databases, conversation, say, read } = await aPlace(t)
  const { id } = await conversation()
  await say(id, begin, lines.toAna)
  for (let day = 0; day < 6; day += 1)
    for (const [minute, name] of ['customer', 'luis', 'customer', 'bot'].entries())
      await say(id, begin + day * 30 * hour + minute * 60_000, lines[name as LineName])
  await read()
  const before = await stored(databases)
  t.equal(before.length, 6)
  t.same(new Set(before.map(row => row.owner_id)), new Set(['ana']), 'she has had it since before the first')
  const forget = (until: number) =>
    databases.write.deleteFrom('message').where('at', '<', new Date(until).toISOString()).execute()

  await forget(begin + 2 * 30 * hour + 60_000)
  await read()
  t.same(await stored(databases), before, 'also of the one of which a part is there')
  await say(id, begin + 4 * 30 * hour + 30_000, lines.customer)
  await say(id, begin + 5 * 30 * hour + 10 * 60_000, lines.ana)
  await read()
  const after = await stored(databases)
  t.same(
    after.map(row => row.messages_in),
    before.map((row, i) => row.messages_in + (i === 4 ? 1 : 0)),
    'a late message is counted where all messages are there',
  )
  await forget(begin + 100 * 30 * hour)
  await read()
  t.same(await stored(databases), after, 'and when none is left')
})

t.test('an erased contact leaves a segment that does not name them', async t => {
  const { databases, conversation, say, read } = await aPlace(t)
  const { id, contactId } = await conversation()
  for (const [i, name] of (['customer', 'ana', 'customer', 'resolved'] as const).entries())
    await say(id, begin + i * 60_000, lines[name])
  await read()
  const [before] = await stored(databases)
  await pack(databases)
  t.match((await packed(databases))[0]?.conversation_ids, id)
  // As an erasure does it: first they are nobody, then messages go in no order, at last the contact.
  await databases.write.updateTable('contact').set({ wa_id: null }).where('id', '=', contactId).execute()
  await databases.write.deleteFrom('message').where('author_id', '=', 'ana').execute()
  await read()
  await databases.write.deleteFrom('message').where('conversation_id', '=', id).execute()
  await databases.write.deleteFrom('contact').where('id', '=', contactId).execute()
  await read()
  t.same(await stored(databases), [{ ...before, conversation_id: null }])
  t.same(await packed(databases), [], 'their day is packed again')
  await pack(databases)
  t.match(await packed(databases), [{ ids: before?.id, conversation_ids: '' }])
})

t.test('the doctor finds a segment that says something else than its messages', async t => {
  const { databases, conversation, say, read } = await aPlace(t)
  const { id } = await conversation()
  await say(id, begin, lines.customer)
  t.same(await checkSegments(databases.read, longAfter), { conversations: 0, different: [], isBehind: true })
  await read()
  t.same(await checkSegments(databases.read, longAfter), { conversations: 1, different: [], isBehind: false })
  await databases.write.updateTable('conversation_segment').set({ messages_in: 2 }).execute()
  t.same((await checkSegments(databases.read, longAfter)).different, [id])
  await sql`insert into conversation_segment_due (conversation_id, org_id) select id, org_id from conversation`.execute(
    databases.write,
  )
  await read()
  t.same((await checkSegments(databases.read, longAfter)).different, [], 'and after it is marked none any more')
})

t.test('a segment that changes while its day is packed is not packed as it was', async t => {
  const { databases, orgId, conversation, say, read } = await aPlace(t)
  const { id } = await conversation()
  await say(id, begin, lines.customer)
  await read()
  let isChanged = false
  const giveWay = async () => {
    // The rows are read, and the pack is not stored yet.
    if (!isChanged) await databases.write.updateTable('conversation_segment').set({ owner_id: 'ana' }).execute()
    isChanged = true
  }
  const { read: reading, write } = databases
  const packing = { read: reading, write, turn: { ...databases.turn, giveWay } } as unknown as Databases
  await packDays(packing, longAfter)
  t.ok(isChanged)
  t.same(await packed(databases), [])
  t.match(await walked(databases, orgId), [{ ownerId: 'ana' }])
  await pack(databases)
  t.equal((await packed(databases)).length, 1)
  t.match(await walked(databases, orgId), [{ ownerId: 'ana' }])
  await databases.write.updateTable('conversation_segment_pack').set({ conversation_ids: 'x' }).execute()
  t.equal((await checkPacks(databases)).different.length, 1, 'the doctor sees a pack that says something else')
})

t.test('segments are deleted five years after they began, and their packs with them', async t => {
  const { databases, conversation, say, read } = await aPlace(t)
  const { id } = await conversation()
  await say(id, begin, lines.customer)
  await say(id, begin + 48 * hour, lines.customer)
  await read()
  await pack(databases)
  const clock = handClock(new Date(begin + 24 * hour + keptMs).toISOString())
  t.equal(await pruneSegments(databases, clock), 1)
  t.equal(await pruneSegments(databases, clock), 0)
  t.match(await stored(databases), [{ started_at: new Date(begin + 48 * hour).toISOString() }])
  await pack(databases)
  t.match(await packed(databases), [{ day: '2026-03-03' }])
  t.same((await checkSegments(databases.read, clock.now().getTime())).different, [], 'the doctor expects it')
})

t.test('segments of two organizations are kept apart', async t => {
  const { databases, conversation, say, read } = await aPlace(t)
  const other = await aMember({ databases })
  const theirs = aHistory(databases, other.org.id)
  await say((await conversation()).id, begin, lines.customer)
  await say((await theirs.conversation()).id, begin, lines.customer)
  await read()
  t.equal(new Set((await stored(databases)).map(row => row.org_id)).size, 2)
  await databases.write.deleteFrom('organization').where('id', '=', other.org.id).execute()
  t.equal((await stored(databases)).length, 1)
})
