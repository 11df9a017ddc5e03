import { existsSync } from 'node:fs'
import t from 'tap'
import { type Demo, startDemo } from '#server/cli/demo.ts'
import { demoSignInPath } from '#server/cli/demo-sign-in.ts'
import { people } from '#server/cli/demo-story.ts'
import { messageTypes } from '#shared/inbox/message-kinds.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { postgresServer } from '#test/helpers/postgres.ts'

const demo: Demo = await startDemo({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' })
t.teardown(() => demo.close())
const { read } = demo.backend.databases

t.test('every kind of message is there', async t => {
  const rows = await read.selectFrom('message').select('type').distinct().execute()
  // The first two are kinds of a row in the list alone; the simulated phones do not call.
  const elsewhere = new Set(['reaction', 'revoked', 'call'])
  t.same(rows.map(({ type }) => type).sort(), messageTypes.filter(type => !elsewhere.has(type)).sort())
})

t.test(
  'templates are approved, paused and rejected; a send has ended, one is under way, one waits for its hour',
  async t => {
    const templates = await read.selectFrom('template').select('status').distinct().execute()
    t.same(templates.map(({ status }) => status).sort(), ['APPROVED', 'PAUSED', 'REJECTED'])
    const shown = await read.selectFrom('template').select('components').where('status', '=', 'APPROVED').execute()
    t.ok(
      shown.some(({ components }) => components.includes('"CAROUSEL"')),
      'one shows cards',
    )
    const sends = await read.selectFrom('bulk_send').select('state').orderBy('id').execute()
    t.same(
      sends.map(({ state }) => state),
      ['completed', 'running', 'scheduled'],
    )
    const recipients = await read.selectFrom('bulk_recipient').select('state').distinct().execute()
    for (const state of ['omitted', 'planned', 'replied'])
      t.ok(
        recipients.some(one => one.state === state),
        state,
      )
  },
)

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

t.test('a flow is live and somebody went through it, to a person', async t => {
  const flow = await read.selectFrom('flow').select(['name', 'version']).executeTakeFirstOrThrow()
  t.match(flow, { name: 'Tomar un pedido', version: 1 })
  const sessions = await read.selectFrom('flow_session').select('state').execute()
  t.same(sessions, [{ state: 'handedOff' }])
  const said = await read.selectFrom('message').select('text').where('text', 'like', '¡Anotado!%').execute()
  t.equal(said.length, 1)
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
  const short = await startDemo({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' })
  t.ok(existsSync(short.dataDir))
  await short.close()
  t.notOk(existsSync(short.dataDir))
})

t.test('on PostgreSQL it is the same in a schema of its own, and its end leaves the database as it was', async t => {
  const server = await postgresServer()
  const name = await server.createDatabase()
  const schemas = async () =>
    (await server.run("select nspname as name from pg_namespace where nspname not like 'pg_%' order by 1", name)).map(
      row => row.name as string,
    )
  const before = await schemas()
  const there = await startDemo({
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: server.urlOf(name, { query: 'schema=somebody' }),
  })
  const [own, ...others] = (await schemas()).filter(one => !before.includes(one))
  t.match(own, /^demo_[0-9a-f]{12}$/)
  t.same(others, [], 'the schema that the address names is left alone')
  const here = await read.selectFrom('conversation').select('id').execute()
  const rows = await there.backend.databases.read.selectFrom('conversation').select('id').execute()
  t.equal(rows.length, here.length)
  const first = await fetch(there.links[0]?.link as string, { redirect: 'manual' })
  t.equal(first.status, 303)
  await there.close()
  t.same(await schemas(), before)
})

t.test('an address of PostgreSQL that is none stops it with its fix', t =>
  t.rejects(startDemo({ PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: 'postgres://nowhere' }), /use the form/),
)
