import t from 'tap'
import { createStats } from '#server/features/stats/service.ts'
import { countConversations, countMessages } from '#server/features/stats/store.ts'
import { createTags } from '#server/messaging/tags/tags.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { aMember } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { noCosts } from '#test/helpers/costs.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { promising } from '#test/helpers/promising.ts'

const now = '2026-11-20T15:00:00.000Z'
const zone = 'America/Argentina/Buenos_Aires'

const anOffice = async (t: { teardown(fn: () => unknown): void }) => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const ana = await aMember({ databases })
  const conversation = async (
    orgId: string,
    facts: { archived?: 0 | 1; unread?: number; control?: 'bot' | 'human' | 'needsHuman'; at?: string } = {},
  ) => {
    const { archived = 0, unread = 0, control = 'human', at = now } = facts
    const contactId = newId()
    const id = newId()
    await databases.write
      .insertInto('contact')
      .values({ id: contactId, org_id: orgId, created_at: at, updated_at: at } as never)
      .execute()
    await databases.write
      .insertInto('conversation')
      .values({
        id,
        org_id: orgId,
        contact_id: contactId,
        connection_id: 'number',
        control,
        archived,
        unread,
        last_activity_at: at,
        created_at: at,
      } as never)
      .execute()
    return id
  }
  const message = (orgId: string, conversationId: string, direction: 'in' | 'out', at: string) =>
    databases.write
      .insertInto('message')
      .values({
        id: newId(),
        org_id: orgId,
        conversation_id: conversationId,
        direction,
        type: 'text',
        text: 'x',
        at,
        status: 'delivered',
      } as never)
      .execute()
  return {
    databases,
    ana,
    conversation,
    message,
    stats: createStats({
      databases,
      clock: handClock(now),
      costs: noCosts,
      listSendCosts: async () => [],
      tags: createTags(),
      orgSettings: promising(15),
      businessHours: { zonedHours: async () => ({ hours: null, timeZone: zone }) },
      translate: (_language, key) => key,
    }),
  }
}

t.test('an empty organization has zeros', async t => {
  const { ana, stats } = await anOffice(t)
  t.same(await stats.getOverview(ana.member, { query: { timeZone: zone } }), {
    open: 0,
    unread: 0,
    waiting: 0,
    metaAgent: 0,
    received: 0,
    sent: 0,
    since: '2026-11-20T03:00:00.000Z',
  })
})

t.test('archived conversations, earlier days and other organizations are not counted', async t => {
  const { databases, ana, conversation, message, stats } = await anOffice(t)
  const other = await aMember({ databases })
  const orgId = ana.org.id
  const open = await conversation(orgId, { unread: 3, control: 'needsHuman' })
  await conversation(orgId, { unread: 1, control: 'bot' })
  const archived = await conversation(orgId, { archived: 1, unread: 9, control: 'needsHuman' })
  const foreign = await conversation(other.org.id, { unread: 1, control: 'needsHuman' })
  await message(orgId, open, 'in', '2026-11-20T02:59:59.999Z')
  await message(orgId, open, 'in', '2026-11-20T03:00:00.000Z')
  await message(orgId, open, 'out', '2026-11-20T10:00:00.000Z')
  await message(orgId, archived, 'in', '2026-11-20T11:00:00.000Z')
  await message(other.org.id, foreign, 'in', '2026-11-20T11:00:00.000Z')
  t.match(await stats.getOverview(ana.member, { query: { timeZone: zone } }), {
    open: 2,
    unread: 2,
    waiting: 1,
    metaAgent: 0,
    received: 2,
    sent: 1,
  })
})

t.test('a bulk send to somebody who has not written today counts among what was sent', async t => {
  const { databases, ana, conversation, message, stats } = await anOffice(t)
  const quiet = await conversation(ana.org.id, { at: '2026-11-18T10:00:00.000Z' })
  const active = await conversation(ana.org.id)
  for (const [id, at] of [
    [quiet, '2026-11-20T10:00:00.000Z'],
    [quiet, '2026-11-20T02:59:59.999Z'],
    [active, '2026-11-20T11:00:00.000Z'],
  ] as const) {
    await message(ana.org.id, id, 'out', at)
    await databases.write
      .insertInto('sent_message')
      .values({
        ...{ org_id: ana.org.id, day: at.slice(0, 10), connection_id: 'number', country: 'AR', category: 'MARKETING' },
        ...{ charge: 'paid', source: 'bulk', template: 'oferta', message_id: newId(), conversation_id: id, at },
        ...{ state: 'sent', replied: 0, opted_out: 0 },
      } as never)
      .execute()
  }
  const { sent, received } = await stats.getOverview(ana.member, { query: { timeZone: zone } })
  t.same({ sent, received }, { sent: 2, received: 0 })
})

t.test('the overview counts up to its limit and no further', async t => {
  const { databases, ana, conversation, message } = await anOffice(t)
  const id = await conversation(ana.org.id)
  await conversation(ana.org.id)
  await conversation(ana.org.id)
  for (const minute of ['01', '02', '03']) await message(ana.org.id, id, 'in', `2026-11-20T12:${minute}:00.000Z`)
  t.equal((await countConversations(databases.read, ana.member, 2)).open, 2)
  t.equal((await countMessages(databases.read, ana.member, '2026-11-20T03:00:00.000Z', 2)).received, 2)
})

t.test('an unknown time zone is refused', async t => {
  const { ana, stats } = await anOffice(t)
  await t.rejects(async () => stats.getOverview(ana.member, { query: { timeZone: 'Mars/Olympus' } }), {
    code: 'APP_VALIDATION',
  })
})

testOnSqlite('the counts of the overview are read from indexes', async t => {
  const { databases, ana } = await anOffice(t)
  const plans: string[] = []
  const { raw } = databases
  const prepare = raw.read.prepare.bind(raw.read)
  const explain = (sql: string) =>
    (prepare(`explain query plan ${sql}`).all(...Array(sql.split('?').length - 1).fill(null)) as { detail: string }[])
      .map(row => row.detail)
      .join('\n')
  raw.read.prepare = ((sql: string) => {
    if (sql.startsWith('select')) plans.push(explain(sql))
    return prepare(sql)
  }) as never
  await countConversations(databases.read, ana.member, 11)
  await countMessages(databases.read, ana.member, now, 11)
  t.equal(plans.length, 3)
  t.match(plans[2], /SEARCH sent_message USING INDEX sent_message_time \(org_id=\? AND at>\?\)/)
  t.match(plans[0], /SEARCH conversation USING INDEX conversation_list \(org_id=\? AND kind=\? AND archived=\?\)/)
  t.match(
    plans[1],
    /SEARCH conversation USING (?:COVERING )?INDEX conversation_list \(org_id=\? AND kind=\? AND archived=\? AND last_activity_at>\?\)/,
  )
  t.match(plans[1], /SEARCH message USING (?:COVERING )?INDEX message_thread \(conversation_id=\? AND at>\?\)/)
  for (const plan of plans) t.notMatch(plan, /SCAN (?:conversation|message)/)
})
