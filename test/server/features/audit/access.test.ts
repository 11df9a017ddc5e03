/** Sign-ins and changes of a person's own credentials are in the audit log of each of their organizations. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { cookieOf, newestCode } from '#test/helpers/sign-in.ts'

const backend = await startBackend(t, { env: { SIGNUP: 'open' } })
const { databases } = backend
const owner = await aMember({ databases, name: 'Olga' })
const mate = await aMember({ databases, org: owner.org, role: 'member', name: 'Beto', email: 'beto@example.com' })
const device = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const ask = (method: Method, path: string, cookie: string, body?: object) =>
  backend.inject({
    method,
    url: `/api${path}`,
    headers: { cookie, 'user-agent': device },
    ...(body ? { payload: body } : {}),
  })
const log = async () => (await ask('GET', '/organization/audit?kind=access', owner.cookie)).json().items
const code = () => {
  const folder = join(backend.dataDir, 'mail')
  const files = readdirSync(folder).filter(name => name.endsWith('.eml'))
  return newestCode(files.sort().map(name => readFileSync(join(folder, name), 'utf8')))
}
const signIn = async () => {
  await ask('POST', '/auth/email-otp/send-verification-otp', '', { email: 'beto@example.com', type: 'sign-in' })
  const reply = await ask('POST', '/auth/sign-in/email-otp', '', { email: 'beto@example.com', otp: code() })
  t.equal(reply.statusCode, 200, reply.body)
  return cookieOf(reply)
}

t.test('a sign-in is recorded with place and device; a failed one is not', async t => {
  await ask('POST', '/auth/email-otp/send-verification-otp', '', { email: 'beto@example.com', type: 'sign-in' })
  await ask('POST', '/auth/sign-in/email-otp', '', { email: 'beto@example.com', otp: '000000' })
  t.same(await log(), [])
  await signIn()
  t.match(await log(), [
    {
      kind: 'access',
      action: 'signedInByCode',
      who: { kind: 'person', id: mate.user.id, name: 'Beto', actedAs: false },
      browser: 'Firefox',
      system: 'Linux',
      address: '127.0.0.1',
      subject: null,
      changes: [],
      isDone: true,
    },
  ])
})

t.test('setting a password, and signing in with it, are recorded', async t => {
  const cookie = await signIn()
  t.equal((await ask('POST', '/account/password/code', cookie, {})).statusCode, 200)
  const chosen = { username: 'beto', password: 'una frase larga y nada obvia 7', code: code() }
  t.equal((await ask('PUT', '/account/password', cookie, { ...chosen, code: '000000' })).statusCode, 400)
  t.equal((await ask('PUT', '/account/password', cookie, chosen)).statusCode, 200)
  const reply = await ask('POST', '/auth/sign-in/username', '', { username: 'beto', password: chosen.password })
  t.equal(reply.statusCode, 200, reply.body)
  t.match(
    (await log()).slice(0, 2).map((one: { action: string }) => one.action),
    ['signedInByPassword', 'passwordAdded'],
  )
  t.notMatch(JSON.stringify(await log()), chosen.password)
})

t.test('ending one session, the others or all is recorded', async t => {
  const cookie = await signIn()
  const actions = async (count: number) => (await log()).slice(0, count).map((one: { action: string }) => one.action)
  const sessions = (await ask('GET', '/account/sessions', cookie)).json().items
  const other = sessions.find((one: { isCurrent: boolean }) => !one.isCurrent)
  t.equal((await ask('DELETE', `/account/sessions/${other.id}`, cookie)).statusCode, 200)
  t.equal((await ask('DELETE', `/account/sessions/${other.id}`, cookie)).statusCode, 404)
  t.same(await actions(2), ['sessionEnded', 'signedInByCode'], 'once: what is not there is not written down')
  t.equal((await ask('POST', '/auth/revoke-other-sessions', cookie, {})).statusCode, 200)
  t.equal((await ask('POST', '/auth/revoke-sessions', cookie, {})).statusCode, 200)
  t.same(await actions(3), ['signedOutEverywhere', 'signedOutElsewhere', 'sessionEnded'])
  t.match((await log())[0], { who: { name: 'Beto' }, browser: 'Firefox', address: '127.0.0.1' })
})

t.test('revoking a trusted browser is recorded', async t => {
  const cookie = await signIn()
  const at = backend.clock.now()
  const [created_at, expires_at] = [at.toISOString(), new Date(at.getTime() + 86_400_000).toISOString()]
  const row = { id: 'a-browser', user_id: mate.user.id, token_hash: 'hash', created_at, last_used_at: created_at }
  await databases.write
    .insertInto('trusted_device')
    .values({ ...row, expires_at })
    .execute()
  const end = () => ask('DELETE', '/account/trusted-devices/a-browser', cookie)
  t.equal((await end()).statusCode, 200)
  t.equal((await end()).statusCode, 404)
  t.match(
    (await log()).slice(0, 2).map((one: { action: string }) => one.action),
    ['trustEnded', 'signedInByCode'],
    'once: what is not there is not written down',
  )
})

t.test('creating an organization is its first entry; a person without an organization leaves none', async t => {
  const cookie = await signIn()
  const reply = await ask('POST', '/auth/organization/create', cookie, { name: 'Otra', slug: 'otra-casa' })
  t.equal(reply.statusCode, 200, reply.body)
  const taken = await ask('POST', '/auth/organization/create', cookie, { name: 'Otra', slug: 'otra-casa' })
  t.equal(taken.statusCode, 400)
  const listed = await backend.inject({
    method: 'GET',
    url: '/api/organization/audit',
    headers: { cookie, 'x-organization': reply.json().id },
  })
  t.match(listed.json().items, [
    {
      kind: 'organization',
      action: 'organizationCreated',
      who: { name: 'Beto' },
      subject: 'Otra',
      changes: [
        { fact: 'name', before: null, after: 'Otra' },
        { fact: 'slug', before: null, after: 'otra-casa' },
      ],
    },
  ])
  t.equal(listed.json().items.length, 1)
  t.notMatch(JSON.stringify(await log()), 'otra-casa', 'and nobody else reads it')
})
