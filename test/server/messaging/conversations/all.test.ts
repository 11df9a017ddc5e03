import t from 'tap'
import { seesAll } from '#server/identity/visibility/scope.ts'
import { maxConversationsAtOnce, maxSelectedChats } from '#shared/inbox/conversations.ts'
import { aMember } from '#test/helpers/actors.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { copyFirstRow } from '#test/helpers/copied-rows.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const phoneOf = (i: number) => `54911555${String(10_000 + i)}`

t.test('a program gets all conversations in one call, in short form, with the list’s filters', async t => {
  const backend = await startBackend(t)
  const owner = await aMember({ databases: backend.databases })
  const { key } = await aKey(backend.app, owner.cookie)
  const call = async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) => {
    const headers = { cookie: owner.cookie }
    const reply = await backend.inject({ method, url: `/api${path}`, headers, ...(payload ? { payload } : {}) })
    return reply.json()
  }
  await call('POST', '/whatsapp/connection/sandbox')
  for (const [i, name] of ['Lucía Méndez', 'Pedro Gil', 'Ana Gil'].entries()) {
    backend.clock.advance(1000)
    await call('POST', '/sandbox/inbound', { from: phoneOf(i), text: 'Hola', name })
    await backend.settle()
  }
  const vip: { id: string } = await call('POST', '/whatsapp/tags', { label: 'VIP' })
  await call('PUT', `/whatsapp/chats/${phoneOf(1)}/tags/${vip.id}`)
  await call('POST', '/whatsapp/chat/archive', { phoneNumber: phoneOf(0) })

  const ask = async (query: string) => {
    const url = `/api/whatsapp/all-conversations${query}`
    const reply = await backend.inject({ url, headers: { 'x-api-key': key, 'accept-language': 'es' } })
    return { status: reply.statusCode, body: reply.json() }
  }
  const names = async (query: string) => (await ask(query)).body.items.map((row: { name: string }) => row.name)
  const { body } = await ask('')
  t.same(Object.keys(body).sort(), ['hasMore', 'items', 'page', 'pageSize'])
  t.match(body, { page: 1, pageSize: maxConversationsAtOnce, hasMore: false })
  t.same(Object.keys(body.items[0]).sort(), ['id', 'lastAt', 'name', 'number', 'phone', 'tags'])
  const pedro = { phone: phoneOf(1), number: phoneOf(1), name: 'Pedro Gil', tags: [{ id: vip.id, label: 'VIP' }] }
  t.match(body.items[1], { ...pedro, lastAt: /^\d{4}-.*Z$/ })
  t.same(await names(''), ['Ana Gil', 'Pedro Gil'])
  t.same(await names('?archived=true'), ['Lucía Méndez'])
  t.same(await names('?search=gil'), ['Ana Gil', 'Pedro Gil'])
  t.same(await names(`?tag=${vip.id}`), ['Pedro Gil'])
  t.same(await names('?search=&tag=&optional=true'), ['Ana Gil', 'Pedro Gil'], 'what is empty narrows nothing')
  t.same((await call('GET', '/whatsapp/conversations?tag=')).items.length, 2)
  const { status, body: refusal } = await ask('?archived=perhaps')
  t.equal(status, 400)
  t.match(refusal.details, [{ field: 'query.archived' }])
})

t.test('a result that was cut says so, in the caller’s language', async t => {
  const stage = await anInbox()
  const { databases, orgId } = stage
  await stage.apply(aMessage())
  for (const [table, key] of [
    ['contact', 'id'],
    ['conversation', 'contact_id'],
  ] as const)
    await copyFirstRow(databases.write, table, orgId, {
      count: maxConversationsAtOnce,
      change(i) {
        const id = `0000${String(i).padStart(5, '0')}`
        return { id, [key]: id }
      },
    })
  const caller = { orgId, scope: seesAll, language: 'en' } as const
  const all = await stage.inbox.listAllConversations(caller, { query: {} })
  t.equal(all.items.length, maxConversationsAtOnce)
  t.equal(new Set(all.items.map(({ id }) => id)).size, maxConversationsAtOnce)
  t.match(all, { hasMore: true, notice: /^Only the 5000 most recent/ })
  const spanish = await stage.inbox.listAllConversations({ ...caller, language: 'es' }, { query: {} })
  t.match(spanish.notice, /^Hay más de 5000/)
  const matching = await stage.inbox.listMatching({ ...stage.ana.member }, { query: {} })
  t.equal(new Set(matching.items.map(({ id }) => id)).size, maxSelectedChats)
  t.equal(matching.hasMore, true)
})
