import t from 'tap'
import { admit, type Caller, type EndpointAccess } from '#server/platform/http/access.ts'
import { aMember } from '#test/helpers/actors.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'

const { member, org } = await aMember({ databases: await freshDatabases(), role: 'admin' })

/** A signed-in member with these requirements missing. */
const callerWith = (missing: { secondFactorMissing?: true; ssoMissing?: true }): Caller => {
  const { secondFactorMissing, ssoMissing } = missing
  const person = { ...member, ...(secondFactorMissing ? { secondFactorMissing } : {}) }
  return {
    language: 'es',
    person,
    member: async () => ({ ...person, ...(ssoMissing ? { ssoMissing } : {}) }),
  }
}
const enters = (caller: Caller, endpoint: EndpointAccess) =>
  admit(endpoint, caller, org.slug).then(
    () => 'in',
    (error: { code: string; status: number }) => `${error.status} ${error.code}`,
  )

t.test('without the second factor only calls that finish the sign-in are allowed', async t => {
  const half = callerWith({ secondFactorMissing: true })
  for (const access of ['person', 'member', 'chat:read', 'member:manage'] as const) {
    t.equal(await enters(half, { access }), '403 APP_SECOND_FACTOR_REQUIRED', access)
    t.equal(await enters(half, { access, finishes: 'sso' }), '403 APP_SECOND_FACTOR_REQUIRED', access)
    t.equal(await enters(half, { access, finishes: 'secondFactor' }), 'in', access)
  }
  t.equal(await enters(half, { access: 'anyone' }), 'in')
})

t.test('without the demanded single sign-on a person is not admitted as a member', async t => {
  const half = callerWith({ ssoMissing: true })
  for (const access of ['member', 'chat:read', 'member:manage'] as const) {
    t.equal(await enters(half, { access }), '403 APP_SSO_REQUIRED', access)
    t.equal(await enters(half, { access, finishes: 'secondFactor' }), '403 APP_SSO_REQUIRED', access)
    t.equal(await enters(half, { access, finishes: 'sso' }), 'in', access)
  }
  t.equal(await enters(half, { access: 'person' }), 'in', 'other organizations require less')
})

t.test('with both, the member is admitted', async t => {
  for (const access of ['person', 'member', 'chat:read', 'member:manage'] as const)
    t.equal(await enters(callerWith({}), { access }), 'in', access)
})

t.test('the library also refuses an organization whose single sign-on is missing, however it is named', async t => {
  const { auth, databases, end } = await anInstallation()
  t.teardown(end)
  const one = await aMember({ databases, role: 'owner' })
  await databases.write
    .insertInto('invitation')
    .values({
      id: 'an-invitation',
      organizationId: one.org.id,
      email: 'new@example.com',
      role: 'member',
      teamId: null,
      status: 'pending',
      expiresAt: '2099-01-01T00:00:00.000Z',
      createdAt: '2026-11-01T00:00:00.000Z',
      inviterId: one.user.id,
    })
    .execute()
  const ask = (path: string, facts: { body?: object; search?: string; activeOrgId?: string | null; method?: 'GET' }) =>
    auth.handle({
      method: facts.method ?? 'POST',
      path,
      search: facts.search ?? '',
      headers: new Headers({ cookie: one.cookie }),
      body: facts.body ?? {},
      ip: '203.0.113.7',
      language: 'es',
      person: { ...one.person, activeOrgId: facts.activeOrgId ?? null },
      member: async org =>
        org === one.org.id || org === one.org.slug ? { ...one.member, ssoMissing: true as const } : undefined,
    })
  const organizationId = one.org.id
  const calls: [string, Parameters<typeof ask>[1]][] = [
    ['/organization/update', { body: { organizationId, data: { name: 'X' } } }],
    ['/organization/delete', { body: { organizationId } }],
    ['/organization/invite-member', { body: { organizationId, email: 'eva@example.com', role: 'owner' } }],
    ['/organization/leave', { body: { organizationId } }],
    ['/organization/update-team', { body: { teamId: 'x', data: { organizationId } } }],
    ['/organization/cancel-invitation', { body: { invitationId: 'an-invitation' } }],
    ['/organization/create-team', { body: { name: 'X' }, activeOrgId: organizationId }],
    ['/organization/get-full-organization', { method: 'GET', search: `?organizationId=${organizationId}` }],
    ['/organization/get-full-organization', { method: 'GET', search: `?organizationSlug=${one.org.slug}` }],
    ['/organization/list-members', { method: 'GET', activeOrgId: organizationId }],
    ['/api-key/list', { method: 'GET', search: `?organizationId=${organizationId}` }],
    ['/api-key/create', { body: { name: 'X', organizationId } }],
  ]
  for (const [path, facts] of calls)
    await t.rejects(ask(path, facts), { code: 'APP_SSO_REQUIRED', status: 403 }, `${path} ${JSON.stringify(facts)}`)
  t.equal((await ask('/organization/list', { method: 'GET', activeOrgId: organizationId })).status, 200)
  const invitation = await databases.read.selectFrom('invitation').select('status').executeTakeFirstOrThrow()
  t.equal(invitation.status, 'pending')
})

t.test('the library also refuses a person without the second factor', async t => {
  const { auth, end } = await anInstallation()
  t.teardown(end)
  const ask = (path: string) =>
    auth.handle({
      method: 'POST',
      path,
      search: '',
      headers: new Headers(),
      body: { organizationId: org.id },
      ip: '203.0.113.7',
      language: 'es',
      person: { ...member, secondFactorMissing: true },
      member: async () => member,
    })
  for (const path of ['/organization/leave', '/organization/invite-member', '/api-key/create', '/delete-user'])
    await t.rejects(ask(path), { code: 'APP_SECOND_FACTOR_REQUIRED', status: 403 }, path)
  t.equal((await ask('/sign-out')).status, 200)
})
