/** An organization whose identity provider lies about people who already have accounts. */
import t, { type Test } from 'tap'
import { isoNow, systemClock } from '#server/platform/time/clock.ts'
import type { SsoProvider } from '#shared/auth/sso.ts'
import { aMember, testPublicUrl } from '#test/helpers/actors.ts'
import { anIdentityProvider, ssoClient } from '#test/helpers/identity-provider.ts'
import { anInstallation, cookieOf } from '#test/helpers/sign-in.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const providerId = 'recado-evil0'
const domain = 'example.net'
const boss = { sub: 'boss', email: 'boss@example.net', email_verified: true, name: 'Boss' }

/** Organization *evil* with a provider for the domain of *good*'s boss, who is also site administrator. */
async function aStage(t: Test, proof: 'dns' | 'mail' = 'dns') {
  const idp = await anIdentityProvider(t, {
    redirectUris: [`${testPublicUrl}/api/auth/sso/callback/${providerId}`],
  })
  const records = new Map<string, string>()
  const installation = await anInstallation({
    outboundFetch: idp.fetch,
    resolveTxt: async name => (records.has(name) ? [[records.get(name) as string]] : []),
  })
  t.teardown(() => installation.end())
  const { databases } = installation
  const victim = await aMember({ databases, orgName: 'Good', email: boss.email, siteRole: 'admin' })
  const evil = await aMember({ databases, orgName: 'Evil' })
  const as = { cookie: evil.cookie }
  const registered = await installation.post(
    '/sso/register',
    { providerId, domain, issuer: idp.issuer, ...ssoClient, organizationId: evil.org.id },
    as,
  )
  const { domainRecord } = registered.json() as SsoProvider
  const prove = async (body: object = {}) => installation.post('/sso/verify-domain', { providerId, ...body }, as)
  if (proof === 'dns') {
    records.set(domainRecord.name, domainRecord.value)
    t.equal((await prove()).json().domainProof, 'dns')
  } else {
    await installation.app.inject({
      method: 'POST',
      url: '/api/sso/domain-code',
      headers: { ...as, 'x-organization': evil.org.id },
      payload: { providerId, mailbox: 'webmaster' },
    })
    const code = /^([a-z0-9]{5}-[a-z0-9]{5})\r?$/m.exec(installation.letters().at(-1) ?? '')?.[1]
    t.equal((await prove({ code })).json().domainProof, 'mail')
  }

  /** A complete sign-in with what the provider claims; `cookie`: of the browser before. */
  const come = async (account: object = boss, cookie = '') => {
    idp.signInAs(account as typeof boss)
    const begun = await installation.post('/sign-in/sso', { providerId })
    const { pathname, search } = new URL(await idp.visit(begun.json().url))
    const all = [cookie, cookieOf(begun)].filter(Boolean).join('; ')
    return installation.app.inject({ url: pathname + search, headers: { cookie: all } })
  }
  const session = async (cookie: string) => (await installation.get('/get-session', { cookie })).json()
  const countOf = async (table: 'session' | 'sso_identity' | 'user') =>
    (await databases.read.selectFrom(table).selectAll().execute()).length
  return { idp, installation, databases, victim, evil, records, prove, come, session, countOf, domainRecord }
}

type Stage = Awaited<ReturnType<typeof aStage>>

/** Boss links the account, signed in by a code to that address. */
const link = async ({ installation, come }: Stage) => {
  const own = await installation.signIn(boss.email)
  const linked = await come(boss, own)
  return cookieOf(linked)
}

t.test('a provider’s claim alone opens no existing account', async t => {
  const stage = await aStage(t)
  const before = await stage.countOf('session')
  for (const account of [boss, { ...boss, email: 'BOSS@EXAMPLE.NET' }, { ...boss, sub: stage.victim.user.id }]) {
    const back = await stage.come(account)
    t.equal(back.headers.location, `/org/${stage.evil.org.slug}/login?sso=ownSignIn`)
  }
  const owners = await stage.come(boss, stage.evil.cookie)
  t.match(owners.headers.location, /sso=ownSignIn$/, 'nor for a signed-in user with another address')
  t.equal(await stage.countOf('session'), before)
  t.equal(await stage.countOf('sso_identity'), 0)
  t.same(await stage.installation.sentLetters(), [], 'nothing has changed, and no mail is sent')
})

t.test('a domain verified by mail cannot link existing accounts, not even with their own session', async t => {
  const stage = await aStage(t, 'mail')
  t.match((await stage.come()).headers.location, /sso=domainUnproven$/)
  const own = await stage.installation.signIn(boss.email)
  t.match((await stage.come(boss, own)).headers.location, /sso=domainUnproven$/)
  t.equal(await stage.countOf('sso_identity'), 0)
  const newcomer = await stage.come({ ...boss, sub: 'nuevo', email: 'nuevo@example.net' })
  t.match(newcomer.headers.location, /\/c$/, 'a new account is created')
  t.equal((await stage.session(cookieOf(newcomer))).user.emailVerified, false, 'whose address is unverified')
  stage.records.set(stage.domainRecord.name, stage.domainRecord.value)
  t.equal((await stage.prove()).json().domainProof, 'dns', 'the DNS record verifies it later')
  t.match((await stage.come(boss, own)).headers.location, /\/c$/)
})

t.test('verification by DNS replaces another organization’s verification by mail', async t => {
  const stage = await aStage(t, 'mail')
  const { installation, victim, records } = stage
  const as = { cookie: victim.cookie }
  const mine = await installation.post(
    '/sso/register',
    { providerId: 'recado-good0', domain, issuer: stage.idp.issuer, ...ssoClient, organizationId: victim.org.id },
    as,
  )
  t.equal(mine.statusCode, 200, mine.body)
  const { domainRecord } = mine.json() as SsoProvider
  records.set(domainRecord.name, domainRecord.value)
  const proven = await installation.post('/sso/verify-domain', { providerId: 'recado-good0' }, as)
  t.match(proven.json(), { status: 'active', domainProof: 'dns' })
  t.equal(
    (await installation.post('/sign-in/sso', { providerId })).statusCode,
    404,
    "the other organization's provider no longer works",
  )
  t.equal((await stage.prove({ code: 'aaaaa-aaaaa' })).statusCode, 400)
})

t.test('a signed-in person links the account, stays the same person, and gets a mail', async t => {
  const stage = await aStage(t)
  const { installation, evil, victim } = stage
  const cookie = await link(stage)
  t.match(await stage.session(cookie), { user: { email: boss.email, role: 'admin' }, slug: evil.org.slug })
  const [letter = ''] = (await installation.sentLetters()).filter(one => one.includes('Evil'))
  t.match(letter, /^To: boss@example\.net\r?$/m)
  const listed = await installation.app.inject({ url: '/api/organizations', headers: { cookie } })
  t.same(
    listed
      .json()
      .items.map((org: { id: string }) => org.id)
      .toSorted(),
    [victim.org.id, evil.org.id].toSorted(),
  )
})

t.test('an unfinished sign-in and an impersonation do not count as signed in', async t => {
  const stage = await aStage(t)
  const { databases, victim, come } = stage
  const plant = (values: object) =>
    databases.write.updateTable('session').set(values).where('id', '=', victim.person.sessionId).execute()
  for (const values of [
    { halfSignedInBy: 'code' },
    { halfSignedInBy: null, impersonatedBy: stage.evil.user.id },
    { impersonatedBy: null, boundOrgId: stage.evil.org.id },
  ]) {
    await plant(values)
    t.match((await come(boss, victim.cookie)).headers.location, /sso=ownSignIn$/, JSON.stringify(values))
  }
})

t.test('a linked account’s session from the provider opens only that organization', async t => {
  const stage = await aStage(t)
  const { installation, databases, victim, evil } = stage
  await link(stage)
  const back = await stage.come(boss)
  const cookie = cookieOf(back)
  const { app, post, get } = installation
  t.match(await stage.session(cookie), { user: { email: boss.email, role: 'user' }, slug: evil.org.slug })
  const viewer = (await app.inject({ url: '/api/viewer', headers: { cookie } })).json()
  t.match(viewer, { isBound: true, user: { role: 'user' }, organizations: [{ id: evil.org.id }] })
  t.equal(viewer.organizations.length, 1)
  t.equal((await get('/organization/list', { cookie })).json().length, 1)
  t.equal((await app.inject({ url: '/api/organizations', headers: { cookie } })).json().items.length, 1)

  const bossIn = (await app.inject({ url: '/api/viewer', headers: { cookie: victim.cookie } })).json()
  t.equal(bossIn.organizations.length, 2, 'their own session has access to both')
  const team = { id: 'team-of-good', name: 'Caja', organizationId: victim.org.id, createdAt: isoNow(systemClock) }
  await databases.write
    .insertInto('team')
    .values({ ...team, memberCount: 1, updatedAt: null })
    .execute()
  await databases.write
    .insertInto('teamMember')
    .values({ id: 'tm', teamId: team.id, userId: victim.user.id, membershipKey: null, createdAt: team.createdAt })
    .execute()
  const good = victim.org.id
  const goodMember = await databases.read
    .selectFrom('member')
    .select('id')
    .where('organizationId', '=', good)
    .executeTakeFirstOrThrow()
  const gets = [
    `/organization/get-full-organization?organizationId=${good}`,
    `/organization/get-full-organization?organizationSlug=${victim.org.slug}`,
    `/organization/list-members?organizationId=${good}`,
    `/organization/get-active-member-role?organizationId=${good}`,
    `/organization/list-invitations?organizationId=${good}`,
    `/organization/list-teams?organizationId=${good}`,
    `/organization/list-team-members?teamId=${team.id}`,
    '/organization/list-user-teams',
    '/organization/list-user-invitations',
    `/api-key/list?organizationId=${good}`,
    `/sso/providers?organizationId=${good}`,
    '/admin/list-users',
  ]
  for (const path of gets) t.equal((await get(path, { cookie })).json().code, 'APP_OWN_SIGN_IN_REQUIRED', path)
  const posts: [string, object][] = [
    ['/organization/set-active', { organizationId: good }],
    ['/organization/set-active', { organizationSlug: victim.org.slug }],
    ['/organization/set-active-team', { teamId: team.id }],
    ['/organization/update', { organizationId: good, data: { name: 'Mía' } }],
    ['/organization/delete', { organizationId: good }],
    ['/organization/leave', { organizationId: good }],
    ['/organization/has-permission', { organizationId: good, permissions: { member: ['create'] } }],
    ['/organization/invite-member', { organizationId: good, email: 'evil@evil.example', role: 'admin' }],
    ['/organization/update-member-role', { memberId: goodMember.id, role: 'member' }],
    ['/organization/remove-member', { memberIdOrEmail: goodMember.id }],
    ['/organization/add-team-member', { teamId: team.id, userId: evil.user.id }],
    ['/organization/create', { name: 'Otra', slug: 'otra' }],
    ['/api-key/create', { organizationId: good, name: 'x' }],
    ['/admin/set-role', { userId: evil.user.id, role: 'admin' }],
    ['/admin/impersonate-user', { userId: evil.user.id }],
    ['/admin/has-permission', { permissions: { user: ['list'] } }],
    ['/two-factor/enable', { code: '123456' }],
    ['/two-factor/disable', { secondCode: '123456' }],
    ['/update-user', { name: 'Otro' }],
    ['/delete-user', {}],
  ]
  for (const [path, body] of posts)
    t.equal((await post(path, body, { cookie })).json().code, 'APP_OWN_SIGN_IN_REQUIRED', path)
  const byHeader = await post('/api-key/create', { name: 'x' }, { cookie, 'x-organization': good })
  t.equal(byHeader.json().code, 'APP_OWN_SIGN_IN_REQUIRED', 'an API key in the header does not help')
  t.equal(
    (await post('/api-key/create', { name: 'x' }, { cookie })).statusCode,
    403,
    'a member cannot create one in their own organization either',
  )
  for (const org of [good, victim.org.slug, 'nobody-s']) {
    const demand = await app.inject({ url: '/api/organization/sso', headers: { cookie, 'x-organization': org } })
    t.equal(demand.json().code, 'APP_OWN_SIGN_IN_REQUIRED', `${org}: there or not reads the same`)
  }
  const account: ['POST' | 'PUT', string, object][] = [
    ['POST', '/api/account/password/code', {}],
    ['PUT', '/api/account/password', { username: 'evil', password: 'tres medialunas y un cortado', code: '123456' }],
    ['POST', '/api/account/email/codes', { email: 'evil@evil.example' }],
    ['PUT', '/api/account/email', { email: 'evil@evil.example', oldCode: '123456', newCode: '123456' }],
  ]
  for (const [method, url, payload] of account)
    t.equal(
      (await app.inject({ method, url, headers: { cookie }, payload })).json().code,
      'APP_OWN_SIGN_IN_REQUIRED',
      url,
    )
  await databases.write
    .insertInto('trusted_device')
    .values({
      ...{ id: 'd', user_id: victim.user.id, token_hash: 'h', user_agent: null, ip_address: '192.0.2.7' },
      ...{ created_at: team.createdAt, last_used_at: team.createdAt, expires_at: '2999-01-01T00:00:00.000Z' },
    })
    .execute()
  const factor = await app.inject({ url: '/api/account/second-factor', headers: { cookie } })
  t.same(factor.json().devices, [], 'nor the browsers that boss trusts')
  const sessions = (await app.inject({ url: '/api/account/sessions', headers: { cookie } })).json().items
  t.equal(sessions.length, 1, 'the other sessions of boss are not listed')
  const theirs = await app.inject({
    method: 'DELETE',
    url: `/api/account/sessions/${victim.person.sessionId}`,
    headers: { cookie },
  })
  t.equal(theirs.json().code, 'AUTH_SESSION_NOT_FOUND')
  t.equal((await post('/revoke-sessions', {}, { cookie })).statusCode, 200)
  t.equal(await stage.session(cookie), null, 'it ends the session created by the provider')
  t.match(await stage.session(victim.cookie), { user: { role: 'admin' } }, 'and no other session')
})

t.test('after the provider or its organization is deleted, its sessions still open nothing else', async t => {
  const stage = await aStage(t)
  const { installation, victim, evil, databases } = stage
  await link(stage)
  const cookie = cookieOf(await stage.come(boss))
  await installation.post('/sso/delete-provider', { providerId }, { cookie: evil.cookie })
  const orgs = async () =>
    (await installation.app.inject({ url: '/api/viewer', headers: { cookie } })).json().organizations
  t.same(
    (await orgs()).map((org: { id: string }) => org.id),
    [evil.org.id],
  )
  await databases.write
    .deleteFrom('member')
    .where('organizationId', '=', evil.org.id)
    .where('role', '!=', 'owner')
    .execute()
  t.same(await orgs(), [])
  const other = await installation.app.inject({
    url: '/api/organization/sso',
    headers: { cookie, 'x-organization': victim.org.id },
  })
  t.equal(other.json().code, 'APP_OWN_SIGN_IN_REQUIRED')
})

t.test('claims that are not plain text create no account', async t => {
  const stage = await aStage(t)
  const people = await stage.countOf('user')
  const raw = (email: unknown, more: object = {}) => ({ sub: 's', email_verified: true, email, ...more })
  for (const account of [
    raw(['nuevo@example.net']),
    raw({ toString: 'nuevo@example.net' }),
    raw('a@example.net,nuevo@example.net'),
    raw('nuevo@evil.example@example.net'),
    raw('nuevo@example.net\r\nBcc: x@example.net'),
    raw('nuevo@example.net\u0000'),
    raw(' nuevo@example.net'),
    raw('"nuevo"@example.net'),
    raw('@example.net'),
    raw('nuevo@https://example.net'),
    raw('nuevo@example.net/'),
    raw('bo\u017fs@example.net'),
    raw('\u212Aelvin@example.net'),
    raw('nuevo@\uff45xample.net'),
    raw('nuevo@%65xample.net'),
    raw(`${'a'.repeat(260)}@example.net`),
    raw('nuevo@example.net', { email_verified: ['true'] }),
    raw('nuevo@example.net', { email_verified: 1 }),
  ]) {
    stage.idp.signInAs(account as never)
    stage.idp.lies.set('/me', () => Response.json(account))
    const back = await stage.come(account)
    t.match(back.headers.location, /sso=(?:unverified|otherDomain)$/, JSON.stringify(account.email))
  }
  t.equal(await stage.countOf('user'), people)
  for (const [index, name] of [['x'], { a: 1 }, 'a\ud800b', '\u202eABC', '   ', 'x'.repeat(200)].entries()) {
    const account = { sub: `n${index}`, email: `n${index}@example.net`, email_verified: true, name }
    stage.idp.lies.set('/me', () => Response.json(account))
    const { user } = await stage.session(cookieOf(await stage.come(account)))
    t.equal(user.name, `n${index}`, `${JSON.stringify(name)} is no name: the address has one`)
  }
})

t.test('a person created by a provider gets a mail, and can use the account with their own code', async t => {
  const stage = await aStage(t)
  const made = await stage.come({ ...boss, sub: 'nuevo', email: 'nuevo@example.net', name: 'Nuevo' })
  t.match(made.headers.location, /\/c$/)
  t.match((await stage.installation.sentLetters()).at(-1), /^To: nuevo@example\.net\r?$/m)
  const own = await stage.installation.signIn('nuevo@example.net')
  const viewer = await stage.installation.app.inject({ url: '/api/viewer', headers: { cookie: own } })
  t.notOk(viewer.json().isBound)
})

t.test('a member of only one organization may change their account in a session of its provider', async t => {
  const stage = await aStage(t)
  const { post } = stage.installation
  const cookie = cookieOf(await stage.come({ ...boss, sub: 'nuevo', email: 'nuevo@example.net' }))
  t.equal((await post('/update-user', { name: 'Nuevo Nombre' }, { cookie })).statusCode, 200)
  t.equal((await post('/organization/create', { name: 'Otra', slug: 'otra' }, { cookie })).statusCode, 403)
})

t.test('a session of the provider cannot accept invitations, and does not show the username', async t => {
  const stage = await aStage(t)
  const { installation, databases, victim, evil } = stage
  const { app, get, post } = installation
  await link(stage)
  const third = await aMember({ databases, orgName: 'Third' })
  const cookie = cookieOf(await stage.come(boss))
  const invited = await post(
    '/organization/invite-member',
    { organizationId: third.org.id, email: boss.email, role: 'admin' },
    { cookie: third.cookie },
  )
  t.equal(invited.statusCode, 200, invited.body)
  const invitationId = invited.json().id
  for (const [path, body] of [
    ['/organization/accept-invitation', { invitationId }],
    ['/organization/reject-invitation', { invitationId }],
    ['/organization/cancel-invitation', { invitationId }],
  ] as const)
    t.equal((await post(path, body, { cookie })).json().code, 'APP_OWN_SIGN_IN_REQUIRED', path)
  t.equal(
    (await get(`/organization/get-invitation?id=${invitationId}`, { cookie })).json().code,
    'APP_OWN_SIGN_IN_REQUIRED',
  )
  await databases.write.updateTable('user').set({ username: 'jefa' }).where('id', '=', victim.user.id).execute()
  const password = await app.inject({ url: '/api/account/password', headers: { cookie } })
  t.notMatch(password.body, /jefa/)
  const session = await get('/get-session', { cookie })
  t.notMatch(session.body, /jefa/, 'nor the session')
  for (const path of [
    `/organization/get-full-organization?organizationId=${evil.org.id}`,
    `/organization/list-members?organizationId=${evil.org.id}`,
    `/organization/get-active-member`,
  ])
    t.notMatch((await get(path, { cookie })).body, /jefa/, path)
  t.match((await app.inject({ url: '/api/account/password', headers: { cookie: victim.cookie } })).json(), {
    username: 'jefa',
  })
})
