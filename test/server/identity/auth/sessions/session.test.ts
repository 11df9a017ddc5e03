import fc from 'fast-check'
import t from 'tap'
import { cookieKey, sessionCookieName, signedCookieValue } from '#server/identity/auth/sessions/cookie.ts'
import { createSessions } from '#server/identity/auth/sessions/session.ts'
import { findLiveSession } from '#server/identity/auth/sessions/session-store.ts'
import { aPerson, testSecret } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'

const dayMs = 86_400_000

/** Changes to a cookie header as a browser, a proxy or an attacker could make them. */
const mutations: ((header: string, at: number, junk: string) => string)[] = [
  header => header,
  (header, at, junk) => header.slice(0, at) + junk + header.slice(at),
  (header, at) => header.slice(0, at) + header.slice(at + 1),
  (header, at, junk) => header.slice(0, at) + junk + header.slice(at + 1),
  (header, at) => header.slice(0, at),
  header => decodeURIComponent(header),
  header => header.replace(/=(.*)/, (_all, value) => `=${encodeURIComponent(value)}`),
  header => header.replace(/=(.*)/, '="$1"'),
  header => header.replace(/=(.*)/, '= $1 '),
  header => header.replace(/=(.*)/, '="$1'),
  (header, _at, junk) => `${junk}=1; ${header}`,
  (header, _at, junk) => `${header}; ${junk}`,
  (header, _at, junk) => `${junk};${header}`,
  header => `recado.session_token=; ${header}`,
  header => `${header}; ${header.replace(/\./g, '')}`,
  header => `recado.session_token; ${header}`,
  header => header.toUpperCase(),
  header => header.replace('recado.', '__Host-recado.'),
  header => header.replace('recado.', 'better-auth.'),
  header => header.replace('%3D', ''),
  header => header.replace('%3D', '%3D%3D'),
  header => header.replace(/%2B/g, '-').replace(/%2F/g, '_'),
  header => header.replace(/.(%3D)$/, (_all, tail) => `B${tail}`),
  header =>
    header.replace(/(.)(%3D)$/, (_all, last: string, tail) => `${String.fromCharCode(last.charCodeAt(0) + 1)}${tail}`),
  header => header.replace(/\.(?=[^.]*$)/, '%2E'),
  header => header.replace(/\.(?=[^.]*$)/, '..'),
  header => header.replace('%3D', '%3d'),
  header => header.replace('%3D', '%ZZ'),
  header => `  ${header}\t`,
]

t.test('a request is recognised exactly when better-auth recognises it', async t => {
  const backend = await anInstallation()
  t.teardown(() => backend.end())
  const { databases, auth } = backend
  const key = cookieKey(testSecret)
  const alive = await aPerson({ databases })
  const expired = await aPerson({ databases, sessionDays: -1 })
  const deleted = await aPerson({ databases })
  await databases.write.deleteFrom('user').where('id', '=', deleted.user.id).execute()
  const named = (value: string) => `recado.session_token=${value}`
  const cookies = [
    alive.cookie,
    expired.cookie,
    deleted.cookie,
    named(signedCookieValue('never-was', key)),
    named(signedCookieValue('', key)),
    named(signedCookieValue(alive.token, cookieKey('another-secret-another-secret-1234'))),
    named(alive.token),
    named(`${alive.token}.`),
  ]
  const odd = ['=', ';', ' ', '"', '%', '.', '%00', 'ñ', 'a', '+', '/', '-', '%25', '\t', '%C3%28', ',']
  const verdicts = { yes: 0, no: 0 }
  await fc.assert(
    fc.asyncProperty(
      // Half of the runs use the live session; otherwise nearly all results would be no.
      fc.oneof(fc.constant(alive.cookie), fc.constantFrom(...cookies)),
      fc.array(fc.record({ how: fc.nat(mutations.length - 1), at: fc.nat(110), junk: fc.constantFrom(...odd) }), {
        maxLength: 2,
      }),
      async (cookie, steps) => {
        const header = steps.reduce((text, { how, at, junk }) => {
          try {
            return mutations[how]?.(text, Math.min(at, text.length), junk) ?? text
          } catch {
            return text
          }
        }, cookie)
        // Texts that no header can carry reach neither implementation.
        fc.pre(/^[\t -~\u0080-\u00ff]*$/.test(header))
        const theirs = await auth.betterAuth.api.getSession({ headers: new Headers({ cookie: header }) })
        // The library deletes an expired session when it reads it; ours only reads.
        const ours = await auth.personOf({ cookie: header })
        verdicts[ours ? 'yes' : 'no'] += 1
        t.equal(ours?.sessionId ?? null, theirs?.session.id ?? null, header)
        t.equal(ours?.userId ?? null, theirs?.user.id ?? null)
      },
    ),
    { numRuns: 2500, seed: 20261120 },
  )
  t.ok(verdicts.yes > 300 && verdicts.no > 300, `both verdicts are met often: ${JSON.stringify(verdicts)}`)
})

t.test('sign-out, revocation, a ban and deletion take effect on the next request, in both', async t => {
  const backend = await anInstallation()
  t.teardown(() => backend.end())
  const { databases, auth, post } = backend
  const both = async (cookie: string) => {
    const [ours, theirs] = [
      await auth.personOf({ cookie }),
      await auth.betterAuth.api.getSession({ headers: new Headers({ cookie }) }),
    ]
    t.equal(ours?.sessionId ?? null, theirs?.session.id ?? null)
    return ours !== null
  }
  const admin = await aPerson({ databases, siteRole: 'admin' })
  const [out, revoked, banned, removed] = [
    await aPerson({ databases }),
    await aPerson({ databases }),
    await aPerson({ databases }),
    await aPerson({ databases }),
  ]
  for (const person of [out, revoked, banned, removed]) t.ok(await both(person.cookie))
  t.equal((await post('/sign-out', {}, { cookie: out.cookie })).statusCode, 200)
  t.equal((await post('/revoke-sessions', {}, { cookie: revoked.cookie })).statusCode, 200)
  t.equal((await post('/admin/ban-user', { userId: banned.user.id }, { cookie: admin.cookie })).statusCode, 200)
  t.equal((await post('/admin/remove-user', { userId: removed.user.id }, { cookie: admin.cookie })).statusCode, 200)
  for (const person of [out, revoked, banned, removed]) t.notOk(await both(person.cookie))
})

t.test('a ban takes effect although the session row exists, until the ban ends', async t => {
  const backend = await anInstallation()
  t.teardown(() => backend.end())
  const { databases, auth, get } = backend
  const { user, cookie } = await aPerson({ databases })
  const ban = (banExpires: string | null) =>
    databases.write.updateTable('user').set({ banned: 1, banExpires }).where('id', '=', user.id).execute()
  await ban(null)
  t.equal(await auth.personOf({ cookie }), null)
  t.equal((await get('/get-session', { cookie })).body, 'null', "and in better-auth's own endpoint")
  await ban(new Date(Date.now() + 60_000).toISOString())
  t.equal(await auth.personOf({ cookie }), null)
  await ban(new Date(Date.now() - 60_000).toISOString())
  t.ok(await auth.personOf({ cookie }))
})

t.test('use extends a session at most once a day, and never past ninety days', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const clock = handClock(new Date().toISOString())
  const start = clock.now().getTime()
  let warnings = 0
  const log = {
    warn: () => {
      warnings += 1
    },
  } as never
  const { personOf } = createSessions({
    config: { publicUrl: 'http://localhost:3000' },
    databases,
    clock,
    log,
    secret: testSecret,
  })
  const { cookie } = await aPerson({ databases })
  const endsIn = async () => {
    const { expiresAt } = await databases.read.selectFrom('session').select('expiresAt').executeTakeFirstOrThrow()
    return Math.round((Date.parse(expiresAt) - start) / dayMs)
  }
  t.ok(await personOf({ cookie }))
  t.equal(await endsIn(), 30)
  clock.advance(dayMs / 2)
  await personOf({ cookie })
  t.equal(await endsIn(), 30, 'use within half a day changes nothing')
  clock.advance(dayMs * 19.5)
  await personOf({ cookie })
  t.equal(await endsIn(), 50)
  for (let day = 40; day <= 80; day += 20) {
    clock.set(new Date(start + day * dayMs).toISOString())
    t.ok(await personOf({ cookie }), `used on day ${day}`)
  }
  t.equal(await endsIn(), 90)
  clock.set(new Date(start + 90 * dayMs + 1000).toISOString())
  t.equal(await personOf({ cookie }), null)
  t.equal(warnings, 0)
})

t.test('session use is recorded once an hour, and never backwards', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const clock = handClock(new Date().toISOString())
  const parts = { databases, clock, log: {} as never, secret: testSecret }
  const { personOf } = createSessions({ config: { publicUrl: 'http://localhost:3000' }, ...parts })
  const { cookie } = await aPerson({ databases })
  const usedAt = async () =>
    (await databases.read.selectFrom('session').select('updatedAt').executeTakeFirstOrThrow()).updatedAt
  const first = await usedAt()
  clock.advance(dayMs / 48)
  await personOf({ cookie })
  t.equal(await usedAt(), first)
  clock.advance(dayMs / 24)
  await personOf({ cookie })
  const second = clock.now().toISOString()
  t.equal(await usedAt(), second)
  clock.advance(-dayMs)
  await personOf({ cookie })
  t.equal(await usedAt(), second)
})

t.test('an unused session ends after thirty days, and an impersonated one is never extended', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const clock = handClock(new Date().toISOString())
  const { personOf } = createSessions({
    config: { publicUrl: 'http://localhost:3000' },
    databases,
    clock,
    log: {} as never,
    secret: testSecret,
  })
  const idle = await aPerson({ databases })
  const borrowed = await aPerson({ databases, sessionDays: 2 })
  await databases.write
    .updateTable('session')
    .set({ impersonatedBy: 'admin' })
    .where('userId', '=', borrowed.user.id)
    .execute()
  clock.advance(dayMs)
  t.ok(await personOf({ cookie: borrowed.cookie }))
  clock.advance(dayMs + 1000)
  t.equal(await personOf({ cookie: borrowed.cookie }), null)
  clock.advance(28 * dayMs)
  t.equal(await personOf({ cookie: idle.cookie }), null)
})

t.test('a borrowed session and a ban end by the clock', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const clock = handClock(new Date().toISOString())
  const { personOf } = createSessions({
    config: { publicUrl: 'http://localhost:3000' },
    databases,
    clock,
    log: {} as never,
    secret: testSecret,
  })
  const ask = (cookie: string) => personOf({ cookie })
  const borrowed = await aPerson({ databases, sessionDays: 2 })
  const banned = await aPerson({ databases })
  await databases.write
    .updateTable('session')
    .set({ impersonatedBy: 'admin', updatedAt: new Date(clock.now().getTime() + 3 * dayMs).toISOString() })
    .execute()
  const banExpires = new Date(clock.now().getTime() + dayMs / 2).toISOString()
  await databases.write.updateTable('user').set({ banned: 1, banExpires }).where('id', '=', banned.user.id).execute()
  t.ok(await ask(borrowed.cookie))
  t.equal(await ask(banned.cookie), null)
  clock.advance(dayMs)
  t.ok(await ask(borrowed.cookie))
  t.ok(await ask(banned.cookie), 'the ban has ended')
  clock.advance(dayMs + 1000)
  t.equal(await ask(borrowed.cookie), null)
})

t.test('the cookie of an https installation has another name, and the plain one is ignored there', async t => {
  const backend = await anInstallation({ env: { PUBLIC_URL: 'https://recado.example.com' } })
  t.teardown(() => backend.end())
  const { databases, auth } = backend
  const safe = await aPerson({ databases, publicUrl: 'https://recado.example.com' })
  t.equal(safe.sessionCookie.name, '__Host-recado.session_token')
  t.equal(sessionCookieName('http://localhost:3000'), 'recado.session_token')
  t.ok(await auth.personOf({ cookie: safe.cookie }))
  t.equal(await auth.personOf({ cookie: safe.cookie.replace('__Host-', '') }), null)
})

testOnSqlite('finding a session reads two rows by their keys', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  let sql = ''
  const spy = {
    getExecutor: () => databases.read.getExecutor(),
    executeQuery: async (query: { sql: string }) => {
      sql = query.sql
      return { rows: [] }
    },
  }
  const compileOn = Object.assign(Object.create(databases.read), spy)
  await findLiveSession(compileOn, { token: 't', now: 'n' })
  const plan = databases.raw.read
    .prepare(`explain query plan ${sql}`)
    .all('t', 'n', 0, 'n')
    .map(row => (row as { detail: string }).detail)
  t.equal(plan.length, 2)
  for (const step of plan) t.match(step, /^SEARCH (session|user) USING INDEX sqlite_autoindex/)
})
