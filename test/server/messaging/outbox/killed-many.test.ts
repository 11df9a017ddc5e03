/** Bulk messages whose process is killed between claim and request, or between request and response. */
import t from 'tap'
import { createSpacing, type Spacing } from '#server/messaging/outbox/spacing.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { aConversation, stage } from './stage.ts'

const send = /POST .*\/messages/

/** Messages of one bulk send, one per or waiting, each batch or queued. */
const sendToMany = async (
  s: Awaited<ReturnType<typeof stage>>,
  texts: readonly string[],
  process: Pick<typeof s, 'writes' | 'outbox'> = s,
) => {
  const rows = await Promise.all(
    texts.map(async (text, i) => {
      const to = `54911555500${10 + i}`
      const conversationId = await aConversation(s.databases, s.orgId, { to })
      return { conversationId, connectionId: 'number', messageId: newId(), lane: 'bulk' as const, text }
    }),
  )
  await process.writes.tell(s.orgId, async write => {
    for (const { messageId, conversationId, text } of rows)
      await write.db
        .insertInto('message')
        .values({
          id: messageId,
          org_id: s.orgId,
          conversation_id: conversationId,
          direction: 'out',
          type: 'text',
          text,
          at: s.clock.now().toISOString(),
          status: 'queued',
          author_kind: 'person',
        })
        .execute()
    await process.outbox.enqueueMessages(write, rows)
  })
  return rows
}

const until = async (holds: () => boolean | Promise<boolean>) => {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 5))
}
const countOf = async (databases: Databases, unconfirmed: 0 | 1) =>
  (await databases.read.selectFrom('message').select('id').where('unconfirmed', '=', unconfirmed).execute()).length

t.test('killed between claim and mark: all are sent again, once', async t => {
  const turn = Promise.withResolvers<never>()
  const even = createSpacing()
  const reach = async (key: string, prepare?: () => Promise<boolean>) => {
    await turn.promise
    return prepare ? even.waitForSlot(key, prepare) : even.waitForSlot(key)
  }
  const s = await stage(t, { spacing: { ...even, waitForSlot: reach as Spacing['waitForSlot'] } })
  await s.outbox.idle()
  await sendToMany(s, ['a', 'b', 'c', 'd'])
  t.same(await s.attempts(), [], 'none is on its way')
  t.match(await s.outboxRows(), [{ state: 'inFlight' }])
  const heir = s.revive(s.databases, { spacing: undefined })
  await heir.outbox.beat()
  await heir.outbox.idle()
  t.same(s.texts().sort(), ['a', 'b', 'c', 'd'])
  turn.resolve(undefined as never)
  await s.outbox.idle()
  t.equal(s.graph.requests.length, 4, 'nor does the one that was taken for dead send any')
  t.equal(await countOf(s.databases, 1), 0)
})

t.test('killed between mark and response: the message waits for a status and is never sent again', async t => {
  const s = await stage(t)
  await s.outbox.idle()
  const late = Promise.withResolvers<'cut'>()
  s.graph.on(send, () => late.promise, 2)
  await sendToMany(s, ['a', 'b'])
  await until(() => s.graph.requests.length === 2)
  t.equal((await s.attempts()).length, 2)
  const heir = s.revive(s.databases)
  await heir.outbox.beat()
  await heir.outbox.idle()
  t.equal(s.graph.requests.length, 2)
  t.equal(await countOf(s.databases, 1), 2)
  late.resolve('cut')
})

t.test('a claim lost during a long pause is sent by the new owner only', async t => {
  const turns: (() => void)[] = []
  // While the clock stands still, the second message has to wait however slow the machine is.
  let isStill = true
  const startMs = performance.now()
  const spacing = createSpacing({
    nowMs: () => (isStill ? startMs : performance.now()),
    pause: () => new Promise<void>(end => void turns.push(end)),
  })
  const s = await stage(t, { spacing })
  await s.outbox.idle()
  await sendToMany(s, ['a', 'b', 'c', 'd'])
  await until(() => s.texts().length === 1 && turns.length > 0)
  await until(async () => (await s.attempts())[0]?.outcome === 'accepted')
  const heir = s.revive(s.databases)
  await heir.outbox.beat()
  await heir.outbox.idle()
  t.same(s.texts().sort(), ['a', 'b', 'c', 'd'])
  isStill = false
  // The next pause may begin at any time until nothing is left to do.
  const ending = setInterval(() => {
    for (const end of turns.splice(0)) end()
  }, 5)
  t.teardown(() => clearInterval(ending))
  await s.outbox.idle()
  t.same(s.texts().sort(), ['a', 'b', 'c', 'd'])
  t.equal(await countOf(s.databases, 1), 0)
})
