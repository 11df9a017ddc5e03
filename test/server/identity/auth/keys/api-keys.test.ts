import { defaultKeyHasher } from '@better-auth/api-key'
import fc from 'fast-check'
import t from 'tap'
import { createKeyText, hashKeyText, isKeyText } from '#server/identity/auth/keys/api-key-text.ts'
import { keyPrefix, maxKeysPerOrg } from '#shared/auth/api-keys.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'

type Installation = Awaited<ReturnType<typeof anInstallation>>

const opened = async (t: { teardown(end: () => Promise<void>): void }) => {
  const backend = await anInstallation()
  t.teardown(() => backend.end())
  return backend
}
const rowOf = ({ databases }: Installation, id: string) =>
  databases.read.selectFrom('apikey').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

t.test('a key has a fixed beginning, 190 bits and a checksum; its hash is the one better-auth stores', async t => {
  const keys = Array.from({ length: 200 }, createKeyText)
  t.equal(new Set(keys).size, 200)
  for (const key of keys.slice(0, 20)) {
    t.match(key, /^recado_[0-9A-Za-z]{38}$/)
    t.ok(isKeyText(key))
    t.equal(hashKeyText(key), await defaultKeyHasher(key))
    const other = key.at(10) === 'a' ? 'b' : 'a'
    t.notOk(isKeyText(key.slice(0, 10) + other + key.slice(11)), 'one wrong letter')
  }
})

t.test('a key is returned once; only its hash is stored', async t => {
  const backend = await opened(t)
  const { cookie, org, user } = await aMember({ databases: backend.databases })
  const reply = await backend.post('/api-key/create', { name: '  Producción ' }, { cookie })
  t.equal(reply.statusCode, 200, reply.body)
  const made = reply.json()
  t.equal(reply.headers['cache-control'], 'no-store')
  t.ok(isKeyText(made.key))
  t.match(made, { name: 'Producción', start: made.key.slice(0, 11), referenceId: org.id, prefix: keyPrefix })
  t.equal(made.metadata.tier, 'premium')
  const row = await rowOf(backend, made.id)
  t.equal(row.key, hashKeyText(made.key))
  t.notOk(JSON.stringify(row).includes(made.key))
  const list = (await backend.get('/api-key/list', { cookie })).json()
  t.equal(list.total, 1)
  t.match(list.apiKeys[0], {
    id: made.id,
    name: 'Producción',
    lastRequest: null,
    createdBy: user.name,
    state: 'active',
  })
  t.notOk(JSON.stringify(list).includes(row.key))
  t.notOk(JSON.stringify(list).includes(made.key))
})

t.test('nobody can create a key for another person', async t => {
  const backend = await opened(t)
  const { user, org } = await aMember({ databases: backend.databases })
  const body = { name: 'x', userId: user.id, organizationId: org.id }
  t.equal((await backend.post('/api-key/create', body)).statusCode, 401, 'without a session')
  const stranger = await aMember({ databases: backend.databases })
  t.equal((await backend.post('/api-key/create', body, { cookie: stranger.cookie })).statusCode, 403)
  const { id } = await aKey(backend.app, stranger.cookie)
  t.equal((await rowOf(backend, id)).referenceId, stranger.org.id, "the session's active organization")
  const made = await backend.post('/api-key/create', { name: 'y', userId: user.id }, { cookie: stranger.cookie })
  const { member_id: bound } = await rowOf(backend, made.json().id)
  const membership = await backend.databases.read
    .selectFrom('member')
    .select('userId')
    .where('id', '=', bound as string)
    .executeTakeFirst()
  t.equal(membership?.userId, stranger.user.id, 'regardless of the user named in the body')
  const nowhere = await aPerson({ databases: backend.databases })
  t.equal((await backend.post('/api-key/create', { name: 'x' }, { cookie: nowhere.cookie })).statusCode, 400)
})

t.test('fields of a key that only the server sets are dropped from a request', async t => {
  const backend = await opened(t)
  const { cookie } = await aMember({ databases: backend.databases })
  const reply = await backend.post(
    '/api-key/create',
    {
      name: 'x',
      prefix: 'other_',
      metadata: { tier: 'free', for: 'crm' },
      rateLimitMax: 1,
      rateLimitTimeWindow: 1,
      rateLimitEnabled: true,
      remaining: 1,
      refillAmount: 5,
      refillInterval: 1,
      permissions: { org: ['delete'] },
      configId: 'other',
      enabled: false,
      key: 'mine',
    },
    { cookie },
  )
  t.equal(reply.statusCode, 200, reply.body)
  const row = await rowOf(backend, reply.json().id)
  t.same(JSON.parse(row.metadata as string), { for: 'crm', tier: 'premium' })
  t.match(row, {
    prefix: keyPrefix,
    remaining: null,
    refillAmount: null,
    refillInterval: null,
    permissions: null,
    enabled: 1,
    configId: 'default',
  })
  t.not(row.rateLimitMax, 1)
})

t.test('an invalid key request names the field and creates nothing', async t => {
  const backend = await opened(t)
  const { cookie, org } = await aMember({ databases: backend.databases, role: 'developer' })
  const wrong: [object, string][] = [
    [{}, 'body.name'],
    [{ name: '   ' }, 'body.name'],
    [{ name: 7 }, 'body.name'],
    [{ name: 'a\u202eb' }, 'body.name'],
    [{ name: 'x'.repeat(61) }, 'body.name'],
    [{ name: 'x', expiresIn: 0 }, 'body.expiresIn'],
    [{ name: 'x', expiresIn: 1e12 }, 'body.expiresIn'],
    [{ name: 'x', expiresIn: '60' }, 'body.expiresIn'],
    [{ name: 'x', scopes: [] }, 'body.scopes'],
    [{ name: 'x', scopes: ['everything'] }, 'body.scopes.0'],
    [{ name: 'x', metadata: 'premium' }, 'body.metadata'],
    [{ name: 'x', metadata: { big: 'x'.repeat(3000) } }, 'body.metadata'],
  ]
  for (const [body, field] of wrong) {
    const reply = await backend.post('/api-key/create', body, { cookie })
    t.equal(reply.statusCode, 400, `${JSON.stringify(body).slice(0, 60)} ${reply.body}`)
    t.ok(
      (reply.json().details as { field: string }[]).some(one => one.field.startsWith(field)),
      `${field}: ${reply.body}`,
    )
  }
  const beyond = await backend.post('/api-key/create', { name: 'x', scopes: ['chat:reply'] }, { cookie })
  t.equal(beyond.statusCode, 403, 'a developer may not reply, so their keys may not either')
  t.equal((await backend.databases.read.selectFrom('apikey').select('id').execute()).length, 0, org.id)
})

t.test('owners, admins and developers manage keys; other roles neither see, create nor delete them', async t => {
  const backend = await opened(t)
  const owner = await aMember({ databases: backend.databases })
  const { id } = await aKey(backend.app, owner.cookie)
  for (const role of ['admin', 'developer']) {
    const { cookie } = await aMember({ databases: backend.databases, org: owner.org, role })
    t.equal((await backend.get('/api-key/list', { cookie })).json().total >= 1, true, role)
    t.equal((await backend.post('/api-key/create', { name: role }, { cookie })).statusCode, 200, role)
  }
  for (const role of ['member', 'viewer', 'billing', 'unheard-of']) {
    const { cookie } = await aMember({ databases: backend.databases, org: owner.org, role })
    t.equal((await backend.get('/api-key/list', { cookie })).statusCode, 403, role)
    t.equal((await backend.post('/api-key/create', { name: role }, { cookie })).statusCode, 403, role)
    t.equal((await backend.post('/api-key/delete', { keyId: id }, { cookie })).statusCode, 403, role)
    t.equal((await backend.post('/api-key/delete-all-expired-api-keys', {}, { cookie })).statusCode, 403, role)
  }
  const stranger = await aMember({ databases: backend.databases })
  t.equal((await backend.post('/api-key/delete', { keyId: id }, { cookie: stranger.cookie })).statusCode, 404)
  t.equal((await backend.post('/api-key/delete', { keyId: 'nothing' }, { cookie: stranger.cookie })).statusCode, 404)
  const foreign = await backend.get(`/api-key/list?organizationId=${owner.org.id}`, { cookie: stranger.cookie })
  t.equal(foreign.statusCode, 403)
  t.ok(await rowOf(backend, id))
  t.equal((await backend.post('/api-key/delete', { keyId: id }, { cookie: owner.cookie })).statusCode, 200)
  t.equal((await backend.post('/api-key/delete', { keyId: id }, { cookie: owner.cookie })).statusCode, 404)
})

t.test("deleting expired keys deletes the organization's, and no other's", async t => {
  const backend = await opened(t)
  const [mine, other] = [
    await aMember({ databases: backend.databases }),
    await aMember({ databases: backend.databases }),
  ]
  const [old, fresh, foreign] = [
    await aKey(backend.app, mine.cookie),
    await aKey(backend.app, mine.cookie),
    await aKey(backend.app, other.cookie),
  ]
  await backend.databases.write
    .updateTable('apikey')
    .set({ expiresAt: '2020-01-01T00:00:00.000Z' })
    .where('id', 'in', [old.id, foreign.id])
    .execute()
  const listed = (await backend.get('/api-key/list', { cookie: mine.cookie })).json().apiKeys
  t.equal(listed.find((one: { id: string }) => one.id === old.id).state, 'expired')
  const reply = await backend.post('/api-key/delete-all-expired-api-keys', {}, { cookie: mine.cookie })
  t.same(reply.json(), { success: true, error: null, deleted: 1 })
  const left = await backend.databases.read.selectFrom('apikey').select('id').execute()
  t.same(left.map(({ id }) => id).sort(), [fresh.id, foreign.id].sort())
})

t.test('an organization has a bounded number of keys', async t => {
  const backend = await opened(t)
  const { cookie, org } = await aMember({ databases: backend.databases })
  const { id } = await aKey(backend.app, cookie)
  const row = await rowOf(backend, id)
  const copies = Array.from({ length: maxKeysPerOrg - 1 }, (_, i) => ({ ...row, id: `k${i}`, key: `hash ${i}` }))
  await backend.databases.write.insertInto('apikey').values(copies).execute()
  const reply = await backend.post('/api-key/create', { name: 'one more' }, { cookie })
  t.equal(reply.statusCode, 409)
  t.match(reply.json().message, String(maxKeysPerOrg))
  t.equal((await backend.get('/api-key/list', { cookie })).json().total, maxKeysPerOrg, org.id)
})

t.test('a key is accepted exactly when better-auth accepts it and its creator still has access', async t => {
  const backend = await opened(t)
  const { databases, auth } = backend
  const now = Date.now()
  const soon = new Date(now + 3_600_000).toISOString()
  const past = new Date(now - 1).toISOString()
  const owner = await aMember({ databases })
  const states: Record<string, object> = {
    fresh: { remaining: null },
    used: { lastRequest: past },
    expiring: { expiresAt: soon },
    expired: { expiresAt: past },
    disabled: { enabled: 0 },
    spent: { remaining: 0 },
    scoped: { permissions: '{"chat":["read"]}' },
  }
  const keys: string[] = []
  for (const state of Object.values(states)) {
    const { id, key } = await aKey(backend.app, owner.cookie)
    await databases.write
      .updateTable('apikey')
      .set({ ...state })
      .where('id', '=', id)
      .execute()
    keys.push(key)
  }
  const deleted = await aKey(backend.app, owner.cookie)
  await backend.post('/api-key/delete', { keyId: deleted.id }, { cookie: owner.cookie })
  keys.push(deleted.key, createKeyText(), '', keyPrefix, 'x')
  const verdicts = { yes: 0, no: 0 }
  const changes: ((key: string, at: number, letter: string) => string)[] = [
    key => key,
    (key, at, letter) => key.slice(0, at) + letter + key.slice(at + 1),
    (key, at, letter) => key.slice(0, at) + letter + key.slice(at),
    (key, at) => key.slice(0, at) + key.slice(at + 1),
    key => key.toUpperCase(),
    key => key.slice(keyPrefix.length),
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...keys),
      fc.oneof(fc.constant(0), fc.nat(changes.length - 1)),
      fc.nat(46),
      fc.constantFrom('a', '0', ' ', 'ñ', '_'),
      async (base, how, at, letter) => {
        const key = changes[how]?.(base, at, letter) ?? base
        // Ours first, because the library deletes an expired key when it reads it.
        const ours = await auth.readKeyHolder(key)
        const theirs = await auth.betterAuth.api.verifyApiKey({ body: { key } })
        verdicts[ours ? 'yes' : 'no'] += 1
        t.equal(ours !== undefined, theirs.valid, key)
        if (ours) t.equal(ours.keyId, theirs.key?.id)
      },
    ),
    { numRuns: 400, seed: 20261122 },
  )
  t.ok(verdicts.yes > 60 && verdicts.no > 60, JSON.stringify(verdicts))
})

t.test('a key ends with its creator’s membership, a ban, or the organization, and never works again', async t => {
  const backend = await opened(t)
  const { databases, auth, post } = backend
  const site = await aPerson({ databases, siteRole: 'admin' })
  const owner = await aMember({ databases })
  const creator = await aMember({ databases, org: owner.org, role: 'developer' })
  const { key, id } = await aKey(backend.app, creator.cookie)
  const holder = async () => auth.readKeyHolder(key)
  t.match(await holder(), { kind: 'key', orgId: owner.org.id, role: 'developer', creatorId: creator.user.id })
  await post('/admin/ban-user', { userId: creator.user.id }, { cookie: site.cookie })
  t.equal(await holder(), undefined, 'banned')
  await post('/admin/unban-user', { userId: creator.user.id }, { cookie: site.cookie })
  t.ok(await holder(), 'and after the ban is lifted')
  const membership = await databases.read
    .selectFrom('member')
    .selectAll()
    .where('userId', '=', creator.user.id)
    .executeTakeFirstOrThrow()
  const change = { organizationId: owner.org.id, memberId: membership.id, role: 'viewer' }
  t.equal((await post('/organization/update-member-role', change, { cookie: owner.cookie })).statusCode, 200)
  t.equal((await holder())?.role, 'viewer', 'demoted')
  const removal = { organizationId: owner.org.id, memberIdOrEmail: membership.id }
  t.equal((await post('/organization/remove-member', removal, { cookie: owner.cookie })).statusCode, 200)
  t.equal(await holder(), undefined, 'removed')
  await databases.write
    .insertInto('member')
    .values({ ...membership, id: 'again' })
    .execute()
  t.equal(await holder(), undefined, 'who joins again has a new membership')
  const [listed] = (await backend.get('/api-key/list', { cookie: owner.cookie })).json().apiKeys
  t.match(listed, { id, state: 'orphaned', createdBy: null })

  const last = await aKey(backend.app, owner.cookie)
  t.ok(await auth.readKeyHolder(last.key))
  t.equal(
    (await post('/organization/delete', { organizationId: owner.org.id }, { cookie: owner.cookie })).statusCode,
    200,
  )
  t.equal(await auth.readKeyHolder(last.key), undefined, 'the organization is gone')
})

t.test('the last use is written at most once a minute', async t => {
  const { handClock } = await import('#test/helpers/clock.ts')
  const clock = handClock(new Date().toISOString())
  const backend = await anInstallation({ clock })
  t.teardown(() => backend.end())
  const { cookie } = await aMember({ databases: backend.databases })
  const { id, key } = await aKey(backend.app, cookie)
  const used = async () => {
    await backend.auth.readKeyHolder(key)
    return (await rowOf(backend, id)).lastRequest
  }
  const first = await used()
  t.equal(first, clock.now().toISOString())
  clock.advance(59_000)
  t.equal(await used(), first)
  clock.advance(2_000)
  t.equal(await used(), clock.now().toISOString())
})

testOnSqlite('looking up a key uses only indexes', async t => {
  const backend = await opened(t)
  const plan = backend.databases.raw.read
    .prepare(
      `explain query plan select apikey.id from apikey join member on member.id = apikey.member_id
       join user on user.id = member.userId join organization on organization.id = apikey.referenceId
       where member.organizationId = apikey.referenceId and apikey.key = ? and apikey.enabled = 1`,
    )
    .all('x') as { detail: string }[]
  t.notMatch(plan.map(({ detail }) => detail).join('\n'), /SCAN/)
})

t.test('a key may be used from its networks only', async t => {
  const { app, databases } = await startBackend(t)
  const headers = { cookie: (await aMember({ databases })).cookie }
  const create = (networks: readonly string[] | null) =>
    app.inject({ method: 'POST', url: '/api/auth/api-key/create', headers, payload: { name: 'CRM', networks } })
  const list = async () => (await app.inject({ url: '/api/auth/api-key/list', headers })).json()
  for (const [networks, field] of [
    [['203.0.113.7', 'here'], 'body.networks.1'],
    [['10.0.0.0/33'], 'body.networks.0'],
    [['::1/129'], 'body.networks.0'],
    [['10.0.0.0/8/8'], 'body.networks.0'],
    [['010.0.0.1'], 'body.networks.0'],
    [[], 'body.networks'],
    [Array.from({ length: 21 }, (_, i) => `10.0.0.${i}`), 'body.networks'],
  ] as const) {
    const reply = await create(networks)
    t.equal(reply.statusCode, 400, reply.body)
    t.match(reply.json().details, [{ field }], JSON.stringify(networks))
  }
  t.equal((await list()).total, 0)

  const ask = async (networks: readonly string[] | null, remoteAddress: string) => {
    const made = (await create(networks)).json()
    const reply = await app.inject({
      ...{ url: '/api/whatsapp/tags', headers: { 'x-api-key': made.key }, remoteAddress },
    })
    return { status: reply.statusCode, code: reply.json().code, listed: made.networks }
  }
  const range = ['10.0.0.0/8', '2001:db8::/32']
  t.same(await ask(range, '10.200.3.4'), { status: 200, code: undefined, listed: range })
  t.match(await ask(range, '::ffff:10.1.1.1'), { status: 200 }, 'the same address in the form of IPv6')
  t.match(await ask(range, '2001:db8:1::5'), { status: 200 })
  t.match(await ask(range, '11.0.0.1'), { status: 403, code: 'APP_KEY_ELSEWHERE' })
  t.match(await ask(range, '2001:db9::1'), { status: 403 })
  t.match(await ask(['203.0.113.7'], '203.0.113.7'), { status: 200 })
  t.match(await ask(['203.0.113.7'], '203.0.113.8'), { status: 403 })
  t.match(await ask(null, '203.0.113.8'), { status: 200, listed: null })
  const { apiKeys, address } = await list()
  t.same([apiKeys.at(-1).networks, apiKeys[0].networks, address], [range, null, '127.0.0.1'])
})
