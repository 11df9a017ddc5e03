import t from 'tap'
import { listAllowedRoutes } from '#server/identity/auth/calls/allowed-routes.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { anInstallation, cookieOf } from '#test/helpers/sign-in.ts'

t.test('no other address of better-auth is reachable', async t => {
  const { app, auth, databases, end } = await anInstallation()
  t.teardown(end)
  const { cookie } = await aPerson({ databases, siteRole: 'admin' })
  const open = new Set(listAllowedRoutes().map(({ method, path }) => `${method} ${path}`))
  let closed = 0
  for (const endpoint of Object.values(auth.betterAuth.api) as {
    path?: string
    options?: { method?: string | string[] }
  }[]) {
    if (!endpoint.path) continue
    for (const method of [endpoint.options?.method ?? 'GET'].flat()) {
      if (open.has(`${method} ${endpoint.path}`)) continue
      if (method !== 'GET' && method !== 'POST') continue
      closed += 1
      const url = `/api/auth${endpoint.path.replace(/:\w+/g, 'x')}`
      const reply = await app.inject({
        method,
        url,
        headers: { cookie, 'content-type': 'application/json' },
        ...(method === 'POST' ? { payload: '{}' } : {}),
      })
      t.equal(reply.statusCode, 404, `${method} ${url}`)
      t.equal(reply.json().code, 'APP_NOT_FOUND')
    }
  }
  t.ok(closed > 30, `the library has many (${closed})`)
})

t.test('a refusal of the library has the shape of every refusal', async t => {
  const { app, databases, end } = await anInstallation()
  t.teardown(end)
  const { cookie } = await aPerson({ databases })
  const calls = [
    ['/sign-in/email-otp', { email: 'ana@example.com', otp: '000000' }, 400],
    ['/organization/set-active', { organizationId: 'somebody-elses' }, 403],
    ['/organization/accept-invitation', { invitationId: 'none' }, 400],
  ] as const
  for (const [path, payload, status] of calls) {
    const reply = await app.inject({ method: 'POST', url: `/api/auth${path}`, headers: { cookie }, payload })
    t.equal(reply.statusCode, status, path)
    t.match(reply.json(), { statusCode: status, code: /^[A-Z_]+$/, message: /\w/, requestId: /\S/ }, path)
  }
})

t.test('every allowed path exists in the library', async t => {
  const { auth, end } = await anInstallation()
  t.teardown(end)
  const has = new Set((Object.values(auth.betterAuth.api) as { path?: string }[]).map(endpoint => endpoint.path))
  // Three kinds of calls are ours alone: deleting expired keys, for which the library has no path and would cover every
  // organization, and those of second factor and single sign-on, whose plugins are not loaded.
  const own = new Set([
    '/api-key/delete-all-expired-api-keys',
    ...listAllowedRoutes().flatMap(({ path }) => (/^\/two-factor\/|\/sso\b/.test(path) ? [path] : [])),
  ])
  for (const { path } of listAllowedRoutes()) t.ok(has.has(path) !== own.has(path), path)
})

t.test('keys, passwords, other spellings and other methods reach no closed path', async t => {
  const { app, end } = await anInstallation()
  t.teardown(end)
  const tries: [string, string][] = [
    ['POST', '/api-key/create'],
    ['POST', '/api-key/update'],
    ['POST', '/sign-up/email'],
    ['POST', '/sign-in/email'],
    ['POST', '/sign-in/social'],
    ['GET', '/callback/google'],
    ['GET', '/error'],
    ['POST', '/email-otp/verify-email'],
    ['POST', '/email-otp/check-verification-otp'],
    ['POST', '/forget-password/email-otp'],
    ['POST', '/sign-in%2Femail-otp'],
    ['POST', '//sign-in/email-otp'],
    ['POST', '/sign-in/email-otp/'],
    ['POST', '/Sign-In/email-otp'],
    ['GET', '/sign-out'],
    ['GET', '/sign-in/email-otp'],
    ['POST', '/get-session'],
    ['GET', '/__proto__'],
    ['GET', '/'],
    ['GET', '/../viewer'],
  ]
  for (const [method, path] of tries) {
    const reply = await app.inject({
      method: method as 'GET',
      url: `/api/auth${path}`,
      ...(method === 'POST'
        ? { headers: { 'content-type': 'application/json' }, payload: '{"userId":"x","name":"x"}' }
        : {}),
    })
    t.ok([401, 404].includes(reply.statusCode), `${method} ${path}: ${reply.statusCode}`)
  }
})

t.test('cookies are http-only, lax, for the whole site, and secure on https', async t => {
  for (const [publicUrl, form] of [
    ['http://localhost:3000', /^recado\.session_token=[^;]+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/],
    [
      'https://recado.example.com',
      /^__Host-recado\.session_token=[^;]+; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ],
  ] as const) {
    const { askCode, enter, lastCode, auth, databases, end } = await anInstallation({ env: { PUBLIC_URL: publicUrl } })
    t.teardown(end)
    await askCode('ana@example.com')
    const reply = await enter('ana@example.com', lastCode())
    t.match([reply.headers['set-cookie']].flat()[0], form)
    const user = await databases.read.selectFrom('user').select('id').executeTakeFirstOrThrow()
    t.match(
      (await auth.issueSession(user.id)).setCookie.replace(
        'HttpOnly; SameSite=Lax; Secure',
        'HttpOnly; Secure; SameSite=Lax',
      ),
      form,
    )
  }
})

t.test('on https no other host of the domain can set any of them', async t => {
  const { askCode, enter, lastCode, post, databases, end } = await anInstallation({
    env: { PUBLIC_URL: 'https://recado.example.com' },
  })
  t.teardown(end)
  const asked = await askCode('ana@example.com')
  const entered = await enter('ana@example.com', lastCode(), { cookie: cookieOf(asked) })
  const somebody = await aPerson({ databases })
  await databases.write.updateTable('user').set({ role: 'admin' }).where('email', '=', 'ana@example.com').execute()
  const cookie = cookieOf(entered)
  const acting = await post('/admin/impersonate-user', { userId: somebody.user.id }, { cookie })
  const back = await post('/admin/stop-impersonating', {}, { cookie: cookieOf(acting) })
  const left = await post('/sign-out', {}, { cookie: cookieOf(back) })
  for (const reply of [asked, entered, acting, back, left]) {
    t.equal(reply.statusCode, 200, reply.body)
    const lines = [reply.headers['set-cookie'] ?? []].flat()
    t.ok(lines.length > 0)
    for (const line of lines) t.match(line, /^__Host-recado\.\w+=(?=.*; Path=\/(?:;|$))(?=.*; Secure)(?!.*Domain)/)
  }
})

t.test('headers about host, protocol and address are ignored', async t => {
  const { askCode, enter, lastCode, databases, post, end, letters } = await anInstallation()
  t.teardown(end)
  const lies = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'for=9.9.9.9;host=evil.example',
    'x-forwarded-for': '9.9.9.9',
    'x-real-ip': '9.9.9.9',
    'x-recado-client-address': '9.9.9.9',
  }
  await askCode('ana@example.com', lies)
  const reply = await enter('ana@example.com', lastCode(), lies)
  t.equal(reply.statusCode, 200)
  t.match(reply.headers['set-cookie'], /^recado\.session_token=/)
  t.notMatch(reply.headers['set-cookie'], /Secure|evil/)
  const session = await databases.read.selectFrom('session').select('ipAddress').executeTakeFirstOrThrow()
  t.equal(session.ipAddress, '127.0.0.1')
  const cookie = cookieOf(reply)
  await post('/organization/create', { name: 'Panadería', slug: 'panaderia' }, { cookie, ...lies })
  await post('/organization/invite-member', { email: 'bea@example.com', role: 'member' }, { cookie, ...lies })
  t.match(letters().at(-1)?.replace(/=\r\n/g, ''), /http:\/\/localhost:3000\/org\/panaderia\/invitation\?id=3D\w+/)
  t.notMatch(letters().join(''), /evil/)
  for (let i = 0; i < 60; i += 1) await enter(`p${i}@example.com`, '000000', { 'x-forwarded-for': `1.2.3.${i}` })
  t.equal(
    (await enter('last@example.com', '000000', { 'x-forwarded-for': '4.4.4.4' })).statusCode,
    429,
    'one budget for all',
  )
})

t.test('behind a trusted proxy the client address is taken from its header', async t => {
  const { askCode, enter, lastCode, databases, end } = await anInstallation({ trustProxy: true })
  t.teardown(end)
  await askCode('ana@example.com')
  await enter('ana@example.com', lastCode(), { 'x-forwarded-for': '203.0.113.7' })
  const { ipAddress } = await databases.read.selectFrom('session').select('ipAddress').executeTakeFirstOrThrow()
  t.equal(ipAddress, '203.0.113.7')
})

t.test('redirects to other sites are refused', async t => {
  const { post, databases, end } = await anInstallation()
  t.teardown(end)
  const { cookie } = await aPerson({ databases })
  for (const callbackURL of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '\\\\evil.example',
  ]) {
    const reply = await post('/sign-out', { callbackURL }, { cookie })
    t.equal(reply.statusCode, 403, callbackURL)
    t.notOk(reply.headers.location)
  }
})

t.test("another site's page is refused, a program without Origin is not", async t => {
  const { post, databases, auth, end } = await anInstallation()
  t.teardown(end)
  const { cookie } = await aPerson({ databases })
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:3000.evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' },
  ]) {
    const reply = await post('/sign-out', {}, { cookie, ...(headers as Record<string, string>) })
    t.equal(reply.statusCode, 403, JSON.stringify(headers))
    t.equal(reply.json().code, 'APP_CROSS_ORIGIN')
    t.ok(await auth.personOf({ cookie }))
  }
  const ours = await post(
    '/update-user',
    { name: 'Bea' },
    { cookie, origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin' },
  )
  t.equal(ours.statusCode, 200)
  t.equal((await post('/sign-out', {}, { cookie })).statusCode, 200)
})

t.test('only listed fields of an organization can be changed', async t => {
  const { post, get, databases, end } = await anInstallation()
  t.teardown(end)
  const { org, cookie } = await aMember({ databases })
  const stored = () => databases.read.selectFrom('organization').selectAll().where('id', '=', org.id).execute()
  const before = await stored()
  for (const data of [{}, { id: 'x' }, { createdAt: '2000-01-01' }, { name: 'Otra', deleted_at: '' }, undefined, []]) {
    const reply = await post('/organization/update', { organizationId: org.id, data }, { cookie })
    t.equal(reply.statusCode, 400, JSON.stringify(data))
    t.match(reply.json(), { code: 'APP_VALIDATION', details: [{ field: /^body\.data/ }] })
  }
  t.same(await stored(), before)
  for (const limit of ['99999999999999999999', '-1', '0', 'x'])
    t.equal((await get(`/organization/get-full-organization?membersLimit=${limit}`, { cookie })).statusCode, 400, limit)
})

testOnSqlite('if the database accepts no writes, every route answers that the fault is temporary', async t => {
  const { post, databases, end } = await anInstallation()
  t.teardown(end)
  const { org, cookie } = await aMember({ databases })
  databases.raw.write.pragma('query_only = on')
  for (const [path, body] of [
    ['/update-user', { name: 'Bea' }],
    ['/organization/update', { organizationId: org.id, data: { name: 'Otra' } }],
    ['/email-otp/send-verification-otp', { email: 'bea@example.com', type: 'sign-in' }],
  ] as const) {
    const reply = await post(path, body, { cookie })
    t.equal(reply.statusCode, 503, path)
    t.match(reply.json(), { code: 'APP_UNAVAILABLE' })
    t.ok(reply.headers['retry-after'])
  }
  databases.raw.write.pragma('query_only = off')
  t.equal((await post('/update-user', { name: 'Bea' }, { cookie })).statusCode, 200)
})

t.test("a person's name and picture are validated", async t => {
  const { post, databases, auth, end } = await anInstallation()
  t.teardown(end)
  const { cookie } = await aPerson({ databases, name: 'Ana' })
  for (const [body, code] of [
    [{ name: '   ' }, 'AUTH_NAME_INVALID'],
    [{ name: 'x'.repeat(81) }, 'AUTH_NAME_INVALID'],
    [{ name: 'a\u0007b' }, 'AUTH_NAME_INVALID'],
    [{ name: '\u200b\u200d' }, 'AUTH_NAME_INVALID'],
    [{ name: 'Ana \u202egro.live' }, 'AUTH_NAME_INVALID'],
    [{ image: 'javascript:alert(1)' }, 'AUTH_IMAGE_INVALID'],
    [{ image: '//evil.example/x.png' }, 'AUTH_IMAGE_INVALID'],
  ] as const) {
    const reply = await post('/update-user', body, { cookie })
    t.equal(reply.statusCode, 400)
    t.equal(reply.json().code, code)
  }
  await post('/update-user', { role: 'admin', banned: false, emailVerified: true, email: 'x@example.com' }, { cookie })
  t.match(await auth.personOf({ cookie }), { name: 'Ana', siteRole: 'user' })
  t.equal((await post('/update-user', { name: '  Ana   María ' }, { cookie })).statusCode, 200)
  t.equal((await auth.personOf({ cookie }))?.name, 'Ana María')
})

t.test('site administration is closed to members, and cannot borrow another administrator', async t => {
  const { post, get, databases, end } = await anInstallation()
  t.teardown(end)
  const owner = await aMember({ databases, role: 'owner' })
  const admin = await aPerson({ databases, siteRole: 'admin' })
  const other = await aPerson({ databases, siteRole: 'admin' })
  for (const { method, path } of listAllowedRoutes().filter(
    allowed => allowed.path.startsWith('/admin/') && !/stop-|has-permission/.test(allowed.path),
  )) {
    const body = { userId: other.user.id, role: 'admin', email: 'new@example.com', name: 'New' }
    const as = (cookie: string) =>
      method === 'GET' ? get(path, cookie ? { cookie } : {}) : post(path, body, cookie ? { cookie } : {})
    t.equal((await as(owner.cookie)).statusCode, 403, `${path} as an owner`)
    t.equal((await as('')).statusCode, 401, `${path} as nobody`)
  }
  t.equal((await get('/admin/list-users', { cookie: admin.cookie })).statusCode, 200)
  t.equal((await post('/admin/impersonate-user', { userId: other.user.id }, { cookie: admin.cookie })).statusCode, 403)
  const borrowed = await post('/admin/impersonate-user', { userId: owner.user.id }, { cookie: admin.cookie })
  t.equal(borrowed.statusCode, 200)
  const row = await databases.read
    .selectFrom('session')
    .select('expiresAt')
    .where('impersonatedBy', '=', admin.user.id)
    .executeTakeFirstOrThrow()
  t.ok(Date.parse(row.expiresAt) - Date.now() <= 3_600_000, 'for an hour at most')
})
