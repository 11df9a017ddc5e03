import t, { type Test } from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { weekdays } from '#shared/orgs/business-hours.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const second = 1_000
const minute = 60 * second
const title = 'Respuesta por vencer'

/** Ana is the owner; Beto and Caro are members. 15 minutes are promised, at all times. */
const stage = async (t: Test, at = '2026-11-20T13:00:00.000Z') => {
  const clock = handClock(at)
  const backend = await startBackend(t, { clock })
  const { databases } = backend
  const ana = await aMember({ databases, name: 'Ana' })
  const beto = await aMember({ databases, org: ana.org, role: 'member', name: 'Beto' })
  const caro = await aMember({ databases, org: ana.org, role: 'member', name: 'Caro' })
  const call = async (who: AMember, method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, body?: object) => {
    const headers = { cookie: who.cookie, 'x-organization-id': who.org.id, 'accept-language': 'es' }
    const reply = await backend.inject({ method, url: `/api${url}`, headers, ...(body ? { payload: body } : {}) })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call(ana, 'POST', '/whatsapp/connection/sandbox')
  const phone = '5491155550101'
  const settle = async (ms = 0) => {
    clock.advance(ms)
    await backend.settle()
  }
  /** Lets time pass until it holds, a minute at most. How many steps a send takes depends on the load. */
  const until = async (holds: () => Promise<boolean>) => {
    for (let i = 0; i < 20; i += 1) {
      await settle(3 * second)
      if (await holds()) return
    }
  }
  const statusOf = async (id: string) =>
    (await databases.read.selectFrom('message').select('status').where('id', '=', id).executeTakeFirst())?.status
  /** Lucía writes, and her message is read into a segment. */
  const says = async (text = 'Hola, ¿hacen envíos?') => {
    await call(ana, 'POST', '/sandbox/inbound', { from: phone, name: 'Lucía', text })
    await backend.settle()
    await settle(3 * second)
  }
  const chat = async () => (await call(ana, 'GET', `/whatsapp/conversations/${phone}`)).body
  const warned = async () => {
    const titles = new Map<string, string[]>()
    for (const who of [ana, beto, caro])
      titles.set(
        who.user.name,
        (await call(who, 'GET', '/notify')).body.map((one: { title: string }) => one.title),
      )
    return [...titles].flatMap(([name, some]) => some.filter(one => one === title).map(() => name))
  }
  const waits = () => databases.read.selectFrom('answer_due').selectAll().execute()
  const jobs = async () =>
    databases.read
      .selectFrom('job')
      .select(['state', 'due_at'])
      .where('kind', '=', 'promise.warning')
      .where('state', 'in', ['scheduled', 'waiting', 'running'])
      .execute()
  return {
    backend,
    databases,
    clock,
    ana,
    beto,
    caro,
    call,
    phone,
    settle,
    until,
    statusOf,
    says,
    chat,
    warned,
    waits,
    jobs,
  }
}

t.test('shortly before the promise is broken everybody who may answer is warned, once', async t => {
  const s = await stage(t)
  await s.says()
  t.equal((await s.chat()).answerDueAt, '2026-11-20T13:15:00.000Z')
  t.match(await s.jobs(), [{ state: 'scheduled', due_at: '2026-11-20T13:12:00.000Z' }])
  await s.settle(11 * minute)
  t.same(await s.warned(), [], 'not yet')
  await s.settle(minute)
  t.same(await s.warned(), ['Ana', 'Beto', 'Caro'])
  const [, { body }] = [0, await s.call(s.beto, 'GET', '/notify')]
  t.match(body, [
    {
      title,
      message: 'Lucía espera la primera respuesta: quedan 3\u00a0min para cumplir la promesa',
      redirect: `/${s.phone}`,
    },
  ])
  t.equal(body.length, 1, 'it replaces what said less')
  await s.says('¿Hola?')
  await s.settle(30 * minute)
  t.same(await s.warned(), ['Ana', 'Beto', 'Caro'], 'nobody is warned of the same wait again')
  t.match(await s.waits(), [{ due_at: '2026-11-20T13:15:00.000Z' }])
})

for (const [what, act] of [
  [
    'a reply',
    s => s.call(s.ana, 'POST', '/whatsapp/messages', { numberTel: s.phone, message: 'Sí, a toda la ciudad.' }),
  ],
  ['archiving', s => s.call(s.ana, 'POST', '/whatsapp/chat/archive', { phoneNumber: s.phone })],
  ['the bot', s => s.call(s.ana, 'POST', `/whatsapp/conversations/${s.phone}/control`, { owner: 'bot' })],
] as [string, (s: Awaited<ReturnType<typeof stage>>) => Promise<{ status: number }>][])
  t.test(`${what} ends the wait, and no warning comes`, async t => {
    const s = await stage(t)
    await s.says()
    t.ok((await s.chat()).answerDueAt)
    t.match((await s.call(s.ana, 'GET', '/stats/summary')).body, { unattended: { total: { count: 1 } } })
    const { status } = await act(s)
    t.ok(status < 300, `${status}`)
    await s.backend.settle()
    await s.settle(3 * second)
    t.same([await s.waits(), await s.jobs()], [[], []])
    t.equal((await s.chat()).answerDueAt, undefined)
    t.match((await s.call(s.ana, 'GET', '/stats/summary')).body, { unattended: { total: { count: 0 } }, alerts: [] })
    t.match((await s.call(s.ana, 'GET', '/stats/now')).body, { unattended: { count: 0 }, waiting: [] })
    await s.settle(20 * minute)
    t.same(await s.warned(), [])
  })

t.test('a reply that fails ends no wait; sent again, it does', async t => {
  const s = await stage(t)
  await s.says()
  await s.call(s.ana, 'POST', '/sandbox/fail', { code: '131026' })
  const { body } = await s.call(s.ana, 'POST', '/whatsapp/messages', { numberTel: s.phone, message: 'Sí.' })
  await s.until(async () => (await s.statusOf(body.id)) === 'failed')
  t.equal(await s.statusOf(body.id), 'failed')
  // The failure is read into the segment.
  await s.until(async () => (await s.call(s.ana, 'GET', '/stats/now')).body.unattended.count === 1)
  t.equal((await s.waits()).length, 1)
  t.match((await s.call(s.ana, 'GET', '/stats/now')).body, { unattended: { count: 1 } })
  await s.databases.write.updateTable('message').set({ error_code: null }).where('id', '=', body.id).execute()
  t.match(await s.call(s.ana, 'POST', `/whatsapp/messages/${body.id}/retry`), { status: 202 })
  await s.until(async () => (await s.waits()).length === 0)
  t.same(await s.waits(), [])
})

t.test('a reply in the moment of the warning counts, although it is not read into the segment yet', async t => {
  const s = await stage(t)
  await s.says()
  await s.settle(12 * minute - 4 * second)
  t.same(await s.warned(), [])
  await s.call(s.ana, 'POST', '/whatsapp/messages', { numberTel: s.phone, message: 'Sí.' })
  await s.settle(1_500)
  await s.settle(minute)
  t.same(await s.warned(), [])
})

t.test('who has the conversation is warned alone; away, the team is', async t => {
  const s = await stage(t)
  const teamId = newId()
  await inTransaction(s.databases, async trx => {
    const createdAt = s.clock.now().toISOString()
    await trx
      .insertInto('team')
      .values({ id: teamId, name: 'Ventas', organizationId: s.ana.org.id, createdAt } as never)
      .execute()
    for (const who of [s.ana, s.caro])
      await trx
        .insertInto('teamMember')
        .values({ id: newId(), teamId, userId: who.user.id, createdAt } as never)
        .execute()
  })
  await s.says()
  const assigned = { userId: s.beto.user.id, teamId }
  t.equal((await s.call(s.ana, 'PUT', `/whatsapp/conversations/${s.phone}/assignee`, assigned)).status, 200)
  await s.settle(3 * second)
  await s.settle(12 * minute)
  t.same(await s.warned(), ['Beto'])

  const again = await stage(t)
  await again.says()
  await again.call(again.ana, 'PUT', `/whatsapp/conversations/${again.phone}/assignee`, { userId: again.beto.user.id })
  await again.call(again.beto, 'PUT', '/whatsapp/availability', { state: 'away' })
  await again.settle(3 * second)
  await again.settle(12 * minute)
  t.same(await again.warned(), ['Ana', 'Beto', 'Caro'], 'without a team, all who may answer')
})

t.test('business hours count: who writes a minute before closing is due next morning', async t => {
  // 18:59 in Buenos Aires.
  const s = await stage(t, '2026-11-19T21:59:00.000Z')
  const week = Object.fromEntries(weekdays.map(day => [day, [{ from: '09:00', to: '19:00' }]]))
  t.equal((await s.call(s.ana, 'PUT', '/organization/business-hours', { hours: { week, exceptions: [] } })).status, 200)
  await s.says()
  t.equal((await s.chat()).answerDueAt, '2026-11-20T12:14:00.000Z')
  await s.settle(14 * 60 * minute)
  t.same(await s.warned(), [])
  await s.settle(12 * minute)
  t.equal((await s.warned()).length, 3)
})

t.test('another promise and other hours move what is due and its warning', async t => {
  const s = await stage(t)
  await s.says()
  t.equal((await s.call(s.ana, 'PATCH', '/organization/settings', { promiseMinutes: 60 })).status, 200)
  await s.backend.settle()
  t.equal((await s.chat()).answerDueAt, '2026-11-20T14:00:00.000Z')
  t.match(await s.jobs(), [{ due_at: '2026-11-20T13:48:00.000Z' }])
  const week = Object.fromEntries(weekdays.map(day => [day, [{ from: '12:00', to: '19:00' }]]))
  await s.call(s.ana, 'PUT', '/organization/business-hours', { hours: { week, exceptions: [] } })
  await s.backend.settle()
  t.equal((await s.chat()).answerDueAt, '2026-11-20T16:00:00.000Z')
  await s.settle(48 * minute)
  t.same(await s.warned(), [], 'the old time has passed')
  const closed = Object.fromEntries(weekdays.map(day => [day, []]))
  await s.call(s.ana, 'PUT', '/organization/business-hours', { hours: { week: closed, exceptions: [] } })
  await s.backend.settle()
  t.same([await s.waits(), await s.jobs()], [[], []], 'who never opens promises nothing')
})

t.test('a promise of no minutes, or of a week and a minute, is refused by its field', async t => {
  const s = await stage(t)
  for (const promiseMinutes of [0, 10_081, 1_000_000, 1.5, -3]) {
    const { status, body } = await s.call(s.ana, 'PATCH', '/organization/settings', { promiseMinutes })
    t.equal(status, 400, `${promiseMinutes}`)
    t.match(body.details, [{ field: 'body.promiseMinutes' }])
  }
})

t.test('without a promise nothing is due, nobody is warned, and no figure is measured against it', async t => {
  const s = await stage(t)
  const promise = async (promiseMinutes: number | null) => {
    const { status, body } = await s.call(s.ana, 'PATCH', '/organization/settings', { promiseMinutes })
    t.equal(status, 200)
    t.equal(body.promiseMinutes, promiseMinutes)
    await s.backend.settle()
  }
  await s.says()
  t.equal((await s.waits()).length, 1)
  await promise(null)
  t.same([await s.waits(), await s.jobs()], [[], []])
  t.equal((await s.chat()).answerDueAt, undefined)
  await s.says('¿Hola?')
  t.same([await s.waits(), await s.jobs()], [[], []], 'nor after another message')
  await s.settle(60 * minute)
  t.same(await s.warned(), [])
  const now = (await s.call(s.ana, 'GET', '/stats/now')).body
  t.match(now, { promiseMs: null, soonMs: null, worstMs: null, nextChangeAt: null })
  t.match(now, { unattended: { count: 1 }, soon: { count: 0 }, late: { count: 0 }, waiting: [{ dueAt: null }] })
  const summary = (await s.call(s.ana, 'GET', '/stats/summary')).body
  t.match(summary, { promiseMs: null, promise: { kept: { count: 0 }, late: { count: 0 } }, alerts: [] })
  const { csv } = (await s.call(s.ana, 'GET', '/stats/blocks/figures/report')).body
  t.notMatch(csv, /a tiempo|tarde/)
  for (const show of ['inPromise', 'latePromise', 'unattendedSoon', 'unattendedLate'])
    t.match((await s.call(s.ana, 'GET', `/stats/segments?show=${show}`)).body, { items: [] })
  await promise(90)
  t.equal((await s.waits()).length, 1, 'who waits already is promised it, too')
  t.equal((await s.chat()).answerDueAt, '2026-11-20T14:30:00.000Z')
  await s.settle(12 * minute)
  t.equal((await s.warned()).length, 3)
})

t.test('a warning that runs twice is one', async t => {
  const s = await stage(t)
  await s.says()
  const [job] = await s.databases.read.selectFrom('job').selectAll().where('kind', '=', 'promise.warning').execute()
  await s.settle(12 * minute)
  const before = await s.databases.read.selectFrom('notification').selectAll().execute()
  t.equal(before.length, 3)
  t.match(await s.waits(), [{ warned_at: s.clock.now().toISOString() }])
  // As if a process had died between the warning and the end of its job.
  const { seq: _, ...row } = job as NonNullable<typeof job>
  await s.databases.write
    .insertInto('job')
    .values(row as never)
    .execute()
  await s.settle(second)
  t.same(await s.jobs(), [], 'it ran')
  t.same(await s.databases.read.selectFrom('notification').selectAll().execute(), before)
})
