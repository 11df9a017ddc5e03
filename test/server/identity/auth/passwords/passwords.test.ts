import t, { type Test } from 'tap'
import { mailErrors } from '#server/platform/mail/errors.ts'
import type { Letter, Mail } from '#server/platform/mail/mail.ts'
import { aPerson } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { anInstallation, codeIn, cookieOf, newestCode } from '#test/helpers/sign-in.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const good = 'mate amargo al alba'
const better = 'tres medialunas y un cortado'

/** A person signed in by mail, who may add a password. */
const backend = async (t: Test, options: Parameters<typeof anInstallation>[0] = {}) => {
  const one = await anInstallation({ env: { SIGNUP: 'open' }, ...options })
  t.teardown(() => one.end())
  const call = (method: 'GET' | 'PUT' | 'POST', path: string, cookie: string, body?: unknown) =>
    one.app.inject({
      method,
      url: `/api/account/password${path}`,
      headers: { cookie, 'accept-language': 'es', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { payload: JSON.stringify(body) } : {}),
    })
  const freshCode = async (cookie: string) => {
    const reply = await call('POST', '/code', cookie, {})
    t.equal(reply.statusCode, 200, reply.body)
    return newestCode(one.letters())
  }
  const set = (cookie: string, body: object) => call('PUT', '', cookie, body)
  const enterWith = (username: string, password: string, headers: Record<string, string> = {}) =>
    one.post('/sign-in/username', { username, password }, { 'accept-language': 'es', ...headers })
  /** Ana, with a password. */
  const ana = async () => {
    const cookie = await one.signIn('ana@example.com')
    const reply = await set(cookie, { username: 'ana', password: good, code: await freshCode(cookie) })
    t.equal(reply.statusCode, 200, reply.body)
    return cookie
  }
  return { ...one, call, freshCode, set, enterWith, ana }
}

const facts = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code]

t.test('a set password opens a session, by username or address, regardless of case', async t => {
  const { ana, enterWith, app, databases } = await backend(t)
  await ana()
  for (const name of ['ana', ' ANA ', 'Ana@Example.com']) {
    const entered = await enterWith(name, good)
    t.equal(entered.statusCode, 200, name)
    const viewer = await app.inject({ url: '/api/viewer', headers: { cookie: cookieOf(entered) } })
    t.equal(viewer.json().user.email, 'ana@example.com')
    const tokens = await databases.read.selectFrom('session').select('token').execute()
    for (const { token } of tokens) t.notOk(entered.body.includes(token), 'the cookie alone has it')
  }
})

t.test('setting a password requires a fresh code or the current password', async t => {
  const { signIn, set, freshCode, enterWith } = await backend(t)
  const cookie = await signIn('ana@example.com')
  t.same(facts(await set(cookie, { username: 'ana', password: good })), [400, 'AUTH_PROOF_REQUIRED'])
  t.same(facts(await set(cookie, { username: 'ana', password: good, currentPassword: '' })), [400, 'APP_VALIDATION'])
  t.same(facts(await set(cookie, { username: 'ana', password: good, currentPassword: 'x' })), [
    400,
    'AUTH_PASSWORD_WRONG',
  ])
  t.same(facts(await set(cookie, { username: 'ana', password: good, code: 'abcdef' })), [400, 'AUTH_INVALID_OTP'])
  const code = await freshCode(cookie)
  t.equal((await set(cookie, { username: 'ana', password: good, code })).statusCode, 200)
  t.same(facts(await set(cookie, { username: 'ana', password: better, code })), [400, 'AUTH_INVALID_OTP'], 'once')
  const wrong = await set(cookie, { username: 'ana', password: better, currentPassword: better })
  t.same(facts(wrong), [400, 'AUTH_PASSWORD_WRONG'])
  t.equal(wrong.json().details[0].field, 'body.currentPassword')
  t.equal((await set(cookie, { username: 'ana', password: better, currentPassword: good })).statusCode, 200)
  t.equal((await enterWith('ana', good)).statusCode, 401)
  t.equal((await enterWith('ana', better)).statusCode, 200)
})

t.test('a code is valid only in its session, for ten minutes', async t => {
  const clock = handClock()
  const { signIn, set, freshCode } = await backend(t, { clock })
  const [here, there] = [await signIn('ana@example.com'), await signIn('ana@example.com')]
  const code = await freshCode(here)
  const chosen = { username: 'ana', password: good, code }
  t.same(facts(await set(there, chosen)), [400, 'AUTH_INVALID_OTP'])
  clock.advance(10 * 60_000 + 1)
  t.same(facts(await set(here, chosen)), [400, 'AUTH_INVALID_OTP'])
})

t.test('of two concurrent uses of a code one succeeds', async t => {
  const { signIn, set, freshCode } = await backend(t)
  const cookie = await signIn('ana@example.com')
  const code = await freshCode(cookie)
  const replies = await Promise.all([good, better].map(password => set(cookie, { username: 'ana', password, code })))
  t.same(replies.map(reply => reply.statusCode).sort(), [200, 400])
})

t.test('every change is mailed, and says nothing of the password', async t => {
  const { ana, call, set, sentLetters } = await backend(t)
  const cookie = await ana()
  t.match((await sentLetters()).at(-1), /ahora tiene usuario/)
  await set(cookie, { username: 'ana.b', currentPassword: good })
  t.match((await sentLetters()).at(-1), /El usuario de tu cuenta/)
  await set(cookie, { username: 'ana.b', password: better, currentPassword: good })
  t.match((await sentLetters()).at(-1), /La contrase=C3=B1a de tu cuenta/)
  await call('POST', '/removal', cookie, { currentPassword: better })
  t.match((await sentLetters()).at(-1), /ya no tiene usuario/)
  for (const letter of await sentLetters()) for (const secret of [good, better]) t.notOk(letter.includes(secret))
})

t.test('if the process dies after a change, the next one sends its mail', async t => {
  const down: Mail = {
    send: letter => (/cambi=|Cambi/.test(letter.subject) ? Promise.reject(mailErrors.UNAVAILABLE()) : sent(letter)),
    rehearse: async () => {},
  }
  const codes: string[] = []
  const sent = async (letter: Letter) => void codes.push(letter.text)
  const first = await backend(t, { mail: down })
  await first.askCode('ana@example.com')
  const cookie = cookieOf(await first.enter('ana@example.com', codeIn(codes.at(-1))))
  await first.call('POST', '/code', cookie, {})
  const reply = await first.set(cookie, { username: 'ana', password: good, code: codeIn(codes.at(-1)) })
  t.equal(reply.statusCode, 200, 'the change is kept')
  await first.jobs.idle()
  const [job] = await first.databases.read.selectFrom('job').select(['kind', 'state', 'payload']).execute()
  t.match(job, { kind: 'auth.credentialNotice', state: 'retrying' }, 'and its mail waits for the mail server')
  t.notOk(job?.payload.includes(good))
  await first.app.close()
  await first.jobs.stop()
  const clock = handClock(new Date(Date.now() + 60_000).toISOString())
  const again = await anInstallation({ databases: first.databases, clock })
  t.match((await again.sentLetters()).at(-1), /ahora tiene usuario/)
  await again.jobs.stop()
})

t.test('a removed password no longer works, and its username is free', async t => {
  const { ana, call, enterWith, signIn, set, freshCode, databases } = await backend(t)
  const cookie = await ana()
  t.equal((await call('POST', '/removal', cookie, { currentPassword: good })).statusCode, 200)
  t.same(facts(await enterWith('ana', good)), [401, 'AUTH_INVALID_USERNAME_OR_PASSWORD'])
  t.same((await call('GET', '', cookie)).json(), { username: null, hasPassword: false })
  t.same(await databases.read.selectFrom('account').selectAll().execute(), [])
  t.same(facts(await call('POST', '/removal', cookie, { currentPassword: good })), [409, 'AUTH_NO_PASSWORD'])
  const other = await signIn('otra@example.com')
  const taken = await set(other, { username: 'ana', password: better, code: await freshCode(other) })
  t.equal(taken.statusCode, 200)
})

t.test('a username belongs to one person, regardless of case, and a refusal does not use up the code', async t => {
  const { ana, signIn, set, freshCode } = await backend(t)
  await ana()
  const other = await signIn('otra@example.com')
  const code = await freshCode(other)
  const refused = await set(other, { username: 'ANA', password: better, code })
  t.same(facts(refused), [409, 'AUTH_USERNAME_TAKEN'])
  t.equal(refused.json().details[0].field, 'body.username')
  t.equal((await set(other, { username: 'otra', password: better, code })).statusCode, 200)
})

t.test('weak passwords and impossible usernames change nothing', async t => {
  const { signIn, set, freshCode, call } = await backend(t)
  const cookie = await signIn('ana@example.com')
  const code = await freshCode(cookie)
  for (const [password, expected] of [
    ['short', 'AUTH_PASSWORD_SHORT'],
    ['password123', 'AUTH_PASSWORD_GUESSABLE'],
    ['Passer2009', 'AUTH_PASSWORD_GUESSABLE'],
    ['x'.repeat(10_000), 'APP_VALIDATION'],
    ['', 'APP_VALIDATION'],
  ] as const)
    t.same(facts(await set(cookie, { username: 'ana', password, code })), [400, expected])
  for (const username of ['', 'a', 'ana@x', 'аna', 'x'.repeat(10_000)])
    t.same(facts(await set(cookie, { username, password: good, code })), [400, 'APP_VALIDATION'])
  t.same(facts(await set(cookie, { username: 'ana', code })), [400, 'AUTH_PASSWORD_REQUIRED'])
  t.same((await call('GET', '', cookie)).json(), { username: null, hasPassword: false })
})

t.test('a password is compared completely, whatever its characters', async t => {
  const { signIn, set, freshCode, enterWith } = await backend(t)
  const cookie = await signIn('ana@example.com')
  for (const password of ['mesa roja y gato', ' ñandú 🐦 sin número ', 'abedul-Ñ:'.padEnd(128, 'roble/olmo~')]) {
    const code = await freshCode(cookie)
    t.same(facts(await set(cookie, { username: 'ana', password, code })), [200, undefined], password)
    for (const other of [password.slice(0, -1), `${password} `, password.toUpperCase(), password.slice(0, 72)])
      if (other !== password) t.equal((await enterWith('ana', other)).statusCode, other.length > 128 ? 400 : 401, other)
    t.equal((await enterWith('ana', password)).statusCode, 200, password)
  }
})

t.test('other sessions end only on request', async t => {
  const { ana, signIn, set, app } = await backend(t)
  const here = await ana()
  const there = await signIn('ana@example.com')
  const stranger = await signIn('otra@example.com')
  const status = async (cookie: string) => (await app.inject({ url: '/api/viewer', headers: { cookie } })).statusCode
  await set(here, { username: 'ana', password: better, currentPassword: good })
  t.equal(await status(there), 200)
  await set(here, { username: 'ana', password: good, currentPassword: better, endOthers: true })
  t.same([await status(here), await status(there), await status(stranger)], [200, 401, 200])
})

t.test('an impersonating administrator changes no credential', async t => {
  const { databases, set, call } = await backend(t)
  const ana = await aPerson({ databases })
  await databases.write
    .updateTable('session')
    .set({ impersonatedBy: 'somebody' })
    .where('id', '=', ana.person.sessionId)
    .execute()
  t.same(facts(await call('POST', '/code', ana.cookie, {})), [403, 'AUTH_NOT_WHILE_IMPERSONATING'])
  t.same(facts(await set(ana.cookie, { username: 'ana', password: good, code: '000000' })), [
    403,
    'AUTH_NOT_WHILE_IMPERSONATING',
  ])
})

t.test('proofs can be guessed ten times in an hour, also across a restart', async t => {
  const clock = handClock()
  const first = await backend(t, { clock })
  const cookie = await first.ana()
  for (let i = 0; i < 10; i += 1)
    t.equal((await first.set(cookie, { username: 'ana', currentPassword: `wrong ${i}` })).statusCode, 400)
  t.same(facts(await first.set(cookie, { username: 'ana', currentPassword: good })), [429, 'AUTH_TOO_MANY_CHANGES'])
  const again = await anInstallation({ clock, databases: first.databases })
  const reply = await again.app.inject({
    method: 'PUT',
    url: '/api/account/password',
    headers: { cookie, 'content-type': 'application/json' },
    payload: JSON.stringify({ username: 'ana', currentPassword: good }),
  })
  t.same(facts(reply), [429, 'AUTH_TOO_MANY_CHANGES'])
  await again.end()
})

t.test('neither the database nor a call of the library reveals a password or a username', async t => {
  const { ana, databases, get, post, signIn } = await backend(t)
  const cookie = await ana()
  const rows = JSON.stringify([
    await databases.read.selectFrom('account').selectAll().execute(),
    await databases.read.selectFrom('verification').selectAll().execute(),
    await databases.read.selectFrom('sign_in_budget').selectAll().execute(),
  ])
  t.notOk(rows.includes(good))
  const { password } = await databases.read.selectFrom('account').select('password').executeTakeFirstOrThrow()
  t.match(password, /^[0-9a-f]{32}:[0-9a-f]{128}$/, 'scrypt with a salt')
  t.notOk((await get('/get-session', { cookie })).body.includes(String(password)))
  for (const closed of [
    '/sign-in/email',
    '/sign-up/email',
    '/change-password',
    '/set-password',
    '/reset-password',
    '/request-password-reset',
    '/verify-password',
    '/is-username-available',
    '/admin/update-user',
  ])
    t.equal((await post(closed, { username: 'ana', password: good }, { cookie })).statusCode, 404, closed)
  t.same(facts(await post('/update-user', { username: 'eva' }, { cookie })), [400, 'AUTH_FIELD_NOT_ALLOWED'])
  const site = await signIn('ana@example.com')
  for (const body of [{ username: 'eva' }, { data: { username: 'eva' } }, { data: { password: good } }])
    t.same(
      facts(await post('/admin/create-user', { email: 'eva@example.com', name: 'Eva', ...body }, { cookie: site })),
      [400, 'AUTH_FIELD_NOT_ALLOWED'],
    )
})
