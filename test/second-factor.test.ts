/**
 * Every address of the product, asked in a session whose second factor is missing, and by a member without the second
 * factor that their organization demands: nothing but what leads on is open. A new call is walked from birth.
 */
import t from 'tap'
import { type ListedRoute, listRoutes } from '#server/cli/route-list.ts'
import { listAllowedRoutes } from '#server/identity/auth/calls/allowed-routes.ts'
import { newId } from '#server/platform/crypto/ids.ts'
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
const calls = (await listRoutes()).filter((route): route is ApiCall => route.endpoint !== undefined)
const ofAnOrganization = calls.filter(({ access }) => access !== 'anyone' && access !== 'person')
const nameOf = ({ method, url }: ApiCall) => `${method} ${url}`

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
const setHalf = ({ person }: AMember, by: string | null) =>
  databases.write.updateTable('session').set({ halfSignedInBy: by }).where('id', '=', person.sessionId).execute()
const giveFactor = (userId: string) =>
  databases.write
    .insertInto('second_factor')
    .values({ user_id: userId, secret: 'sealed', last_step: 0, created_at: new Date().toISOString() })
    .execute()
const demand = (cookie: string, isRequired: boolean) =>
  backend.inject({
    method: 'PUT',
    url: '/api/organization/second-factor',
    headers: { cookie, 'content-type': 'application/json' },
    payload: JSON.stringify({ isRequired }),
  })

t.test('a session whose second factor is missing gets the second step and nothing else', async t => {
  const half = await aMember({ databases, org: owner.org, role: 'owner' })
  await setHalf(half, 'code')
  const before = await rowsAtRest(backend)
  for (const call of calls.filter(({ access }) => access !== 'anyone')) {
    const reply = await ask(call, { cookie: half.cookie, 'x-organization': owner.org.slug })
    if (call.name === 'secondFactor.getSecondStep') t.equal(reply.statusCode, 200)
    else t.equal(codeOf(reply.body), 'APP_SECOND_FACTOR_REQUIRED', nameOf(call))
  }
  const open = new Set(['/get-session', '/sign-out'])
  for (const { method, path } of listAllowedRoutes()) {
    // Coming back from a provider begins another session, whatever this one misses.
    if (path.startsWith('/sso/callback/')) continue
    if (open.has(path) || path.startsWith('/two-factor/verify') || path === '/two-factor/send-otp') continue
    const reply = await backend.inject({
      method: method as Method,
      url: `/api/auth${path}`,
      headers: { cookie: half.cookie, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
      ...(method === 'POST' ? { payload: JSON.stringify({ organizationId: owner.org.id }) } : {}),
    })
    t.equal(codeOf(reply.body), 'APP_SECOND_FACTOR_REQUIRED', path)
  }
  t.same(changedTables(before, await rowsAtRest(backend)), [], 'and changes nothing')
  const out = await backend.inject({ method: 'POST', url: '/api/auth/sign-out', headers: { cookie: half.cookie } })
  t.equal(out.statusCode, 200)
  t.equal((await backend.inject({ url: '/api/account/second-step', headers: { cookie: half.cookie } })).statusCode, 401)
})

t.test('only an owner with a second factor can require it', async t => {
  t.same(codeOf((await demand(owner.cookie, true)).body), 'ORGS_SECOND_FACTOR_FIRST')
  t.equal((await demand(owner.cookie, false)).statusCode, 200, 'what is not demanded may stay so')
  const admin = await aMember({ databases, org: owner.org, role: 'admin' })
  await giveFactor(admin.user.id)
  t.equal((await demand(admin.cookie, true)).statusCode, 403)
  const other = await aMember({ databases, orgName: 'Taller' })
  await giveFactor(other.user.id)
  const foreign = await backend.inject({
    method: 'PUT',
    url: '/api/organization/second-factor',
    headers: { cookie: other.cookie, 'x-organization': owner.org.id },
    payload: { isRequired: true },
  })
  t.equal(foreign.statusCode, 403)
  t.equal(
    (await databases.read.selectFrom('org_settings').select('org_id').where('second_factor_required', '=', 1).execute())
      .length,
    0,
  )
})

t.test('a member of any role without the required factor sees nothing of the organization', async t => {
  const plain = await aMember({ databases, org: owner.org, role: 'owner' })
  const { key } = await aKey(backend.app, plain.cookie)
  const stats = calls.find(call => call.name === 'stats.getOverview') as ApiCall
  t.not((await ask(stats, { 'x-api-key': key })).statusCode, 401)
  const stream = await fetch(`${backend.url}/api/sse?organization=${owner.org.slug}`, {
    headers: { cookie: plain.cookie },
  })
  t.equal(stream.status, 200)
  await giveFactor(owner.user.id)
  const settled = await demand(owner.cookie, true)
  t.equal(settled.json().isRequired, true)
  t.ok(settled.json().membersWithout >= 1)
  const heard = await stream.text()
  t.match(heard, /notMember|end/, 'the stream that was open has ended')
  const before = await rowsAtRest(backend)
  for (const call of ofAnOrganization) {
    const reply = await ask(call, { cookie: plain.cookie, 'x-organization': owner.org.slug })
    const hidden = call.name === 'templates.templateMediaFile' && reply.statusCode === 404
    t.ok(hidden || codeOf(reply.body) === 'APP_SECOND_FACTOR_DEMANDED', `${nameOf(call)} ${reply.statusCode}`)
    if (call.endpoint.access === 'member' || call.endpoint.peopleOnly) continue
    t.equal(codeOf((await ask(call, { 'x-api-key': key })).body), 'APP_KEY_INVALID', `key: ${nameOf(call)}`)
  }
  const organizationId = owner.org.id
  for (const [path, body] of [
    ['/organization/update', { organizationId, data: { name: 'Otra' } }],
    ['/organization/invite-member', { organizationId, email: 'eva@example.com', role: 'owner' }],
    ['/api-key/create', { organizationId, name: 'x' }],
    ['/organization/create-team', { organizationId, name: 'x' }],
    ['/organization/delete', { organizationId }],
  ] as const) {
    const reply = await backend.inject({
      method: 'POST',
      url: `/api/auth${path}`,
      headers: { cookie: plain.cookie },
      payload: body,
    })
    t.equal(codeOf(reply.body), 'APP_SECOND_FACTOR_DEMANDED', path)
  }
  for (const path of ['get-full-organization', 'list-members', 'list-invitations']) {
    const url = `/api/auth/organization/${path}?organizationId=${organizationId}`
    t.equal(
      codeOf((await backend.inject({ url, headers: { cookie: plain.cookie } })).body),
      'APP_SECOND_FACTOR_DEMANDED',
    )
  }
  // The log of API calls records the refusal.
  t.same(changedTables(before, await rowsAtRest(backend)), ['api_call'], 'and changes nothing')
  const listed = await backend.inject({ url: '/api/organizations', headers: { cookie: plain.cookie } })
  t.match(listed.json().items, [{ id: organizationId, unread: 0, lastActivityAt: null }])
  const own = await backend.inject({ url: '/api/account/second-factor', headers: { cookie: plain.cookie } })
  t.same(own.json().demandedBy, [owner.org.name])
  t.equal((await ask(stats, { cookie: owner.cookie })).statusCode, 200, 'who has it goes on')
  await giveFactor(plain.user.id)
  t.equal((await ask(stats, { cookie: plain.cookie })).statusCode, 200, 'and so does who has set it up')
  t.not((await ask(stats, { 'x-api-key': key })).statusCode, 401, 'with their key')
})

t.test('a member without it may leave the organization, and use other ones', async t => {
  const plain = await aMember({ databases, org: owner.org, role: 'member' })
  const elsewhere = { id: newId(), organizationId: '', userId: plain.user.id, role: 'owner', createdAt: '' }
  const other = await aMember({ databases, orgName: 'Kiosco' })
  await databases.write
    .insertInto('member')
    .values({ ...elsewhere, organizationId: other.org.id })
    .execute()
  const stats = calls.find(call => call.name === 'stats.getOverview') as ApiCall
  t.equal((await ask(stats, { cookie: plain.cookie, 'x-organization': other.org.id })).statusCode, 200)
  const left = await backend.inject({
    method: 'POST',
    url: '/api/auth/organization/leave',
    headers: { cookie: plain.cookie },
    payload: { organizationId: owner.org.id },
  })
  t.equal(left.statusCode, 200)
})

t.test('it cannot be turned off while an organization requires it', async t => {
  const reply = await backend.inject({
    method: 'POST',
    url: '/api/auth/two-factor/disable',
    headers: { cookie: owner.cookie, 'accept-language': 'es' },
    payload: { secondCode: '000000' },
  })
  t.equal(reply.statusCode, 409)
  t.match(reply.json().message, /Panadería/)
})
