import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'

const phone = '5491155550101'

const aStage = async () => {
  const stage = await anInbox()
  await stage.apply(aMessage({ sender: { waId: phone } }))
  const { databases, ana } = stage
  const beto = await aMember({ databases, org: ana.org, role: 'member' })
  stage.events.length = 0
  const control = async (body: { owner: 'bot' | 'human'; assigneeId?: string | null }) =>
    stage.inbox.controlChat(ana.member, { params: { phone }, body })
  return { ...stage, beto, control }
}
const namesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type)

t.test('a caller takes an unassigned conversation; taking it again changes nothing', async t => {
  const { control, ana, events } = await aStage()
  const taken = await control({ owner: 'human' })
  t.match(taken, { control: 'human', assignee: { id: ana.user.id } })
  t.match(namesOf(events), ['human.claimed', 'conversation', 'internal'])
  events.length = 0
  t.same(await control({ owner: 'human' }), taken)
  t.same(events, [])
})

t.test('a conversation is assigned to a member, who keeps it if no assignee is named', async t => {
  const { control, beto } = await aStage()
  t.match(await control({ owner: 'human', assigneeId: beto.user.id }), { assignee: { id: beto.user.id } })
  t.match(await control({ owner: 'human' }), { assignee: { id: beto.user.id } })
})

t.test(
  'if two take it at once one gets it and the other learns who; a deliberate second call still takes it',
  async t => {
    const { inbox, ana, beto, events } = await aStage()
    const take = async (who: typeof ana, ifHeldBy: string | null) =>
      inbox.controlChat(who.member, {
        params: { phone },
        body: { owner: 'human', assigneeId: who.user.id, ifHeldBy },
      })
    const both = await Promise.allSettled([take(beto, null), take(ana, null)])
    t.match(both, [
      { status: 'fulfilled', value: { assignee: { id: beto.user.id } } },
      { status: 'rejected', reason: { code: 'INBOX_TAKEN_MEANWHILE', status: 409, params: { name: beto.user.name } } },
    ])
    t.equal(namesOf(events).filter(name => name === 'human.claimed').length, 1)
    events.length = 0
    t.match(await take(beto, null), { assignee: { id: beto.user.id } }, 'twice pressed is no race')
    const give = async (ifHeldBy: string | null, userId: string | null) =>
      inbox.assignChat(ana.member, { params: { phone }, body: { userId, ifHeldBy } })
    for (const userId of [ana.user.id, null])
      await t.rejects(give(null, userId), { code: 'INBOX_TAKEN_MEANWHILE', params: { name: beto.user.name } })
    t.same(events, [])
    t.match(await give(beto.user.id, ana.user.id), { assignee: { id: ana.user.id } })
    t.match(await give(beto.user.id, null).catch(error => error), { code: 'INBOX_TAKEN_MEANWHILE' })
  },
)

t.test('silencing the bot alone makes it a human’s conversation without an assignee', async t => {
  const { control, ana } = await aStage()
  t.match(await control({ owner: 'human', assigneeId: null }), { control: 'human', assignee: null })
  await control({ owner: 'human' })
  t.match(
    await control({ owner: 'human', assigneeId: null }),
    { assignee: { id: ana.user.id } },
    'it stays whose it is',
  )
})

t.test('given back to the bot it is unassigned, and the customer’s next message asks for a person again', async t => {
  const { control, apply, inbox, ana, events, databases } = await aStage()
  await control({ owner: 'human' })
  events.length = 0
  t.match(await control({ owner: 'bot' }), { control: 'bot', assignee: null })
  t.ok(namesOf(events).includes('conversation'))
  const stored = () => databases.read.selectFrom('conversation').select(['control', 'assignee_id']).execute()
  t.same(await stored(), [{ control: 'none', assignee_id: null }])
  events.length = 0
  await control({ owner: 'bot' })
  t.same(events, [], 'the same again changes nothing')
  await apply(aMessage({ sender: { waId: phone }, wamid: 'wamid.next' }))
  const { items } = await inbox.listConversations(ana.member, { query: {} })
  t.match(items, [{ control: 'needsHuman' }])
})

t.test('strangers, unknown conversations and an assignee for the bot are refused', async t => {
  const { control, inbox, ana, databases, events } = await aStage()
  const other = await aMember({ databases })
  const viewer = await aMember({ databases, org: ana.org, role: 'viewer' })
  for (const assigneeId of ['nobody', other.user.id, viewer.user.id])
    await t.rejects(control({ owner: 'human', assigneeId }), {
      code: 'INBOX_ASSIGNEE_NOT_FOUND',
      fields: ['body.assigneeId'],
    })
  const named = await control({ owner: 'bot', assigneeId: ana.user.id }).catch(error => error)
  t.match(named, { status: 400, faults: [{ field: 'body.assigneeId', code: 'onlyHuman' }] })
  const elsewhere = { params: { phone: '5491155550999' }, body: { owner: 'human' as const } }
  await t.rejects(async () => inbox.controlChat(ana.member, elsewhere), { code: 'INBOX_CHAT_NOT_FOUND' })
  await t.rejects(async () => inbox.controlChat(other.member, { params: { phone }, body: { owner: 'human' } }), {
    code: 'INBOX_CHAT_NOT_FOUND',
  })
  t.same(events, [])
})
