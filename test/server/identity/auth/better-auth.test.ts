import { getMigrations } from 'better-auth/db/migration'
import t from 'tap'
import { testSecret } from '#test/helpers/actors.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'

testOnSqlite('better-auth finds nothing missing in our migrations', async t => {
  const backend = await anInstallation()
  t.teardown(() => backend.end())
  const { toBeCreated, toBeAdded, toBeAddedIndexes, unsafeChanges } = await getMigrations(
    backend.auth.betterAuth.options,
  )
  t.same(toBeCreated, [])
  t.same(toBeAdded, [])
  t.same(toBeAddedIndexes, [])
  t.same(unsafeChanges, [])
})

t.test('better-auth writes times as ISO text and flags as 0 and 1', async t => {
  const backend = await anInstallation()
  t.teardown(() => backend.end())
  await backend.signIn('ana@example.com')
  const user = await backend.databases.read.selectFrom('user').selectAll().executeTakeFirstOrThrow()
  const session = await backend.databases.read.selectFrom('session').selectAll().executeTakeFirstOrThrow()
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
  for (const time of [user.createdAt, user.updatedAt, session.createdAt, session.updatedAt, session.expiresAt])
    t.match(time, iso)
  t.equal(user.emailVerified, 1)
  t.equal(user.banned, 0)
})

t.test("the library's own environment variables change neither secret nor cookie", async t => {
  process.env.BETTER_AUTH_SECRETS = `7:${'another-secret-'.repeat(4)}`
  process.env.BETTER_AUTH_URL = 'https://elsewhere.example'
  t.teardown(() => {
    delete process.env.BETTER_AUTH_SECRETS
    delete process.env.BETTER_AUTH_URL
  })
  const backend = await anInstallation()
  t.teardown(() => backend.end())
  const context = await backend.auth.betterAuth.$context
  t.equal(context.secret, testSecret)
  t.equal(context.baseURL, 'http://localhost:3000/api/auth')
  t.equal(context.authCookies.sessionToken.name, 'recado.session_token')
  t.equal(context.rateLimit.enabled, false, 'our rate limit applies instead')
  t.equal(context.options.emailAndPassword?.enabled, false)
  t.same(context.socialProviders, [])
})
