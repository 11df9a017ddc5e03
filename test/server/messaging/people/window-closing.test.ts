import t, { type Test } from 'tap'
import { saveAvailability } from '#server/messaging/assignment/rule-store.ts'
import { aMember } from '#test/helpers/actors.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage, anEcho, lucia } from '#test/helpers/items.ts'

const phone = lucia.waId as string
const minuteMs = 60_000
const closesAt = '2026-11-21T12:59:00.000Z'

/** A customer who wrote at 12:59, so the window closes a day later. Jobs run when the test looks. */
const aWindow = async (t: Test) => {
  const stage = await anInbox()
  const { jobs } = stage.parts
  t.teardown(() => jobs.stop())
  await stage.apply(aMessage())
  const { items } = await stage.inbox.listConversations(stage.ana.member, { query: {} })
  const id = items[0]?.id as string
  stage.notices.length = 0
  const toMinutesBefore = (minutes: number) => {
    stage.clock.advance(Date.parse(closesAt) - minutes * minuteMs - stage.clock.now().getTime())
  }
  /** Runs what is due. */
  const look = async () => {
    jobs.start()
    await jobs.idle()
  }
  /** When each window is looked at next. */
  const looks = async () =>
    (
      await stage.databases.read
        .selectFrom('job')
        .select(['unique_key', 'due_at'])
        .where('kind', '=', 'inbox.windowClosing')
        .where('state', '=', 'scheduled')
        .orderBy('seq')
        .execute()
    ).map(({ unique_key, due_at }) => ({ id: unique_key, at: due_at }))
  return { ...stage, id, toMinutesBefore, look, looks }
}

t.test(
  'two hours before the window closes on an unanswered customer, members who may answer are notified once',
  async t => {
    const s = await aWindow(t)
    await s.look()
    t.strictSame(await s.looks(), [{ id: s.id, at: '2026-11-21T10:59:00.000Z' }])
    t.strictSame(s.notices, [], 'nothing before')
    s.toMinutesBefore(119)
    await s.look()
    t.strictSame(await s.looks(), [{ id: s.id, at: closesAt }])
    t.match(s.notices, [
      {
        userId: s.ana.user.id,
        message: 'Lucía Méndez no tiene respuesta: en menos de dos horas solo se le va a poder enviar una plantilla',
        redirect: `/${phone}`,
      },
    ])
    t.equal(s.notices.length, 1)
    s.toMinutesBefore(-1)
    await s.look()
    t.strictSame(await s.looks(), [], 'it is over with the window')
    t.equal(s.notices.length, 1)
  },
)

t.test('a customer who waits for a person is included, whatever was sent automatically since', async t => {
  const s = await aWindow(t)
  const aboutUs = { last_message_direction: 'out', last_message_type: 'template' }
  await s.databases.write.updateTable('conversation').set(aboutUs).where('id', '=', s.id).execute()
  s.toMinutesBefore(30)
  await s.look()
  t.match(s.notices, [{ redirect: `/${phone}` }])
})

t.test('one job exists, also after several messages at once or an earlier mark as unread', async t => {
  const s = await aWindow(t)
  const first = { id: s.id, at: '2026-11-21T10:59:00.000Z' }
  t.strictSame(await s.looks(), [first])
  await s.apply(aMessage(), aMessage())
  t.strictSame(await s.looks(), [first])
  const sender = { waId: '5491166667777' }
  await s.apply(aMessage({ sender }), aMessage({ sender }), aMessage({ sender }))
  const [known, atOnce, ...more] = await s.looks()
  t.strictSame([known, more], [first, []])
  t.match(atOnce, { at: first.at }, 'all of one commit carry the row as it is after it')

  await s.inbox.markRead(s.ana.member, { params: { phone: sender.waId } })
  await s.inbox.markUnread(s.ana.member, { params: { phone: sender.waId } })
  await s.databases.write
    .deleteFrom('job')
    .where('unique_key', '=', atOnce?.id ?? '')
    .execute()
  await s.apply(aMessage({ sender }))
  t.strictSame(await s.looks(), [first, atOnce], 'a mark as unread is no message')
  await s.databases.write
    .deleteFrom('job')
    .where('unique_key', '=', atOnce?.id ?? '')
    .execute()
  await s.apply(aMessage({ sender }))
  t.strictSame(await s.looks(), [first], 'with more unread messages it waits already')
})

t.test('only the assignee is notified', async t => {
  const s = await aWindow(t)
  const beto = await aMember({ databases: s.databases, org: s.ana.org, role: 'member' })
  await s.inbox.assignChat(s.ana.member, { params: { phone }, body: { userId: beto.user.id } })
  s.notices.length = 0
  s.toMinutesBefore(30)
  await s.look()
  t.match(s.notices, [{ userId: beto.user.id }])
})

t.test('the team is notified when the assignee is away, and when nobody is assigned', async t => {
  const s = await aWindow(t)
  const { databases, orgId, ana } = s
  const beto = await aMember({ databases, org: ana.org, role: 'member' })
  const carla = await aMember({ databases, org: ana.org, role: 'member' })
  const createdAt = s.clock.now().toISOString()
  await databases.write
    .insertInto('team')
    .values({ id: 'counter', organizationId: orgId, name: 'Mostrador', createdAt } as never)
    .execute()
  await databases.write
    .insertInto('teamMember')
    .values({ id: 'tm1', teamId: 'counter', userId: carla.user.id, createdAt } as never)
    .execute()
  await s.inbox.assignChat(ana.member, { params: { phone }, body: { userId: beto.user.id, teamId: 'counter' } })
  s.toMinutesBefore(90)
  const asked = async () => {
    s.notices.length = 0
    const due = { due_at: s.clock.now().toISOString() }
    await databases.write.updateTable('job').set(due).where('unique_key', '=', s.id).execute()
    await s.look()
    return s.notices.map(({ userId }) => userId).sort()
  }
  t.strictSame(await asked(), [beto.user.id])
  await saveAvailability(databases.write as never, orgId, {
    userId: beto.user.id,
    state: 'away',
    at: s.clock.now().toISOString(),
  })
  t.strictSame(await asked(), [carla.user.id], 'away')
  await s.inbox.assignChat(ana.member, { params: { phone }, body: { userId: null } })
  t.strictSame(await asked(), [carla.user.id], 'unassigned')
  await s.inbox.assignChat(ana.member, { params: { phone }, body: { teamId: null } })
  const everybody = [ana, beto, carla].map(({ user }) => user.id).sort()
  t.strictSame(await asked(), everybody, 'without a team')
})

t.test('answered customers, archived conversations and windows that moved notify nobody', async t => {
  const answered = await aWindow(t)
  await answered.apply(anEcho())
  answered.toMinutesBefore(30)
  await answered.look()
  t.strictSame(answered.notices, [])

  const archived = await aWindow(t)
  await archived.inbox.archiveChat(archived.ana.member, { body: { phoneNumber: phone } })
  archived.toMinutesBefore(30)
  await archived.look()
  t.strictSame(archived.notices, [])

  const moved = await aWindow(t)
  moved.toMinutesBefore(60)
  await moved.apply(aMessage({ at: moved.clock.now().toISOString() }))
  moved.notices.length = 0
  await moved.look()
  const in22Hours = new Date(moved.clock.now().getTime() + 22 * 60 * minuteMs).toISOString()
  t.strictSame(await moved.looks(), [{ id: moved.id, at: in22Hours }])
  t.strictSame(moved.notices, [])
})
