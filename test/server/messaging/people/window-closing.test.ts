import t from 'tap'
import { saveAvailability } from '#server/messaging/assignment/rule-store.ts'
import { createWindowClosing } from '#server/messaging/people/window-closing.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { aMember } from '#test/helpers/actors.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage, anEcho, lucia } from '#test/helpers/items.ts'

const phone = lucia.waId as string
const minuteMs = 60_000

/** A customer who wrote at 12:59, so the window closes a day later. */
const aWindow = async () => {
  const stage = await anInbox()
  const added: unknown[] = []
  const jobs = {
    register: () => ({
      add: async (_db: unknown, _org: unknown, rows: unknown[]) => void added.push(...rows),
      wake: () => undefined,
    }),
  } as unknown as Jobs
  const writes = { run: (_org: string, _actor: unknown, work: never) => stage.write(work) as Promise<never> }
  const closing = createWindowClosing({ databases: stage.databases, clock: stage.clock, jobs, writes })
  await stage.apply(aMessage())
  const { items } = await stage.inbox.listConversations(stage.ana.member, { query: {} })
  const id = items[0]?.id as string
  stage.notices.length = 0
  const toMinutesBefore = (minutes: number) => {
    const closesAt = Date.parse('2026-11-21T12:59:00.000Z')
    stage.clock.advance(closesAt - minutes * minuteMs - stage.clock.now().getTime())
  }
  return { ...stage, closing, added, id, toMinutesBefore, look: () => closing.look(stage.orgId, id) }
}

t.test(
  'two hours before the window closes on an unanswered customer, members who may answer are notified once',
  async t => {
    const s = await aWindow()
    t.strictSame(await s.look(), {
      kind: 'again',
      afterMs: Date.parse('2026-11-21T10:59:00.000Z') - s.clock.now().getTime(),
    })
    t.strictSame(s.notices, [], 'nothing before')
    s.toMinutesBefore(119)
    t.strictSame(await s.look(), { kind: 'again', afterMs: 119 * minuteMs })
    t.match(s.notices, [
      {
        userIds: [s.ana.user.id],
        message: 'Lucía Méndez no tiene respuesta: en menos de dos horas solo se le va a poder enviar una plantilla',
        redirect: `/${phone}`,
      },
    ])
    t.equal(s.notices.length, 1)
    s.toMinutesBefore(-1)
    t.equal(await s.look(), undefined, 'it is over with the window')
  },
)

t.test('a customer who waits for a person is included, whatever was sent automatically since', async t => {
  const s = await aWindow()
  const aboutUs = { last_message_direction: 'out', last_message_type: 'template' }
  await s.databases.write.updateTable('conversation').set(aboutUs).where('id', '=', s.id).execute()
  s.toMinutesBefore(30)
  await s.look()
  t.match(s.notices, [{ redirect: `/${phone}` }])
})

t.test('one job exists, also after several messages at once or an earlier mark as unread', async t => {
  const s = await aWindow()
  const said = (unread: number) => ({
    data: { conversationId: s.id, conversation: { unread, windowClosesAt: '2026-11-21T12:59:00.000Z' } },
  })
  const hear = async (...events: unknown[]) => {
    s.added.length = 0
    const write = { db: s.databases.write, orgId: s.orgId, afterCommit: () => undefined }
    await s.closing.listener.handle(write as never, events as never)
    return [...s.added]
  }
  const job = { payload: { conversationId: s.id }, uniqueKey: s.id, dueAt: '2026-11-21T10:59:00.000Z' }
  t.strictSame(await hear(said(1)), [job])
  t.strictSame(await hear(said(3), said(3), said(3)), [job], 'all of one commit carry the row as it is after it')
  t.strictSame(await hear(said(2)), [job])
  t.strictSame(await hear(said(3)), [], 'it waits already')
  const [first] = (
    await s.apply(aMessage({ sender: { waId: '5491166667777' } }), aMessage({ sender: { waId: '5491166667777' } }))
  ).filter(({ type }) => type === 'message')
  t.match(first, { data: { conversation: { unread: 2 } } }, 'as it is')
})

t.test('only the assignee is notified', async t => {
  const s = await aWindow()
  const beto = await aMember({ databases: s.databases, org: s.ana.org, role: 'member' })
  await s.inbox.assignChat(s.ana.member, { params: { phone }, body: { userId: beto.user.id } })
  s.notices.length = 0
  s.toMinutesBefore(30)
  await s.look()
  t.match(s.notices, [{ userIds: [beto.user.id] }])
})

t.test('the team is notified when the assignee is away, and when nobody is assigned', async t => {
  const s = await aWindow()
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
    await s.look()
    return s.notices.map(({ userIds }) => [...userIds])
  }
  t.strictSame(await asked(), [[beto.user.id]])
  await saveAvailability(databases.write as never, orgId, {
    userId: beto.user.id,
    state: 'away',
    at: s.clock.now().toISOString(),
  })
  t.strictSame(await asked(), [[carla.user.id]], 'away')
  await s.inbox.assignChat(ana.member, { params: { phone }, body: { userId: null } })
  t.strictSame(await asked(), [[carla.user.id]], 'unassigned')
  await s.inbox.assignChat(ana.member, { params: { phone }, body: { teamId: null } })
  const everybody = [ana, beto, carla].map(({ user }) => user.id).sort()
  t.strictSame(
    (await asked()).map(ids => ids.sort()),
    [everybody],
    'without a team',
  )
})

t.test('answered customers, archived conversations and windows that moved notify nobody', async t => {
  const answered = await aWindow()
  await answered.apply(anEcho())
  answered.toMinutesBefore(30)
  await answered.look()
  t.strictSame(answered.notices, [])

  const archived = await aWindow()
  await archived.inbox.archiveChat(archived.ana.member, { body: { phoneNumber: phone } })
  archived.toMinutesBefore(30)
  await archived.look()
  t.strictSame(archived.notices, [])

  const moved = await aWindow()
  moved.toMinutesBefore(60)
  await moved.apply(aMessage({ at: moved.clock.now().toISOString() }))
  moved.notices.length = 0
  t.strictSame(await moved.look(), { kind: 'again', afterMs: 22 * 60 * minuteMs })
  t.strictSame(moved.notices, [])
})
