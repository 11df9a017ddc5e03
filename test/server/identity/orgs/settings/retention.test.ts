import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { selectOldMessages } from '#server/messaging/messages/history/old-message-store.ts'
import { createOldMessages } from '#server/messaging/messages/history/old-messages.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const customer = '5491155550101'
const other = '5491155550202'

/** Two customers: the first with three texts and a picture, the second with one text. */
const stage = async (t: Test) => {
  const clock = handClock('2026-11-20T13:00:00.000Z')
  const backend = await startBackend(t, { clock })
  const { databases } = backend
  const owner = await aMember({ databases, orgName: 'Panadería' })
  const orgId = owner.org.id
  const call = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object, who: AMember = owner) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: who.cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call('POST', '/whatsapp/connection/sandbox')
  await call('POST', '/sandbox/inbound', { from: customer, type: 'image', caption: 'foto naranja', dataBase64: pixel })
  for (const text of ['uno naranja', 'dos naranja', 'tres naranja'])
    await call('POST', '/sandbox/inbound', { from: customer, name: 'Lucía', text })
  await call('POST', '/sandbox/inbound', { from: other, name: 'Bruno', text: 'sola naranja' })
  await backend.settle()
  const messages = () =>
    databases.read
      .selectFrom('message')
      .leftJoin('media', 'media.message_id', 'message.id')
      .select(['message.id', 'message.text', 'media.path'])
      .where('message.org_id', '=', orgId)
      .orderBy('message.seq')
      .execute()
  const texts = async () => (await messages()).map(({ text }) => text)
  /** Moves messages to this time. */
  const said = async (at: string, ...which: string[]) => {
    await databases.write.updateTable('message').set({ at }).where('text', 'in', which).execute()
    const rows = await databases.read.selectFrom('message').selectAll().where('text', 'in', which).execute()
    for (const { seq } of rows)
      await databases.write
        .updateTable('conversation')
        .set({ last_message_at: at })
        .where('last_message_seq', '=', seq)
        .execute()
  }
  const night = async () => {
    clock.advance(24 * 3_600_000)
    await backend.settle()
  }
  const keep = (months: number | null, who?: AMember) => call('PUT', '/organization/retention', { months }, who)
  return { clock, backend, databases, owner, orgId, call, messages, texts, said, night, keep }
}

const longAgo = '2020-01-01T12:00:00.000Z'

t.test('nothing is deleted by default; with a setting, older messages and files are deleted every night', async t => {
  const { backend, call, messages, texts, said, night, keep, databases, orgId } = await stage(t)
  await said(longAgo, 'uno naranja', 'foto naranja', 'sola naranja')
  const all = await texts()
  const picture = (await messages()).find(({ path }) => path !== null)?.path as string
  const file = join(backend.dataDir, 'media', picture)
  t.ok(existsSync(file))
  const found = async () => JSON.stringify((await call('GET', '/whatsapp/search?q=naranja')).body)
  t.match(await found(), /sola.*uno|uno.*sola/)
  t.match((await call('GET', '/organization/retention')).body, { months: null, nextAt: null, lastRun: null })
  await night()
  t.same(await texts(), all, 'off by default')

  const preview = await call('GET', '/organization/retention/preview?months=12')
  t.match(preview, {
    status: 200,
    body: {
      messages: 3,
      files: 1,
      isMore: false,
      before: '2025-11-21T13:00:00.000Z',
      startsAt: '2026-11-22T06:00:00.000Z',
    },
  })
  t.ok(preview.body.bytes > 0)
  t.same(await texts(), all, 'a preview deletes nothing')

  t.match(await keep(12), { status: 200, body: { months: 12, nextAt: '2026-11-22T06:00:00.000Z' } })
  await backend.settle()
  t.same(await texts(), all, 'not before night')
  await night()
  t.same(await texts(), ['dos naranja', 'tres naranja'])
  t.notOk(existsSync(file), 'the file is gone from the storage')
  t.match((await call('GET', '/organization/retention')).body, { lastRun: { deletedMessages: 3 } })
  t.match(await found(), /"dos "/)
  t.notMatch(await found(), /sola|uno/)
  const rows = await databases.read.selectFrom('conversation').selectAll().where('org_id', '=', orgId).execute()
  t.equal(rows.length, 2, 'conversations and contacts stay')
  t.match(
    (await call('GET', '/whatsapp/conversations')).body.items.find((row: { phone: string }) => row.phone === other),
    { lastMessage: null, unread: 0, name: 'Bruno' },
  )
  t.match((await call('GET', `/whatsapp/conversations/${customer}`)).body, { name: 'Lucía' })
  t.same(backend.errors(), [])

  await said(longAgo, 'dos naranja')
  await night()
  t.same(await texts(), ['tres naranja'], 'every night again')
  t.match(await keep(null), { status: 200, body: { months: null, nextAt: null } })
  await said(longAgo, 'tres naranja')
  await night()
  t.same(await texts(), ['tres naranja'], 'not after it was switched off')
})

t.test('a customer whose messages were deleted can write again as before', async t => {
  const { backend, call, said, night, keep, texts } = await stage(t)
  await said(longAgo, 'sola naranja')
  await keep(3)
  await night()
  await call('POST', '/sandbox/inbound', { from: other, name: 'Bruno', text: 'volví' })
  await backend.settle()
  t.ok((await texts()).includes('volví'))
  t.match(
    (await call('GET', '/whatsapp/conversations')).body.items.find((row: { phone: string }) => row.phone === other),
    { lastMessage: { text: 'volví' }, unread: 1 },
  )
})

t.test('queued messages stay, and other organizations are untouched', async t => {
  const { databases, said, night, keep, texts } = await stage(t)
  const neighbour = await aMember({ databases, orgName: 'Otra' })
  await said(longAgo, 'uno naranja', 'dos naranja')
  await databases.write.updateTable('message').set({ status: 'queued' }).where('text', '=', 'dos naranja').execute()
  const [contact, conversation, message] = [newId(), newId(), newId()]
  const mine = { org_id: neighbour.org.id, created_at: longAgo }
  await databases.write
    .insertInto('contact')
    .values({
      ...mine,
      id: contact,
      name: 'X',
      profile_name: null,
      username: null,
      wa_id: '1',
      bsuid: null,
      updated_at: longAgo,
    })
    .execute()
  await databases.write
    .insertInto('conversation')
    .values({
      ...mine,
      id: conversation,
      contact_id: contact,
      connection_id: 'x',
      control: 'bot',
      assignee_id: null,
      archived: 0,
      unread: 0,
      window_closes_at: null,
      last_activity_at: longAgo,
      last_message_seq: null,
      last_message_at: null,
      last_message_text: null,
      last_message_type: null,
      last_message_direction: null,
      last_message_status: null,
      last_inbound_wamid: null,
      last_human_event_at: null,
    })
    .execute()
  const { seq: _seq, ...row } = await databases.read
    .selectFrom('message')
    .selectAll()
    .where('text', '=', 'uno naranja')
    .executeTakeFirstOrThrow()
  await databases.write
    .insertInto('message')
    .values({
      ...row,
      id: message,
      wamid: message,
      org_id: neighbour.org.id,
      conversation_id: conversation,
      text: 'ajena',
    })
    .execute()
  await keep(3)
  await night()
  t.same(await texts(), ['foto naranja', 'dos naranja', 'tres naranja', 'sola naranja'])
  t.ok(await databases.read.selectFrom('message').select('id').where('id', '=', message).executeTakeFirst())
})

t.test('one night deletes more than one commit can, and a change of the setting applies meanwhile', async t => {
  const { databases, said, night, keep, texts, orgId, backend } = await stage(t)
  await said(longAgo, 'uno naranja')
  const { seq: _seq, ...row } = await databases.read
    .selectFrom('message')
    .selectAll()
    .where('text', '=', 'uno naranja')
    .executeTakeFirstOrThrow()
  const copies = Array.from({ length: 450 }, (_, i) => ({ ...row, id: newId(), wamid: `w${i}`, text: `copia ${i}` }))
  for (let from = 0; from < copies.length; from += 50)
    await databases.write
      .insertInto('message')
      .values(copies.slice(from, from + 50))
      .execute()
  const counted = createOldMessages({ databases, writes: backend.parts.writes, removeFile: async () => {} })
  t.match(await counted.count(orgId, '2021-01-01', 100), { messages: 100, isMore: true })
  t.match(await counted.count(orgId, '2021-01-01', 451), { messages: 451, isMore: false })
  await keep(3)
  await night()
  t.same(await texts(), ['foto naranja', 'dos naranja', 'tres naranja', 'sola naranja'])
  await databases.write.insertInto('message').values(copies.slice(0, 3)).execute()
  await keep(null)
  await keep(120)
  const jobs = await databases.read
    .selectFrom('job')
    .select('state')
    .where('org_id', '=', orgId)
    .where('kind', '=', 'organization.retention')
    .where('state', '<>', 'cancelled')
    .execute()
  t.same(jobs, [{ state: 'scheduled' }], 'one nightly job, however often the setting is changed')
  t.same(backend.errors(), [])
})

t.test('only owners, not keys, may set it, within limits; each change is audited', async t => {
  const { databases, owner, call, keep } = await stage(t)
  const admin = await aMember({ databases, org: owner.org, role: 'admin' })
  t.equal((await keep(12, admin)).status, 403)
  t.equal((await call('GET', '/organization/retention', undefined, admin)).status, 403)
  for (const months of [0, 2, 121, 1.5, '12', undefined]) {
    const { status, body } = await call('PUT', '/organization/retention', { months })
    t.match([status, body.details], [400, [{ field: 'body.months' }]], String(months))
  }
  t.match(await call('GET', '/organization/retention/preview?months=2'), {
    status: 400,
    body: { details: [{ field: 'query.months' }] },
  })
  await keep(12)
  await keep(24)
  t.match((await call('GET', '/organization/audit')).body.items, [
    { action: 'retentionChanged', changes: [{ fact: 'months', before: '12', after: '24' }] },
    { action: 'retentionChanged', changes: [{ fact: 'months', before: null, after: '12' }] },
  ])
})

testOnSqlite('old messages are found through the index of the thread', async t => {
  const { databases, orgId } = await stage(t)
  const page = { conversationIds: ['a', 'b'], before: longAgo, limit: 200 }
  const { sql, parameters } = selectOldMessages(databases.read, orgId, page).compile()
  const plan = databases.raw.read.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[]
  const details = plan.map(({ detail }) => detail).join('\n')
  t.match(details, /SEARCH message USING INDEX message_thread \(conversation_id=\? AND at<\?\)/)
  t.match(details, /SEARCH media USING INDEX \S+ \(message_id=\?\)/)
})
