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

t.test('the last of us who wrote is notified, and a former member is not', async t => {
  const room = await answered()
  const beto = await aMember({ databases: room.databases, org: room.ana.org, role: 'member' })
  await room.inbox.sendMessage(beto.member, { body: { message: 'Sigo yo', numberTel } })
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

t.test('the row of an unassigned conversation names who answers it, until it is assigned or others answer', async t => {
  const room = await answered()
  const { inbox, ana, databases, apply } = room
  const beto = await aMember({ databases, org: ana.org, role: 'member' })
  const takerOf = async () => (await inbox.listConversations(ana.member, { query: {} })).items[0]?.takenBy
  const say = (who: typeof ana, more: object = {}) =>
    inbox.sendMessage(who.member, { body: { message: 'Hola', numberTel, ...more } })
  const control = (body: { owner: 'bot' | 'human'; assigneeId?: string | null }) =>
    inbox.controlChat(ana.member, { params: { phone: numberTel }, body })
  const [isAna, isBeto] = [ana, beto].map(({ user }) => ({ id: user.id, name: user.name }))
  t.same(await takerOf(), isAna)
  await apply(aMessage({ at: '2026-11-20T13:00:01.000Z' }))
  t.same(await takerOf(), isAna, 'the customer goes on')
  room.events.length = 0
  await say(beto)
  t.same(await takerOf(), isBeto, 'whoever answered last')
  t.match(
    room.events.find(({ type }) => type === 'message'),
    { data: { conversation: { takenBy: isBeto } } },
    'open pages hear of it',
  )
  await say(ana, { isHuman: false })
  t.same(await takerOf(), isBeto, 'what a program wrote takes nothing')
  await inbox.archiveChat(ana.member, { body: { phoneNumber: numberTel } })
  t.equal(await takerOf(), undefined)
  await inbox.archiveChat(ana.member, { body: { phoneNumber: numberTel, archived: false } })
  t.same(await takerOf(), isBeto, 'taken back from the archive it is as it was')
  t.match(await control({ owner: 'human' }), { assignee: isAna })
  t.equal(await takerOf(), undefined, 'it is somebody’s')
  await inbox.assignChat(ana.member, { params: { phone: numberTel }, body: { userId: null } })
  t.equal(await takerOf(), undefined, 'whoever answered before has nothing to do with it')
  await say(beto)
  await control({ owner: 'bot' })
  t.equal(await takerOf(), undefined)
  await control({ owner: 'human', assigneeId: null })
  t.equal(await takerOf(), undefined, 'who silences the bot answers nothing')
  await say(beto)
  await apply(anEcho({ at: '2026-11-20T13:00:02.000Z' }))
  t.equal(await takerOf(), undefined, 'somebody at the phone, whoever that is')
  await say(beto)
  t.same(await takerOf(), isBeto)
  await databases.write.deleteFrom('member').where('userId', '=', beto.user.id).execute()
  t.equal(await takerOf(), undefined, 'who left answers nobody')
})
