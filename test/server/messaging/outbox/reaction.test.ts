import t, { type Test } from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { graphError } from '#test/helpers/graph.ts'
import { aConversation, anOrg, stage } from './stage.ts'

const send = /POST .*\/messages/
const minute = 60_000
const to = '5491155551234'

/** A customer's message, with our reaction queued for sending. */
const reacted = async (t: Test, facts: { emoji?: string; before?: string } = {}) => {
  const { emoji = '👍', before = '' } = facts
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId, { to })
  const messageId = newId()
  const at = s.clock.now().toISOString()
  await s.databases.write
    .insertInto('message')
    .values({
      id: messageId,
      org_id: s.orgId,
      conversation_id: chat,
      wamid: 'wamid.in',
      direction: 'in',
      type: 'text',
      text: 'Hola',
      at,
      status: 'received',
    })
    .execute()
  const put = (emoji: string, at: string) =>
    s.databases.write
      .insertInto('reaction')
      .values({ message_id: messageId, org_id: s.orgId, by: 'us', emoji, at })
      .onConflict(conflict => conflict.columns(['message_id', 'by']).doUpdateSet({ emoji, at }))
      .execute()
  await put(emoji, at)
  const reaction = { messageId, connectionId: 'number', targetWamid: 'wamid.in', to, emoji, before, at }
  const leave = () => s.writes.tell(s.orgId, write => s.outbox.enqueueReaction(write, reaction))
  const shown = async (databases: Databases = s.databases) =>
    (await databases.read.selectFrom('reaction').select('emoji').executeTakeFirstOrThrow()).emoji
  return { ...s, reaction, put, leave, shown }
}

t.test('a reaction is sent, and sent again while WhatsApp has errors; the last one wins', async t => {
  const s = await reacted(t)
  s.graph.on(send, 'cut')
  s.graph.on(send, graphError(131000, 500))
  await s.leave()
  for (let i = 0; i < 4; i += 1) {
    await s.outbox.idle()
    s.clock.advance(minute)
  }
  t.same(
    s.graph.taken().map(body => body.reaction),
    Array.from({ length: 2 }, () => ({ message_id: 'wamid.in', emoji: '👍' })),
    'also what may have arrived',
  )
  t.equal(s.graph.requests.length, 3)
  t.equal(await s.shown(), '👍')
})

t.test('a reaction that WhatsApp refuses is removed here, and an event says so', async t => {
  const s = await reacted(t, { emoji: '👍', before: '🙏' })
  s.graph.on(send, graphError(131009))
  await s.leave()
  await s.outbox.idle()
  t.equal(await s.shown(), '🙏')
  t.equal(s.published.length, 1)
  t.equal(s.graph.requests.length, 1)
})

t.test('a later reaction stays when an earlier one is refused', async t => {
  const s = await reacted(t)
  s.graph.on(send, graphError(131009))
  await s.put('❤️', '2026-11-20T13:00:01.000Z')
  await s.leave()
  await s.outbox.idle()
  t.equal(await s.shown(), '❤️')
})

t.test('a reaction is removed without a connection, and after errors that do not end', async t => {
  const gone = await reacted(t)
  gone.status.delete(gone.orgId)
  await gone.leave()
  await gone.outbox.idle()
  t.equal(await gone.shown(), '')
  const down = await reacted(t)
  down.graph.on(send, graphError(131000, 500), 100)
  await down.leave()
  for (let i = 0; i < 8; i += 1) {
    await down.outbox.idle()
    down.clock.advance(minute)
  }
  t.equal(await down.shown(), '')
  t.equal(down.graph.requests.length, 5)
})

t.test('a reaction interrupted by a crash is sent again', async t => {
  const s = await reacted(t)
  await s.outbox.stop()
  await s.leave()
  await s.databases.write.updateTable('job').set({ state: 'running', owner: 'dead', attempts: 1 }).execute()
  const heir = s.revive(s.databases)
  await heir.outbox.idle()
  t.match(s.graph.taken(), [{ type: 'reaction' }])
})

t.test('reactions of one organization do not affect another', async t => {
  const s = await reacted(t)
  const other = await anOrg(s.databases)
  s.status.set(other, { status: 'connected', statusReason: null })
  s.graph.on(send, graphError(131009))
  await s.writes.tell(other, write => s.outbox.enqueueReaction(write, s.reaction))
  await s.outbox.idle()
  t.equal(await s.shown(), '👍', 'the refusal of another organization changes nothing here')
})
