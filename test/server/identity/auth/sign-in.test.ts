import t, { type Test } from 'tap'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { anInstallation, codeIn, cookieOf } from '#test/helpers/sign-in.ts'

const backend = async (t: Test, options: Parameters<typeof anInstallation>[0] = {}) => {
  const one = await anInstallation(options)
  t.teardown(() => one.end())
  return one
}

t.test('the code of the mail opens a session, and sign-out ends it', async t => {
  const { askCode, enter, lastCode, app, post } = await backend(t)
  const asked = await askCode('ana@example.com')
  t.equal(asked.statusCode, 200)
  t.same(asked.json(), { success: true })
  const entered = await enter('ana@example.com', lastCode())
  t.equal(entered.statusCode, 200)
  t.equal(entered.headers['cache-control'], 'no-store')
  const cookie = cookieOf(entered)
  const viewer = await app.inject({ url: '/api/viewer', headers: { cookie } })
  t.equal(viewer.json().user.email, 'ana@example.com')
  t.equal((await post('/sign-out', {}, { cookie })).statusCode, 200)
  t.equal((await app.inject({ url: '/api/viewer', headers: { cookie } })).statusCode, 401, 'on the next request')
})

t.test('capitals and spaces around an address are the same address', async t => {
  const { askCode, enter, lastCode, databases } = await backend(t)
  await askCode('  Ana@Example.COM ')
  t.equal((await enter(' ANA@example.com', ` ${lastCode().slice(0, 3)} ${lastCode().slice(3)} `)).statusCode, 200)
  const users = await databases.read.selectFrom('user').select('email').execute()
  t.same(users, [{ email: 'ana@example.com' }])
})

t.test('a code works once', async t => {
  const { askCode, enter, lastCode } = await backend(t)
  await askCode('ana@example.com')
  t.equal((await enter('ana@example.com', lastCode())).statusCode, 200)
  const again = await enter('ana@example.com', lastCode(), { 'accept-language': 'es' })
  t.equal(again.statusCode, 400)
  t.match(again.json(), {
    statusCode: 400,
    code: 'INVALID_OTP',
    message: 'El código no es correcto. Revisalo, o pedí uno nuevo.',
  })
})

t.test('of parallel tries with the right code one succeeds', async t => {
  const { askCode, enter, lastCode } = await backend(t)
  await askCode('ana@example.com')
  const code = lastCode()
  const replies = await Promise.all(Array.from({ length: 8 }, () => enter('ana@example.com', code)))
  t.equal(replies.filter(reply => reply.statusCode === 200).length, 1)
})

t.test('in one browser a new code replaces the one before', async t => {
  const { askCode, enter, letters } = await backend(t)
  const browser = { cookie: cookieOf(await askCode('ana@example.com')) }
  await askCode('ana@example.com', browser)
  const codes = letters().map(codeIn)
  t.equal(codes.length, 2)
  if (codes[0] !== codes[1]) t.equal((await enter('ana@example.com', codes[0] as string, browser)).statusCode, 400)
  t.equal((await enter('ana@example.com', codes[1] as string, browser)).statusCode, 200)
})

t.test('an old code says that it expired', async t => {
  const { askCode, enter, lastCode, databases } = await backend(t)
  await askCode('ana@example.com')
  const row = await databases.read.selectFrom('verification').selectAll().executeTakeFirstOrThrow()
  t.ok(Date.parse(row.expiresAt) - Date.now() <= 10 * 60_000, 'at most ten minutes')
  await databases.write
    .updateTable('verification')
    .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
    .execute()
  const reply = await enter('ana@example.com', lastCode(), { 'accept-language': 'es' })
  t.equal(reply.statusCode, 400)
  t.match(reply.json(), { statusCode: 400, code: 'OTP_EXPIRED', message: 'El código venció. Pedí uno nuevo.' })
})

t.test('the database does not contain the code', async t => {
  const { askCode, lastCode, databases } = await backend(t)
  await askCode('ana@example.com')
  const { value } = await databases.read.selectFrom('verification').select('value').executeTakeFirstOrThrow()
  t.notMatch(value, lastCode())
  t.match(value, /^[\w-]{43}:0$/, 'a keyed hash and the number of tries')
})

t.test('two sign-ins are two sessions with tokens of their own', async t => {
  const { signIn, databases } = await backend(t)
  const [first, second] = [await signIn('ana@example.com'), await signIn('ana@example.com')]
  t.not(first, second)
  t.equal((await databases.read.selectFrom('session').select('token').execute()).length, 2)
})

t.test('a new sign-in in a browser ends its previous session and streams', async t => {
  const dropped: unknown[] = []
  const streams = { dropUser: (...who: unknown[]) => void dropped.push(who), dropMember() {} }
  const { signIn, askCode, enter, lastCode, get, databases, end } = await anInstallation({ streams })
  t.teardown(end)
  const [here, elsewhere] = [await signIn('ana@example.com'), await signIn('ana@example.com')]
  const { id: sessionId, userId } = await databases.read
    .selectFrom('session')
    .select(['id', 'userId'])
    .orderBy('createdAt')
    .executeTakeFirstOrThrow()
  await askCode('ana@example.com', { cookie: here })
  t.equal((await enter('ana@example.com', '000000', { cookie: here })).statusCode, 400)
  t.ok((await get('/get-session', { cookie: here })).json(), 'a wrong code ends no session')
  const again = await enter('ana@example.com', lastCode(), { cookie: here })
  t.equal(again.statusCode, 200)
  t.equal((await get('/get-session', { cookie: here })).json(), null)
  for (const cookie of [elsewhere, cookieOf(again)]) t.ok((await get('/get-session', { cookie })).json())
  t.same(dropped, [[userId, sessionId]])
})

t.test('replies do not contain the cookie’s token', async t => {
  const { askCode, enter, lastCode, get, databases } = await backend(t)
  await askCode('ana@example.com')
  const entered = await enter('ana@example.com', lastCode())
  const { token } = await databases.read.selectFrom('session').select('token').executeTakeFirstOrThrow()
  t.notMatch(entered.body, token)
  t.notMatch((await get('/get-session', { cookie: cookieOf(entered) })).body, token)
})

t.test('an address that is not admitted gets the same replies at every step', async t => {
  const { askCode, enter, letters, databases } = await backend(t, { env: { SIGNUP: 'invite' } })
  await aPerson({ databases, email: 'ana@example.com' })
  const strip = (reply: { statusCode: number; body: string; headers: object }) => {
    const { date: _date, ...rest } = reply.headers as Record<string, unknown>
    // Its second may pass between two replies.
    const headers = JSON.stringify(rest)
      .replace(/(sign_in=)[^;]+/, '$1…')
      .replace(/(?<="retry-after":")\d+/, seconds => `${Math.ceil(Number(seconds) / 60)} min`)
    return { status: reply.statusCode, body: reply.body.replace(/"requestId":"[^"]*"/, ''), headers }
  }
  const known = strip(await askCode('ana@example.com'))
  const unknown = strip(await askCode('nobody@example.com'))
  t.same(unknown, known)
  t.equal(letters().length, 1, 'but gets no mail')
  const right = codeIn(letters()[0])
  const wrong = right === '000000' ? '111111' : '000000'
  for (let i = 0; i < 12; i += 1)
    t.same(
      strip(await enter('nobody@example.com', wrong)),
      strip(await enter('ana@example.com', wrong)),
      `wrong guess ${i + 1}`,
    )
  const users = await databases.read.selectFrom('user').select('email').execute()
  t.same(users, [{ email: 'ana@example.com' }], 'and no account is created')
})

t.test('a lucky guess for an address that is not admitted creates no account', async t => {
  const { askCode, enter, databases, auth } = await backend(t, { env: { SIGNUP: 'invite' } })
  await aPerson({ databases })
  await askCode('nobody@example.com')
  await databases.write.deleteFrom('verification').execute()
  const code = await auth.betterAuth.api.createVerificationOTP({
    body: { email: 'nobody@example.com', type: 'sign-in' },
  })
  const reply = await enter('nobody@example.com', code)
  t.equal(reply.statusCode, 400)
  t.equal(reply.json().code, 'INVALID_OTP')
  t.equal((await databases.read.selectFrom('user').select('id').execute()).length, 1)
})

t.test('wrong guesses are counted per address across codes: ten in an hour', async t => {
  const { askCode, enter, lastCode } = await backend(t)
  let checked = 0
  for (let round = 0; round < 4; round += 1) {
    await askCode('ana@example.com')
    const wrong = lastCode() === '000000' ? '111111' : '000000'
    for (let i = 0; i < 4; i += 1) if ((await enter('ana@example.com', wrong)).statusCode !== 429) checked += 1
  }
  t.equal(checked, 10)
  const right = await enter('ana@example.com', lastCode(), { 'accept-language': 'en' })
  t.equal(right.statusCode, 429, 'even the right code has to wait')
  t.match(right.json(), {
    code: 'AUTH_TOO_MANY_GUESSES',
    message: /^Too many wrong codes for this address. Wait 60\u00a0min/,
  })
  t.ok(Number(right.headers['retry-after']) > 3500)
  t.equal((await askCode('bea@example.com')).statusCode, 200, 'other addresses are not affected')
})

t.test('of two hundred concurrent guesses ten are checked', async t => {
  const { askCode, enter, lastCode } = await backend(t, { env: { TRUST_PROXY: '127.0.0.1' }, trustProxy: true })
  await askCode('ana@example.com')
  const wrong = lastCode() === '000000' ? '111111' : '000000'
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, i) => enter('ana@example.com', wrong, { 'x-forwarded-for': `10.0.${i}.1` })),
  )
  t.equal(replies.filter(reply => reply.statusCode !== 429).length, 10)
})

t.test('right codes do not count as guesses, and reset the count of mails', async t => {
  const { signIn } = await backend(t)
  for (let i = 0; i < 12; i += 1) t.ok(await signIn('ana@example.com'))
})

t.test('at most five unused codes are mailed in an hour', async t => {
  const { askCode, letters } = await backend(t)
  const replies = []
  for (let i = 0; i < 7; i += 1) replies.push(await askCode(i % 2 ? 'Ana@example.com' : 'ana@example.com'))
  t.same(
    replies.map(reply => reply.statusCode),
    [200, 200, 200, 200, 200, 429, 429],
  )
  t.equal(replies[5]?.json().code, 'AUTH_TOO_MANY_CODES')
  t.equal(letters().length, 5)
})

t.test('one network may try sixty times a minute', async t => {
  const { enter } = await backend(t)
  const replies = []
  for (let i = 0; i < 62; i += 1) replies.push((await enter(`person${i}@example.com`, '123456')).statusCode)
  t.equal(replies.filter(status => status === 429).length, 2)
  t.same(replies.slice(-2), [429, 429])
})

t.test('a banned person learns of the ban only with a right code', async t => {
  const { askCode, enter, lastCode, databases } = await backend(t)
  const { user } = await aPerson({ databases, email: 'ana@example.com' })
  await databases.write.updateTable('user').set({ banned: 1 }).where('id', '=', user.id).execute()
  await askCode('ana@example.com')
  const wrong = lastCode() === '000000' ? '111111' : '000000'
  t.equal((await enter('ana@example.com', wrong)).json().code, 'INVALID_OTP')
  const reply = await enter('ana@example.com', lastCode(), { 'accept-language': 'es' })
  t.equal(reply.statusCode, 403)
  t.match(reply.json(), {
    statusCode: 403,
    code: 'BANNED_USER',
    message: 'Esta cuenta está suspendida. Hablá con quien administra esta instalación.',
  })
})

t.test('the mail is in the caller’s language', async t => {
  const { askCode, letters } = await backend(t)
  await askCode('ana@example.com', { 'accept-language': 'es-AR' })
  t.match(letters()[0], /Subject: =\?UTF-8\?Q\?Tu_c=C3=B3digo_para_entrar_a_Recado\?=/)
  await askCode('ana@example.com', { cookie: 'i18next=en', 'accept-language': 'es-AR' })
  t.match(letters()[1], /Subject: Your code to sign in to Recado/)
})

t.test('a sign-in opens the last active organization', async t => {
  const { signIn, databases, app, auth } = await backend(t)
  const { user, org } = await aMember({ databases, email: 'ana@example.com', role: 'member' })
  const second = await aMember({ databases })
  await databases.write
    .insertInto('member')
    .values({
      id: 'm2',
      organizationId: second.org.id,
      userId: user.id,
      role: 'viewer',
      createdAt: new Date().toISOString(),
    })
    .execute()
  const viewer = async (cookie: string) => (await app.inject({ url: '/api/viewer', headers: { cookie } })).json()
  const cookie = await signIn('ana@example.com')
  t.equal((await viewer(cookie)).active.id, org.id)
  await app.inject({
    method: 'POST',
    url: '/api/auth/organization/set-active',
    headers: { cookie, 'content-type': 'application/json' },
    payload: { organizationId: second.org.id },
  })
  t.equal((await viewer(await signIn('ana@example.com'))).active.id, second.org.id)
  await databases.write.deleteFrom('member').where('id', '=', 'm2').execute()
  t.equal((await viewer(await signIn('ana@example.com'))).active.id, org.id, 'not an organization that the person left')
  const issued = await auth.issueSession(user.id)
  t.equal((await viewer(issued.cookie)).user.id, user.id, 'a session printed by the command works too')
})

t.test('bad bodies change nothing and name the field', async t => {
  const { app, post, letters, databases } = await backend(t)
  const cases: [string, unknown, number, string][] = [
    ['/email-otp/send-verification-otp', {}, 400, 'body.email'],
    ['/email-otp/send-verification-otp', { email: 5, type: 'sign-in' }, 400, 'body.email'],
    ['/email-otp/send-verification-otp', { email: 'ana@example.com', type: 'forget-password' }, 400, 'body.type'],
    [
      '/email-otp/send-verification-otp',
      { email: 'ana@example.com', type: 'sign-in', callbackURL: 'https://evil.example' },
      400,
      'body.callbackURL',
    ],
    [
      '/email-otp/send-verification-otp',
      { email: `${'a'.repeat(300)}@example.com`, type: 'sign-in' },
      400,
      'body.email',
    ],
    ['/email-otp/send-verification-otp', { email: 'a\u0000@example.com', type: 'sign-in' }, 400, 'body.email'],
    ['/sign-in/email-otp', { email: 'ana@example.com' }, 400, 'body.otp'],
    ['/sign-in/email-otp', { email: 'ana@example.com', otp: 123456 }, 400, 'body.otp'],
    ['/sign-in/email-otp', { email: 'ana@example.com', otp: '123456', role: 'admin' }, 400, 'body.role'],
    ['/sign-in/email-otp', { email: 'ana@example.com', otp: '\ud800' }, 400, 'body.otp'],
  ]
  for (const [path, body, status, field] of cases) {
    const reply = await post(path, body)
    t.equal(reply.statusCode, status, JSON.stringify(body).slice(0, 80))
    t.equal(reply.json().details[0].field, field)
  }
  t.equal(
    (await post('/email-otp/send-verification-otp', { email: 'no address', type: 'sign-in' })).json().code,
    'INVALID_EMAIL',
  )
  const two = await post('/email-otp/send-verification-otp', {
    email: 'ana@example.com, eva@example.com',
    type: 'sign-in',
  })
  t.equal(two.json().code, 'INVALID_EMAIL')
  const url = '/api/auth/sign-in/email-otp'
  t.equal(
    (await app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload: '{"email":' }))
      .statusCode,
    400,
  )
  t.equal(
    (await app.inject({ method: 'POST', url, headers: { 'content-type': 'text/plain' }, payload: '{}' })).statusCode,
    415,
  )
  t.equal((await post('/sign-in/email-otp', { email: 'x'.repeat(1_000_000), otp: '1' })).statusCode, 413)
  t.equal(letters().length, 0)
  t.equal((await databases.read.selectFrom('verification').select('id').execute()).length, 0)
})

t.test('expired rows are deleted, and nothing else', async t => {
  const { askCode, databases, auth } = await backend(t)
  t.notOk(await auth.hasUsers())
  const alive = await aPerson({ databases })
  await aPerson({ databases, sessionDays: -1 })
  await askCode('ana@example.com')
  t.ok(await auth.hasUsers())
  t.equal(await auth.prune(new Date()), 1)
  t.ok(await auth.personOf({ cookie: alive.cookie }))
  t.equal(await auth.prune(new Date(Date.now() + 25 * 3_600_000)), 6, 'the code, its request and four counters')
  t.ok(await auth.personOf({ cookie: alive.cookie }))
})

t.test('invitations that expired a year ago are deleted', async t => {
  const { databases, auth } = await backend(t)
  const { org, user } = await aMember({ databases })
  const yearMs = 365 * 24 * 3_600_000
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  const invite = { organizationId: org.id, email: 'x@example.com', role: 'member', teamId: null, inviterId: user.id }
  for (const [id, status, expiresAt] of [
    ['open', 'pending', at(3_600_000)],
    ['lately', 'accepted', at(3_600_000 - yearMs)],
    ['old', 'accepted', at(-3_600_000 - yearMs)],
    ['never', 'pending', at(-3_600_000 - yearMs)],
  ] as const)
    await databases.write
      .insertInto('invitation')
      .values({ ...invite, id, status, expiresAt, createdAt: '' })
      .execute()
  t.equal(await auth.prune(new Date()), 2)
  const left = await databases.read.selectFrom('invitation').select('id').orderBy('id').execute()
  t.same(
    left.map(({ id }) => id),
    ['lately', 'open'],
  )
})
