/** Single sign-on with a real OpenID provider, and with one that lies. */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { sessionCookieName } from '#server/identity/auth/sessions/cookie.ts'
import type { SsoProvider } from '#shared/auth/sso.ts'
import { type AMember, aMember, aPerson, testPublicUrl } from '#test/helpers/actors.ts'
import { type AnIdentityProvider, anIdentityProvider, ssoClient } from '#test/helpers/identity-provider.ts'
import { anInstallation, cookieOf } from '#test/helpers/sign-in.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const providerId = 'recado-k7f2q'
const callbackUrl = `${testPublicUrl}/api/auth/sso/callback/${providerId}`
const rocio = { sub: 'rocio', email: 'rocio@trigal.example', email_verified: true, name: 'Rocío Benítez' }

interface Stage {
  readonly idp: AnIdentityProvider
  readonly owner: AMember
  readonly clock: ReturnType<typeof runningClock>
  readonly provider: SsoProvider
  readonly installation: Awaited<ReturnType<typeof anInstallation>>
}

/** The system's clock, which the provider uses too, moved ahead by the test. */
const runningClock = () => {
  let aheadMs = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    setAhead(ms: number) {
      aheadMs = ms
    },
  }
}

/** An organization with an identity provider. */
async function aStage(t: Test, { register = {} }: { register?: object } = {}): Promise<Stage> {
  const idp = await anIdentityProvider(t, { redirectUris: [callbackUrl] })
  const clock = runningClock()
  const records = new Map<string, string>()
  const installation = await anInstallation({
    clock,
    outboundFetch: idp.fetch,
    resolveTxt: async name => (records.has(name) ? [[records.get(name) as string]] : []),
  })
  t.teardown(() => installation.end())
  const owner = await aMember({ databases: installation.databases, orgName: 'Panadería' })
  const registered = await installation.post(
    '/sso/register',
    {
      providerId,
      domain: 'trigal.example',
      issuer: idp.issuer,
      ...ssoClient,
      organizationId: owner.org.id,
      ...register,
    },
    { cookie: owner.cookie },
  )
  if (registered.statusCode !== 200) throw new Error(registered.body)
  const { domainRecord } = registered.json() as SsoProvider
  records.set(domainRecord.name, domainRecord.value)
  const verified = await installation.post('/sso/verify-domain', { providerId }, { cookie: owner.cookie })
  if (verified.statusCode !== 200) throw new Error(verified.body)
  return { idp, owner, clock, provider: verified.json() as SsoProvider, installation }
}

/** Begins a sign-in; returns the address the browser is sent to, and its cookies. */
const begin = async ({ installation }: Stage, body: object = { email: rocio.email }) => {
  const reply = await installation.post('/sign-in/sso', body)
  if (reply.statusCode !== 200) throw new Error(reply.body)
  return { url: reply.json().url as string, cookie: cookieOf(reply), reply }
}

const comeBack = ({ installation }: Stage, address: string, cookie: string) => {
  const { pathname, search } = new URL(address)
  return installation.app.inject({ url: pathname + search, headers: { cookie, 'user-agent': 'Firefox/140' } })
}

/** A complete sign-in with this account. `session`: cookie of an existing session. */
const signIn = async (
  stage: Stage,
  account: Parameters<AnIdentityProvider['signInAs']>[0] = rocio,
  session?: string,
) => {
  stage.idp.signInAs(account)
  const { url, cookie } = await begin(stage)
  return comeBack(stage, await stage.idp.visit(url), session === undefined ? cookie : `${session}; ${cookie}`)
}

const viewerOf = async ({ installation }: Stage, reply: Awaited<ReturnType<typeof comeBack>>) =>
  (await installation.get('/get-session', { cookie: cookieOf(reply) })).json()

const failed = (t: Test, { owner }: Stage, reply: Awaited<ReturnType<typeof comeBack>>, why: string, about = why) => {
  t.equal(reply.statusCode, 302, about)
  t.equal(reply.headers.location, `/org/${owner.org.slug}/login?sso=${why}`, about)
  t.notMatch(String(reply.headers['set-cookie']), sessionCookieName(testPublicUrl), `${about}: no session`)
}

const countOf = async ({ installation: { databases } }: Stage, table: 'user' | 'session' | 'member' | 'sso_identity') =>
  (await databases.read.selectFrom(table).selectAll().execute()).length

t.test(
  'a person of the domain signs in, becomes a member with the configured role and team, and stays the same person',
  async t => {
    const stage = await aStage(t, { register: { role: 'viewer' } })
    const { installation, owner, idp } = stage
    const { url, cookie, reply } = await begin(stage, { email: rocio.email, callbackURL: '/org/x/c?a=1' })
    const asked = new URL(url)
    t.equal(asked.origin + asked.pathname, `${idp.issuer}/auth`, 'the endpoint that the provider publishes')
    t.match(Object.fromEntries(asked.searchParams), {
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      redirect_uri: callbackUrl,
      login_hint: rocio.email,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) t.match(asked.searchParams.get(name), /^[\w-]{32,}$/, name)
    t.match(reply.headers['set-cookie'], /HttpOnly; SameSite=Lax/)
    t.equal(reply.json().redirect, true)
    const back = await comeBack(stage, await idp.visit(url), cookie)
    t.equal(back.statusCode, 302)
    t.equal(back.headers.location, '/org/x/c?a=1')
    const { user, session } = await viewerOf(stage, back)
    t.match(user, { email: rocio.email, name: 'Rocío Benítez', emailVerified: true })
    t.equal(session.activeOrganizationId, owner.org.id)
    const member = await installation.databases.read
      .selectFrom('member')
      .selectAll()
      .where('userId', '=', user.id)
      .executeTakeFirstOrThrow()
    t.match(member, { organizationId: owner.org.id, role: 'viewer' })
    const joinings = () =>
      installation.databases.read
        .selectFrom('audit_entry')
        .select(['org_id', 'kind', 'actor_id', 'subject', 'changes', 'is_done'])
        .where('action', '=', 'joinedBySso')
        .execute()
    const joining = { org_id: owner.org.id, kind: 'members', actor_id: user.id, subject: rocio.email, is_done: 1 }
    t.match(await joinings(), [joining])
    t.match(JSON.parse((await joinings())[0]?.changes ?? ''), [{ fact: 'role', before: null, after: 'viewer' }])
    const again = await signIn(stage)
    t.equal(again.headers.location, `/org/${owner.org.slug}/c`)
    t.equal((await viewerOf(stage, again)).user.id, user.id)
    t.equal(await countOf(stage, 'member'), 2)
    t.equal((await joinings()).length, 1, 'a member does not join again')
    const renamed = await signIn(stage, { ...rocio, email: 'rocio.benitez@trigal.example' })
    t.equal(
      (await viewerOf(stage, renamed)).user.id,
      user.id,
      "users are identified by the provider's id, not by the address",
    )
    const rows = await installation.databases.read
      .selectFrom('session')
      .select('ssoProviderId')
      .where('userId', '=', user.id)
      .execute()
    t.same(
      rows.map(row => row.ssoProviderId),
      [providerId, providerId, providerId],
    )
    const secretAnywhere = JSON.stringify(
      await installation.databases.read.selectFrom('sso_provider').selectAll().execute(),
    )
    t.notMatch(secretAnywhere, ssoClient.clientSecret, 'encrypted in the database')
    t.equal(await installation.databases.read.selectFrom('sso_attempt').selectAll().executeTakeFirst(), undefined)
  },
)

t.test('an existing account is linked while signed in, and needs its second factor from then on', async t => {
  const stage = await aStage(t)
  const { databases } = stage.installation
  const before = await aPerson({ databases, email: rocio.email })
  await databases.write
    .insertInto('second_factor')
    .values({ user_id: before.user.id, secret: 'sealed', last_step: 0, created_at: new Date().toISOString() })
    .execute()
  failed(t, stage, await signIn(stage), 'ownSignIn')
  t.match((await signIn(stage, rocio, before.cookie)).headers.location, /\/c$/)
  const back = await signIn(stage)
  t.equal(back.statusCode, 302)
  const step = await stage.installation.app.inject({
    url: '/api/account/second-step',
    headers: { cookie: cookieOf(back) },
  })
  t.match(
    step.json(),
    { isMissing: true, ways: ['app'] },
    'a mailed code is not accepted as second factor after the provider',
  )
  t.equal(await countOf(stage, 'user'), 2)
  failed(t, stage, await signIn(stage, { ...rocio, sub: 'somebody-else' }), 'otherAccount')
  await databases.write
    .updateTable('user')
    .set({ email: 'rocio@casa.example' })
    .where('id', '=', before.user.id)
    .execute()
  failed(t, stage, await signIn(stage), 'otherAccount', 'whose address is another by now')
  await databases.write
    .updateTable('user')
    .set({ email: rocio.email, banned: 1 })
    .where('id', '=', before.user.id)
    .execute()
  failed(t, stage, await signIn(stage), 'banned')
})

t.test('unverified, foreign and missing addresses are refused', async t => {
  const stage = await aStage(t)
  for (const [about, account, why] of [
    ['an address that is not verified', { ...rocio, email_verified: false }, 'unverified'],
    ['no address', { sub: 'rocio', name: 'Rocío' }, 'unverified'],
    ['an address of another domain', { ...rocio, email: 'rocio@otra.example' }, 'otherDomain'],
    ['an address below the domain', { ...rocio, email: 'rocio@sub.trigal.example' }, 'otherDomain'],
    ['an address with two domains', { ...rocio, email: 'rocio@trigal.example@otra.example' }, 'unverified'],
  ] as const)
    await t.test(about, async one => failed(one, stage, await signIn(stage, account), why))
  t.same(
    [await countOf(stage, 'user'), await countOf(stage, 'member'), await countOf(stage, 'sso_identity')],
    [1, 1, 0],
  )
})

t.test('a state works once, for ten minutes, in the same browser', async t => {
  const stage = await aStage(t)
  const { url, cookie } = await begin(stage)
  const back = await stage.idp.visit(url)
  failed(t, stage, await comeBack(stage, back, ''), 'expired', 'without the cookie')
  failed(t, stage, await comeBack(stage, back, `${cookie}x`), 'expired', 'with another cookie')
  const second = await begin(stage)
  const late = await stage.idp.visit(second.url)
  const fresh = await comeBack(stage, late, second.cookie)
  t.match(fresh.headers.location, /\/c$/)
  failed(t, stage, await comeBack(stage, late, second.cookie), 'expired', 'a second time, code and all')
  const third = await begin(stage)
  const tooLate = await stage.idp.visit(third.url)
  stage.clock.setAhead(600_001)
  failed(t, stage, await comeBack(stage, tooLate, third.cookie), 'expired', 'after ten minutes')
  stage.clock.setAhead(0)
  const other = `${testPublicUrl}/api/auth/sso/callback/${providerId}?code=x&state=y`
  failed(t, stage, await comeBack(stage, other, cookie), 'expired', 'the state parameter is malformed')
  t.equal((await comeBack(stage, other.replace(providerId, 'recado-nadie'), '')).statusCode, 404)
})

t.test('a code without its verifier is refused', async t => {
  const stage = await aStage(t)
  const stolen = new URL(await stage.idp.visit((await begin(stage)).url)).searchParams.get('code') as string
  const own = await begin(stage)
  const back = new URL(await stage.idp.visit(own.url))
  back.searchParams.set('code', stolen)
  failed(t, stage, await comeBack(stage, back.href, own.cookie), 'untrusted', 'a code of another sign-in')
  const bare = await stage.idp.visit((await begin(stage)).url.replace(/&code_challenge[^&]*/g, ''))
  t.equal(new URL(bare).searchParams.get('error'), 'invalid_request', 'this provider requires a verifier')
})

t.test('invalid ID tokens are refused', async t => {
  const stage = await aStage(t)
  const { idp } = stage
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const strangers = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  idp.lies.set('/jwks', () => Response.json({ keys: [jwk] }))
  const now = () => Math.floor(Date.now() / 1000)
  /** A complete sign-in with an ID token that the test makes. */
  const withToken = async (
    change: (claims: JWTPayload) => JWTPayload,
    sign: (claims: JWTPayload) => Promise<string> | string = claims =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey),
  ) => {
    idp.signInAs(rocio)
    const { url, cookie } = await begin(stage)
    const nonce = new URL(url).searchParams.get('nonce') as string
    const good = { iss: idp.issuer, aud: ssoClient.clientId, iat: now(), exp: now() + 3600, nonce, ...rocio }
    const idToken = await sign(change(good))
    idp.lies.set('/token', () => Response.json({ access_token: 'a', token_type: 'Bearer', id_token: idToken }))
    return comeBack(stage, await idp.visit(url), cookie)
  }
  t.match((await withToken(claims => claims)).headers.location, /\/c$/, 'a valid token is accepted')
  const people = await countOf(stage, 'session')
  const cases: Readonly<Record<string, (claims: JWTPayload) => JWTPayload>> = {
    'another issuer': claims => ({ ...claims, iss: 'https://id.otra.example' }),
    'another audience': claims => ({ ...claims, aud: 'somebody-else' }),
    'several audiences and no party': claims => ({ ...claims, aud: [ssoClient.clientId, 'x'] }),
    'another party': claims => ({ ...claims, azp: 'somebody-else' }),
    expired: claims => ({ ...claims, iat: now() - 400, exp: now() - 61 }),
    'from the future': claims => ({ ...claims, iat: now() + 600 }),
    'without an end': ({ exp: _exp, ...claims }) => claims,
    'another nonce': claims => ({ ...claims, nonce: 'another' }),
    'no nonce': ({ nonce: _nonce, ...claims }) => claims,
    'no subject': ({ sub: _sub, ...claims }) => claims,
  }
  for (const [about, change] of Object.entries(cases))
    await t.test(about, async one => failed(one, stage, await withToken(change), 'untrusted'))
  const bare = (header: object) => (claims: JWTPayload) =>
    `${[header, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`
  failed(t, stage, await withToken(claims => claims, bare({ alg: 'none' })), 'untrusted', 'unsigned')
  const shared = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(Buffer.from(JSON.stringify(jwk)))
  failed(t, stage, await withToken(claims => claims, shared), 'untrusted', 'signed with what is public')
  const foreign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(strangers.privateKey)
  failed(t, stage, await withToken(claims => claims, foreign), 'untrusted', 'signed by somebody else')
  t.match(
    (await withToken(claims => ({ ...claims, exp: now() - 30, iat: now() - 90 }))).headers.location,
    /\/c$/,
    'clocks may differ by a minute',
  )
  idp.lies.set('/me', () => Response.json({ ...rocio, sub: 'somebody-else' }))
  failed(t, stage, await withToken(({ email: _email, ...claims }) => claims), 'untrusted', 'describes somebody else')
  t.equal(await countOf(stage, 'session'), people + 1)
  t.equal(await countOf(stage, 'sso_identity'), 1)
})

t.test('a provider that is inactive, refuses, or cannot be reached signs nobody in', async t => {
  const stage = await aStage(t)
  const { installation, owner, idp } = stage
  const { url, cookie } = await begin(stage)
  const back = await idp.visit(url)
  const change = (status: string) =>
    installation.post('/sso/update-provider', { providerId, status }, { cookie: owner.cookie })
  t.equal((await change('inactive')).json().status, 'inactive')
  const offer = (query: string) => installation.app.inject({ url: `/api/sso/offer?${query}` })
  t.same((await offer('domain=trigal.example')).json(), { offer: null })
  t.equal((await installation.post('/sign-in/sso', { email: rocio.email })).statusCode, 404)
  const off = await comeBack(stage, back, cookie)
  t.equal(off.headers.location, '/login?sso=inactive', 'also for members who had already left')
  await change('active')
  t.match((await offer('domain=trigal.example')).json(), { offer: { providerId, name: 'Trigal' } })
  t.match((await offer(`organization=${owner.org.slug}`)).json(), { offer: { providerId } })
  const no = await begin(stage)
  const state = new URL(no.url).searchParams.get('state')
  failed(t, stage, await comeBack(stage, `${callbackUrl}?error=access_denied&state=${state}`, no.cookie), 'refused')
  const mixed = await begin(stage)
  const swapped = new URL(await idp.visit(mixed.url))
  swapped.searchParams.set('iss', 'https://id.otra.example')
  failed(t, stage, await comeBack(stage, swapped.href, mixed.cookie), 'untrusted', 'another issuer came back')
  idp.lies.set('/token', () => new Response(null, { status: 302, headers: { location: 'https://127.0.0.1/' } }))
  failed(t, stage, await signIn(stage), 'untrusted', 'a redirect is no answer')
  idp.lies.set('/token', () => new Response(null, { status: 503 }))
  failed(t, stage, await signIn(stage), 'unavailable')
  idp.lies.set('/token', () => Response.json({ a: 'a'.repeat(300_000) }))
  failed(t, stage, await signIn(stage), 'unavailable', 'more than anybody needs')
  for (const callbackURL of ['//otra.example', 'https://otra.example/', '/\\otra.example', 'javascript:alert(1)'])
    t.equal((await installation.post('/sign-in/sso', { email: rocio.email, callbackURL })).statusCode, 403, callbackURL)
})
