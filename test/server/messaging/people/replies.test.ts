import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { type AnInbox, anInbox } from '#test/helpers/inbox.ts'
import { aMessage, anEcho, lucia } from '#test/helpers/items.ts'

const numberTel = lucia.waId as string
/** A customer's conversation that Ana has answered, and in which she has seen her notifications. */
const answered = async (): Promise<AnInbox> => {
  const stage = await anInbox()
  await stage.connect()
  await stage.apply(aMessage({ at: '2026-11-20T12:59:00.000Z' }))
  await stage.inbox.sendMessage(stage.ana.member, { body: { message: 'Hola', numberTel } })
  await stage.parts.services.notifications.markSeenAt(stage.ana.member, { body: { redirect: `/${numberTel}` } })
  stage.notices.length = 0
  return stage
}

t.test('the member who wrote last is notified of the answer, once per batch with the number of messages', async t => {
  const stage = await answered()
  const drafts = await stage.apply(
    aMessage({ at: '2026-11-20T13:00:01.000Z' }),
    aMessage({ at: '2026-11-20T13:00:02.000Z' }),
  )
  t.notOk(drafts.some(draft => draft.type === 'human'))
  const { items } = await stage.inbox.listConversations(stage.ana.member, { query: {} })
  t.match(stage.notices, [
    {
      userId: stage.ana.user.id,
      message: '2 mensajes nuevos de Lucía Méndez',
      words: { key: 'several', params: { name: 'Lucía Méndez', count: 2 } },
      redirect: `/${numberTel}`,
      conversationId: items[0]?.id,
    },
  ])
  t.equal(stage.notices.length, 1)
})

t.test('a single answer is notified in its own words', async t => {
  const stage = await answered()
  await stage.apply(aMessage({ at: '2026-11-20T13:00:01.000Z' }))
  t.match(stage.notices, [{ userId: stage.ana.user.id, message: 'Lucía Méndez respondió' }])
})

t.test('where nobody is assigned, the last of us who wrote is notified, and a former member is not', async t => {
  const stage = await answered()
  const beto = await aMember({ databases: stage.databases, org: stage.ana.org, role: 'member' })
  await stage.inbox.sendMessage(beto.member, { body: { message: 'Sigo yo', numberTel } })
  await stage.databases.write.updateTable('conversation').set({ assignee_id: null }).execute()
  await stage.apply(aMessage({ at: '2026-11-20T13:00:01.000Z' }))
  t.same(
    stage.notices.map(one => one.userId),
    [beto.user.id],
  )
  stage.notices.length = 0
  await stage.databases.write.deleteFrom('member').where('userId', '=', beto.user.id).execute()
  await stage.apply(aMessage({ at: '2026-11-20T13:00:05.000Z' }))
  t.same(stage.notices, [])
})

t.test('the assignee is notified, even if another member replied before', async t => {
  const stage = await answered()
  const beto = await aMember({ databases: stage.databases, org: stage.ana.org, role: 'member' })
  await stage.databases.write.updateTable('conversation').set({ assignee_id: beto.user.id }).execute()
  await stage.apply(aMessage({ at: '2026-11-20T13:00:01.000Z' }))
  t.same(
    stage.notices.map(one => one.userId),
    [beto.user.id],
  )
})

t.test('an answer to the phone’s message, and an old one, notify nobody', async t => {
  const stage = await anInbox()
  await stage.apply(anEcho({ at: '2026-11-20T12:59:00.000Z' }))
  await stage.apply(aMessage({ at: '2026-11-20T13:00:00.000Z' }))
  t.same(stage.notices, [])
  const later = await answered()
  later.clock.advance(60 * 60 * 1000)
  await later.apply(aMessage({ at: '2026-11-20T13:00:30.000Z' }))
  t.same(later.notices, [], 'an hour after an outage')
})

const lineKinds = async (stage: AnInbox) =>
  (await stage.inbox.listMessages(stage.ana.member, { params: { phone: numberTel }, query: {} })).items.flatMap(
    ({ activity }) => (activity ? [{ kind: activity.kind, by: activity.by.name, to: activity.assignee?.name }] : []),
  )
const assigneeIn = async (stage: AnInbox) =>
  (await stage.inbox.listConversations(stage.ana.member, { query: {} })).items[0]?.assignee?.id ?? null

t.test('the first reply of a member assigns an unassigned conversation, and no other reply changes that', async t => {
  const stage = await answered()
  const { inbox, ana, databases, apply } = stage
  const beto = await aMember({ databases, org: ana.org, role: 'member' })
  const say = (who: typeof ana, more: object = {}) =>
    inbox.sendMessage(who.member, { body: { message: 'Hola', numberTel, ...more } })
  t.equal(await assigneeIn(stage), ana.user.id)
  const mine = await inbox.listConversations(ana.member, { query: { assignee: ana.user.id } })
  t.equal(mine.items.length, 1, 'it is among those of the one who replied')
  t.same(await lineKinds(stage), [{ kind: 'assigned', by: ana.user.name, to: ana.user.name }])
  await apply(aMessage({ at: '2026-11-20T13:00:01.000Z' }))
  stage.clock.advance(1000)
  await say(beto)
  await say(beto)
  t.equal(await assigneeIn(stage), ana.user.id, 'a second person changes nothing')
  const helped = { kind: 'helped', by: beto.user.name, to: ana.user.name }
  t.same((await lineKinds(stage)).slice(1), [helped], 'and is visible, once')
  stage.clock.advance(1000)
  await say(ana)
  stage.clock.advance(1000)
  await say(beto)
  t.same((await lineKinds(stage)).slice(1), [helped, helped], 'again after the assignee replied')
  await apply(anEcho({ at: '2026-11-20T13:00:02.000Z' }))
  t.equal(await assigneeIn(stage), ana.user.id, 'nor does a reply from the phone')
  await inbox.assignChat(ana.member, { params: { phone: numberTel }, body: { userId: null } })
  await say(ana, { isHuman: false })
  t.equal(await assigneeIn(stage), null, 'a program assigns nothing')
  await apply(anEcho({ at: '2026-11-20T13:00:03.000Z' }))
  t.equal(await assigneeIn(stage), null, 'nor does the phone')
  await say(beto)
  t.equal(await assigneeIn(stage), beto.user.id)
})

t.test('a reply in an archived conversation leaves it with its assignee', async t => {
  const stage = await answered()
  await stage.inbox.archiveChat(stage.ana.member, { body: { phoneNumber: numberTel } })
  const beto = await aMember({ databases: stage.databases, org: stage.ana.org, role: 'member' })
  await stage.inbox.sendMessage(beto.member, { body: { message: 'Hola', numberTel } })
  t.equal(await assigneeIn(stage), stage.ana.user.id)
})

t.test('where the setting is off, replies assign nothing', async t => {
  const stage = await anInbox()
  await stage.parts.services.orgSettings.changeSettings(stage.ana.member, { body: { assignOnReply: false } })
  await stage.connect()
  await stage.apply(aMessage({ at: '2026-11-20T12:59:00.000Z' }))
  await stage.inbox.sendMessage(stage.ana.member, { body: { message: 'Hola', numberTel } })
  const [row] = (await stage.inbox.listConversations(stage.ana.member, { query: {} })).items
  t.match(row, { assignee: null, control: 'human' })
  t.same(await lineKinds(stage), [{ kind: 'takenOver', by: stage.ana.user.name, to: undefined }])
})
