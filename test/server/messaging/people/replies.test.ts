import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { type AnInbox, anInbox } from '#test/helpers/inbox.ts'
import { aMessage, anEcho, lucia } from '#test/helpers/items.ts'

const numberTel = lucia.waId as string
/** A customer's conversation that Ana has answered. */
const answered = async (): Promise<AnInbox> => {
  const room = await anInbox()
  await room.connect()
  await room.apply(aMessage({ at: '2026-11-20T12:59:00.000Z' }))
  await room.inbox.sendMessage(room.ana.member, { body: { message: 'Hola', numberTel } })
  room.notices.length = 0
  return room
}

t.test('the member who wrote last is notified of the answer, once per batch with the number of messages', async t => {
  const room = await answered()
  const drafts = await room.apply(
    aMessage({ at: '2026-11-20T13:00:01.000Z' }),
    aMessage({ at: '2026-11-20T13:00:02.000Z' }),
  )
  t.notOk(drafts.some(draft => draft.type === 'human'))
  const { items } = await room.inbox.listConversations(room.ana.member, { query: {} })
  t.match(room.notices, [
    {
      userIds: [room.ana.user.id],
      message: 'Lucía Méndez respondió',
      words: { key: 'replied', params: { name: 'Lucía Méndez' } },
      redirect: `/${numberTel}`,
      conversation: { id: items[0]?.id, count: 2, several: { key: 'several', params: { name: 'Lucía Méndez' } } },
    },
  ])
  t.equal(room.notices.length, 1)
})

t.test('where nobody is assigned, the last of us who wrote is notified, and a former member is not', async t => {
  const room = await answered()
  const beto = await aMember({ databases: room.databases, org: room.ana.org, role: 'member' })
  await room.inbox.sendMessage(beto.member, { body: { message: 'Sigo yo', numberTel } })
  await room.databases.write.updateTable('conversation').set({ assignee_id: null }).execute()
  await room.apply(aMessage({ at: '2026-11-20T13:00:01.000Z' }))
  t.same(
    room.notices.flatMap(one => one.userIds),
    [beto.user.id],
  )
  room.notices.length = 0
  await room.databases.write.deleteFrom('member').where('userId', '=', beto.user.id).execute()
  await room.apply(aMessage({ at: '2026-11-20T13:00:05.000Z' }))
  t.same(room.notices, [])
})

t.test('the assignee is notified, whoever wrote', async t => {
  const room = await answered()
  const beto = await aMember({ databases: room.databases, org: room.ana.org, role: 'member' })
  await room.databases.write.updateTable('conversation').set({ assignee_id: beto.user.id }).execute()
  await room.apply(aMessage({ at: '2026-11-20T13:00:01.000Z' }))
  t.same(
    room.notices.flatMap(one => one.userIds),
    [beto.user.id],
  )
})

t.test('an answer to the phone’s message, and an old one, notify nobody', async t => {
  const room = await anInbox()
  await room.apply(anEcho({ at: '2026-11-20T12:59:00.000Z' }))
  await room.apply(aMessage({ at: '2026-11-20T13:00:00.000Z' }))
  t.same(room.notices, [])
  const later = await answered()
  later.clock.advance(60 * 60 * 1000)
  await later.apply(aMessage({ at: '2026-11-20T13:00:30.000Z' }))
  t.same(later.notices, [], 'an hour after an outage')
})

const lineKinds = async (room: AnInbox) =>
  (await room.inbox.listMessages(room.ana.member, { params: { phone: numberTel }, query: {} })).items.flatMap(
    ({ activity }) => (activity ? [{ kind: activity.kind, by: activity.by.name, to: activity.assignee?.name }] : []),
  )
const assigneeIn = async (room: AnInbox) =>
  (await room.inbox.listConversations(room.ana.member, { query: {} })).items[0]?.assignee?.id ?? null

t.test('the first reply of a member assigns an unassigned conversation, and no other reply changes that', async t => {
  const room = await answered()
  const { inbox, ana, databases, apply } = room
  const beto = await aMember({ databases, org: ana.org, role: 'member' })
  const say = (who: typeof ana, more: object = {}) =>
    inbox.sendMessage(who.member, { body: { message: 'Hola', numberTel, ...more } })
  t.equal(await assigneeIn(room), ana.user.id)
  const mine = await inbox.listConversations(ana.member, { query: { assignee: ana.user.id } })
  t.equal(mine.items.length, 1, 'it is among those of the one who replied')
  t.same(await lineKinds(room), [{ kind: 'assigned', by: ana.user.name, to: ana.user.name }])
  await apply(aMessage({ at: '2026-11-20T13:00:01.000Z' }))
  room.clock.advance(1000)
  await say(beto)
  await say(beto)
  t.equal(await assigneeIn(room), ana.user.id, 'a second person changes nothing')
  const helped = { kind: 'helped', by: beto.user.name, to: ana.user.name }
  t.same((await lineKinds(room)).slice(1), [helped], 'and is visible, once')
  room.clock.advance(1000)
  await say(ana)
  room.clock.advance(1000)
  await say(beto)
  t.same((await lineKinds(room)).slice(1), [helped, helped], 'again after the assignee replied')
  await apply(anEcho({ at: '2026-11-20T13:00:02.000Z' }))
  t.equal(await assigneeIn(room), ana.user.id, 'nor does a reply from the phone')
  await inbox.assignChat(ana.member, { params: { phone: numberTel }, body: { userId: null } })
  await say(ana, { isHuman: false })
  t.equal(await assigneeIn(room), null, 'a program assigns nothing')
  await apply(anEcho({ at: '2026-11-20T13:00:03.000Z' }))
  t.equal(await assigneeIn(room), null, 'nor does the phone')
  await say(beto)
  t.equal(await assigneeIn(room), beto.user.id)
})

t.test('a reply in an archived conversation leaves it with its assignee', async t => {
  const room = await answered()
  await room.inbox.archiveChat(room.ana.member, { body: { phoneNumber: numberTel } })
  const beto = await aMember({ databases: room.databases, org: room.ana.org, role: 'member' })
  await room.inbox.sendMessage(beto.member, { body: { message: 'Hola', numberTel } })
  t.equal(await assigneeIn(room), room.ana.user.id)
})

t.test('where the setting is off, replies assign nothing', async t => {
  const room = await anInbox(undefined, { assignsOnReply: async () => false })
  await room.connect()
  await room.apply(aMessage({ at: '2026-11-20T12:59:00.000Z' }))
  await room.inbox.sendMessage(room.ana.member, { body: { message: 'Hola', numberTel } })
  const [row] = (await room.inbox.listConversations(room.ana.member, { query: {} })).items
  t.match(row, { assignee: null, control: 'human' })
  t.same(await lineKinds(room), [{ kind: 'takenOver', by: room.ana.user.name, to: undefined }])
})
