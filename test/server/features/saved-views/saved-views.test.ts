import t, { type Test } from 'tap'
import { maxViews } from '#shared/saved-views/api.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'

const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const ana = await aMember({ databases: backend.databases })
  const beto = await aMember({ databases: backend.databases, org: ana.org, role: 'member' })
  const ask = async (who: AMember, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: object) => {
    const headers = { cookie: who.cookie, 'x-organization-id': who.org.id, 'accept-language': 'es' }
    const url = `/api/whatsapp/views${path}`
    const reply = await backend.inject({ method, url, headers, ...(body ? { payload: body } : {}) })
    return { status: reply.statusCode, body: reply.json() }
  }
  const namesOf = async (who: AMember) => (await ask(who, 'GET')).body.items.map((one: { name: string }) => one.name)
  return { backend, ana, beto, ask, namesOf }
}
const filter = { unread: true }

t.test('everybody sees shared views; only the author sees a private one', async t => {
  const { ana, beto, ask, namesOf } = await stage(t)
  const shared = await ask(ana, 'POST', '', {
    name: ' Urgentes ',
    filter: { needsHuman: true, tags: ['t1'] },
    shared: true,
  })
  t.match(shared, { status: 201, body: { name: 'Urgentes', shared: true, own: true, filter: { tags: ['t1'] } } })
  await ask(ana, 'POST', '', { name: 'Solo mía', filter })
  await ask(beto, 'POST', '', { name: 'Ajenas', filter: { assignee: 'none' } })
  t.same(await namesOf(ana), ['Solo mía', 'Urgentes'])
  t.same(await namesOf(beto), ['Ajenas', 'Urgentes'])
  t.match((await ask(beto, 'GET')).body.items[1], { own: false })
})

t.test('authors edit and delete their views; administrators may do so with shared ones, nobody else', async t => {
  const { ana, beto, ask, namesOf } = await stage(t)
  const own = (await ask(beto, 'POST', '', { name: 'De Beto', filter, shared: true })).body.id
  const hers = (await ask(ana, 'POST', '', { name: 'De Ana', filter, shared: true })).body.id
  const secret = (await ask(ana, 'POST', '', { name: 'Secreta', filter })).body.id
  t.match(await ask(beto, 'PATCH', `/${hers}`, { name: 'X' }), { status: 403, body: { code: 'SAVED_VIEWS_NOT_YOURS' } })
  t.match(await ask(beto, 'DELETE', `/${secret}`), { status: 404, body: { code: 'SAVED_VIEWS_NOT_FOUND' } })
  t.match(await ask(ana, 'PATCH', `/${own}`, { name: 'De todos' }), {
    status: 200,
    body: { name: 'De todos', own: false },
  })
  t.match(await ask(ana, 'PATCH', `/${own}`, { shared: false }), { status: 400 }, 'it is not taken from the team')
  t.match(await ask(beto, 'PATCH', `/${own}`, { filter: { failed: true } }), { body: { filter: { failed: true } } })
  t.match(await ask(ana, 'DELETE', `/${own}`), { status: 200 })
  t.same(await namesOf(beto), ['De Ana'])
})

t.test('a name must be visible and unique, a filter not empty, and the number of views is limited', async t => {
  const { backend, ana, ask } = await stage(t)
  t.match(await ask(ana, 'POST', '', { name: ' \u200b ', filter }), {
    status: 400,
    body: { details: [{ field: 'body.name' }] },
  })
  t.match(await ask(ana, 'POST', '', { name: 'Nada', filter: {} }), { status: 400 })
  t.match(await ask(ana, 'POST', '', { name: 'Rara', filter: { unread: false } }), { status: 400 })
  t.equal((await ask(ana, 'POST', '', { name: 'Más', filter })).status, 201)
  t.match(await ask(ana, 'POST', '', { name: 'mas', filter }), {
    status: 409,
    body: { code: 'SAVED_VIEWS_NAME_TAKEN', details: [{ field: 'body.name' }] },
  })
  t.equal((await ask(ana, 'POST', '', { name: 'Más', filter, shared: true })).status, 201, 'another one is the team’s')
  const rows = Array.from({ length: maxViews - 1 }, (_, i) => ({
    id: `v${i}`,
    org_id: ana.org.id,
    author_id: ana.user.id,
    shared: 0,
    name: `v${i}`,
    filter: '{"unread":true}',
  }))
  await backend.databases.write.insertInto('saved_view').values(rows).execute()
  t.match(await ask(ana, 'POST', '', { name: 'Una más', filter }), {
    status: 409,
    body: { code: 'SAVED_VIEWS_TOO_MANY' },
  })
})

t.test('a member with read access can save private views only', async t => {
  const { backend, ana, ask } = await stage(t)
  const reader = await aMember({ databases: backend.databases, org: ana.org, role: 'viewer' })
  t.equal((await ask(reader, 'POST', '', { name: 'Mía', filter })).status, 201)
  t.match(await ask(reader, 'POST', '', { name: 'De todos', filter, shared: true }), {
    status: 400,
    body: { details: [{ field: 'body.shared' }] },
  })
})

t.test(
  'a deleted tag deletes its views, a merged one is replaced, and private views are deleted with their author',
  async t => {
    const { backend, ana, beto, ask, namesOf } = await stage(t)
    const call = async (method: 'POST' | 'DELETE', url: string, payload?: object) => {
      const headers = { cookie: ana.cookie, 'x-organization-id': ana.org.id }
      const reply = await backend.inject({ method, url: `/api${url}`, headers, ...(payload ? { payload } : {}) })
      t.ok(reply.statusCode < 300, reply.body)
      return reply.json()
    }
    const [gone, vip, left] = (await Promise.all(
      ['Se va', 'VIP', 'Queda'].map(async label => (await call('POST', '/whatsapp/tags', { label })).id),
    )) as [string, string, string]
    await ask(ana, 'POST', '', { name: 'Sólo esa', filter: { tags: [gone] }, shared: true })
    await ask(ana, 'POST', '', { name: 'Con más', filter: { unread: true, tags: [gone, vip] }, shared: true })
    await ask(beto, 'POST', '', { name: 'De Beto', filter: { tags: [left, vip] } })
    await call('DELETE', `/whatsapp/tags/${gone}`)
    t.same(await namesOf(ana), ['Con más'])
    t.match((await ask(ana, 'GET')).body.items, [{ filter: { unread: true, tags: [vip] } }])
    await call('POST', `/whatsapp/tags/${left}/merge`, { into: vip })
    t.match(
      (await ask(beto, 'GET')).body.items.find(({ name }: { name: string }) => name === 'De Beto'),
      { filter: { tags: [vip] } },
    )
    const own = () => backend.databases.read.selectFrom('saved_view').select('name').where('shared', '=', 0).execute()
    t.same(await own(), [{ name: 'De Beto' }])
    await call('POST', '/auth/organization/remove-member', {
      memberIdOrEmail: beto.user.email,
      organizationId: ana.org.id,
    })
    await backend.settle()
    t.same(await own(), [])
  },
)
