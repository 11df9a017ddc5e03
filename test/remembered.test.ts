/**
 * Responses of calls with `sameFor` are cached until the next commit. The cache must never change what anybody gets.
 * The suite tests every such call, on a database file to which other processes write too, as in production.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { listRoutes } from '#server/cli/route-list.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { narrowCaller } from '#server/platform/http/access.ts'
import type { AnyService } from '#server/platform/http/http.ts'
import type { EndpointShape } from '#shared/kernel/contract.ts'
import { rolesWith } from '#shared/kernel/permissions.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { addressOf, exampleOf } from '#test/helpers/examples.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'

const folder = mkdtempSync(join(tmpdir(), 'recado-remembered-'))
const path = join(folder, 'recado.db')
const databases = openDatabase(path)
t.teardown(async () => {
  await databases.close()
  rmSync(folder, { recursive: true, force: true })
})
await migrate(databases.write)
const backend = await startBackend(t, { databases })
const { clock } = backend
const first = await aNeighbour(backend, { orgName: 'Panadería Una', customer: '5491155550101' })
const second = await aNeighbour(backend, { orgName: 'Taller Otro', customer: '5491155550101' })

const shared = (await listRoutes()).flatMap(({ endpoint, name: title, url }) => {
  if (!endpoint?.sameFor) return []
  const [serviceName, name] = title.split('.') as [keyof typeof backend.parts.services, string]
  const input = exampleOf(title, endpoint as EndpointShape)
  if (input.params && 'phone' in input.params) input.params.phone = first.customer
  if (title === 'templates.get') input.params = { id: first.ids.template }
  if (title === 'templates.getByName') input.params = { name: first.ids.templateName }
  const service = backend.parts.services[serviceName] as AnyService
  return [{ title, endpoint: endpoint as EndpointShape, address: addressOf(url, input), input, run: service[name] }]
})

const list = '/api/whatsapp/conversations'
const get = (who: { cookie: string }, url = list, headers: Record<string, string> = {}) =>
  backend.inject({ url, headers: { cookie: who.cookie, ...headers } })
const nameOf = async (who: { cookie: string }) => (await get(who)).json().items[0].name
/** Runs a statement from another process, as an operator in a shell would. */
const elsewhere = (statement: string) => {
  const program = 'new (require("better-sqlite3"))(process.argv[1]).exec(process.argv[2])'
  const { status, stderr } = spawnSync(process.execPath, ['-e', program, path, statement], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

t.test('the frequent reads are cached, and only calls that members make', async t => {
  const titles = shared.map(({ title }) => title)
  for (const title of ['inbox.listConversations', 'inbox.listMessages', 'inbox.getConversation', 'numbers.getWaba'])
    t.ok(titles.includes(title), title)
  for (const { endpoint, title } of shared) {
    t.equal(endpoint.method, 'GET', title)
    t.notMatch(endpoint.access, /^(anyone|person)$/, title)
  }
})

t.test('a cached response equals a new one, byte for byte and at any time', async t => {
  for (const { title, address, endpoint, input, run } of shared) {
    const once = await get(first.owner, address)
    t.equal(once.statusCode, 200, title)
    const again = await get(first.owner, address)
    t.equal(again.body, once.body, title)
    t.same(
      { ...again.headers, date: '', 'x-request-id': '' },
      { ...once.headers, date: '', 'x-request-id': '' },
      `${title}: the same headers`,
    )
    const ask = async () =>
      JSON.stringify(await run?.(narrowCaller(endpoint, first.owner.member), structuredClone(input)))
    const now = await ask()
    clock.advance(400 * 86_400_000)
    t.equal(await ask(), now, `${title} does not depend on the clock`)
    clock.advance(-400 * 86_400_000)
  }
})

t.test('a service whose response is cached gets only the facts of the caller that `sameFor` names', async t => {
  for (const { title, endpoint } of shared) {
    const narrowed = Object.keys(narrowCaller(endpoint, first.owner.member)).sort()
    const facts = {
      organization: ['language', 'orgId'],
      scope: ['language', 'orgId', 'scope'],
      member: ['language', 'orgId', 'role', 'scope', 'userId'],
    }
    t.same(narrowed, facts[endpoint.sameFor ?? 'organization'], title)
  }
})

t.test('the response changes with the next commit, of this or another process', async t => {
  const rename = (name: string) =>
    `update contact set name = '${name}' where org_id = '${first.owner.org.id}' and wa_id = '${first.customer}'`
  await get(first.owner)
  await databases.write
    .updateTable('contact')
    .set({ name: 'Por la puerta' })
    .where('wa_id', '=', first.customer)
    .execute()
  t.equal(await nameOf(first.owner), 'Por la puerta')
  elsewhere(rename('Por otro proceso'))
  t.equal(await nameOf(first.owner), 'Por otro proceso')
  for (let i = 0; i < 20; i += 1) {
    databases.raw.write.exec(rename(`Vez ${i}`))
    t.equal(await nameOf(first.owner), `Vez ${i}`)
  }
})

t.test('a new message is in the next list and thread', async t => {
  const thread = `/api/whatsapp/chats/${first.customer}`
  for (const url of [list, thread]) await get(first.owner, url)
  const said = { from: first.customer, text: 'Recién llegado' }
  await backend.inject({ method: 'POST', url: '/api/sandbox/inbound', headers: first.headers, payload: said })
  await backend.settle()
  t.equal((await get(first.owner)).json().items[0].lastMessage.text, said.text)
  t.equal((await get(first.owner, thread)).json().items.at(-1).text, said.text)
})

t.test('two organizations get different responses to the same request', async t => {
  for (const { title, address, endpoint } of shared) {
    const [mine, theirs] = [await get(first.owner, address), await get(second.owner, address)]
    if (endpoint.params || title === 'inbox.listConversations') t.not(mine.body, theirs.body, title)
    t.notMatch(theirs.body, /Panadería Una/, title)
  }
  const both = await aMember({ databases, org: first.owner.org })
  await databases.write
    .insertInto('member')
    .values({ id: 'm2', organizationId: second.owner.org.id, userId: both.user.id, role: 'owner', createdAt: '' })
    .execute()
  const named = (org: AMember['org']) => get(both, list, { 'x-organization': org.slug })
  t.equal((await named(first.owner.org)).body, (await get(first.owner)).body)
  t.equal((await named(second.owner.org)).body, (await get(second.owner)).body)
})

t.test('each reader gets error texts in their own language', async t => {
  const thread = `/api/whatsapp/chats/${first.customer}`
  const reason = async (language: string) => {
    const { items } = (await get(first.owner, thread, { 'accept-language': language })).json()
    return items.find((item: { error?: { message: string } }) => item.error)?.error.message
  }
  const [es, en] = [await reason('es'), await reason('en')]
  t.ok(es && en)
  t.not(es, en)
  t.same([await reason('es'), await reason('en')], [es, en])
})

t.test('each query has its own response, and an invalid one is refused every time', async t => {
  await get(first.owner)
  t.equal((await get(first.owner, `${list}?archived=true`)).json().items.length, 0)
  t.equal((await get(first.owner, `${list}?pageSize=1`)).json().pageSize, 1)
  for (let i = 0; i < 2; i += 1) {
    t.equal((await get(first.owner, `${list}?pageSize=0`)).statusCode, 400)
    t.equal((await get(first.owner, `${list}?nada=1`)).statusCode, 400)
    t.equal((await get(first.owner, '/api/whatsapp/chats/5491199999999')).statusCode, 404)
  }
})

/** A member who has just made every cached call, so that each has a cached response. */
const aReader = async (t: Test) => {
  const reader = await aMember({ databases, org: first.owner.org, role: 'admin' })
  for (const { title, address } of shared) t.equal((await get(reader, address)).statusCode, 200, title)
  return reader
}
/** The status of each cached call for this reader, while the owner's calls keep the responses cached. */
const verdicts = async (t: Test, reader: AMember) => {
  const statuses = new Map<string, number>()
  for (const { title, address } of shared) {
    t.equal((await get(first.owner, address)).statusCode, 200)
    statuses.set(title, (await get(reader, address)).statusCode)
  }
  return statuses
}

const revocations: Readonly<Record<string, { status: number; revoke(reader: AMember): unknown }>> = {
  'whose session ended': {
    status: 401,
    revoke: ({ person }) => databases.write.deleteFrom('session').where('id', '=', person.sessionId).execute(),
  },
  'whose session was ended by another process': {
    status: 401,
    revoke: ({ person }) => elsewhere(`delete from session where id = '${person.sessionId}'`),
  },
  'who was banned': {
    status: 401,
    revoke: ({ user }) => databases.write.updateTable('user').set({ banned: 1 }).where('id', '=', user.id).execute(),
  },
  'who was removed': {
    status: 403,
    revoke: ({ user }) => databases.write.deleteFrom('member').where('userId', '=', user.id).execute(),
  },
}
for (const [who, { status, revoke }] of Object.entries(revocations))
  t.test(`a member ${who} gets no cached response`, async t => {
    const reader = await aReader(t)
    await revoke(reader)
    for (const [title, got] of await verdicts(t, reader)) t.equal(got, status, title)
  })

t.test('a member whose role changed gets no cached response that it may not read', async t => {
  const reader = await aReader(t)
  await databases.write.updateTable('member').set({ role: 'billing' }).where('userId', '=', reader.user.id).execute()
  const got = await verdicts(t, reader)
  for (const { title, endpoint } of shared) {
    const { access } = endpoint
    const may = access === 'member' || (rolesWith(access as 'chat:read') as readonly string[]).includes('billing')
    t.equal(got.get(title), may ? 200 : 403, title)
  }
  t.equal(got.get('inbox.listConversations'), 403)
})

t.test('a session expires without a commit', async t => {
  const reader = await aReader(t)
  const end = new Date(clock.now().getTime() + 60_000).toISOString()
  databases.raw.write
    .prepare('update session set expiresAt = ?, impersonatedBy = ? where id = ?')
    .run(end, first.owner.user.id, reader.person.sessionId)
  t.equal((await get(reader)).statusCode, 200)
  const version = databases.version()
  clock.advance(61_000)
  t.equal((await get(reader)).statusCode, 401)
  t.equal(databases.version(), version, 'nothing was committed')
})
