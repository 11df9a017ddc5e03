import t, { type Test } from 'tap'
import { aPerson } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { anApp, askTwoFactor, enableSecondFactor } from '#test/helpers/second-factor.ts'
import { anInstallation, cookieOf, newestCode } from '#test/helpers/sign-in.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const halfMinute = 30_000

const backend = async (t: Test, options: Parameters<typeof anInstallation>[0] = {}) => {
  const clock = handClock(new Date().toISOString())
  const one = await anInstallation({ env: { SIGNUP: 'open' }, clock, ...options })
  t.teardown(() => one.end())
  const ask = (path: string, cookie: string, body: object = {}) => askTwoFactor(one.app, path, cookie, body)
  const freshProof = async (cookie: string) => {
    await one.app.inject({ method: 'POST', url: '/api/account/password/code', headers: { cookie }, payload: {} })
    return { code: newestCode(one.letters()) }
  }
  const state = async (cookie: string) =>
    (await one.app.inject({ url: '/api/account/second-factor', headers: { cookie } })).json()
  const status = async (cookie: string) =>
    (await one.app.inject({ url: '/api/viewer', headers: { cookie } })).statusCode
  /** The newest mail, including queued ones, with its lines unfolded. */
  const lastNotice = async () => (await one.sentLetters()).at(-1)?.replaceAll('=\r\n', '')
  /** Ana, signed in by mail, with an authenticator app whose current code is used up. */
  const ana = async () => {
    const cookie = await one.signIn('ana@example.com')
    return { cookie, ...(await enableSecondFactor(one.app, { cookie, proof: await freshProof(cookie), clock })) }
  }
  return { ...one, clock, ask, freshProof, state, status, lastNotice, ana }
}

const facts = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code]

t.test('an app takes effect after its first code, and its secret is returned once', async t => {
  const { signIn, ask, freshProof, state, clock, databases } = await backend(t)
  const cookie = await signIn('ana@example.com')
  const begun = await ask('enable', cookie, await freshProof(cookie))
  t.equal(begun.statusCode, 200)
  t.equal((await state(cookie)).since, null, 'showing the secret is not enough')
  const app = anApp(begun.json().secret, clock)
  t.match(begun.json().totpURI, `secret=${app.secret}`)
  t.same(facts(await ask('verify-totp', cookie, { code: '000000' })), [400, 'AUTH_SECOND_CODE_WRONG'])
  t.equal((await state(cookie)).since, null)
  const confirmed = await ask('verify-totp', cookie, { code: app.code() })
  t.equal(confirmed.statusCode, 200)
  t.equal(confirmed.json().backupCodes.length, 10)
  t.same(await state(cookie), { since: clock.now().toISOString(), backupCodes: 10, devices: [], demandedBy: [] })
  t.same(facts(await ask('verify-totp', cookie, { code: app.code(1) })), [409, 'AUTH_SETUP_EXPIRED'], 'once')
  const rows = JSON.stringify([
    await databases.read.selectFrom('second_factor').selectAll().execute(),
    await databases.read.selectFrom('second_factor_setup').selectAll().execute(),
    await databases.read.selectFrom('backup_code').selectAll().execute(),
  ])
  for (const secret of [app.secret, ...confirmed.json().backupCodes]) t.notOk(rows.includes(secret))
})

t.test('set-up requires a proof of identity and ends after a quarter of an hour', async t => {
  const { signIn, ask, freshProof, clock } = await backend(t)
  const cookie = await signIn('ana@example.com')
  t.same(facts(await ask('enable', cookie)), [400, 'AUTH_PROOF_REQUIRED'])
  t.same(facts(await ask('enable', cookie, { code: 'abcdef' })), [400, 'AUTH_INVALID_OTP'])
  t.same(facts(await ask('enable', cookie, { currentPassword: 'x' })), [400, 'AUTH_PASSWORD_WRONG'])
  t.same(facts(await ask('enable', cookie, { method: 'otp' })), [400, 'APP_VALIDATION'], 'there is no other method')
  t.same(facts(await ask('enable', '')), [401, 'APP_SIGN_IN_REQUIRED'])
  const begun = await ask('enable', cookie, await freshProof(cookie))
  clock.advance(15 * 60_000 + 1)
  const late = anApp(begun.json().secret, clock).code()
  t.same(facts(await ask('verify-totp', cookie, { code: late })), [409, 'AUTH_SETUP_EXPIRED'])
})

t.test('turning it on ends the other sessions, which were signed in with one factor', async t => {
  const { signIn, ana, status } = await backend(t)
  const there = await signIn('ana@example.com')
  const stranger = await signIn('otra@example.com')
  const { cookie } = await ana()
  t.same([await status(cookie), await status(there), await status(stranger)], [200, 401, 200])
})

t.test('a sign-in by mail is half done until a code of the app comes, in another session token', async t => {
  const { ana, signIn, ask, status, app, clock, databases } = await backend(t)
  const mine = await ana()
  const half = await signIn('ana@example.com')
  t.equal(await status(half), 403)
  const step = await app.inject({ url: '/api/account/second-step', headers: { cookie: half } })
  t.same(step.json(), { isMissing: true, ways: ['app', 'backup'], email: 'a…@example.com' })
  t.same(facts(await ask('send-otp', half)), [409, 'AUTH_MAIL_IS_FIRST_FACTOR'], 'a mailed code is the first factor')
  t.same(facts(await ask('verify-otp', half, { code: '000000' })), [409, 'AUTH_MAIL_IS_FIRST_FACTOR'])
  t.same(facts(await ask('verify-totp', half, { code: mine.app.code() })), [400, 'AUTH_SECOND_CODE_WRONG'], 'replayed')
  clock.advance(halfMinute)
  const finished = await ask('verify-totp', half, { code: mine.app.code() })
  t.equal(finished.statusCode, 200)
  const whole = cookieOf(finished)
  t.equal(await status(whole), 200)
  t.equal(await status(half), 401, 'the previous token has no access')
  t.same(facts(await ask('verify-totp', whole, { code: mine.app.code(1) })), [409, 'AUTH_SETUP_EXPIRED'])
  t.same(facts(await ask('verify-backup-code', whole, { code: 'x' })), [409, 'AUTH_NO_SECOND_STEP'])
  const tokens = await databases.read.selectFrom('session').select('token').execute()
  for (const { token } of tokens) t.notOk(finished.body.includes(token))
})

t.test('while the second factor is missing, replies say so and contain nothing about the person', async t => {
  const { ana, askCode, enter, lastCode, get, ask, clock } = await backend(t)
  const { app } = await ana()
  clock.advance(halfMinute)
  await askCode('ana@example.com')
  const entered = await enter('ana@example.com', lastCode())
  t.same(entered.json(), { twoFactorRedirect: true, twoFactorMethods: ['totp'] })
  const half = cookieOf(entered)
  const asked = await get('/get-session', { cookie: half })
  t.same(asked.json(), { twoFactorRedirect: true, twoFactorMethods: ['totp', 'backup'] })
  t.notMatch(entered.body + asked.body, /ana|user/i)
  const whole = cookieOf(await ask('verify-totp', half, { code: app.code() }))
  t.match((await get('/get-session', { cookie: whole })).json(), { user: { email: 'ana@example.com' }, slug: null })
})

t.test('of two concurrent uses of a code one signs in', async t => {
  const { ana, signIn, ask, clock } = await backend(t)
  const mine = await ana()
  const [one, two] = [await signIn('ana@example.com'), await signIn('ana@example.com')]
  clock.advance(halfMinute)
  const code = mine.app.code()
  const replies = await Promise.all([one, two].map(cookie => ask('verify-totp', cookie, { code })))
  t.same(replies.map(reply => reply.statusCode).sort(), [200, 400])
})

t.test('an earlier code is refused after a later one', async t => {
  const { ana, signIn, ask, clock } = await backend(t)
  const mine = await ana()
  clock.advance(2 * halfMinute)
  const half = await signIn('ana@example.com')
  t.equal((await ask('verify-totp', half, { code: mine.app.code(1) })).statusCode, 200)
  const again = await signIn('ana@example.com')
  for (const later of [-1, 0, 1])
    t.same(facts(await ask('verify-totp', again, { code: mine.app.code(later) })), [400, 'AUTH_SECOND_CODE_WRONG'])
})

t.test('each backup code works once, in any spelling, and its use is mailed', async t => {
  const { ana, signIn, ask, state, lastNotice } = await backend(t)
  const mine = await ana()
  const [first = '', second = ''] = mine.backupCodes
  const half = await signIn('ana@example.com')
  const written = ` ${first.toUpperCase().replace('-', ' ')} `
  const finished = await ask('verify-backup-code', half, { code: written })
  t.equal(finished.statusCode, 200)
  t.equal((await state(cookieOf(finished))).backupCodes, 9)
  t.match(await lastNotice(), /uno de tus c=C3=B3digos de respaldo/)
  const again = await signIn('ana@example.com')
  t.same(facts(await ask('verify-backup-code', again, { code: first })), [400, 'AUTH_SECOND_CODE_WRONG'])
  const replies = await Promise.all([1, 2].map(() => ask('verify-backup-code', again, { code: second })))
  t.equal(replies.filter(reply => reply.statusCode === 200).length, 1)
})

t.test('new backup codes replace the old ones and require a code of the app', async t => {
  const { ana, ask, signIn, clock } = await backend(t)
  const mine = await ana()
  t.same(facts(await ask('generate-backup-codes', mine.cookie, { secondCode: '000000' })), [
    400,
    'AUTH_SECOND_CODE_WRONG',
  ])
  clock.advance(halfMinute)
  const renewed = await ask('generate-backup-codes', mine.cookie, { secondCode: mine.app.code() })
  const [fresh = ''] = renewed.json().backupCodes
  const half = await signIn('ana@example.com')
  t.equal((await ask('verify-backup-code', half, { code: mine.backupCodes[0] ?? '' })).statusCode, 400)
  t.equal((await ask('verify-backup-code', half, { code: fresh })).statusCode, 200)
})

t.test('after a password, a mailed code finishes too: in its session, once, for ten minutes', async t => {
  const { ana, app, post, ask, freshProof, letters, clock, signIn, status } = await backend(t)
  const mine = await ana()
  const password = 'mate amargo al alba'
  await app.inject({
    method: 'PUT',
    url: '/api/account/password',
    headers: { cookie: mine.cookie },
    payload: { username: 'ana', password, ...(await freshProof(mine.cookie)) },
  })
  const enter = async () => cookieOf(await post('/sign-in/username', { username: 'ana', password }))
  const half = await enter()
  t.equal(await status(half), 403)
  t.same((await app.inject({ url: '/api/account/second-step', headers: { cookie: half } })).json().ways, [
    'app',
    'mail',
    'backup',
  ])
  t.equal((await ask('send-otp', half)).statusCode, 200)
  const code = newestCode(letters())
  const other = await enter()
  t.equal((await ask('verify-otp', other, { code })).statusCode, 400, 'not in another session')
  const byMail = await signIn('ana@example.com')
  t.equal((await ask('verify-otp', byMail, { code })).statusCode, 409)
  clock.advance(10 * 60_000 + 1)
  t.equal((await ask('verify-otp', half, { code })).statusCode, 400, 'after the code expired')
  await ask('send-otp', half)
  const finished = await ask('verify-otp', half, { code: newestCode(letters()) })
  t.equal(finished.statusCode, 200)
  t.equal(await status(cookieOf(finished)), 200)
})

t.test('an unfinished sign-in ends after a quarter of an hour, and use does not extend it', async t => {
  const { ana, signIn, ask, clock, app } = await backend(t)
  const mine = await ana()
  const half = await signIn('ana@example.com')
  const step = () => app.inject({ url: '/api/account/second-step', headers: { cookie: half } })
  clock.advance(14 * 60_000)
  t.equal((await step()).statusCode, 200)
  clock.advance(2 * 60_000)
  t.equal((await step()).statusCode, 401)
  t.equal((await ask('verify-totp', half, { code: mine.app.code() })).statusCode, 401)
})

t.test('a person has ten wrong codes in an hour, across sessions and restarts', async t => {
  const { ana, signIn, ask, clock, databases } = await backend(t)
  const mine = await ana()
  const [one, two] = [await signIn('ana@example.com'), await signIn('ana@example.com')]
  for (let i = 0; i < 10; i += 1)
    t.equal((await ask('verify-totp', i % 2 ? one : two, { code: '000000' })).statusCode, 400)
  clock.advance(halfMinute)
  const right = { code: mine.app.code() }
  const refused = await ask('verify-totp', one, right)
  t.same(facts(refused), [429, 'AUTH_TOO_MANY_SECOND_CODES'])
  t.ok(Number(refused.headers['retry-after']) > 3000)
  t.match(refused.json().message, /Esperá \d+\smin/)
  t.equal((await ask('verify-backup-code', two, { code: mine.backupCodes[0] ?? '' })).statusCode, 429)
  t.equal((await ask('disable', mine.cookie, { secondCode: mine.app.code() })).statusCode, 429)
  const again = await anInstallation({ clock, databases })
  t.equal((await askTwoFactor(again.app, 'verify-totp', one, right)).statusCode, 429)
  await again.app.close()
})

t.test('a network has thirty wrong codes in an hour, for all people together', async t => {
  const { freshProof, signIn, ask, app, clock } = await backend(t)
  const people = []
  for (const name of ['ana', 'beto', 'caro', 'dani']) {
    const cookie = await signIn(`${name}@example.com`)
    await enableSecondFactor(app, { cookie, proof: await freshProof(cookie), clock })
    people.push(await signIn(`${name}@example.com`))
  }
  const [ana = '', beto = '', caro = '', dani = ''] = people
  for (const cookie of [ana, beto, caro])
    for (let i = 0; i < 10; i += 1) t.equal((await ask('verify-totp', cookie, { code: '000000' })).statusCode, 400)
  t.equal((await ask('verify-totp', dani, { code: '000000' })).statusCode, 429)
})

t.test('a trusted browser needs no code for thirty days, unless the trust is ended before', async t => {
  const { ana, ask, askCode, enter, lastCode, signIn, state, clock, status, app, databases, lastNotice } =
    await backend(t)
  const mine = await ana()
  const half = await signIn('ana@example.com')
  clock.advance(halfMinute)
  const finished = await ask('verify-totp', half, { code: mine.app.code(), trustDevice: true })
  const browser = cookieOf(finished)
  t.match(browser, /recado\.trusted_/)
  t.match(await lastNotice(), /navegador nuevo es de confianza/)
  const device = browser
    .split('; ')
    .filter(pair => pair.includes('trusted'))
    .join('; ')
  const enterHere = async (email: string, cookie = device) => {
    await askCode(email, { cookie })
    return cookieOf(await enter(email, lastCode(), { cookie }))
  }
  t.equal(await status(await enterHere('ana@example.com')), 200)
  const forged = device.replace(/=.{4}/, '=AAAA')
  t.equal(await status(await enterHere('ana@example.com', forged)), 403)
  const [listed] = (await state(browser)).devices
  t.match(listed, { address: '127.0.0.1', trustedAt: String, lastUsedAt: String })
  t.notOk(JSON.stringify(listed).includes(device.split('=')[1] ?? '?'), 'the list contains no usable cookie')
  const stranger = await signIn('otra@example.com')
  const end = (cookie: string) =>
    app.inject({ method: 'DELETE', url: `/api/account/trusted-devices/${listed.id}`, headers: { cookie } })
  t.same(facts(await end(stranger)), [404, 'AUTH_DEVICE_NOT_FOUND'])
  const moved = { expires_at: new Date(clock.now().getTime() - 1).toISOString() }
  t.equal(Date.parse(listed.expiresAt) - Date.parse(listed.trustedAt), 30 * 86_400_000)
  await databases.write.updateTable('trusted_device').set(moved).execute()
  t.equal(await status(await enterHere('ana@example.com')), 403, 'after thirty days')
})

t.test('trust ends on request, and with the second factor', async t => {
  const { ana, ask, askCode, enter, lastCode, signIn, state, clock, status, app } = await backend(t)
  const mine = await ana()
  const trust = async () => {
    const half = await signIn('ana@example.com')
    clock.advance(halfMinute)
    return cookieOf(await ask('verify-totp', half, { code: mine.app.code(), trustDevice: true }))
  }
  /** Without the session cookie: a new sign-in would end that session. */
  const enterIn = async (browser: string) => {
    const cookie = browser.replace(/[^; ]*session_token=[^;]*;? ?/, '')
    await askCode('ana@example.com', { cookie })
    return status(cookieOf(await enter('ana@example.com', lastCode(), { cookie })))
  }
  const one = await trust()
  const [{ id }] = (await state(one)).devices
  const ended = await app.inject({
    method: 'DELETE',
    url: `/api/account/trusted-devices/${id}`,
    headers: { cookie: one },
  })
  t.equal(ended.statusCode, 200)
  t.equal(await enterIn(one), 403)
  const two = await trust()
  t.equal(await enterIn(two), 200)
  clock.advance(halfMinute)
  t.equal((await ask('disable', two, { secondCode: mine.app.code() })).statusCode, 200)
  const renewed = await enableSecondFactor(app, {
    cookie: two,
    proof: await (async () => {
      await app.inject({ method: 'POST', url: '/api/account/password/code', headers: { cookie: two }, payload: {} })
      return { code: lastCode() }
    })(),
    clock,
  })
  t.equal(renewed.backupCodes.length, 10)
  t.equal(await enterIn(two), 403)
})

t.test('replacing or removing the second factor requires a code of it, and every change is mailed', async t => {
  const { ana, ask, state, clock, freshProof, lastNotice, signIn, status } = await backend(t)
  const mine = await ana()
  t.match(await lastNotice(), /ahora pide un segundo paso/)
  const proof = await freshProof(mine.cookie)
  t.same(
    facts(await ask('enable', mine.cookie, proof)),
    [400, 'AUTH_SECOND_CODE_REQUIRED'],
    'a mailed code is not enough',
  )
  clock.advance(halfMinute)
  const begun = await ask('enable', mine.cookie, { secondCode: mine.app.code() })
  const other = anApp(begun.json().secret, clock)
  const half = await signIn('ana@example.com')
  clock.advance(halfMinute)
  const whole = cookieOf(await ask('verify-totp', half, { code: mine.app.code() }))
  t.equal(await status(whole), 200, 'the old app works until the new one is confirmed')
  t.equal((await ask('verify-totp', mine.cookie, { code: other.code() })).statusCode, 200)
  t.match(await lastNotice(), /aplicaci=C3=B3n de autenticaci=C3=B3n de tu cuenta/)
  t.equal(await status(whole), 401)
  clock.advance(halfMinute)
  t.equal((await ask('disable', mine.cookie, { secondCode: mine.app.code() })).statusCode, 400, 'the old app')
  t.equal((await ask('disable', mine.cookie, { secondCode: other.code() })).statusCode, 200)
  t.match(await lastNotice(), /ya no pide un segundo paso/)
  t.equal((await state(mine.cookie)).since, null)
  t.equal(await status(await signIn('ana@example.com')), 200)
  t.same(facts(await ask('disable', mine.cookie, { secondCode: other.code() })), [409, 'AUTH_NO_SECOND_FACTOR'])
  t.same(facts(await ask('generate-backup-codes', mine.cookie, { secondCode: 'x' })), [409, 'AUTH_NO_SECOND_FACTOR'])
})

t.test('impersonation needs no second factor of the person, and cannot change it', async t => {
  const { databases, ask, app, ana } = await backend(t)
  const mine = await ana()
  const site = await aPerson({ databases, siteRole: 'admin' })
  const anaId = (await databases.read.selectFrom('second_factor').select('user_id').executeTakeFirstOrThrow()).user_id
  await databases.write.updateTable('user').set({ role: 'user' }).where('id', '=', anaId).execute()
  const reply = await app.inject({
    method: 'POST',
    url: '/api/auth/admin/impersonate-user',
    headers: { cookie: site.cookie },
    payload: { userId: anaId },
  })
  const acting = cookieOf(reply)
  t.equal((await app.inject({ url: '/api/viewer', headers: { cookie: acting } })).statusCode, 200)
  for (const [path, body] of [
    ['enable', { secondCode: mine.app.code(1) }],
    ['disable', { secondCode: mine.app.code(1) }],
    ['generate-backup-codes', { secondCode: mine.app.code(1) }],
    ['verify-totp', { code: mine.app.code(1) }],
  ] as const)
    t.same(facts(await ask(path, acting, body)), [403, 'AUTH_NOT_WHILE_IMPERSONATING'], path)
})

t.test('an unfinished session is listed as such, and can be ended', async t => {
  const { ana, signIn, app } = await backend(t)
  const mine = await ana()
  const half = await signIn('ana@example.com')
  const list = await app.inject({ url: '/api/account/sessions', headers: { cookie: mine.cookie } })
  t.same(
    list.json().items.map((one: { isHalfDone: boolean; isCurrent: boolean }) => [one.isCurrent, one.isHalfDone]),
    [
      [true, false],
      [false, true],
    ],
  )
  const { id } = list.json().items[1]
  await app.inject({ method: 'DELETE', url: `/api/account/sessions/${id}`, headers: { cookie: mine.cookie } })
  t.equal((await app.inject({ url: '/api/account/second-step', headers: { cookie: half } })).statusCode, 401)
})

t.test('bad bodies are refused by field and change nothing', async t => {
  const { ana, ask, signIn, state } = await backend(t)
  const mine = await ana()
  const half = await signIn('ana@example.com')
  for (const path of ['verify-totp', 'verify-backup-code'])
    for (const body of [{}, { code: '' }, { code: 7 }, { code: 'x'.repeat(10_000) }, { code: '1', trustDevice: 'yes' }])
      t.same(
        facts(await ask(path, half, body)),
        [400, 'APP_VALIDATION'],
        `${path} ${JSON.stringify(body).slice(0, 40)}`,
      )
  for (const path of ['disable', 'generate-backup-codes'])
    for (const body of [{}, { secondCode: '' }, { secondCode: [] }, { code: '000000' }])
      t.same(facts(await ask(path, mine.cookie, body)), [400, 'APP_VALIDATION'], path)
  t.equal((await state(mine.cookie)).backupCodes, 10)
})
