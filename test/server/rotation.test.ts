/** The installation's secret is replaced; what the one before signed and sealed goes on. */
import t from 'tap'
import { sessionCookieName } from '#server/identity/auth/sessions/cookie.ts'
import { createActionIds } from '#server/messaging/actions/ids.ts'
import { createKeyedHash, createVault } from '#server/platform/crypto/secrets.ts'
import { encryptedColumns } from '#server/wiring.ts'
import { testPublicUrl, testSecret } from '#test/helpers/actors.ts'
import { startBackend, type TestBackend } from '#test/helpers/backend.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { allRows } from '#test/helpers/rows.ts'
import { cookieOf } from '#test/helpers/sign-in.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const newSecret = 'the-secret-of-after-0123456789-abcdefghij'
const rotated = { AUTH_SECRET: newSecret, AUTH_SECRET_PREVIOUS: testSecret }

/** Every sealed value of the database, with where it stands. */
const sealedIn = async ({ databases }: TestBackend) =>
  Object.entries(await allRows(databases)).flatMap(([table, rows]) =>
    rows.flatMap(row =>
      Object.entries(row).flatMap(([column, value]) =>
        typeof value === 'string' && /^v[12]\.[\w-]{8}/.test(value) ? [{ at: `${table}.${column}`, value }] : [],
      ),
    ),
  )

t.test('values say the name of their key, and those of before open while their secret is known', async t => {
  const old = createVault(testSecret)
  const now = createVault(newSecret, [testSecret])
  const sealed = old.encrypt('a token', 'here')
  t.equal(now.decrypt(sealed, 'here'), 'a token')
  t.ok(now.encrypt('x', 'here').startsWith(now.currentPrefix))
  t.not(now.currentPrefix, old.currentPrefix)
  t.throws(() => now.decrypt(sealed, 'elsewhere'))
  t.throws(() => createVault(newSecret).decrypt(sealed, 'here'), /unknown secret/)
  t.throws(() => old.decrypt(now.encrypt('x', 'here'), 'here'), /unknown secret/)
  // As the versions before sealed it: without a name.
  const nameless = `v1.${sealed.split('.')[2]}`
  t.equal(now.decrypt(nameless, 'here'), 'a token')
  t.equal(old.decrypt(nameless, 'here'), 'a token')
  t.throws(() => createVault(newSecret).decrypt(nameless, 'here'))
  for (const bad of ['', 'v1', 'v1.', 'v2.aaaaaaaa', `v3.${sealed.slice(3)}`, `${sealed}.x.y`.replace('v2', 'v1')])
    t.throws(() => now.decrypt(bad, 'here'), bad)
})

t.test('the start encrypts every column again that an earlier secret encrypted', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const before = await startBackend(t, { databases })
  await aNeighbour(before, { orgName: 'Panadería', customer: '5491155550101' })
  const old = await sealedIn(before)
  await before.close()
  const listed = encryptedColumns.map(({ table, column }) => `${table}.${column}`)
  for (const { at } of old) t.ok(listed.includes(at), `${at} is sealed again`)
  t.ok(new Set(old.map(({ at }) => at)).size >= 6, 'there is much to encrypt')
  await databases.write.updateTable('push_key').set({ private_key: 'v1.AAAA' }).execute()

  const after = await startBackend(t, { databases, env: rotated })
  await after.parts.reseal()
  const vault = createVault(newSecret)
  for (const { at, value } of await sealedIn(after))
    t.ok(at === 'push_key.private_key' || value.startsWith(vault.currentPrefix), at)
  t.equal((await sealedIn(after)).length, old.length)
  await after.close()

  const later = await startBackend(t, { databases, env: { AUTH_SECRET: newSecret } })
  const { id } = await databases.read.selectFrom('wa_connection').select('id').executeTakeFirstOrThrow()
  t.ok((await later.parts.numbers.findByConnectionId(id))?.accessToken, 'without the secret of before')
})

t.test('who is signed in stays so, and their cookie is signed anew', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const before = await startBackend(t, { databases })
  const { owner } = await aNeighbour(before, { orgName: 'Panadería', customer: '5491155550101' })
  await before.close()
  const after = await startBackend(t, { databases, env: rotated })
  const seen = await after.inject({ url: '/api/viewer', headers: { cookie: owner.cookie } })
  t.equal(seen.json().user?.id, owner.user.id)
  const renewed = cookieOf(seen)
  t.match(renewed, sessionCookieName(testPublicUrl))
  t.not(renewed, owner.cookie)
  const byLibrary = await after.inject({ url: '/api/auth/get-session', headers: { cookie: owner.cookie } })
  t.equal(byLibrary.json()?.user.id, owner.user.id, 'the library reads it, too')
  t.equal(cookieOf(await after.inject({ url: '/api/viewer', headers: { cookie: renewed } })), '', 'once')
  const left = await after.inject({
    method: 'POST',
    url: '/api/auth/sign-out',
    headers: { cookie: owner.cookie },
    payload: {},
  })
  t.equal(cookieOf(left), '', 'signing out does not set a session again')
  await after.close()
})

t.test('without the secret of before a cookie of it opens nothing', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const before = await startBackend(t, { databases })
  const { owner } = await aNeighbour(before, { orgName: 'Panadería', customer: '5491155550101' })
  await before.close()
  const after = await startBackend(t, { databases, env: { AUTH_SECRET: newSecret } })
  t.equal((await after.inject({ url: '/api/viewer', headers: { cookie: owner.cookie } })).statusCode, 401)
})

t.test('buttons that were sent before still do what they say', async t => {
  const [old, now] = [testSecret, newSecret].map(createKeyedHash) as [never, never]
  const id = createActionIds(old).idOf('org', 'message')
  t.equal(createActionIds(now, [old]).read('org', id), 'message')
  t.equal(createActionIds(now).read('org', id), undefined)
  t.equal(createActionIds(now, [old]).read('other', id), undefined)
})
