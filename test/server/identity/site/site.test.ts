/** What site administrators see and do, and which of it is recorded. */
import t from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { cookieOf } from '#test/helpers/sign-in.ts'

const backend = await startBackend(t)
const { databases } = backend
const admin = await aPerson({ databases, siteRole: 'admin', name: 'Sara', email: 'sara@example.com' })
const owner = await aMember({ databases, role: 'owner', name: 'Olga', email: 'olga@example.com' })
const mate = await aMember({
  databases,
  org: owner.org,
  role: 'developer',
  name: 'Beto 100%',
  email: 'beto@example.com',
})

type Method = 'GET' | 'POST' | 'DELETE'
const ask = (method: Method, path: string, cookie: string, body?: object) =>
  backend.inject({ method, url: `/api${path}`, headers: { cookie }, ...(body ? { payload: body } : {}) })
const people = async (query = '') => (await ask('GET', `/site/people${query}`, admin.cookie)).json()
/** Adds another session of a person. */
const plantSession = async (userId: string, userAgent: string) => {
  const at = backend.clock.now()
  const row = { id: newId(), userId, token: newId(), userAgent, ipAddress: '10.1.2.3' }
  const [createdAt, expiresAt] = [at.toISOString(), new Date(at.getTime() + 86_400_000).toISOString()]
  await databases.write
    .insertInto('session')
    .values({ ...row, createdAt, updatedAt: createdAt, expiresAt })
    .execute()
  return row
}
const siteLog = async () => (await ask('GET', '/site/audit', admin.cookie)).json().items
const orgLog = async () => (await ask('GET', '/organization/audit?kind=access', owner.cookie)).json().items

t.test('only administrators of the site read it', async t => {
  for (const path of ['/site/people', '/site/audit']) {
    t.equal((await ask('GET', path, owner.cookie)).statusCode, 403, `${path} as an owner`)
    t.equal((await backend.inject({ method: 'GET', url: `/api${path}` })).statusCode, 401, `${path} as nobody`)
    t.equal((await ask('GET', path, admin.cookie)).statusCode, 200, path)
  }
})

t.test('people are listed with organizations and sessions, filtered by a literal text', async t => {
  const all = await people()
  t.same(
    all.items.map((one: { email: string }) => one.email),
    ['beto@example.com', 'olga@example.com', 'sara@example.com'],
  )
  t.match(all.items[1], {
    name: 'Olga',
    isAdmin: false,
    ban: null,
    sessions: 1,
    organizations: [{ id: owner.org.id, role: 'owner' }],
  })
  t.equal(all.items[2].isAdmin, true)
  const found = async (search: string) =>
    (await people(`?search=${encodeURIComponent(search)}`)).items.map((one: { name: string }) => one.name)
  t.same(await found('OLG'), ['Olga'])
  t.same(await found('0%'), ['Beto 100%'])
  t.same(await found('_'), [])
  t.same(await found('\\'), [])
  t.same((await people('?after=beto@example.com')).items.length, 2)
  t.equal((await ask('GET', `/site/people?search=${'a'.repeat(101)}`, admin.cookie)).statusCode, 400)
})

t.test('people are paged by fifty, with a cursor', async t => {
  const many = Array.from({ length: 60 }, (_, n) => `z${String(n).padStart(2, '0')}@example.com`)
  for (const email of many) await aPerson({ databases, email })
  const first = await people('?search=z')
  t.equal(first.items.length, 50)
  t.equal(first.hasMore, true)
  const rest = await people(`?search=z&after=${first.items.at(-1).email}`)
  t.equal(rest.items.length, 10)
  t.equal(rest.hasMore, false)
})

t.test('a ban ends sessions and keys at once, shows its reason, and expires', async t => {
  const { key } = await aKey(backend.app, mate.cookie)
  const byKey = () => backend.inject({ method: 'GET', url: '/api/organization', headers: { 'x-api-key': key } })
  t.equal((await byKey()).statusCode, 200)
  const ban = { userId: mate.user.id, banReason: 'Perdió el teléfono', banExpiresIn: 86_400 }
  t.equal((await ask('POST', '/auth/admin/ban-user', owner.cookie, ban)).statusCode, 403)
  t.same(await siteLog(), [], 'a refused request is not audited')
  t.equal((await ask('POST', '/auth/admin/ban-user', admin.cookie, ban)).statusCode, 200)
  t.equal((await ask('GET', '/viewer', mate.cookie)).statusCode, 401)
  t.equal((await byKey()).statusCode, 401)
  const { items } = await people('?banned=true')
  t.match(items, [{ email: 'beto@example.com', ban: { reason: 'Perdió el teléfono' }, sessions: 0 }])
  const [entry, ...earlier] = await siteLog()
  t.match(entry, {
    action: 'personBanned',
    who: { id: admin.user.id, name: 'Sara' },
    subject: 'beto@example.com',
    address: '127.0.0.1',
    isDone: true,
  })
  t.same(earlier, [])
  t.match(entry.changes, [{ fact: 'reason', before: null, after: 'Perdió el teléfono' }, { fact: 'expiresAt' }])
  t.match(await orgLog(), [
    { action: 'personBanned', who: { name: 'Sara' }, subject: 'beto@example.com', isDone: true },
  ])
  t.equal((await ask('POST', '/auth/admin/unban-user', admin.cookie, { userId: mate.user.id })).statusCode, 200)
  t.equal((await byKey()).statusCode, 200)
  t.same((await people('?banned=true')).items, [])
  t.equal((await orgLog())[0].action, 'personUnbanned')
})

t.test('an impersonating administrator reads, changes no credential, and returns; all of it is audited', async t => {
  const borrowed = await ask('POST', '/auth/admin/impersonate-user', admin.cookie, { userId: owner.user.id })
  t.equal(borrowed.statusCode, 200)
  const cookie = cookieOf(borrowed)
  t.match((await ask('GET', '/viewer', cookie)).json(), { user: { email: 'olga@example.com' } })
  const own = (await ask('GET', '/account/sessions', owner.cookie))
    .json()
    .items.find((one: { isCurrent: boolean }) => one.isCurrent)
  for (const [method, path, body] of [
    ['POST', '/auth/revoke-sessions', {}],
    ['POST', '/auth/revoke-other-sessions', {}],
    ['DELETE', `/account/sessions/${own.id}`, undefined],
    ['POST', '/auth/delete-user', {}],
    ['POST', '/auth/api-key/create', { organizationId: owner.org.id, name: 'x' }],
    ['POST', '/auth/two-factor/enable', { code: '123456' }],
  ] as const) {
    const refused = await ask(method, path, cookie, body)
    t.match([refused.statusCode, refused.json().code], [403, /NOT_WHILE_IMPERSONATING/], path)
  }
  t.equal((await ask('GET', '/site/people', cookie)).statusCode, 403, 'and is not an administrator during this')
  const chained = await ask('POST', '/auth/admin/impersonate-user', cookie, { userId: mate.user.id })
  t.equal(chained.statusCode, 403)
  const back = await ask('POST', '/auth/admin/stop-impersonating', cookie, {})
  t.equal(back.statusCode, 200, back.body)
  t.match(back.json(), { user: { email: 'sara@example.com' } })
  t.notOk(back.json().session.token, 'without the token')
  t.match((await ask('GET', '/viewer', cookieOf(back))).json(), { user: { email: 'sara@example.com' } })
  t.equal((await ask('GET', '/viewer', cookie)).statusCode, 401, 'the impersonating session has ended')
  t.match((await siteLog()).slice(0, 2), [
    { action: 'impersonationEnded', who: { name: 'Sara' }, subject: 'olga@example.com' },
    { action: 'impersonated', who: { name: 'Sara' }, subject: 'olga@example.com' },
  ])
  t.same(
    (await orgLog()).slice(0, 2).map((one: { action: string }) => one.action),
    ['impersonationEnded', 'impersonated'],
  )
  const idle = await ask('POST', '/auth/admin/stop-impersonating', admin.cookie, {})
  t.equal(idle.statusCode, 400, 'without impersonation there is nothing to stop')
})

t.test('impersonation ends with the administrator’s rights and with their own session', async t => {
  const other = await aPerson({ databases, siteRole: 'admin', email: 'otro@example.com' })
  const actAs = async () =>
    cookieOf(await ask('POST', '/auth/admin/impersonate-user', other.cookie, { userId: mate.user.id }))
  const role = (to: string) => ask('POST', '/auth/admin/set-role', admin.cookie, { userId: other.user.id, role: to })
  const demoted = await actAs()
  t.equal((await ask('GET', '/viewer', demoted)).statusCode, 200)
  t.equal((await role('user')).statusCode, 200)
  t.equal((await ask('GET', '/viewer', demoted)).statusCode, 401)
  t.match((await siteLog())[0], {
    action: 'siteRoleChanged',
    changes: [{ fact: 'role', before: 'admin', after: 'user' }],
  })
  t.equal((await role('admin')).statusCode, 200)
  const left = await actAs()
  await databases.write.deleteFrom('session').where('id', '=', other.person.sessionId).execute()
  t.equal((await ask('POST', '/auth/admin/stop-impersonating', left, {})).statusCode, 401)
  t.equal((await ask('GET', '/viewer', left)).statusCode, 401, 'no session is left')
})

t.test('one session of a person is ended, the others stay, and it is audited', async t => {
  const rosa = await aMember({ databases, org: owner.org, role: 'viewer', email: 'rosa@example.com' })
  const { id: elsewhere } = await plantSession(rosa.user.id, 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0')
  const url = `/site/people/${rosa.user.id}/sessions`
  t.equal((await ask('GET', url, owner.cookie)).statusCode, 403)
  t.equal((await ask('DELETE', `${url}/${elsewhere}`, owner.cookie)).statusCode, 403)
  t.equal((await ask('GET', '/site/people/nobody/sessions', admin.cookie)).json().code, 'AUTH_USER_NOT_FOUND')
  const { items } = (await ask('GET', url, admin.cookie)).json()
  t.equal(items.length, 2)
  t.match(
    items.find((one: { id: string }) => one.id === elsewhere),
    { browser: 'Firefox', isCurrent: false },
  )
  t.notMatch(JSON.stringify(items), /token/)
  const before = (await siteLog()).length
  for (const wrong of [`${url}/nothing`, `/site/people/${owner.user.id}/sessions/${elsewhere}`])
    t.equal((await ask('DELETE', wrong, admin.cookie)).json().code, 'AUTH_SESSION_NOT_FOUND')
  t.equal((await siteLog()).length, before, 'a refused request is not audited')
  t.equal((await ask('DELETE', `${url}/${elsewhere}`, admin.cookie)).statusCode, 200)
  t.equal((await ask('GET', url, admin.cookie)).json().items.length, 1)
  t.equal((await ask('GET', '/viewer', rosa.cookie)).statusCode, 200, 'the other one still works')
  const entry = {
    action: 'sessionClosed',
    who: { name: 'Sara' },
    subject: 'rosa@example.com',
    changes: [{ fact: 'device', before: /Firefox, Linux/, after: null }],
    isDone: true,
  }
  t.match((await siteLog())[0], entry)
  t.match((await orgLog())[0], entry)
})

t.test('old entries are deleted', async t => {
  const count = async () => (await siteLog()).length
  t.ok((await count()) > 0)
  await backend.parts.audit.prune(new Date(backend.clock.now().getTime() + 401 * 86_400_000))
  t.equal(await count(), 0)
})
