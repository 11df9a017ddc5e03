import t from 'tap'
import { cancelQueued } from '#server/messaging/sending/to-many.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { aMember } from '#test/helpers/actors.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { graphError } from '#test/helpers/graph.ts'
import { composeOn } from '#test/helpers/inbox.ts'
import { mostWorkPerTurn } from '#test/helpers/sqlite-work.ts'
import { aConversation, stage } from './stage.ts'

const send = /POST .*\/messages/

/** A conversation whose first message WhatsApp holds back, and its organization's inbox. */
const heldBack = async (test: Parameters<typeof stage>[0], code = 131056) => {
  const s = await stage(test)
  const ana = await aMember({ databases: s.databases, org: { id: s.orgId, slug: s.orgId, name: s.orgId } })
  // Another process on the same database, which only answers calls.
  const { inbox } = composeOn(s.databases, s.clock).services
  const phone = '5491155551234'
  const chat = await aConversation(s.databases, s.orgId, { to: phone })
  const contact = s.databases.read.selectFrom('conversation').select('contact_id').where('id', '=', chat)
  await s.databases.write
    .insertInto('contact_identity')
    .values({
      org_id: s.orgId,
      kind: 'phone',
      match_key: phoneKey(phone),
      value: phone,
      contact_id: (await contact.executeTakeFirstOrThrow()).contact_id,
      seen_at: s.clock.now().toISOString(),
    })
    .execute()
  s.graph.on(send, graphError(code, 400))
  const first = await s.write(s.orgId, chat, 'primero')
  await s.outbox.idle()
  const second = await s.write(s.orgId, chat, 'segundo')
  await s.outbox.idle()
  const waitingOf = async (id: string) =>
    (await inbox.listMessages(ana.member, { params: { phone }, query: {} })).items.find(message => message.id === id)
      ?.waiting
  return { s, inbox, member: ana.member, chat, first, second, waitingOf }
}

t.test('a held message tells its reason and end, live and on request; the next message waits for it', async t => {
  const { s, first, second, waitingOf } = await heldBack(t)
  const until = '2026-11-20T13:00:06.000Z'
  t.same(await waitingOf(first), { reason: 'pace', until })
  t.same(await waitingOf(second), { reason: 'order', until })
  t.match(s.published.at(-1), {
    type: 'status',
    data: { id: first, status: 'queued', waiting: { reason: 'pace', until } },
  })
  s.clock.advance(6000)
  await s.outbox.idle()
  t.same([await waitingOf(first), await waitingOf(second)], [undefined, undefined])
  t.same(s.texts().slice(-2), ['primero', 'segundo'])
})

for (const [code, reason] of [
  [130429, 'limit'],
  [131000, 'trouble'],
] as const)
  t.test(`after ${code} the reason is "${reason}"`, async t => {
    const { first, waitingOf } = await heldBack(t, code)
    t.match(await waitingOf(first), { reason })
  })

t.test('other conversations of a paused number show that it is paused and why their messages wait', async t => {
  const { s, inbox, member } = await heldBack(t, 130429)
  const until = '2026-11-20T13:00:04.000Z'
  t.match(
    s.published.find(({ type }) => type === 'paused'),
    { data: { until } },
  )
  const pair = await heldBack(t)
  t.notOk(
    pair.s.published.some(({ type }) => type === 'paused'),
    'a pause between two concerns nobody else',
  )
  const other = await aConversation(s.databases, s.orgId, { to: '5491155550002' })
  const id = await s.write(s.orgId, other, 'en otro chat')
  await s.outbox.idle()
  const waiting = await s.outbox.findWaiting(s.databases.read, s.orgId, { conversationId: other, messageIds: [id] })
  t.match(waiting.get(id), { reason: 'limit' })
  t.ok(inbox && member)
})

t.test('a waiting message can be cancelled once; it stays with its text, and the next one is sent', async t => {
  const { s, inbox, member, first, second } = await heldBack(t)
  const cancelled = await inbox.cancelMessage(member, { params: { id: first } })
  t.match(cancelled, { id: first, text: 'primero', status: 'failed', error: { code: 'CANCELLED' } })
  t.notOk(cancelled.waiting)
  await s.outbox.idle()
  t.same(s.texts(), ['segundo'])
  t.match(await s.message(second), { wamid: 'wamid.out1' })
  await t.rejects(async () => inbox.cancelMessage(member, { params: { id: first } }), {
    code: 'INBOX_MESSAGE_NOT_WAITING',
  })
  await t.rejects(async () => inbox.cancelMessage(member, { params: { id: second } }), {
    code: 'INBOX_MESSAGE_NOT_WAITING',
  })
  await t.rejects(async () => inbox.cancelMessage(member, { params: { id: 'nobody' } }), {
    code: 'INBOX_MESSAGE_NOT_FOUND',
  })
})

t.test('a message in flight, or possibly sent, cannot be cancelled, and the refusal says so', async t => {
  const { s, inbox, member, first } = await heldBack(t)
  const refused = async () => {
    await t.rejects(async () => inbox.cancelMessage(member, { params: { id: first } }), {
      code: 'INBOX_MESSAGE_IN_FLIGHT',
    })
    t.match(await s.message(first), { status: 'queued' })
  }
  const job = s.databases.write.updateTable('job').where('unique_key', '=', first)
  await job.set({ state: 'running', owner: 'somebody' }).execute()
  await refused()
  await job.set({ state: 'done', owner: null, finished_at: s.clock.now().toISOString() }).execute()
  await s.databases.write.updateTable('message').set({ unconfirmed: 1 }).where('id', '=', first).execute()
  await refused()
})

t.test('another organization’s waiting message cannot be cancelled', async t => {
  const { s, inbox, first } = await heldBack(t)
  const stranger = await aMember({ databases: s.databases })
  await t.rejects(async () => inbox.cancelMessage(stranger.member, { params: { id: first } }), {
    code: 'INBOX_MESSAGE_NOT_FOUND',
  })
})

testOnSqlite('what waits in a chat is found by index', async t => {
  const s = await stage(t)
  const plan = (where: string) =>
    s.databases.raw.read
      .prepare(
        `explain query plan select job.seq, job_pace.free_at from job
        left join job_pace on job_pace.org_id = job.org_id and job_pace.pace_key = job.pace_key
        where job.org_id = ? and job.order_key = ? and job.kind = ? and job.order_key is not null
          and job.state in ('waiting', 'running', 'retrying') ${where} order by job.lane, job.seq`,
      )
      .all('', '', '', '')
      .map(step => (step as { detail: string }).detail)
      .join('\n')
  for (const one of [plan('and 1 = ?'), plan('and job.unique_key in (?)')]) {
    t.match(one, /SEARCH job USING INDEX/)
    t.notMatch(one, /SCAN/)
  }
})

testOnSqlite('many are taken back in a few statements; what has left, and what is not ours, stays', async t => {
  const { s, chat, first, second } = await heldBack(t)
  const many = [first, second]
  for (let i = 0; i < 38; i += 1) many.push(await s.write(s.orgId, chat, `más ${i}`))
  const left = await s.write(s.orgId, await aConversation(s.databases, s.orgId, { to: '5491155559999' }), 'ya salió')
  await s.outbox.idle()
  const { statements } = await mostWorkPerTurn(s.databases.raw.write, () =>
    s.writes.tell(s.orgId, write =>
      cancelQueued(write, [...many, left, 'nobody'], { clock: s.clock, ids: newId, outbox: s.outbox }),
    ),
  )
  t.ok(statements < many.length, `${statements} statements for ${many.length} messages`)
  for (const id of many) t.equal((await s.message(id)).error_code, 'CANCELLED')
  t.equal((await s.message(left)).error_code, null)
  s.clock.advance(60 * 60_000)
  await s.outbox.idle()
  t.notOk(s.texts().some(text => text.startsWith('más')))
})
