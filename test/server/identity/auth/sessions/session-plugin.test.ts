import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { trustedOrigins } from '#server/identity/auth/calls/origins.ts'
import { createSessions } from '#server/identity/auth/sessions/session.ts'
import { installSession } from '#server/identity/auth/sessions/session-plugin.ts'
import { createOrgs } from '#server/identity/orgs/service.ts'
import { createScopes } from '#server/identity/visibility/scopes.ts'
import { admit } from '#server/platform/http/access.ts'
import { installErrorReply } from '#server/platform/http/plugins/error-reply.ts'
import { createServerI18n } from '#server/platform/text/i18n.ts'
import { systemClock } from '#server/platform/time/clock.ts'
import { aMember, aPerson, testPublicUrl, testSecret } from '#test/helpers/actors.ts'
import { freshDatabases } from '#test/helpers/db.ts'

const i18n = createServerI18n()

/** A server whose answers name the caller. */
const aServer = async (t: Test, publicUrl = testPublicUrl) => {
  const databases = await freshDatabases()
  const app = Fastify()
  const asked = { sessions: 0, members: 0, versions: 0 }
  const sessions = createSessions({
    config: { publicUrl },
    databases,
    clock: systemClock,
    log: app.log,
    secret: testSecret,
  })
  const orgs = createOrgs({ databases, scopes: createScopes({ databases }) })
  installErrorReply(app, { translate: (language, key, params) => i18n.translator(language)(key, params) })
  installSession(app, {
    auth: {
      personOf(headers, ...more) {
        if (headers.cookie) asked.sessions += 1
        return sessions.personOf(headers, ...more)
      },
      renewedCookie: () => undefined,
      readKeyHolder: async () => undefined,
      readProgramHolder: async () => undefined,
      trustedOrigins: trustedOrigins({ publicUrl, port: 3000 }),
    },
    orgs: {
      memberOf(...about) {
        asked.members += 1
        return orgs.memberOf(...about)
      },
    },
    databases: {
      version() {
        asked.versions += 1
        return databases.version()
      },
    },
  })
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/api/who',
    handler: async request => {
      const named = request.headers['x-organization'] as string | undefined
      const [member, again] = [await request.caller.member(named), await request.caller.member(named)]
      return {
        language: request.caller.language,
        user: request.caller.person?.userId ?? null,
        org: member?.orgId ?? null,
        role: again?.role ?? null,
      }
    },
  })
  app.post('/webhooks/x', async () => 'ok')
  t.teardown(async () => {
    await app.close()
    await databases.close()
  })
  return { app, databases, asked }
}

t.test('a request without a cookie is anonymous and costs no query', async t => {
  const { app, asked } = await aServer(t)
  t.same((await app.inject('/api/who')).json(), { language: 'en', user: null, org: null, role: null })
  t.same(asked, { sessions: 0, members: 0, versions: 0 })
})

t.test('a member is found by active organization, id and slug, once per request', async t => {
  const { app, databases, asked } = await aServer(t)
  const { cookie, user, org } = await aMember({ databases, role: 'developer' })
  const other = await aMember({ databases })
  const ask = async (headers: Record<string, string>) =>
    (await app.inject({ url: '/api/who', headers: { cookie, ...headers } })).json()
  for (const headers of [{}, { 'x-organization': org.id }, { 'x-organization': org.slug }])
    t.match(await ask(headers as Record<string, string>), { user: user.id, org: org.id, role: 'developer' })
  t.equal(asked.members, 3)
  t.match(await ask({ 'x-organization': other.org.id }), { user: user.id, org: null })
  t.match(await ask({ 'x-organization': 'nowhere' }), { user: user.id, org: null })
})

t.test('a changed role, membership or session counts from the next request', async t => {
  const { app, databases } = await aServer(t)
  const { cookie, user, org } = await aMember({ databases, role: 'developer' })
  const who = async () => (await app.inject({ url: '/api/who', headers: { cookie, 'x-organization': org.id } })).json()
  t.match([await who(), await who(), await who()], Array(3).fill({ user: user.id, role: 'developer' }))
  await databases.write.updateTable('member').set({ role: 'admin' }).where('userId', '=', user.id).execute()
  t.match(await who(), { role: 'admin' })
  await databases.write.deleteFrom('member').where('userId', '=', user.id).execute()
  t.match(await who(), { user: user.id, org: null })
  await databases.write.deleteFrom('session').where('userId', '=', user.id).execute()
  t.match(await who(), { user: null })
})

t.test('concurrent requests do not share callers', async t => {
  const { app, databases } = await aServer(t)
  const people = await Promise.all(Array.from({ length: 10 }, () => aMember({ databases })))
  const replies = await Promise.all(people.map(({ cookie }) => app.inject({ url: '/api/who', headers: { cookie } })))
  t.same(
    replies.map(reply => reply.json().user),
    people.map(({ user }) => user.id),
  )
})

t.test('the language comes from query, cookie and browser, in this order', async t => {
  const { app } = await aServer(t)
  const language = async (query: string, headers: Record<string, string>) =>
    (await app.inject({ url: `/api/who${query}`, headers })).json().language
  t.equal(await language('?lng=es', { cookie: 'i18next=en', 'accept-language': 'en' }), 'es')
  t.equal(await language('', { cookie: 'a=1; i18next=es-AR', 'accept-language': 'en' }), 'es')
  t.equal(await language('?lng=fr', { 'accept-language': 'fr, es;q=0.8, en;q=0.5' }), 'es')
  t.equal(await language('?lng=es&lng=en', { 'accept-language': 'en' }), 'en')
  t.equal(await language('', { 'accept-language': 'pt' }), 'en')
})

t.test("changing calls from another site's page are refused in the visitor's language", async t => {
  const { app, databases } = await aServer(t)
  const { cookie } = await aPerson({ databases })
  const send = (method: 'POST' | 'GET' | 'DELETE', headers: Record<string, string>, url = '/api/who') =>
    app.inject({ method, url, headers: { cookie, ...headers } })
  const refused = await send('POST', { origin: 'https://evil.example', 'accept-language': 'es' })
  t.equal(refused.statusCode, 403)
  t.match(refused.json(), {
    code: 'APP_CROSS_ORIGIN',
    message: 'Este pedido vino de otra dirección y no se aceptó. Se entra por http://localhost:3000.',
  })
  for (const headers of [
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://localhost:3001' },
    { origin: 'https://localhost:3000' },
    { origin: 'HTTP://LOCALHOST:3000' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'whatever' },
  ] as Record<string, string>[]) {
    t.equal((await send('POST', headers)).statusCode, 403, JSON.stringify(headers))
    t.equal((await send('DELETE', headers)).statusCode, 403)
    t.equal((await send('POST', headers, '/%61pi/who')).statusCode, 403, 'regardless of how the path is written')
    t.equal((await send('GET', headers)).statusCode, 200, 'reading is allowed')
    t.equal((await send('POST', headers, '/webhooks/x')).statusCode, 200, 'webhooks do not come from browsers')
  }
  for (const headers of [
    {},
    { origin: 'http://localhost:3000' },
    { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin' },
  ] as Record<string, string>[])
    t.equal((await send('POST', headers)).statusCode, 200, JSON.stringify(headers))
})

t.test('other loopback names are accepted only if PUBLIC_URL is this machine', async t => {
  t.same([...trustedOrigins({ publicUrl: 'https://recado.example.com', port: 3000 })], ['https://recado.example.com'])
  t.ok(trustedOrigins({ publicUrl: 'http://127.0.0.1:3000', port: 3000 }).has('http://localhost:3000'))
  t.notOk(trustedOrigins({ publicUrl: 'http://localhost:3000', port: 3000 }).has('http://localhost:3001'))
})

t.test('admission to every kind of endpoint', async t => {
  const { databases } = await aServer(t)
  const orgs = createOrgs({ databases, scopes: createScopes({ databases }) })
  const { person, org } = await aMember({ databases, role: 'viewer' })
  const caller = { language: 'es' as const, person, member: (named?: string) => orgs.memberOf(person, named) }
  const nobody = { language: 'es' as const, person: null, member: async () => undefined }
  t.equal(((await admit({ access: 'chat:read' }, caller, undefined)) as { orgId: string }).orgId, org.id)
  await t.rejects(admit({ access: 'chat:reply' }, caller, undefined), { code: 'APP_FORBIDDEN' })
  await t.rejects(admit({ access: 'member' }, caller, 'nowhere'), { code: 'APP_FORBIDDEN' })
  await t.rejects(admit({ access: 'person' }, nobody, undefined), { code: 'APP_SIGN_IN_REQUIRED' })
})
