import { createHook } from 'node:async_hooks'
import t, { type Test } from 'tap'
import { createPasswordHashing, type PasswordHashing } from '#server/identity/auth/passwords/password-hashing.ts'
import { createPasswordSignIn } from '#server/identity/auth/passwords/password-sign-in.ts'
import { findPersonByName } from '#server/identity/auth/passwords/password-store.ts'
import { aPerson } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { anInstallation, cookieOf } from '#test/helpers/sign-in.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const good = 'mate amargo al alba'

/** A hundred wrong tries should not cost a hundred hashes. For a right password better-auth hashes once more. */
const quickHashing: PasswordHashing = {
  hash: () => createPasswordHashing().hash(good),
  verify: async (password, stored) => stored !== null && password === good,
}

const hashOfGood = createPasswordHashing().hash(good)

/** Ana with username and password, and Beto without. */
const backend = async (t: Test, options: Parameters<typeof anInstallation>[0] = {}) => {
  const one = await anInstallation({ hashing: quickHashing, ...options })
  t.teardown(() => one.end())
  const { databases } = one
  const ana = await aPerson({ databases, email: 'ana@example.com' })
  const beto = await aPerson({ databases, email: 'beto@example.com' })
  const password = await hashOfGood
  const at = new Date().toISOString()
  await databases.write.updateTable('user').set({ username: 'ana' }).where('id', '=', ana.user.id).execute()
  await databases.write.updateTable('user').set({ username: 'beto' }).where('id', '=', beto.user.id).execute()
  await databases.write
    .insertInto('account')
    .values({
      id: 'credential-of-ana',
      accountId: ana.user.id,
      providerId: 'credential',
      userId: ana.user.id,
      password,
      createdAt: at,
      updatedAt: at,
    })
    .execute()
  const enter = (username: string, secret: string, from: { ip?: string; cookie?: string } = {}) =>
    one.app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/username',
      remoteAddress: from.ip ?? '203.0.113.1',
      headers: {
        'content-type': 'application/json',
        'accept-language': 'es',
        ...(from.cookie ? { cookie: from.cookie } : {}),
      },
      payload: JSON.stringify({ username, password: secret }),
    })
  return { ...one, ana, beto, enter }
}

t.test('a wrong password, a person without one and an unknown name get the same error', async t => {
  const { enter } = await backend(t)
  const strip = (reply: Awaited<ReturnType<typeof enter>>) => {
    const { date: _date, ...headers } = reply.headers
    return { status: reply.statusCode, body: { ...reply.json(), requestId: '' }, headers }
  }
  const wrong = strip(await enter('ana', 'not it at all'))
  t.match(wrong, { status: 401, body: { message: 'El usuario o la contraseña no son correctos.' } })
  for (const name of ['beto', 'nobody', 'ana@example.com', 'nobody@example.com', 'a b', '%', "' or 1=1 --"])
    t.same(strip(await enter(name, 'not it at all')), wrong, name)
})

t.test('every attempt costs one lookup and one hash', async t => {
  const { databases } = await backend(t)
  const seen: (string | null)[] = []
  const calls = createPasswordSignIn({
    databases,
    budgets: {
      network: () => ({}),
      password: () => ({}),
      passwordAnywhere: () => ({}),
      take: async () => undefined,
    } as never,
    flows: { find: () => undefined } as never,
    forward: async () => t.fail('nobody gets as far') as never,
    hashing: {
      hash: async () => t.fail('nothing is hashed to keep') as never,
      async verify(_password, stored) {
        seen.push(stored)
        return false
      },
    },
  })
  const sign = calls['/sign-in/username']
  for (const username of ['ana', 'beto', 'nobody', 'nobody@example.com'])
    await t.rejects(
      async () => sign?.({ headers: new Headers(), body: { username, password: 'x' }, ip: '203.0.113.1' } as never),
      {
        code: 'AUTH_INVALID_USERNAME_OR_PASSWORD',
      },
    )
  t.equal(seen.length, 4)
  t.same(
    seen.map(stored => stored !== null),
    [true, false, false, false],
  )
})

t.test('hashing for an unknown person does the same work, off the event loop', async t => {
  const jobs: string[] = []
  const hook = createHook({
    init(_id, type) {
      if (type === 'SCRYPTREQUEST') jobs.push(type)
    },
  }).enable()
  t.teardown(() => hook.disable())
  const hashing = createPasswordHashing()
  const stored = await hashing.hash(good)
  t.equal(jobs.length, 1)
  t.equal(await hashing.verify(good, stored), true)
  t.equal(await hashing.verify('another', stored), false)
  t.equal(await hashing.verify('anything', null), false)
  t.equal(jobs.length, 4, 'each is one task of a thread')
})

t.test('two passwords are hashed at a time, and beyond hundreds of waiting ones calls are refused', async t => {
  const hashing = createPasswordHashing()
  const work = Array.from({ length: 202 }, () => hashing.verify('x', 'no form'))
  await t.rejects(hashing.verify('x', 'no form'), { code: 'AUTH_TOO_MANY_REQUESTS' })
  const ends = await Promise.allSettled(work)
  t.ok(ends.every(({ status }) => status === 'rejected'))
  t.equal(await hashing.verify('x', null), false, 'and a failed one gives its slot back')
})

t.test('a network has ten wrong tries in an hour, also across a restart', async t => {
  const clock = handClock()
  const first = await backend(t, { clock })
  for (let i = 0; i < 10; i += 1) t.equal((await first.enter('ana', `wrong ${i}`)).statusCode, 401)
  const refused = await first.enter('ana', good)
  t.equal(refused.statusCode, 429)
  t.match(refused.json(), { code: 'AUTH_TOO_MANY_PASSWORDS', message: /código por correo/ })
  const again = await anInstallation({ clock, databases: first.databases, hashing: quickHashing })
  const body = { username: 'ana', password: good }
  const elsewhere = await again.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/username',
    remoteAddress: '203.0.113.1',
    payload: body,
  })
  t.equal(elsewhere.statusCode, 429)
  t.equal((await first.enter('ana', good, { ip: '203.0.113.200' })).statusCode, 200, 'other networks are not limited')
  clock.advance(3_600_001)
  t.equal((await first.enter('ana', good)).statusCode, 200)
  await again.end()
})

t.test('tries for unknown names are counted the same', async t => {
  const { enter } = await backend(t)
  for (let i = 0; i < 10; i += 1) t.equal((await enter('nobody', `wrong ${i}`)).statusCode, 401)
  t.equal((await enter('nobody', 'x')).statusCode, 429)
})

t.test(
  'strangers who use up all tries cannot lock a person out of a known browser, nor out of the mailed code',
  async t => {
    const { enter, askCode, post, lastCode } = await backend(t)
    const known = cookieOf(await enter('ana', good, { ip: '198.51.100.7' }))
    for (let network = 0; network < 4; network += 1)
      for (let i = 0; i < 10; i += 1) await enter('ana', `wrong ${i}`, { ip: `203.0.113.${network + 10}` })
    t.equal((await enter('ana', good, { ip: '203.0.113.99' })).statusCode, 429, 'a network without tries so far')
    t.equal((await enter('ana', good, { ip: '203.0.113.10', cookie: known })).statusCode, 200)
    await askCode('ana@example.com')
    t.equal((await post('/sign-in/email-otp', { email: 'ana@example.com', otp: lastCode() })).statusCode, 200)
  },
)

t.test('a browser that only requested a code, or in which another person signed in, is not a known one', async t => {
  const { enter, askCode } = await backend(t)
  const asked = cookieOf(await askCode('ana@example.com'))
  const others = cookieOf(await enter('ana', good))
  for (let i = 0; i < 10; i += 1) await enter('ana', `wrong ${i}`, { cookie: asked })
  t.equal((await enter('ana', good, { cookie: asked })).statusCode, 429)
  for (let i = 0; i < 10; i += 1) await enter('beto', `wrong ${i}`, { cookie: others })
  t.equal((await enter('beto', 'x', { cookie: others })).statusCode, 429)
})

t.test('a banned person cannot sign in, and a planted session is replaced at sign-in', async t => {
  const { enter, databases, ana, beto } = await backend(t)
  const entered = await enter('ana', good, { cookie: beto.cookie })
  t.equal(entered.statusCode, 200)
  t.not(cookieOf(entered).match(/session_token=[^;]+/)?.[0], beto.cookie, 'a new session')
  await databases.write.updateTable('user').set({ banned: 1 }).where('id', '=', ana.user.id).execute()
  const refused = await enter('ana', good)
  t.equal(refused.statusCode, 403)
  t.equal(refused.json().code, 'BANNED_USER')
})

t.test('an invalid name or password is refused by field', async t => {
  const { post } = await backend(t)
  for (const body of [
    {},
    { username: 'ana' },
    { username: 1, password: good },
    { username: 'ana', password: 'x'.repeat(129) },
    { username: 'ana', password: good, callbackURL: 'https://evil.example' },
    { username: 'ana', password: good, rememberMe: false },
  ]) {
    const reply = await post('/sign-in/username', body)
    t.equal(reply.statusCode, 400, JSON.stringify(body).slice(0, 80))
    t.ok(reply.json().details.length > 0)
  }
})

testOnSqlite('looking up a username uses an index', async t => {
  const { databases } = await backend(t)
  for (const [name, column] of [
    ['ana', 'username'],
    ['ana@example.com', 'email'],
  ] as const) {
    const plan = databases.raw.read
      .prepare(
        `explain query plan select user.id, account.password from user
         left join account on account.userId = user.id and account.providerId = 'credential' where user.${column} = ?`,
      )
      .all(name) as { detail: string }[]
    t.notOk(
      plan.some(({ detail }) => detail.startsWith('SCAN')),
      JSON.stringify(plan),
    )
    t.match(await findPersonByName(databases.read, name), { username: 'ana', email: 'ana@example.com' })
  }
})
