import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'

const phone = '5491155550101'

const aStage = async () => {
  const stage = await anInbox()
  await stage.apply(aMessage({ sender: { waId: phone } }))
  const { databases, ana, orgId } = stage
  const beto = await aMember({ databases, org: ana.org, role: 'member' })
  const aTeam = async (id: string, organizationId: string) =>
    databases.write
      .insertInto('team')
      .values({ id, name: `Equipo ${id}`, organizationId, createdAt: '', memberCount: 0, updatedAt: null })
      .execute()
  await aTeam('sales', orgId)
  stage.events.length = 0
  return {
    ...stage,
    beto,
    aTeam,
    assign: async (body: object) => stage.inbox.assignChat(ana.member, { params: { phone }, body }),
  }
}

t.test('a conversation is assigned to a member and a team; the customer no longer waits for a person', async t => {
  const { assign, beto, events, notices, databases } = await aStage()
  notices.length = 0
  const given = await assign({ userId: beto.user.id, teamId: 'sales' })
  t.match(given, {
    assignee: { id: beto.user.id, name: beto.user.name },
    team: { id: 'sales', name: 'Equipo sales' },
    control: 'human',
  })
  t.same(
    events.map(({ type }) => type),
    ['human.claimed', 'conversation', 'internal', 'internal'],
  )
  t.match(notices, [{ userId: beto.user.id, redirect: `/${phone}` }])
  events.length = 0
  t.same(await assign({ userId: beto.user.id }), given, 'the same again changes nothing')
  t.same(events, [])
  const back = await assign({ userId: null })
  t.equal(back.assignee, null)
  t.match(back.team, { id: 'sales' }, 'what is left out stays')
  t.equal(back.control, 'human', 'nobody is called to what was only given back')
  t.notOk('team' in (await assign({ teamId: null })))
  const [row] = await databases.read.selectFrom('conversation').select(['assignee_id', 'team_id']).execute()
  t.same(row, { assignee_id: null, team_id: null })
})

t.test('assigned to a team only, the customer still waits for a person', async t => {
  const { assign } = await aStage()
  t.equal((await assign({ teamId: 'sales' })).control, 'needsHuman')
})

t.test('a member who assigns to themselves is not notified', async t => {
  const { assign, ana, notices } = await aStage()
  notices.length = 0
  await assign({ userId: ana.user.id })
  t.same(notices, [])
})

t.test(
  'strangers, members who may not answer and other organizations’ teams are refused, and nothing changes',
  async t => {
    const { assign, aTeam, databases, ana, events } = await aStage()
    const other = await aMember({ databases })
    await aTeam('theirs', other.org.id)
    const viewer = await aMember({ databases, org: ana.org, role: 'viewer' })
    for (const userId of ['nobody', other.user.id, viewer.user.id])
      await t.rejects(assign({ userId, teamId: 'sales' }), {
        code: 'INBOX_ASSIGNEE_NOT_FOUND',
        status: 404,
        fields: ['body.userId'],
      })
    for (const teamId of ['none', 'theirs'])
      await t.rejects(assign({ userId: ana.user.id, teamId }), {
        code: 'INBOX_TEAM_NOT_FOUND',
        fields: ['body.teamId'],
      })
    const [row] = await databases.read.selectFrom('conversation').select(['assignee_id', 'team_id']).execute()
    t.same(row, { assignee_id: null, team_id: null })
    t.same(events, [])
  },
)
