import t, { type Test } from 'tap'
import { handOver } from '#server/messaging/automation/bot-changes.ts'
import { endDue } from '#server/messaging/snoozes/store.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'

const lucia = '5491155550101'
const pedro = '5491155550102'
const at = '2026-11-20T20:00:00.000Z'
const hourMs = 3_600_000

const stage = async (t: Test) => {
  const clock = handClock('2026-11-20T13:00:00.000Z')
  const backend = await startBackend(t, { clock })
  const ana = await aMember({ databases: backend.databases, name: 'Ana' })
  const beto = await aMember({ databases: backend.databases, org: ana.org, role: 'member', name: 'Beto' })
  const call = async (
    who: AMember,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
    language = 'es',
  ) => {
    const headers = { cookie: who.cookie, 'x-organization-id': who.org.id, 'accept-language': language }
    const reply = await backend.inject({ method, url: `/api${url}`, headers, ...(body ? { payload: body } : {}) })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call(ana, 'POST', '/whatsapp/connection/sandbox')
  const say = async (from: string, text = 'Hola', name = from === lucia ? 'Lucía Pérez' : 'Pedro Gil') => {
    await call(ana, 'POST', '/sandbox/inbound', { from, name, text })
    await backend.settle()
  }
  const path = (phone = lucia) => `/whatsapp/conversations/${phone}/snooze`
  const snooze = (body: object = { until: at }, who = ana, phone = lucia) => call(who, 'POST', path(phone), body)
  const list = async (query = '') =>
    ((await call(ana, 'GET', `/whatsapp/conversations${query}`)).body.items as Conversation[]).map(row => row.phone)
  const row = async (phone = lucia): Promise<Conversation> =>
    (await call(ana, 'GET', `/whatsapp/conversations/${phone}`)).body
  const wait = async (ms: number) => {
    clock.advance(ms)
    await backend.settle()
  }
  const noticesOf = async (who: AMember): Promise<string[]> =>
    (await call(who, 'GET', '/notify')).body.map((one: { message: string }) => one.message)
  const lines = async () =>
    (await call(ana, 'GET', `/whatsapp/chats/${lucia}`)).body.items.flatMap(
      (one: { activity?: { kind: string; by: { name: string }; until?: string } }) => one.activity ?? [],
    )
  await say(pedro)
  clock.advance(1000)
  await say(lucia)
  clock.advance(1000)
  return { backend, clock, ana, beto, call, say, path, snooze, list, row, wait, noticesOf, lines }
}

t.test(
  'a snoozed conversation leaves the open ones and comes back at its time, with a mark and a notification',
  async t => {
    const { ana, beto, call, snooze, list, row, wait, noticesOf, lines } = await stage(t)
    await call(ana, 'PUT', `/whatsapp/conversations/${lucia}/assignee`, { userId: ana.user.id })
    const { status, body } = await snooze({ until: '2026-11-20T17:00:00-03:00' }, beto)
    t.equal(status, 200)
    t.match(body, { snoozedUntil: at, archived: false, snooze: { by: { id: beto.user.id, name: 'Beto' } } })
    t.same(await list(), [pedro])
    t.same(await list('?snoozed=true'), [lucia])
    t.same(await list('?search=lucia'), [lucia], 'a search finds it')
    t.same((await call(ana, 'GET', '/whatsapp/search?q=lucia')).body.conversations.length, 1)
    t.same(await list(`?assignee=${ana.user.id}`), [])
    t.match((await call(ana, 'GET', '/whatsapp/lanes')).body, { snoozed: { count: 1 }, mine: { count: 0 } })
    await wait(6 * hourMs)
    t.same(await list(), [pedro])
    await wait(hourMs)
    t.same(await list(), [lucia, pedro], 'on top of the list')
    t.same(await list('?snoozed=true'), [])
    const back = await row()
    t.match(back, { activityAt: String, snooze: { by: { name: 'Beto' }, returnedAt: String } })
    t.notOk(back.snoozedUntil)
    t.equal(back.activityAt, back.snooze?.returnedAt, 'its place in the list is when it came back')
    for (const who of [ana, beto])
      t.ok((await noticesOf(who)).includes('Lucía Pérez: se cumplió el plazo'), who.user.name)
    t.match(
      (await lines()).filter(({ kind }: { kind: string }) => kind.startsWith('snooze')),
      [{ kind: 'snoozed', by: { name: 'Beto' }, until: at }, { kind: 'snoozeDue' }],
    )
    await wait(24 * hourMs)
    const ours = (await noticesOf(beto)).filter(text => text.includes('plazo'))
    t.equal(ours.length, 1, 'once')
    await call(ana, 'POST', '/whatsapp/messages', { message: 'Hola', numberTel: lucia })
  },
)

t.test('it comes back at once when the customer writes, and the mark is gone with the next message', async t => {
  const { beto, say, snooze, list, row, wait, noticesOf, lines } = await stage(t)
  await snooze({ ifNoAnswerWithinMs: hourMs }, beto)
  t.match(await row(), { snoozedUntil: '2026-11-20T14:00:02.000Z', snooze: { ifNoAnswer: true } })
  await say(lucia, '¿Hay?')
  t.same(await list(), [lucia, pedro])
  const back = await row()
  t.equal(back.snoozedUntil, undefined)
  t.equal(back.snooze, undefined)
  t.ok((await noticesOf(beto)).includes('Lucía Pérez escribió antes del plazo'))
  await wait(2 * hourMs)
  t.equal((await row()).snooze, undefined, 'its time changes nothing any more')
  t.notOk((await noticesOf(beto)).includes('Lucía Pérez: se cumplió el plazo'))
  t.notOk((await lines()).some(({ kind }: { kind: string }) => kind === 'snoozeDue'))
  await snooze({ ifNoAnswerWithinMs: hourMs }, beto)
  await wait(2 * hourMs)
  t.match(await row(), { snooze: { returnedAt: String } })
  await say(lucia, '¿Y?')
  t.equal((await row()).snooze, undefined)
})

t.test('however often a conversation is snoozed, one job waits for it, and none once it is open again', async t => {
  const { backend, call, ana, path, snooze, row } = await stage(t)
  const waiting = async () =>
    (
      await backend.databases.read
        .selectFrom('job')
        .select('due_at')
        .where('kind', '=', 'inbox.snooze')
        .where('state', 'in', ['scheduled', 'waiting'])
        .execute()
    ).map(job => job.due_at)
  await snooze({ until: '2026-11-21T20:00:00Z' })
  await snooze({ until: '2026-11-22T20:00:00Z' })
  await snooze({ ifNoAnswerWithinMs: hourMs })
  const { snoozedUntil } = await row()
  t.same(await waiting(), [snoozedUntil])
  t.equal((await call(ana, 'DELETE', path())).status, 200)
  t.same(await waiting(), [])
})

t.test('a reply of ours leaves it snoozed; another time replaces the first', async t => {
  const { ana, call, snooze, list, row, wait, noticesOf } = await stage(t)
  await snooze()
  await call(ana, 'POST', '/whatsapp/messages', { message: 'Te aviso', numberTel: lucia })
  t.same(await list(), [pedro])
  await snooze({ until: '2026-11-21T20:00:00Z' })
  await wait(8 * hourMs)
  t.match(await row(), { snoozedUntil: '2026-11-21T20:00:00.000Z' })
  t.same(await list(), [pedro], 'the first time does not count any more')
  await wait(24 * hourMs)
  t.same(await list(), [lucia, pedro])
  t.equal((await noticesOf(ana)).filter(text => text.includes('plazo')).length, 1)
})

t.test('a member brings it back, and archiving ends it', async t => {
  const { ana, beto, call, path, snooze, list, row, wait, noticesOf, lines } = await stage(t)
  await snooze()
  t.match(await call(beto, 'DELETE', path()), { status: 200, body: { archived: false } })
  t.same(await list(), [lucia, pedro])
  t.match((await lines()).at(-1), { kind: 'unsnoozed', by: { name: 'Beto' } })
  t.match(await call(beto, 'DELETE', path()), { status: 200 }, 'one that is not snoozed stays')
  await snooze()
  await call(ana, 'POST', '/whatsapp/chat/archive', { phoneNumber: lucia })
  t.same(await list('?archived=true'), [lucia])
  t.same(await list('?snoozed=true'), [])
  t.equal((await row()).snoozedUntil, undefined)
  t.match((await lines()).at(-1), { kind: 'archived' })
  await wait(8 * hourMs)
  t.same(await list('?archived=true'), [lucia], 'its time does not unarchive it')
  t.notOk((await noticesOf(ana)).some(text => text.includes('plazo')))
  const refused = await snooze({ until: '2026-11-22T20:00:00Z' })
  t.match(refused, { status: 409, body: { code: 'INBOX_CHAT_ARCHIVED', message: /desarchivala/ } })
})

t.test('several are snoozed and brought back in one call', async t => {
  const { ana, call, list, row } = await stage(t)
  const ids = [(await row()).id, (await row(pedro)).id]
  const { status, body } = await call(ana, 'POST', '/whatsapp/conversations/changes', { ids, snoozedUntil: at })
  t.equal(status, 200)
  t.match(body.items, [{ snoozedUntil: at }, { snoozedUntil: at }])
  t.same(await list(), [])
  t.equal((await list('?snoozed=true')).length, 2)
  await call(ana, 'POST', '/whatsapp/conversations/changes', { ids, snoozedUntil: null })
  t.equal((await list()).length, 2)
})

t.test('snoozed conversations are listed by the time at which they come back', async t => {
  const { ana, call, say, snooze, list } = await stage(t)
  await say('5491155550103', 'Hola', 'Abril Sosa')
  await snooze({ until: '2026-11-23T12:00:00Z' })
  await snooze({ until: '2026-11-21T12:00:00Z' }, ana, pedro)
  await snooze({ until: '2026-11-22T12:00:00Z' }, ana, '5491155550103')
  t.same(await list('?snoozed=true'), [pedro, '5491155550103', lucia])
  t.same(await list('?snoozed=true&page=2&pageSize=2'), [lucia])
  await call(ana, 'PUT', `/whatsapp/conversations/${lucia}/assignee`, { userId: ana.user.id })
  t.same(await list(`?snoozed=true&assignee=${ana.user.id}`), [lucia])
})

t.test('a wrong time is refused in the language of the caller, naming the field', async t => {
  const { ana, call, path, snooze, list } = await stage(t)
  const cases: [object, string, RegExp, RegExp][] = [
    [{}, 'body.until', /./, /./],
    [{ until: 'mañana' }, 'body.until', /./, /./],
    [{ until: '2026-11-20T09:00:00Z' }, 'body.until', /pas/i, /in the past/],
    [{ until: '2028-11-20T09:00:00Z' }, 'body.until', /365/, /365/],
    [{ ifNoAnswerWithinMs: 1 }, 'body.ifNoAnswerWithinMs', /./, /./],
    [{ ifNoAnswerWithinMs: 400 * 86_400_000 }, 'body.ifNoAnswerWithinMs', /./, /./],
    [{ until: at, ifNoAnswerWithinMs: hourMs }, 'body.ifNoAnswerWithinMs', /./, /./],
  ]
  for (const [body, field, es, en] of cases) {
    const refused = await snooze(body)
    t.equal(refused.status, 400, JSON.stringify(body))
    t.match(refused.body.details, [{ field, message: es }], JSON.stringify(body))
    t.match((await call(ana, 'POST', path(), body, 'en')).body.details, [{ field, message: en }])
  }
  t.match(await snooze({ until: at }, ana, '5491155559999'), { status: 404, body: { code: 'INBOX_CHAT_NOT_FOUND' } })
  t.same(await list(), [lucia, pedro])
})

t.test('a customer who waits for a person because a flow hands over comes back', async t => {
  const { backend, ana, call, snooze, list } = await stage(t)
  await call(ana, 'POST', `/whatsapp/conversations/${lucia}/control`, { owner: 'bot' })
  await snooze()
  t.same(await list(), [pedro])
  const id = (await call(ana, 'GET', `/whatsapp/conversations/${lucia}`)).body.id
  const by = { kind: 'bot', id: 'f', name: 'Bienvenida' } as const
  const parts = { clock: backend.clock, ids: () => 'never', tags: {} } as never
  await backend.parts.writes.run(ana.org.id, by, write =>
    handOver(write, id, { teamId: null, memberId: null, note: null, by }, parts),
  )
  t.same(await list(), [lucia, pedro])
})

t.test('two processes that come to the end of a snooze at once end it once', async t => {
  const { backend, ana, snooze, row } = await stage(t)
  await snooze()
  const { id: conversationId } = await row()
  const end = () =>
    backend.parts.writes.run(ana.org.id, systemActor('snoozes'), ({ db, orgId }) =>
      endDue(db, orgId, { conversationId, until: at, at }),
    )
  t.same((await Promise.all([end(), end(), end()])).sort(), [false, false, true])
})
