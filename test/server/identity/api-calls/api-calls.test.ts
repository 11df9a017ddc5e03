import t from 'tap'
import { createCallRecorder } from '#server/identity/api-calls/recorder.ts'
import { findKeys } from '#server/identity/auth/keys/api-key-store.ts'
import { createKeyText } from '#server/identity/auth/keys/api-key-text.ts'
import { apiCallsKeptDays, apiCallsKeptPerKey, apiCallsPerPage } from '#shared/api-calls/api.ts'
import { aMember } from '#test/helpers/actors.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'

const backend = await startBackend(t)
const { databases, app } = backend
const owner = await aMember({ databases })

const ask = (key: string, method: 'GET' | 'POST', url: string, payload?: object) =>
  backend.inject({
    method,
    url,
    headers: { 'x-api-key': key, 'user-agent': 'secret agent' },
    ...(payload ? { payload } : {}),
  })
const list = async (query = '', cookie = owner.cookie) => {
  const reply = await backend.inject({ method: 'GET', url: `/api/organization/api-calls${query}`, headers: { cookie } })
  t.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}
const rows = () => databases.read.selectFrom('api_call').selectAll().orderBy('id').execute()

t.test('a call is listed with its outcome, and without what was sent', async t => {
  const { id, key } = await aKey(app, owner.cookie, { name: 'Mi CRM' })
  await ask(key, 'GET', '/api/whatsapp/conversations?search=palabra-secreta')
  const refused = await ask(key, 'POST', '/api/whatsapp/messages', { message: 'texto-secreto', numberTel: 'x' })
  await ask(key, 'GET', '/api/whatsapp/chats/5491155550101')
  const { items, keys } = await list()
  t.same(keys, [{ id, name: 'Mi CRM' }])
  t.match(items, [
    { method: 'GET', route: '/api/whatsapp/chats/:phone', status: 404, key: { id, name: 'Mi CRM' } },
    {
      method: 'POST',
      route: '/api/whatsapp/messages',
      status: 400,
      code: refused.json().code,
      requestId: refused.json().requestId,
      address: '127.0.0.1',
    },
    { method: 'GET', route: '/api/whatsapp/conversations', status: 200, code: null, message: null },
  ])
  t.type(items[0].message, 'string')
  t.notMatch(items[1].message, /\{\{/)
  const stored = JSON.stringify(await rows())
  for (const secret of [key, key.slice(0, 14), 'secret', '5491155550101']) t.notOk(stored.includes(secret), secret)
})

t.test('calls to unknown addresses are recorded, without the address', async t => {
  const { id, key } = await aKey(app, owner.cookie, { name: 'Perdida' })
  for (const method of ['GET', 'POST'] as const) {
    const reply = await ask(key, method, '/api/nope/5491155550101', method === 'POST' ? {} : undefined)
    t.equal(reply.statusCode, 404)
  }
  const { items } = await list(`?key=${id}`)
  t.match(items, [
    { method: 'POST', route: '', status: 404, code: 'APP_NOT_FOUND' },
    { method: 'GET', route: '', status: 404, code: 'APP_NOT_FOUND' },
  ])
  t.equal(items.length, 2)
})

t.test('errors alone, one key alone, a page at a time', async t => {
  const { id, key } = await aKey(app, owner.cookie, { name: 'Otra' })
  await ask(key, 'GET', '/api/whatsapp/conversations')
  await ask(key, 'POST', '/api/whatsapp/messages', {})
  const errors = await list('?errors=true')
  t.ok(errors.items.length >= 3)
  t.ok(errors.items.every(({ status }: { status: number }) => status >= 400))
  t.same(
    (await list(`?key=${id}`)).items.map(({ status }: { status: number }) => status),
    [400, 200],
  )
  t.same(
    (await list(`?key=${id}&errors=true`)).items.map(({ status }: { status: number }) => status),
    [400],
  )
  for (let i = 0; i < apiCallsPerPage; i += 1) await ask(key, 'GET', '/api/whatsapp/conversations')
  const first = await list(`?key=${id}`)
  t.equal(first.items.length, apiCallsPerPage)
  t.ok(first.hasMore)
  const rest = await list(`?key=${id}&before=${first.items.at(-1).id}`)
  t.equal(rest.items.length, 2)
  t.notOk(rest.hasMore)
})

t.test('calls with an expired key are recorded; calls with an invented key are not', async t => {
  const expiring = await aKey(app, owner.cookie, { name: 'Vencida', expiresIn: 7200 })
  await databases.write
    .updateTable('apikey')
    .set({ expiresAt: '2020-01-01T00:00:00.000Z' })
    .where('id', '=', expiring.id)
    .execute()
  t.equal((await ask(expiring.key, 'GET', '/api/whatsapp/conversations')).statusCode, 401)
  t.match((await list(`?key=${expiring.id}`)).items, [{ status: 401, code: 'APP_KEY_INVALID' }])
  const before = (await rows()).length
  for (const text of [createKeyText(), 'recado_x', '']) await ask(text, 'GET', '/api/whatsapp/conversations')
  await backend.parts.callRecorder.flush()
  t.equal((await rows()).length, before)
})

t.test('the use of each key in a day, and what went wrong last', async t => {
  const { databases, inject, app, clock } = await startBackend(t)
  const { cookie } = await aMember({ databases })
  const stranger = await aMember({ databases })
  const askWith = (key: string, url: string) => inject({ url, headers: { 'x-api-key': key } })
  const use = async (who = cookie) =>
    (await inject({ url: '/api/organization/api-calls/use', headers: { cookie: who } })).json()
  t.same(await use(), { keys: [], lastFailure: null })
  const { id, key } = await aKey(app, cookie, { name: 'Tienda' })
  const { id: idle } = await aKey(app, cookie, { name: 'Quieta' })
  for (let i = 0; i < 3; i += 1) await askWith(key, '/api/whatsapp/conversations')
  t.match(await use(), {
    keys: [
      { id, name: 'Tienda', calls: 3, failed: 0, lastAt: String },
      { id: idle, name: 'Quieta', calls: 0, failed: 0, lastAt: null },
    ],
    lastFailure: null,
  })
  await askWith(key, '/api/whatsapp/chats/5491155550101')
  const after = await use()
  t.match(after.keys[0], { calls: 4, failed: 1 })
  t.match(after.lastFailure, { key: 'Tienda', at: String, message: String })
  t.same(await use(stranger.cookie), { keys: [], lastFailure: null }, 'another organization sees nothing of it')
  clock.advance(25 * 3_600_000)
  const later = await use()
  t.same(later.lastFailure, null)
  t.match(later.keys[0], { calls: 0, failed: 0, lastAt: String }, 'when it was last used stays')
})

t.test('members who manage keys see the calls of their own organization', async t => {
  for (const role of ['admin', 'developer']) {
    const { cookie } = await aMember({ databases, org: owner.org, role })
    t.ok((await list('', cookie)).items.length, role)
  }
  for (const role of ['member', 'viewer', 'billing']) {
    const { cookie } = await aMember({ databases, org: owner.org, role })
    const reply = await backend.inject({ method: 'GET', url: '/api/organization/api-calls', headers: { cookie } })
    t.equal(reply.statusCode, 403, role)
  }
  const stranger = await aMember({ databases })
  const [{ key_id: id } = { key_id: '' }] = await rows()
  t.same((await list(`?key=${id}`, stranger.cookie)).items, [])
  t.same((await list('', stranger.cookie)).keys, [])
})

t.test('the calls kept for a key are bounded, successful and failed ones separately', async t => {
  const { id, key } = await aKey(app, owner.cookie, { name: 'Insistente' })
  await ask(key, 'POST', '/api/whatsapp/messages', {})
  await backend.parts.callRecorder.flush()
  const [refused] = (await rows()).filter(row => row.key_id === id)
  const recorder = createCallRecorder({ databases, clock: backend.clock, log: backend.parts.log, findKeys })
  const call = { key: { id }, method: 'GET', route: '/api/x', status: 200, refusal: undefined, tookMs: 1.6 }
  for (let i = 0; i < apiCallsKeptPerKey + 20; i += 1) recorder.note({ ...call, address: '::1', requestId: `r${i}` })
  await recorder.flush()
  const kept = (await rows()).filter(row => row.key_id === id)
  t.equal(kept.length, apiCallsKeptPerKey + 1)
  t.ok(
    kept.some(row => row.id === refused?.id),
    'the refusal is not displaced',
  )
  t.notOk(kept.some(row => row.request_id === 'r19'))
  t.equal(kept.at(-1)?.request_id, `r${apiCallsKeptPerKey + 19}`)
  t.equal(kept.at(-1)?.took_ms, 2)
})

t.test('pending calls in memory are bounded, and dropped ones are logged', async t => {
  const lines: object[] = []
  const log = { ...backend.parts.log, warn: (facts: object) => void lines.push(facts) } as never
  let asked = 0
  const recorder = createCallRecorder({
    databases,
    clock: backend.clock,
    log,
    async findKeys(_db, { ids, hashes }) {
      asked += ids.length + hashes.length
      return []
    },
  })
  const call = {
    method: 'GET',
    route: '/api/x',
    status: 200,
    refusal: undefined,
    tookMs: 1,
    address: '::1',
    requestId: 'r',
  }
  for (let i = 0; i < 300; i += 1) recorder.note({ ...call, key: { hash: `h${i}` } })
  for (let i = 0; i < 2500; i += 1) recorder.note({ ...call, key: { id: `k${i}` } })
  await recorder.flush()
  t.equal(asked, 2000)
  t.match(lines, [{ dropped: 800 }])
})

t.test('a database error while recording affects no call', async t => {
  const lines: object[] = []
  const log = { ...backend.parts.log, warn: (facts: object) => void lines.push(facts) } as never
  const recorder = createCallRecorder({
    databases,
    clock: backend.clock,
    log,
    findKeys: async () => Promise.reject(new Error('away')),
  })
  const call = {
    method: 'GET',
    route: '/api/x',
    status: 200,
    refusal: undefined,
    tookMs: 1,
    address: '::1',
    requestId: 'r',
  }
  recorder.note({ ...call, key: { id: 'k' } })
  await recorder.flush()
  t.match(lines, [{ calls: 1 }])
})

t.test('recorded calls are deleted with their key, after their retention, and with their organization', async t => {
  const { id, key } = await aKey(app, owner.cookie, { name: 'Se va' })
  const of = async (keyId: string) => (await rows()).filter(row => row.key_id === keyId).length
  await ask(key, 'GET', '/api/whatsapp/conversations')
  await backend.parts.callRecorder.flush()
  t.equal(await of(id), 1)
  await ask(key, 'GET', '/api/whatsapp/conversations')
  const headers = { cookie: owner.cookie }
  await backend.inject({ method: 'POST', url: '/api/auth/api-key/delete', headers, payload: { keyId: id } })
  await backend.parts.callRecorder.flush()
  t.equal(await of(id), 0, 'including calls not yet written')

  const other = await aMember({ databases })
  const last = await aKey(app, other.cookie)
  await ask(last.key, 'GET', '/api/whatsapp/conversations')
  await backend.parts.callRecorder.flush()
  t.equal(await of(last.id), 1)
  await databases.write.deleteFrom('organization').where('id', '=', other.org.id).execute()
  t.equal(await of(last.id), 0)

  t.ok((await rows()).length)
  backend.clock.advance((apiCallsKeptDays - 1) * 86_400_000)
  await backend.parts.callRecorder.prune(backend.clock.now())
  t.ok((await rows()).length, 'not before')
  backend.clock.advance(2 * 86_400_000)
  await backend.parts.callRecorder.prune(backend.clock.now())
  t.same(await rows(), [])
})

testOnSqlite('queries for lists and for old entries use only indexes', async t => {
  const plan = (statement: string) =>
    databases.raw.read
      .prepare(`explain query plan ${statement}`)
      .all()
      .map(row => (row as { detail: string }).detail)
      .join(' ')
  for (const [where, index] of [
    ['', 'api_call_org'],
    ['and has_failed = 1', 'api_call_org_failed'],
    ["and key_id = 'k'", 'api_call_key'],
    ["and key_id = 'k' and has_failed = 1", 'api_call_key_failed'],
  ] as const) {
    const found = plan(`select * from api_call where org_id = 'x' ${where} and id < 'y' order by id desc limit 51`)
    t.match(found, new RegExp(`${index} `), where)
    t.notMatch(found, /TEMP B-TREE|SCAN/)
  }
  const newer = "select id from api_call where key_id = 'k' and has_failed = 0 order by id desc limit 1 offset 499"
  const cut = plan(`delete from api_call where org_id = 'x' and key_id = 'k' and has_failed = 0 and id < (${newer})`)
  t.notMatch(cut, /TEMP B-TREE|SCAN/)
  t.match(plan("select id from api_call where at < 'x' limit 5"), /api_call_at/)
})
