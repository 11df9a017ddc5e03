import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { aBadUpstream, json } from '#test/helpers/bad-upstream.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { upstreamStage } from '#test/helpers/upstream-stage.ts'

t.test('the list is that of the upstream, with our tags, assignees and unread counts', async t => {
  const { call, aChat, owner, example } = await upstreamStage(t)
  aChat('5491155550101', 'Lucía Méndez', ['Hola', '¿Tienen pan?'])
  aChat('5491155550102', 'Ana Ríos', ['Buenas'])
  const first = await call('GET', '/whatsapp/conversations')
  t.equal(first.status, 200)
  t.match(first.body.items, [
    { phone: '5491155550102', name: 'Ana Ríos', unread: 1, tags: [], lastMessage: { text: 'Buenas' } },
    { phone: '5491155550101', name: 'Lucía Méndez', unread: 2, lastMessage: { text: '¿Tienen pan?' } },
  ])
  const tag = await call('POST', '/whatsapp/tags', { label: 'Mayorista' })
  t.equal((await call('PUT', `/whatsapp/chats/5491155550101/tags/${tag.body.id}`)).status, 200)
  t.equal((await call('PUT', '/whatsapp/conversations/5491155550101/assignee', { userId: owner.user.id })).status, 200)
  t.equal((await call('POST', '/whatsapp/chats/5491155550101/read')).body.unread, 0)
  const [, lucia] = (await call('GET', '/whatsapp/conversations')).body.items
  t.match(lucia, { unread: 0, tags: [{ label: 'Mayorista' }], assignee: { id: owner.user.id } })
  const tagged = await call('GET', `/whatsapp/conversations?tag=${tag.body.id}`)
  t.same(
    tagged.body.items.map((row: { phone: string }) => row.phone),
    ['5491155550101'],
    'our filters work on our rows',
  )
  t.equal((await call('GET', '/whatsapp/unread')).body.conversations, 1)
  t.ok(example.asked.every(({ claims }) => claims.org === owner.org.id))
})

t.test('what was read here stays read when the upstream counts it with what is new', async t => {
  const { call, aChat } = await upstreamStage(t)
  const unread = async () => (await call('GET', '/whatsapp/conversations')).body.items[0].unread
  aChat('5491155550101', 'Lucía Méndez', ['Hola', '¿Tienen pan?'])
  t.equal(await unread(), 2)
  await call('POST', '/whatsapp/chats/5491155550101/read')
  aChat('5491155550101', 'Lucía Méndez', ['Hola', '¿Tienen pan?', '¿Y facturas?', '¿Y tortas?'])
  t.equal(await unread(), 2, 'of the four that the upstream counts')
  aChat('5491155550101', 'Lucía Méndez', ['Hola', '¿Tienen pan?', '¿Y facturas?', '¿Y tortas?', 'Gracias'])
  t.equal(await unread(), 3)
})

t.test('a count of unread messages that no column holds is stored as a large one', async t => {
  const { call, state } = await aBadUpstream(t)
  const chat = {
    phone: '5491155550101',
    name: 'Lucía',
    archived: false,
    windowClosesAt: null,
    control: 'bot',
    tags: [],
  }
  const lastMessage = {
    text: 'Hola',
    type: 'text',
    at: '2026-10-01T12:00:00.000Z',
    direction: 'in',
    status: 'received',
  }
  state.behaviour = json({
    items: [{ ...chat, lastMessage, unread: 1e300, assignee: null }],
    page: 1,
    pageSize: 1,
    hasMore: false,
  })
  const { status, body } = await call('GET', '/whatsapp/conversations')
  t.equal(status, 200)
  t.equal(body.items[0].unread, 100_000)
})

t.test('a search with a tag asks the upstream for the words, and with another operator for nothing', async t => {
  const { call, aChat, example } = await upstreamStage(t)
  aChat('5491155550101', 'Lucía Méndez', ['Una torta'])
  aChat('5491155550102', 'Lucía Ríos', ['Otra torta'])
  await call('GET', '/whatsapp/conversations')
  const tag = await call('POST', '/whatsapp/tags', { label: 'Cliente frecuente' })
  await call('PUT', `/whatsapp/chats/5491155550101/tags/${tag.body.id}`)
  const find = async (q: string) => {
    const { body } = await call('GET', `/whatsapp/search?q=${encodeURIComponent(q)}`)
    return body.conversations.map(({ phone }: { phone: string }) => phone).toSorted()
  }
  t.same(await find('lucía'), ['5491155550101', '5491155550102'])
  t.same(await find('lucía etiqueta:"Cliente frecuente"'), ['5491155550101'])
  t.same(await find('lucía tag:frec'), [])
  t.same(await find('etiqueta:"Cliente frecuente"'), ['5491155550101'], 'tags are ours')
  t.same(await find('tag:cliente estado:abierta'), ['5491155550101'])
  const search = encodeURIComponent('etiqueta:"Cliente frecuente"')
  const { id } = (await call('GET', '/whatsapp/conversations/5491155550101')).body
  for (const list of ['conversations', 'conversations/matching', 'all-conversations']) {
    const { items } = (await call('GET', `/whatsapp/${list}?search=${search}`)).body
    t.same(
      items.map((item: { id: string }) => item.id),
      [id],
      list,
    )
  }
  t.same(await find('lucía estado:abierta'), ['5491155550101', '5491155550102'])
  t.same(await find('lucía estado:archivada'), [])
  const before = example.asked.length
  t.same(await find('lucía tipo:foto'), [])
  t.equal(example.asked.length, before)
})

t.test('all conversations of the upstream that match are listed for a selection', async t => {
  const { call, aChat, owner } = await upstreamStage(t)
  for (let n = 0; n < 60; n += 1) aChat(`54911555501${String(n).padStart(2, '0')}`, `Cliente ${n}`, ['Hola'])
  const { items, hasMore } = (await call('GET', '/whatsapp/conversations/matching')).body
  t.equal(new Set(items.map(({ id }: { id: string }) => id)).size, 60, 'also those that no page has shown')
  t.equal(hasMore, false)
  const ids = [items[59].id]
  await call('POST', '/whatsapp/conversations/changes', { ids, userId: owner.user.id })
  const mine = await call('GET', `/whatsapp/conversations/matching?assignee=${owner.user.id}`)
  t.same(
    mine.body.items.map(({ id }: { id: string }) => id),
    ids,
    'our filters work on our rows',
  )
})

t.test('a list of all that match stops after many pages and after some time, and says that there are more', async t => {
  const { call, clock, state } = await aBadUpstream(t)
  const asked = { pages: 0, tookMs: 0 }
  state.behaviour = (request, response) => {
    asked.pages += 1
    clock.advance(asked.tookMs)
    const { page } = Object.fromEntries(new URL(request.url ?? '', 'http://upstream').searchParams)
    const phone = String(5491155550000 + Number(page))
    const nothing = { lastMessage: null, unread: 0, archived: false, windowClosesAt: null, control: 'bot', tags: [] }
    const items = [{ phone, name: `Cliente ${page}`, ...nothing, assignee: null }]
    return json({ items, page: Number(page), pageSize: 1, hasMore: true })(request, response)
  }
  const many = await call('GET', '/whatsapp/conversations/matching')
  t.equal(many.body.items.length, 40)
  t.equal(many.body.hasMore, true)
  Object.assign(asked, { pages: 0, tookMs: 4_000 })
  const slow = await call('GET', '/whatsapp/conversations/matching')
  t.equal(asked.pages, 3, 'none is asked ten seconds after the first')
  t.equal(slow.body.items.length, 3)
  t.equal(slow.body.hasMore, true)
})

t.test('a chat is that of the upstream, with our notes between its messages', async t => {
  const { call, aChat } = await upstreamStage(t)
  const texts = Array.from({ length: 120 }, (_, i) => `mensaje ${i}`)
  aChat('5491155550101', 'Lucía Méndez', texts)
  const conversation = await call('GET', '/whatsapp/conversations/5491155550101')
  t.match(conversation.body, { phone: '5491155550101', name: 'Lucía Méndez', displayPhone: '+54 9 11 5555 0101' })
  t.type(conversation.body.windowClosesAt, 'string')
  const noted = await call('POST', '/whatsapp/conversations/5491155550101/notes', { text: 'Paga los viernes' })
  t.equal(noted.status, 201)
  const seen: string[] = []
  let page = (await call('GET', '/whatsapp/chats/5491155550101')).body
  for (;;) {
    seen.unshift(...page.items.map((message: { text: string }) => message.text))
    if (!page.hasMore) break
    page = (await call('GET', `/whatsapp/chats/5491155550101?before=${page.items[0].id}`)).body
  }
  t.same(seen, [...texts, 'Paga los viernes'])
  const around = await call('GET', '/whatsapp/chats/5491155550101?around=5491155550101-60')
  t.ok(around.body.items.some((message: { id: string }) => message.id === '5491155550101-60'))
  t.equal(around.body.hasNewer, true)
  t.equal((await call('GET', '/whatsapp/chats/5491155550101?before=gone')).status, 400)
  t.equal((await call('GET', '/whatsapp/chats/5491155559999')).status, 404)
})

t.test('a message goes to the upstream once, and stands in the list', async t => {
  const { call, aChat, example } = await upstreamStage(t)
  aChat('5491155550101', 'Lucía Méndez', ['Hola'])
  await call('GET', '/whatsapp/conversations')
  const body = { type: 'text', message: 'Ya sale', numberTel: '5491155550101' }
  const headers = { 'idempotency-key': 'pedido-77' }
  const sent = await call('POST', '/whatsapp/messages', body, { headers })
  t.equal(sent.status, 202)
  t.match(sent.body, { direction: 'out', text: 'Ya sale', status: 'sent' })
  t.same(
    (await call('POST', '/whatsapp/messages', body, { headers })).body,
    sent.body,
    'a repeated key gets the first answer',
  )
  const sends = example.asked.filter(one => one.call === 'POST /whatsapp/messages')
  t.equal(sends.length, 1)
  t.equal(sends[0]?.headers['idempotency-key'], 'pedido-77')
  t.notOk(sends[0]?.headers.cookie)
  t.match((await call('GET', '/whatsapp/conversations')).body.items[0].lastMessage, {
    text: 'Ya sale',
    direction: 'out',
  })
  t.match((await call('GET', '/whatsapp/chats/5491155550101')).body.items.at(-1), { text: 'Ya sale' })
})

t.test('archiving reaches both sides', async t => {
  const { call, aChat, owner, example } = await upstreamStage(t)
  aChat('5491155550101', 'Lucía Méndez', ['Hola'])
  const archived = await call('POST', '/whatsapp/chat/archive', { phoneNumber: '5491155550101' })
  t.match(archived, { status: 200, body: { archived: true } })
  t.equal(example.bookOf(owner.org.id).conversations.get('5491155550101')?.archived, true)
  t.same((await call('GET', '/whatsapp/conversations')).body.items, [])
  const { items } = (await call('GET', '/whatsapp/conversations?archived=true')).body
  const back = await call('POST', '/whatsapp/conversations/changes', { ids: [items[0].id], archived: false })
  t.equal(back.status, 200)
  t.equal(example.bookOf(owner.org.id).conversations.get('5491155550101')?.archived, false)
})

t.test('of many chats, those that the upstream does not archive stay and are named', async t => {
  const { call, aChat, owner, example } = await upstreamStage(t)
  const phones = Array.from({ length: 12 }, (_, i) => `54911555501${String(i).padStart(2, '0')}`)
  for (const phone of phones) aChat(phone, `Cliente ${phone}`, ['Hola'])
  const rows = (await call('GET', '/whatsapp/conversations')).body.items as { id: string; phone: string }[]
  t.equal(rows.length, 12)
  const book = example.bookOf(owner.org.id)
  const gone = phones.slice(0, 3)
  for (const phone of gone) book.conversations.delete(phone)
  const ids = [...rows.map(({ id }) => id), 'nobody']
  const { status, body } = await call('POST', '/whatsapp/conversations/changes', { ids, archived: true })
  t.equal(status, 200)
  t.equal(body.items.length, 9)
  t.same(body.missing, ['nobody'])
  t.same(
    body.failed.toSorted(),
    rows
      .filter(({ phone }) => gone.includes(phone))
      .map(({ id }) => id)
      .toSorted(),
  )
  t.ok([...book.conversations.values()].every(({ archived }) => archived))
  const left = body.failed as string[]
  const none = await call('POST', '/whatsapp/conversations/changes', { ids: left, archived: true })
  t.match(none, { status: 404, body: { message: 'Error 404: No existe esa conversación' } })
})

t.test('a dead upstream leaves the list and the number that are known, marked as stale, and no thread', async t => {
  const { call, aChat, example, owner, databases } = await upstreamStage(t)
  aChat('5491155550101', 'Lucía Méndez', ['Hola'])
  const fresh = await call('GET', '/whatsapp/conversations')
  await call('GET', '/verify/waba')
  t.notOk('stale' in fresh.body)
  example.server.closeAllConnections()
  await new Promise(done => example.server.close(done))
  const list = await call('GET', '/whatsapp/conversations')
  t.match(list, { status: 200, body: { stale: true, items: [{ phone: '5491155550101', name: 'Lucía Méndez' }] } })
  t.match(await call('GET', '/verify/waba'), { status: 200, body: { stale: true, phone: '5491150000000' } })
  t.equal((await call('GET', '/whatsapp/chats/5491155550101')).status, 503)
  t.match(await call('GET', '/whatsapp/conversations/5491155550101'), { status: 200, body: { stale: true } })
  t.equal((await call('GET', '/whatsapp/conversations/5491155550199')).status, 503)
  t.equal(
    (await call('GET', '/whatsapp/conversations?archived=true')).status,
    503,
    'an empty list would say that there are none',
  )
  const other = await aMember({ databases, orgName: 'Otra' })
  t.not(other.org.id, owner.org.id)
  t.equal((await call('GET', '/whatsapp/conversations', undefined, { who: other })).status, 503)
})

t.test('an organization with a number of its own keeps its own database beside it', async t => {
  const databases = await freshDatabases()
  const before = await startBackend(t, { databases })
  const who = await aMember({ databases, orgName: 'Otra' })
  const connection = {
    method: 'POST' as const,
    url: '/api/whatsapp/connection/sandbox',
    headers: { cookie: who.cookie },
  }
  t.equal((await before.inject(connection)).statusCode, 200)
  await before.close()
  const { call, aChat, example, backend, owner } = await upstreamStage(t, { databases })
  aChat('5491155550101', 'Lucía Méndez', ['Hola'])
  const inbound = { from: '5491155550102', name: 'Ana Ríos', type: 'text', text: 'Buenas' }
  t.equal((await call('POST', '/sandbox/inbound', inbound, { who })).status, 200)
  await backend.settle()
  t.match((await call('GET', '/whatsapp/conversations', undefined, { who })).body.items, [{ phone: '5491155550102' }])
  t.match((await call('GET', '/whatsapp/chats/5491155550102', undefined, { who })).body.items, [{ text: 'Buenas' }])
  const sent = { message: 'Hola, Ana', numberTel: '5491155550102', type: 'text' }
  t.equal((await call('POST', '/whatsapp/messages', sent, { who })).status, 202)
  t.match((await call('GET', '/organization/upstream', undefined, { who })).body, { address: null, calls: [] })
  t.ok(example.asked.every(({ claims }) => claims.org === owner.org.id))
  t.match((await call('GET', '/whatsapp/conversations')).body.items, [{ phone: '5491155550101' }])
  t.same(backend.errors(), [])
})

t.test('a member who sees a part of the inbox sees no more of the upstream', async t => {
  const { call, aChat, owner, databases } = await upstreamStage(t)
  aChat('5491155550101', 'Lucía Méndez', ['Hola'])
  aChat('5491155550102', 'Ana Ríos', ['Buenas'])
  await call('GET', '/whatsapp/conversations')
  await call('PUT', '/members/content-access', { conversations: true })
  const who = await aMember({ databases, org: owner.org, role: 'member' })
  t.same((await call('GET', '/whatsapp/conversations', undefined, { who })).body.items, [])
  t.equal((await call('GET', '/whatsapp/chats/5491155550101', undefined, { who })).status, 404)
  t.equal((await call('GET', '/whatsapp/conversations/5491155550101', undefined, { who })).status, 404)
  const send = { message: 'x', numberTel: '5491155550101' }
  t.equal((await call('POST', '/whatsapp/messages', send, { who })).status, 404)
  await call('PUT', '/whatsapp/conversations/5491155550101/assignee', { userId: who.user.id })
  const own = await call('GET', '/whatsapp/conversations', undefined, { who })
  t.same(
    own.body.items.map((row: { phone: string }) => row.phone),
    ['5491155550101'],
  )
  t.equal((await call('GET', '/whatsapp/chats/5491155550101', undefined, { who })).status, 200)
})

t.test('what an upstream has no call for is refused with a sentence', async t => {
  const { call, aChat } = await upstreamStage(t)
  aChat('5491155550101', 'Lucía Méndez', ['Hola'])
  const refused = await call('POST', '/whatsapp/connection/sandbox')
  t.match(refused, { status: 404, body: { code: 'UPSTREAM_NOT_OFFERED', message: /no ofrece esto/ } })
})
