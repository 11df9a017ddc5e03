/** Every address of an organization that is open by single sign-on alone, asked by a member who came in another way. */
import t from 'tap'
import { type ListedRoute, listRoutes } from '#server/cli/route-list.ts'
import type { EndpointShape, Method } from '#shared/kernel/contract.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { addressOf, exampleOf } from '#test/helpers/examples.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { changedTables, rowsAtRest } from '#test/helpers/rows.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

type ApiCall = ListedRoute & { endpoint: EndpointShape }

const backend = await startBackend(t)
const { databases } = backend
const { owner, ids } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
const { owner: stranger } = await aNeighbour(backend, { orgName: 'Taller', customer: '5491155550202' })
const calls = (await listRoutes()).filter((route): route is ApiCall => route.endpoint !== undefined)
const ofAnOrganization = calls.filter(({ access }) => access !== 'anyone' && access !== 'person')

const ask = (call: ApiCall, headers: Record<string, string>) => {
  const input = exampleOf(call.name, call.endpoint)
  const withFile = call.name === 'media.mediaFile' ? { ...input, params: { id: ids.media } } : input
  return backend.inject({
    method: call.method as Method,
    url: addressOf(call.url, withFile),
    headers: { ...headers, ...(input.body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(input.body === undefined ? {} : { payload: JSON.stringify(input.body) }),
  })
}
const codeOf = (body: string) => (body.startsWith('{') ? (JSON.parse(body) as { code?: string }).code : undefined)
const stats = calls.find(call => call.name === 'stats.getOverview') as ApiCall
const looks = async ({ cookie }: AMember) =>
  codeOf((await ask(stats, { cookie, 'x-organization': owner.org.id })).body) ?? 'in'
const demand = async ({ cookie }: AMember, isRequired: boolean) =>
  backend.inject({ method: 'PUT', url: '/api/organization/sso', headers: { cookie }, payload: { isRequired } })
const post = (path: string, cookie: string, payload: object) =>
  backend.inject({ method: 'POST', url: `/api/auth${path}`, headers: { cookie }, payload })
const providerOf = async ({ org }: AMember) =>
  (await databases.read.selectFrom('sso_provider').select('id').where('org_id', '=', org.id).executeTakeFirstOrThrow())
    .id
const madeBy = ({ person }: AMember, ssoProviderId: string) =>
  databases.write.updateTable('session').set({ ssoProviderId }).where('id', '=', person.sessionId).execute()

t.test('an owner can require it if a provider is active, which then cannot be removed', async t => {
  t.equal((await demand(owner, true)).json().code, 'AUTH_SSO_PROVIDER_FIRST')
  const providerId = await providerOf(owner)
  await databases.write
    .updateTable('sso_provider')
    .set({ is_active: 1, domain_verified_at: new Date().toISOString() })
    .where('id', '=', providerId)
    .execute()
  const admin = await aMember({ databases, org: owner.org, role: 'admin' })
  t.equal((await demand(admin, true)).statusCode, 403)
  t.match((await demand(owner, true)).json(), {
    isRequired: true,
    exemptId: owner.user.id,
    exemptName: owner.user.name,
    membersWithout: 1,
  })
  const off = await post('/sso/update-provider', owner.cookie, { providerId, status: 'inactive' })
  t.equal(off.json().code, 'AUTH_SSO_DEMANDED')
  t.equal((await post('/sso/delete-provider', owner.cookie, { providerId })).json().code, 'AUTH_SSO_DEMANDED')
  t.equal((await databases.read.selectFrom('sso_provider').selectAll().where('is_active', '=', 1).execute()).length, 1)
  const free = { isRequired: false, exemptId: null, exemptName: null, membersWithout: 1 }
  t.match((await demand(owner, false)).json(), free, 'the owner who turns it on is not counted')
})

t.test('a member of any role who signed in another way sees nothing of the organization', async t => {
  const plain = await aMember({ databases, org: owner.org, role: 'owner' })
  const { key } = await aKey(backend.app, plain.cookie)
  const stream = await fetch(`${backend.url}/api/sse?organization=${owner.org.slug}`, {
    headers: { cookie: plain.cookie },
  })
  t.equal(stream.status, 200)
  await demand(owner, true)
  t.match(await stream.text(), /notMember|end/, 'the stream that was open has ended')
  const before = await rowsAtRest(backend)
  for (const call of ofAnOrganization) {
    const reply = await ask(call, { cookie: plain.cookie, 'x-organization': owner.org.slug })
    const hidden = call.name === 'templates.templateMediaFile' && reply.statusCode === 404
    t.ok(hidden || codeOf(reply.body) === 'APP_SSO_REQUIRED', `${call.method} ${call.url} ${reply.statusCode}`)
  }
  const organizationId = owner.org.id
  for (const [path, body] of [
    ['/organization/update', { organizationId, data: { name: 'Otra' } }],
    ['/organization/delete', { organizationId }],
    ['/api-key/create', { organizationId, name: 'x' }],
    ['/sso/delete-provider', { providerId: await providerOf(owner) }],
  ] as const)
    t.equal((await post(path, plain.cookie, body)).json().code, 'APP_SSO_REQUIRED', path)
  const providers = `/api/auth/sso/providers?organizationId=${organizationId}`
  t.equal((await backend.inject({ url: providers, headers: { cookie: plain.cookie } })).json().code, 'APP_SSO_REQUIRED')
  t.equal(
    (await fetch(`${backend.url}/api/sse?organization=${owner.org.slug}`, { headers: { cookie: plain.cookie } }))
      .status,
    403,
  )
  t.same(changedTables(before, await rowsAtRest(backend)), [], 'and changes nothing')
  const listed = await backend.inject({ url: '/api/organizations', headers: { cookie: plain.cookie } })
  t.match(listed.json().items, [{ id: organizationId, ssoMissing: true, unread: 0, lastActivityAt: null }])
  t.not((await ask(stats, { 'x-api-key': key })).statusCode, 401, 'a program has no session')
  t.equal(await looks(stranger), 'APP_FORBIDDEN')
  await madeBy(plain, await providerOf(stranger))
  t.equal(await looks(plain), 'APP_SSO_REQUIRED', 'by the provider of another organization')
  await databases.write
    .updateTable('session')
    .set({ boundOrgId: stranger.org.id })
    .where('id', '=', plain.person.sessionId)
    .execute()
  t.equal(await looks(plain), 'APP_OWN_SIGN_IN_REQUIRED', 'and bound to that one')
  await databases.write
    .updateTable('session')
    .set({ boundOrgId: owner.org.id })
    .where('id', '=', plain.person.sessionId)
    .execute()
  await madeBy(plain, await providerOf(owner))
  t.equal(await looks(plain), 'in')
})

t.test('the owner who requires it may still sign in in other ways; if they left, every owner may', async t => {
  const other = await aMember({ databases, org: owner.org, role: 'owner' })
  const admin = await aMember({ databases, org: owner.org, role: 'admin' })
  t.same([await looks(owner), await looks(other), await looks(admin)], ['in', 'APP_SSO_REQUIRED', 'APP_SSO_REQUIRED'])
  const setRole = (role: string) =>
    databases.write.updateTable('member').set({ role }).where('userId', '=', owner.user.id).execute()
  await setRole('admin')
  t.same([await looks(owner), await looks(other), await looks(admin)], ['APP_SSO_REQUIRED', 'in', 'APP_SSO_REQUIRED'])
  await setRole('owner')
  await demand(owner, false)
  t.same([await looks(other), await looks(admin)], ['in', 'in'])
})
