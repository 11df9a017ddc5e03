import { existsSync } from 'node:fs'
import t from 'tap'
import { answers, people, teams } from '#server/cli/demo/shop.ts'
import { demoSignInPath } from '#server/cli/demo/sign-in.ts'
import { type Demo, startDemo } from '#server/cli/demo.ts'
import { archiveStates } from '#server/messaging/archive-states.ts'
import { messageTypes } from '#shared/inbox/message-kinds.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { isNight } from '#test/helpers/night.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const demo: Demo = await startDemo({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' })
t.teardown(() => demo.close())
const { read } = demo.backend.databases

t.test('the demo has a message of every kind', async t => {
  const rows = await read.selectFrom('message').select('type').distinct().execute()
  // The first two are kinds of a row in the list alone; the simulated phones do not call.
  const elsewhere = new Set(['reaction', 'revoked', 'call'])
  t.same(rows.map(({ type }) => type).sort(), messageTypes.filter(type => !elsewhere.has(type)).sort())
})

t.test('templates are approved, paused and rejected', async t => {
  const templates = await read.selectFrom('template').select('status').distinct().execute()
  t.same(templates.map(({ status }) => status).sort(), ['APPROVED', 'PAUSED', 'REJECTED'])
  const shown = await read.selectFrom('template').select('components').where('status', '=', 'APPROVED').execute()
  t.ok(
    shown.some(({ components }) => components.includes('"CAROUSEL"')),
    'one shows cards',
  )
})

t.test('two sends have ended with outcomes of every kind, one waits for its day, one is a draft', async t => {
  const sends = await read.selectFrom('bulk_send').selectAll().orderBy('id').execute()
  t.same(
    sends.map(({ state }) => state),
    ['completed', 'completed', 'scheduled'],
  )
  t.equal((await read.selectFrom('bulk_draft').select('id').execute()).length, 1)
  const recipients = await read
    .selectFrom('bulk_recipient')
    .select(['send_id', 'state'])
    .select(eb => eb.fn.countAll<number>().as('n'))
    .groupBy(['send_id', 'state'])
    .execute()
  const counts = (sendId: string) =>
    Object.fromEntries(recipients.filter(({ send_id }) => send_id === sendId).map(({ state, n }) => [state, Number(n)]))
  for (const { id } of sends.slice(0, 2)) {
    const { read: opened = 0, delivered = 0, sent = 0, failed = 0, replied = 0, ...others } = counts(id)
    t.ok(opened > delivered && delivered > sent && sent > 0 && replied > 0)
    t.equal(failed, 3)
    t.notOk('planned' in others || 'queued' in others || 'unconfirmed' in others)
  }
  t.same(Object.keys(counts(sends[1]?.id ?? '')).includes('omitted'), true)
  t.same(Object.keys(counts(sends[2]?.id ?? '')), ['planned'])
})

t.test('the shop is set up: teams, ready answers, hours, prices, fields, views, a snooze', async t => {
  const members = await read.selectFrom('teamMember').select('teamId').execute()
  t.equal(members.length, Object.values(teams).flatMap(team => team.people).length)
  const counted = await read.selectFrom('team').select(['name', 'memberCount']).orderBy('name').execute()
  t.same(
    counted,
    Object.values(teams)
      .map(({ name, people: inTeam }) => ({ name, memberCount: inTeam.length }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  )
  t.equal((await read.selectFrom('ready_answer').select('id').execute()).length, answers.length)
  const settings = await read.selectFrom('org_settings').select('business_hours').executeTakeFirstOrThrow()
  t.ok(settings.business_hours)
  t.ok(await read.selectFrom('rate_card').select('org_id').executeTakeFirst())
  t.ok((await read.selectFrom('contact_value').select('contact_id').execute()).length > 100)
  t.equal((await read.selectFrom('saved_view').select('id').execute()).length, 3)
  const assigned = await read.selectFrom('conversation').select('assignee_id').where('archived', '=', 0).execute()
  t.ok(assigned.filter(({ assignee_id }) => assignee_id).length >= 10)
  t.ok(
    await read.selectFrom('conversation').select('id').where('archived', '=', archiveStates.snoozed).executeTakeFirst(),
  )
})

t.test('the audit log says what the people of the story changed, and who answers customers is signed in', async t => {
  const entries = await read.selectFrom('audit_entry').select(['action', 'is_done']).execute()
  const actions = new Set(entries.map(({ action }) => action))
  for (const action of ['contactsImported', 'fieldCreated', 'hoursChanged', 'templateCreated', 'flowPublished'])
    t.ok(actions.has(action), action)
  t.same([...new Set(entries.map(({ is_done }) => is_done))], [1])
  const sessions = await read.selectFrom('session').select('userId').distinct().execute()
  t.equal(sessions.length, 4)
})

t.test('the first chats of the inbox are questions and answers of people, and nothing lies in the future', async t => {
  const first = await read
    .selectFrom('conversation')
    .select(['last_message_type', 'last_message_status', 'last_message_at'])
    .where('archived', '=', 0)
    .orderBy('last_activity_at', 'desc')
    .limit(8)
    .execute()
  t.same(
    first
      .map(({ last_message_type }) => last_message_type)
      .filter(type => !['text', 'interactive', 'image'].includes(type ?? '')),
    [],
  )
  t.notOk(first.some(({ last_message_status }) => last_message_status === 'failed' || last_message_status === 'queued'))
  const now = new Date().toISOString()
  t.ok(first.every(({ last_message_at: at }) => at && at < now))
  const { earliest } = await read
    .selectFrom('message')
    .select(eb => eb.fn.min('at').as('earliest'))
    .executeTakeFirstOrThrow()
  const days = (Date.now() - Date.parse(String(earliest))) / 86_400_000
  t.ok(days > 26 && days < 31, 'messages go back a month')
})

t.test('it is alive: unread, archived, failed, unconfirmed, tagged, and a window about to close', async t => {
  const conversations = await read.selectFrom('conversation').selectAll().execute()
  t.ok(conversations.length >= 10)
  t.ok(conversations.some(({ unread }) => unread > 0))
  t.ok(conversations.some(({ archived }) => archived === 1))
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const now = new Date().toISOString()
  t.ok(conversations.some(({ window_closes_at: end }) => end !== null && end > now && end < soon))
  const messages = await read.selectFrom('message').selectAll().execute()
  t.ok(messages.some(({ status }) => status === 'failed'))
  t.ok(messages.some(({ unconfirmed }) => unconfirmed === 1))
  t.ok(messages.some(({ status }) => status === 'read'))
  t.ok(messages.some(({ revoked_at }) => revoked_at !== null))
  t.ok(messages.some(({ edited_at }) => edited_at !== null))
  t.ok((await read.selectFrom('reaction').selectAll().execute()).length)
  t.ok((await read.selectFrom('contact_tag').selectAll().execute()).length >= 5)
  t.same([...new Set((await read.selectFrom('media').select('state').execute()).map(({ state }) => state))], ['stored'])
})

t.test('two flows are live with runs, one is a draft', async t => {
  const flows = await read
    .selectFrom('flow')
    .select(['id', 'name', 'version'])
    .orderBy('position')
    .orderBy('id')
    .execute()
  t.same(
    flows.map(({ name, version }) => [name, version]),
    [
      ['Tomar un pedido', 1],
      ['Horarios', 1],
      ['Encuesta después del pedido', null],
    ],
  )
  const sessions = await read.selectFrom('flow_session').select(['flow_id', 'state']).execute()
  const states = (name: string) =>
    new Set(
      sessions.filter(one => one.flow_id === flows.find(flow => flow.name === name)?.id).map(({ state }) => state),
    )
  t.same(states('Horarios'), new Set(['finished']))
  t.same(states('Tomar un pedido'), new Set(['handedOff', 'waitingAnswer']))
})

t.test('each link signs its person in, once', async t => {
  t.equal(demo.links.length, Object.keys(people).length)
  for (const { link, name } of demo.links) {
    const first = await fetch(link, { redirect: 'manual' })
    t.equal(first.status, 303, name)
    const cookie = first.headers.getSetCookie()[0]?.split(';')[0] as string
    const viewer = await fetch(`${demo.url}/api/viewer`, { headers: { cookie } })
    t.match(await viewer.json(), { user: { name }, organizations: [{ slug: 'panaderia-don-luis' }] })
    const again = await fetch(link, { redirect: 'manual' })
    t.equal(again.headers.get('location'), '/login')
    t.same(again.headers.getSetCookie(), [])
  }
})

t.test('a look ahead does not use a link up, and an invented one opens nothing', async t => {
  const head = await fetch(`${demo.url}${demoSignInPath}?token=x`, { method: 'HEAD', redirect: 'manual' })
  t.equal(head.status, 404)
  for (const query of ['', '?token=', '?token=x', '?token=x&token=y']) {
    const reply = await fetch(`${demo.url}${demoSignInPath}${query}`, { redirect: 'manual' })
    t.equal(reply.headers.get('location'), '/login', query)
    t.same(reply.headers.getSetCookie(), [])
  }
})

t.test('a normal start has no such door', async t => {
  const backend = await startBackend(t)
  t.equal((await backend.inject({ url: `${demoSignInPath}?token=x` })).statusCode, 404)
})

t.test('its end takes its folder along', async t => {
  const short = await startDemo({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' }, { hasMonth: false })
  t.ok(existsSync(short.dataDir))
  await short.close()
  t.notOk(existsSync(short.dataDir))
})

t.test('on PostgreSQL it is the same in a schema of its own, and its end leaves the database as it was', async t => {
  t.setTimeout(fileTimeoutMs)
  const server = await postgresServer()
  const name = await server.createDatabase()
  const schemas = async () =>
    (await server.run("select nspname as name from pg_namespace where nspname not like 'pg_%' order by 1", name)).map(
      row => row.name as string,
    )
  const before = await schemas()
  const there = await startDemo(
    {
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: server.urlOf(name, { query: 'schema=somebody' }),
    },
    { hasMonth: isNight },
  )
  const [own, ...others] = (await schemas()).filter(one => !before.includes(one))
  t.match(own, /^demo_[0-9a-f]{12}$/)
  t.same(others, [], 'the schema that the address names is left alone')
  if (isNight) {
    const here = await read.selectFrom('conversation').select('id').execute()
    const rows = await there.backend.databases.read.selectFrom('conversation').select('id').execute()
    t.equal(rows.length, here.length)
  }
  const first = await fetch(there.links[0]?.link as string, { redirect: 'manual' })
  t.equal(first.status, 303)
  await there.close()
  t.same(await schemas(), before)
})

t.test('an address of PostgreSQL that is none stops it with its fix', t =>
  t.rejects(startDemo({ PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: 'postgres://nowhere' }), /use the form/),
)
