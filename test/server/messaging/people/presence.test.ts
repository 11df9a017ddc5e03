import t from 'tap'
import { createPresence } from '#server/messaging/people/presence.ts'
import { lookingMs, writingMs } from '#shared/inbox/presence.ts'
import { aMember } from '#test/helpers/actors.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'

const phone = '5491155550101'

const aStage = async () => {
  const stage = await anInbox()
  await stage.apply(aMessage({ sender: { waId: phone } }))
  const { databases, ana, presence } = stage
  const beto = await aMember({ databases, org: ana.org, role: 'member' })
  stage.events.length = 0
  const say = async (who: typeof ana, state: 'looking' | 'writing' | 'gone') =>
    (await presence.setPresence(who.member, { params: { phone }, body: { state } })).items
  return { ...stage, beto, say }
}

t.test('two members with a conversation open see each other, with one event each', async t => {
  const { say, ana, beto, events } = await aStage()
  t.same(await say(ana, 'looking'), [])
  t.same(await say(beto, 'looking'), [{ id: ana.user.id, name: ana.user.name, isWriting: false }])
  t.match(events, [
    { type: 'presence', number: phone, data: { person: { id: ana.user.id }, isGone: false } },
    { type: 'presence', data: { person: { id: beto.user.id, isWriting: false } } },
  ])
  events.length = 0
  t.match(await say(ana, 'looking'), [{ id: beto.user.id }])
  t.same(events, [], 'still there is no news')
  await say(ana, 'gone')
  t.match(events, [{ data: { person: { id: ana.user.id }, isGone: true } }])
  t.same(await say(beto, 'looking'), [])
  events.length = 0
  await say(ana, 'gone')
  t.same(events, [], 'nor that somebody has left who had left')
})

t.test('typing is published each time and expires', async t => {
  const { say, ana, beto, events, clock } = await aStage()
  await say(ana, 'writing')
  await say(ana, 'writing')
  t.match(events, [{ data: { person: { isWriting: true } } }, { data: { person: { isWriting: true } } }])
  await say(ana, 'looking')
  t.match(await say(beto, 'looking'), [{ isWriting: true }], 'looking on, one still writes')
  clock.advance(writingMs)
  t.match(await say(beto, 'looking'), [{ isWriting: false }])
  clock.advance(lookingMs)
  t.same(await say(beto, 'looking'), [], 'and who is not heard of any more is not there')
})

t.test('an impersonator is not shown as present', async t => {
  const { presence, ana, beto, say, events } = await aStage()
  await say(beto, 'looking')
  events.length = 0
  const borrowed = { ...ana.member, impersonatedBy: beto.user.id }
  const { items } = await presence.setPresence(borrowed, { params: { phone }, body: { state: 'looking' } })
  t.match(items, [{ id: beto.user.id }])
  t.same(events, [])
  t.same(await say(beto, 'looking'), [])
})

t.test('an unknown conversation, or another organization’s, is refused', async t => {
  const { presence, databases } = await aStage()
  const stranger = await aMember({ databases, orgName: 'Ajena' })
  await t.rejects(
    async () => presence.setPresence(stranger.member, { params: { phone }, body: { state: 'looking' } }),
    { code: 'INBOX_CHAT_NOT_FOUND' },
  )
  t.same(await databases.read.selectFrom('chat_presence').selectAll().execute(), [])
})

t.test('expired presence is deleted, and nothing else', async t => {
  const { parts, databases, say, ana, beto, clock } = await aStage()
  await say(ana, 'looking')
  clock.advance(lookingMs - 1)
  await say(beto, 'looking')
  clock.advance(2)
  t.equal(await createPresence(parts).prune(clock.now()), 1)
  t.match(await databases.read.selectFrom('chat_presence').select('person_id').execute(), [{ person_id: beto.user.id }])
})
