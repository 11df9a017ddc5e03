import type { lookup as systemLookup } from 'node:dns'
import t, { type Test } from 'tap'
import { publicLookup } from '#server/platform/outbound/address.ts'
import { createPublicFetch } from '#server/platform/outbound/outbound.ts'
import type { SsoCheck, SsoProvider } from '#shared/auth/sso.ts'
import { aMember } from '#test/helpers/actors.ts'
import { anIdentityProvider, ssoClient } from '#test/helpers/identity-provider.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const registration = { providerId: 'recado-aaaaa', domain: 'trigal.example', ...ssoClient }

type Options = Parameters<typeof anInstallation>[0]
const aStage = async (t: Test, options: Options = {}) => {
  const installation = await anInstallation(options)
  t.teardown(() => installation.end())
  const owner = await aMember({ databases: installation.databases, orgName: 'Panadería' })
  const as = (cookie: string) => ({
    post: (path: string, body: object) => installation.post(path, body, { cookie, 'accept-language': 'es' }),
    list: async () => (await installation.get('/sso/providers', { cookie })).json().providers as SsoProvider[],
    api: (path: string, payload: object) =>
      installation.app.inject({ method: 'POST', url: `/api/sso${path}`, headers: { cookie }, payload }),
  })
  return { installation, owner, as, ...as(owner.cookie) }
}

t.test('only owners and admins configure a provider, and its secret is never returned', async t => {
  const { installation, owner, as, post, list } = await aStage(t)
  const { databases } = installation
  for (const role of ['member', 'developer', 'viewer', 'billing'] as const) {
    const other = as((await aMember({ databases, org: owner.org, role })).cookie)
    t.equal((await other.post('/sso/register', registration)).statusCode, 403, role)
    t.equal((await installation.get('/sso/providers', { cookie: owner.cookie.replace('=', '=x') })).statusCode, 401)
  }
  const admin = as((await aMember({ databases, org: owner.org, role: 'admin' })).cookie)
  const made = await admin.post('/sso/register', registration)
  t.equal(made.statusCode, 200, made.body)
  t.match(made.json(), {
    providerId: 'recado-aaaaa',
    name: 'Trigal',
    domain: 'trigal.example',
    status: 'inactive',
    issuer: 'https://trigal.example',
    authorizationEndpoint: 'https://trigal.example/authorize',
    tokenEndpoint: 'https://trigal.example/token',
    userInfoEndpoint: 'https://trigal.example/me',
    jwksEndpoint: 'https://trigal.example/jwks',
    domainVerifiedAt: null,
    domainRecord: { name: '_recado.trigal.example' },
  })
  t.notMatch(made.body + JSON.stringify(await list()), ssoClient.clientSecret)
  t.notMatch(
    JSON.stringify(await databases.read.selectFrom('sso_provider').selectAll().execute()),
    ssoClient.clientSecret,
  )
  t.equal(
    (await post('/sso/update-provider', { providerId: 'recado-aaaaa', status: 'active' })).json().code,
    'AUTH_SSO_DOMAIN_NOT_VERIFIED',
  )
  const foreign = as((await aMember({ databases, orgName: 'Vecina' })).cookie)
  for (const path of ['/sso/update-provider', '/sso/verify-domain', '/sso/delete-provider'])
    t.equal((await foreign.post(path, { providerId: 'recado-aaaaa' })).json().code, 'AUTH_SSO_PROVIDER_NOT_FOUND', path)
  t.equal((await foreign.api('/test', { providerId: 'recado-aaaaa' })).statusCode, 404)
  t.same(await foreign.list(), [])
  t.equal((await post('/sso/delete-provider', { providerId: 'recado-aaaaa' })).statusCode, 200)
  t.same(await list(), [])
})

t.test('missing, duplicate and non-public values are refused by field', async t => {
  const { post, list } = await aStage(t)
  t.equal((await post('/sso/register', { ...registration, organizationId: [{}] })).statusCode, 400, 'no organization')
  for (const field of ['domain', 'clientId', 'clientSecret', 'providerId'] as const) {
    const { [field]: _, ...rest } = registration
    const reply = await post('/sso/register', rest)
    t.equal(reply.statusCode, 400, field)
    t.match(reply.json().details, [{ field: `body.${field}` }])
  }
  for (const domain of [
    'nada',
    'con espacio.example',
    '127.0.0.1',
    'a..example',
    '-a.example',
    `${'x'.repeat(64)}.example`,
  ])
    t.equal(
      (await post('/sso/register', { ...registration, domain })).json().code,
      'AUTH_SSO_DOMAIN_INVALID',
      domain.slice(0, 80),
    )
  for (const address of [
    'http://id.trigal.example/token',
    'https://127.0.0.1/token',
    'https://2130706433/token',
    'https://[::1]/token',
    'https://localhost/token',
    'https://idp.internal/token',
    'https://id.trigal.example:8443/token',
    'https://user:word@id.trigal.example/token',
    'https://169.254.169.254/latest',
  ])
    for (const field of ['issuer', 'authorizationEndpoint', 'tokenEndpoint', 'userInfoEndpoint', 'jwksEndpoint']) {
      const reply = await post('/sso/register', { ...registration, [field]: address })
      t.equal(reply.json().code, 'AUTH_SSO_ADDRESS_REFUSED', `${field} ${address}`)
      t.match(reply.json().details, [{ field: `body.${field}` }])
    }
  t.equal(
    (await post('/sso/register', { ...registration, role: 'owner' })).statusCode,
    400,
    'new members cannot become owners',
  )
  t.equal((await post('/sso/register', { ...registration, teamId: 'nobodys' })).json().code, 'AUTH_TEAM_NOT_FOUND')
  t.same(await list(), [])
  t.equal(
    (await post('/sso/register', { ...registration, domain: ' https://Trigal.example/ ' })).json().domain,
    'trigal.example',
  )
  for (const field of ['domain', 'clientId', 'clientSecret', 'providerId', 'issuer', 'tokenEndpoint'] as const) {
    const endless = { ...registration, [field]: `https://${'x'.repeat(10_000)}.example/` }
    t.equal((await post('/sso/register', endless)).statusCode, 400, `endless ${field}`)
    t.equal((await post('/sso/register', { ...registration, [field]: { toString: 'x' } })).statusCode, 400, field)
  }
  // Looks like trigal.example, with a Cyrillic і, but is another domain and is shown as one.
  t.equal(
    (await post('/sso/register', { ...registration, providerId: 'recado-eeeee', domain: 'tr\u0456gal.example' })).json()
      .domain,
    'xn--trgal-o2e.example',
  )
  t.equal((await post('/sso/register', { ...registration, domain: 'otra.example' })).json().code, 'AUTH_SSO_ID_TAKEN')
  t.equal(
    (await post('/sso/register', { ...registration, providerId: 'recado-bbbbb' })).json().code,
    'AUTH_SSO_DOMAIN_TWICE',
  )
})

t.test('a domain belongs to the organization whose record its DNS has, and to no other after that', async t => {
  const records = new Map<string, string[][]>()
  const { installation, as, post } = await aStage(t, {
    resolveTxt: async name => {
      const found = records.get(name)
      if (found) return found
      throw Object.assign(new Error('no'), { code: name.includes('trigal') ? 'ENODATA' : 'ETIMEOUT' })
    },
  })
  const neighbour = as((await aMember({ databases: installation.databases, orgName: 'Vecina' })).cookie)
  const own = (await post('/sso/register', registration)).json() as SsoProvider
  await neighbour.post('/sso/register', { ...registration, providerId: 'recado-bbbbb' })
  const verify = (who: typeof neighbour, providerId: string) => who.post('/sso/verify-domain', { providerId })
  const me = { ...neighbour, post }
  t.match((await verify(me, own.id)).json(), { code: 'AUTH_SSO_RECORD_MISSING', statusCode: 409 })
  records.set(own.domainRecord.name, [['v=spf1'], ['recado-domain=', own.domainRecord.value.slice(14)]])
  t.equal(
    (await verify(neighbour, 'recado-bbbbb')).json().code,
    'AUTH_SSO_RECORD_MISSING',
    'the record of another organization',
  )
  t.match((await verify(me, own.id)).json(), { status: 'active', domainVerifiedAt: /^20/ })
  const former = (
    await post('/sso/register', { ...registration, providerId: 'recado-eeeee', domain: 'trigal-norte.example' })
  ).json() as SsoProvider
  records.set(former.domainRecord.name, [[former.domainRecord.value.replace('domain=', 'dominio=')]])
  t.match((await verify(me, former.id)).json(), { status: 'active' }, 'a record in the format of an older version')
  records.set(own.domainRecord.name, [[(await neighbour.list())[0]?.domainRecord.value ?? '']])
  t.equal((await verify(neighbour, 'recado-bbbbb')).json().code, 'AUTH_SSO_DOMAIN_TAKEN')
  const third = as((await aMember({ databases: installation.databases, orgName: 'Tercera' })).cookie)
  const late = await third.post('/sso/register', { ...registration, providerId: 'recado-ccccc' })
  t.equal(late.json().code, 'AUTH_SSO_DOMAIN_TAKEN')
  await post('/sso/register', { ...registration, providerId: 'recado-ddddd', domain: 'lenta.example' })
  t.equal((await verify(me, 'recado-ddddd')).json().code, 'AUTH_SSO_DNS_UNREACHABLE')
  await post('/sso/delete-provider', { providerId: own.id })
  t.equal(
    (await verify(neighbour, 'recado-bbbbb')).json().status,
    'active',
    'a deleted provider frees its domain for others',
  )
})

t.test('a domain can be verified by a code mailed to its administrators', async t => {
  let now = new Date()
  const { installation, as, post, api, list } = await aStage(t, { clock: { now: () => now } })
  const neighbour = as((await aMember({ databases: installation.databases, orgName: 'Vecina' })).cookie)
  await post('/sso/register', registration)
  await neighbour.post('/sso/register', { ...registration, providerId: 'recado-bbbbb' })
  const send = (who: typeof neighbour, providerId: string, mailbox = 'postmaster') =>
    who.api('/domain-code', { providerId, mailbox })
  const me = { post, api, list }
  const verify = (who: typeof neighbour, providerId: string, code: string) =>
    who.post('/sso/verify-domain', { providerId, code })
  t.match((await send(me, 'recado-aaaaa', 'rocio')).json(), { statusCode: 400, details: [{ field: 'body.mailbox' }] })
  t.equal((await send(neighbour, 'recado-aaaaa')).json().code, 'AUTH_SSO_PROVIDER_NOT_FOUND')
  t.same(installation.letters(), [])
  const sent = await send(me, 'recado-aaaaa')
  t.same(sent.json(), { to: 'postmaster@trigal.example', hours: 24 })
  const codeOf = (letter = '') => /^([a-z0-9]{5}-[a-z0-9]{5})\r?$/m.exec(letter)?.[1] ?? ''
  const [letter = ''] = installation.letters()
  const code = codeOf(letter)
  t.match(letter, /^To: postmaster@trigal\.example\r?$/m)
  t.match(letter, 'Panader')
  t.notMatch(sent.body, code)
  t.notMatch(JSON.stringify(await installation.databases.read.selectFrom('verification').selectAll().execute()), code)

  const wrong = await verify(me, 'recado-aaaaa', 'aaaaa-aaaaa')
  t.match(wrong.json(), { code: 'AUTH_SSO_DOMAIN_CODE_WRONG', statusCode: 400, details: [{ field: 'body.code' }] })
  t.equal(
    (await verify(neighbour, 'recado-bbbbb', code)).json().code,
    'AUTH_SSO_DOMAIN_CODE_WRONG',
    'a code of another organization',
  )
  await send(me, 'recado-aaaaa', 'admin')
  const newer = codeOf(installation.letters().find(one => one.includes('admin@trigal.example')))
  t.equal(
    (await verify(me, 'recado-aaaaa', code)).json().code,
    'AUTH_SSO_DOMAIN_CODE_WRONG',
    'a newer code invalidates it',
  )
  now = new Date(now.getTime() + 24 * 3_600_000 + 1000)
  t.equal((await verify(me, 'recado-aaaaa', newer)).json().code, 'AUTH_SSO_DOMAIN_CODE_WRONG', 'after the code expired')
  t.equal((await list())[0]?.domainVerifiedAt, null)

  await send(me, 'recado-aaaaa', 'hostmaster')
  const last = codeOf(installation.letters().find(one => one.includes('hostmaster@trigal.example')))
  const done = await verify(me, 'recado-aaaaa', ` ${last.toUpperCase().replace('-', ' ')} `)
  t.match(done.json(), { status: 'active', domainVerifiedAt: /^20/ })
  t.equal((await send(me, 'recado-aaaaa')).json().code, 'AUTH_SSO_DOMAIN_VERIFIED')
  await send(neighbour, 'recado-bbbbb', 'webmaster')
  const theirs = codeOf(installation.letters().find(one => one.includes('webmaster@trigal.example')))
  t.equal((await verify(neighbour, 'recado-bbbbb', theirs)).json().code, 'AUTH_SSO_DOMAIN_TAKEN')
})

t.test('mails to a domain’s administrators are limited over all organizations', async t => {
  const { installation, as, post, api } = await aStage(t)
  await post('/sso/register', registration)
  const neighbour = as((await aMember({ databases: installation.databases, orgName: 'Vecina' })).cookie)
  await neighbour.post('/sso/register', { ...registration, providerId: 'recado-bbbbb' })
  const ask = (who: { api: typeof api }, providerId: string) =>
    who.api('/domain-code', { providerId, mailbox: 'admin' })
  for (let i = 0; i < 5; i += 1) t.equal((await ask({ api }, 'recado-aaaaa')).statusCode, 200)
  for (const [who, id] of [
    [{ api }, 'recado-aaaaa'],
    [neighbour, 'recado-bbbbb'],
  ] as const) {
    const reply = await ask(who, id)
    t.match(reply.json(), { code: 'AUTH_TOO_MANY_LETTERS', statusCode: 429 })
    t.match(reply.headers['retry-after'], /^\d+$/)
  }
  t.equal(installation.letters().length, 5)
})

t.test('published endpoints are discovered, and the test reports what is wrong', async t => {
  const idp = await anIdentityProvider(t, {
    redirectUris: ['http://localhost:3000/api/auth/sso/callback/recado-aaaaa'],
  })
  const { post, api, list } = await aStage(t, { outboundFetch: idp.fetch })
  const found = (await api('/discovery', { domain: 'trigal.example', issuer: idp.issuer })).json()
  t.match(found, {
    isPublished: true,
    issuer: idp.issuer,
    tokenEndpoint: `${idp.issuer}/token`,
    jwksEndpoint: `${idp.issuer}/jwks`,
  })
  t.match((await api('/discovery', { domain: 'trigal.example' })).json(), {
    isPublished: false,
    tokenEndpoint: 'https://trigal.example/token',
  })
  t.equal((await api('/discovery', { domain: 'trigal.example', issuer: 'https://10.0.0.1' })).statusCode, 400)
  const description = '/.well-known/openid-configuration'
  idp.lies.set(description, async answer =>
    Response.json({ ...((await answer.json()) as object), issuer: 'https://id.otra.example' }),
  )
  t.match(
    (await api('/discovery', { domain: 'trigal.example', issuer: idp.issuer })).json(),
    { isPublished: false },
    'a document with another issuer is ignored',
  )
  idp.lies.delete(description)
  await post('/sso/register', { ...registration, issuer: idp.issuer })
  t.equal((await list())[0]?.authorizationEndpoint, `${idp.issuer}/auth`)
  const { tokenEndpoint, jwksEndpoint } = found
  const whole = { issuer: idp.issuer, ...ssoClient, tokenEndpoint, jwksEndpoint }
  const test = async (body: object) => (await api('/test', body)).json().checks as SsoCheck[]
  const faultOf = (checks: SsoCheck[]) => checks.find(({ state }) => state === 'failed')
  t.equal(faultOf(await test({ providerId: 'recado-aaaaa' })), undefined, 'the stored secret works')
  t.equal(faultOf(await test(whole)), undefined)
  t.match(faultOf(await test({ ...whole, clientSecret: 'wrong' })), {
    name: 'client',
    fault: 'secretRefused',
    detail: 'invalid_client',
  })
  t.match(faultOf(await test({ ...whole, jwksEndpoint: `${idp.issuer}/nowhere` })), {
    name: 'answers',
    fault: 'status',
    detail: '404',
  })
  t.match(faultOf(await test({ ...whole, jwksEndpoint: 'https://nobody.example/jwks' })), { fault: 'unreachable' })
  t.match(faultOf(await test({ ...whole, issuer: `${idp.issuer}/` })), {
    name: 'issuer',
    fault: 'issuerDiffers',
    detail: idp.issuer,
  })
  idp.lies.set('/jwks', () => Response.json({ keys: [] }))
  t.match(faultOf(await test(whole)), { name: 'keys', fault: 'noKeys' })
  t.equal(
    (await api('/test', { providerId: 'recado-aaaaa', tokenEndpoint: 'https://thief.example/' })).statusCode,
    400,
    'a stored secret is sent to no other address',
  )
  t.equal((await api('/test', { issuer: idp.issuer })).statusCode, 400)
})

t.test('a name that resolves to a private address is not called', async t => {
  const lookup = ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: '10.0.0.5', family: 4 }])) as unknown as typeof systemLookup
  const { api } = await aStage(t, { outboundFetch: createPublicFetch(publicLookup(lookup)) })
  const addresses = {
    issuer: 'https://id.trigal.example',
    tokenEndpoint: 'https://id.trigal.example/token',
    jwksEndpoint: 'https://id.trigal.example/jwks',
  }
  t.match((await api('/test', { ...addresses, ...ssoClient })).json().checks, [
    { name: 'answers', state: 'failed', fault: 'private' },
    { state: 'skipped' },
    { state: 'skipped' },
    { state: 'skipped' },
  ])
  t.equal((await api('/discovery', { domain: 'trigal.example' })).json().isPublished, false)
})
