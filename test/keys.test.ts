/**
 * Every call is made with an API key. It may what its creator may, in its own organization only, but no calls about a
 * person. New calls are tested automatically.
 */
import t, { type Test } from 'tap'
import { type ListedRoute, listRoutes } from '#server/cli/route-list.ts'
import { keyScopesOffered } from '#shared/auth/api-keys.ts'
import type { EndpointShape, Method } from '#shared/kernel/contract.ts'
import { orgRoles, roleCan } from '#shared/kernel/permissions.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { addressOf, exampleOf } from '#test/helpers/examples.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { rowsOfOrg } from '#test/helpers/rows.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

type ApiCall = ListedRoute & { endpoint: EndpointShape }

const backend = await startBackend(t)
const { databases, app } = backend
const { owner } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
const stranger = await aNeighbour(backend, { orgName: 'Taller', customer: '5491155550202' })
const calls = (await listRoutes()).filter((route): route is ApiCall => route.endpoint !== undefined)
/** Whether the response ends. The stream has a test of its own below. */
const ends = ({ name }: ApiCall) => name !== 'live.stream'
const personal = ({ endpoint }: ApiCall) => endpoint.access === 'person' || endpoint.peopleOnly === true

const ask = (call: ApiCall, headers: Record<string, string>, url?: string) => {
  const input = exampleOf(call.name, call.endpoint)
  return backend.inject({
    method: call.method as Method,
    url: url ?? addressOf(call.url, input),
    headers: { ...headers, ...(input.body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(input.body === undefined ? {} : { payload: JSON.stringify(input.body) }),
  })
}
const nameOf = ({ method, url }: ApiCall) => `${method} ${url}`
const codeOf = (body: string) => (body.startsWith('{') ? (JSON.parse(body) as { code?: string }).code : undefined)
const withRole = (role: string): Promise<AMember> => aMember({ databases, org: owner.org, role })

t.test('a key cannot make calls about a person, and otherwise may what the role of its creator may', async t => {
  for (const role of orgRoles.filter(one => roleCan(one, 'integration:manage'))) {
    const { key } = await aKey(app, (role === 'owner' ? owner : await withRole(role)).cookie)
    // Removes the limit on what roles see, which a call above has set.
    await databases.write.deleteFrom('content_access_setting').execute()
    for (const call of calls.filter(one => ends(one) && one.access !== 'anyone')) {
      const reply = await ask(call, { 'x-api-key': key })
      const { access } = call.endpoint
      const may = access === 'member' || (access !== 'person' && access !== 'anyone' && roleCan(role, access))
      const about = `${role}: ${nameOf(call)} ${reply.statusCode} ${codeOf(reply.body)}`
      if (personal(call)) t.equal(codeOf(reply.body), 'APP_PEOPLE_ONLY', about)
      else if (!may) t.equal(reply.statusCode, 403, about)
      else t.notOk([401, 403, 500].includes(reply.statusCode), about)
    }
  }
})

t.test('the dialog offers exactly the scopes that calls of a key require', async t => {
  const asked = calls.filter(call => !personal(call)).map(call => call.endpoint.access)
  const needed = new Set(asked.filter(access => access !== 'anyone' && access !== 'member'))
  t.strictSame([...keyScopesOffered].sort(), [...needed].sort())
})

t.test('a key loses rights together with its creator', async t => {
  const creator = await withRole('admin')
  const { key } = await aKey(app, creator.cookie)
  const write = calls.find(call => call.name === 'inbox.sendMessage') as ApiCall
  t.not((await ask(write, { 'x-api-key': key })).statusCode, 403)
  for (const role of ['viewer', 'billing'] as const) {
    await databases.write.updateTable('member').set({ role }).where('userId', '=', creator.user.id).execute()
    for (const call of calls.filter(one => ends(one) && one.access !== 'anyone' && !personal(one))) {
      const { access } = call.endpoint
      if (access === 'member' || (access !== 'person' && access !== 'anyone' && roleCan(role, access))) continue
      t.equal((await ask(call, { 'x-api-key': key })).statusCode, 403, `${role}: ${nameOf(call)}`)
    }
  }
})

t.test('a key may do what its scopes allow, and no more of what its creator may', async t => {
  const { key } = await aKey(app, owner.cookie, { scopes: ['chat:read', 'stats:read'] })
  for (const call of calls.filter(one => ends(one) && one.access !== 'anyone' && !personal(one))) {
    const { access } = call.endpoint
    const may = ['member', 'chat:read', 'stats:read'].includes(access)
    t.equal((await ask(call, { 'x-api-key': key })).statusCode === 403, !may, nameOf(call))
  }
})

t.test('a key for notes writes notes and sends nothing; a key for sending writes notes, too', async t => {
  const withScope = async (...scopes: string[]) => ({ 'x-api-key': (await aKey(app, owner.cookie, { scopes })).key })
  const [notes, sends, reads] = [
    await withScope('note:write'),
    await withScope('chat:reply'),
    await withScope('chat:read'),
  ]
  const note = calls.find(({ name }) => name === 'notes.addNote') as ApiCall
  for (const [headers, status] of [
    [notes, 201],
    [sends, 201],
    [reads, 403],
  ] as const) {
    const reply = await backend.inject({
      method: 'POST',
      url: '/api/whatsapp/conversations/5491155550101/notes',
      headers,
      payload: { text: 'Prefiere la tarde' },
    })
    t.equal(reply.statusCode, status, reply.body)
  }
  const allowed = calls.filter(one => ends(one) && !personal(one) && one.endpoint.access === 'note:write')
  t.ok(allowed.includes(note))
  for (const call of calls.filter(one => ends(one) && one.access !== 'anyone' && !personal(one))) {
    const may = ['member', 'note:write'].includes(call.endpoint.access)
    t.equal((await ask(call, notes)).statusCode === 403, !may, nameOf(call))
  }
})

/** All rows except the records of API calls, which are written whatever the call did. */
const rowsBut = async (orgId: string) => {
  const { api_call: _calls, ...rows } = await rowsOfOrg(databases, orgId)
  return rows
}
const belongings = async () => {
  await backend.settle()
  return JSON.stringify([await rowsBut(owner.org.id), await rowsBut(stranger.owner.org.id)])
}

const changesNothing = (name: string, work: (t: Test) => Promise<void>) =>
  t.test(name, async t => {
    const before = await belongings()
    await work(t)
    t.equal(await belongings(), before)
  })

const { key: foreign } = await aKey(app, stranger.owner.cookie)
await ask(calls.find(call => call.name === 'inbox.listConversations') as ApiCall, { 'x-api-key': foreign })

changesNothing('a key reaches no other organization, by its id or by its slug', async t => {
  for (const call of calls.filter(one => ends(one) && one.access !== 'anyone' && !personal(one)))
    for (const org of [owner.org.id, owner.org.slug]) {
      const reply = await ask(call, { 'x-api-key': foreign, 'x-organization': org })
      t.ok([403, 404].includes(reply.statusCode), `${nameOf(call)} ${reply.statusCode}`)
      t.notOk(reply.body.includes('Panadería'), nameOf(call))
    }
})

changesNothing('a key that is none opens nothing, not even beside a good cookie', async t => {
  const cut = foreign.slice(0, -1)
  const unlike = `${cut}${foreign.endsWith('0') ? '1' : '0'}`
  for (const call of calls.filter(one => one.access !== 'anyone'))
    for (const key of ['', 'x', cut, unlike, 'Bearer x'])
      t.equal((await ask(call, { 'x-api-key': key, cookie: owner.cookie })).statusCode, 401, `${nameOf(call)} ${key}`)
})

changesNothing('a key in the address is refused and named', async t => {
  for (const call of calls.filter(one => one.access !== 'anyone')) {
    const path = addressOf(call.url, exampleOf(call.name, call.endpoint)).split('?')[0]
    for (const query of [`x-api-key=${foreign}`, `api_key=${foreign}`, `q=${foreign}`, 'x%2Dapi%2Dkey=1']) {
      const reply = await ask(call, {}, `${path}?${query}`)
      t.equal(codeOf(reply.body), 'APP_KEY_IN_ADDRESS', `${nameOf(call)} ${query.slice(0, 12)}`)
    }
  }
})

changesNothing('a key reaches nothing of the sign-in, nor other keys', async t => {
  const addresses = ['/get-session', '/organization/list', '/api-key/list', '/api-key/create', '/api-key/delete']
  for (const address of [...addresses, '/api-key/verify', '/sign-out', '/admin/list-users'])
    for (const method of ['GET', 'POST'] as const) {
      const reply = await backend.inject({
        method,
        url: `/api/auth${address}`,
        headers: { 'x-api-key': foreign, cookie: stranger.owner.cookie },
        ...(method === 'POST' ? { payload: { name: 'x', keyId: 'x' } } : {}),
      })
      t.equal(codeOf(reply.body), 'APP_PEOPLE_ONLY', `${method} ${address}`)
    }
})

t.test('a key that was deleted, expired, or whose creator left is refused on the next call', async t => {
  const list = calls.find(call => call.name === 'inbox.listConversations') as ApiCall
  const status = async (key: string) => (await ask(list, { 'x-api-key': key })).statusCode
  const [deleted, expiring] = [await aKey(app, owner.cookie), await aKey(app, owner.cookie, { expiresIn: 7200 })]
  const creator = await withRole('developer')
  const orphan = await aKey(app, creator.cookie)
  for (const { key } of [deleted, expiring, orphan]) t.equal(await status(key), 200)
  const payload = { keyId: deleted.id }
  const headers = { cookie: owner.cookie }
  await backend.inject({ method: 'POST', url: '/api/auth/api-key/delete', headers, payload })
  t.equal(await status(deleted.key), 401, 'deleted')
  backend.clock.advance(7_201_000)
  t.equal(await status(expiring.key), 401, 'expired')
  await databases.write.deleteFrom('member').where('userId', '=', creator.user.id).execute()
  t.equal(await status(orphan.key), 401, 'its creator left')
})

t.test('a message sent with a key has the name of the key, and assigns the conversation to nobody', async t => {
  const { key } = await aKey(app, owner.cookie, { name: 'Mi CRM' })
  const send = (isHuman?: boolean) =>
    backend.inject({
      method: 'POST',
      url: '/api/whatsapp/messages',
      headers: { 'x-api-key': key },
      payload: { type: 'text', message: 'Hola', numberTel: '5491155550101', ...(isHuman ? { isHuman } : {}) },
    })
  const control = async () =>
    (
      await databases.read.selectFrom('conversation').select('control').where('org_id', '=', owner.org.id).execute()
    ).map(row => row.control)
  await backend.inject({
    method: 'POST',
    url: '/api/whatsapp/connection/sandbox',
    headers: { cookie: owner.cookie },
  })
  await backend.inject({
    method: 'POST',
    url: '/api/sandbox/inbound',
    headers: { cookie: owner.cookie },
    payload: { from: '5491155550101', type: 'text', text: '¿Hay pan?' },
  })
  await backend.settle()
  const before = await control()
  const reply = await send()
  t.equal(reply.statusCode, 202, reply.body)
  t.same(reply.json().author, { kind: 'api', name: 'Mi CRM' })
  t.same(await control(), before)
  t.same((await send(true)).json().author, { kind: 'api', name: 'Mi CRM' })
  t.ok((await control()).includes('human'), 'unless it says that a person typed it')
})

t.test('a key may open the stream, which ends when the key is deleted', async t => {
  const { id, key } = await aKey(app, owner.cookie)
  const stream = await fetch(`${backend.url}/api/sse`, { headers: { 'x-api-key': key } })
  t.equal(stream.status, 200)
  t.match(stream.headers.get('content-type'), /event-stream/)
  const text = stream.text()
  const headers = { cookie: owner.cookie }
  await backend.inject({ method: 'POST', url: '/api/auth/api-key/delete', headers, payload: { keyId: id } })
  t.match(await text, /"goodbye"/)
  t.equal((await fetch(`${backend.url}/api/sse`, { headers: { 'x-api-key': key } })).status, 401)
  const { key: blind } = await aKey(app, owner.cookie, { scopes: ['stats:read'] })
  t.equal((await fetch(`${backend.url}/api/sse`, { headers: { 'x-api-key': blind } })).status, 403)
})
