/** Recado in front of Recado: the main calls, and the events of the one behind, through an adapter of a page. */
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { startAdapter } from '#test/helpers/recado-adapter.ts'
import { upstreamStage } from '#test/helpers/upstream-stage.ts'

const phone = '5491155550101'

const until = async (isTrue: () => Promise<boolean>): Promise<boolean> => {
  for (let i = 0; i < 300; i += 1) {
    if (await isTrue()) return true
    await wait(20)
  }
  return false
}

const aPair = async (t: Test) => {
  const behind = await startBackend(t, { clock: handClock(new Date().toISOString()) })
  const theirs = await aMember({ databases: behind.databases, orgName: 'Panadería' })
  const atBehind = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const reply = await behind.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: theirs.cookie },
      ...(payload ? { payload } : {}),
    })
    return { status: reply.statusCode, body: reply.body ? reply.json() : undefined }
  }
  await atBehind('POST', '/whatsapp/connection/sandbox')
  const keys = new Map<string, string>()
  let frontUrl = ''
  const adapter = await startAdapter({ behind: behind.url, keys, frontUrl: () => frontUrl })
  t.teardown(() => {
    adapter.server.closeAllConnections()
    adapter.server.close()
  })
  const front = await upstreamStage(t, { url: adapter.url })
  frontUrl = front.backend.url
  keys.set(front.owner.org.id, (await aKey(behind.app, theirs.cookie)).key)
  const customerWrites = async (text: string) => {
    await atBehind('POST', '/sandbox/inbound', { from: phone, name: 'Lucía Méndez', type: 'text', text })
    await behind.settle()
  }
  return { ...front, behind, atBehind, customerWrites }
}

t.test('a customer writes, a person answers, and both sides have it', async t => {
  const { call, atBehind, customerWrites, backend } = await aPair(t)
  await customerWrites('Hola, ¿tienen pan?')
  const list = await call('GET', '/whatsapp/conversations')
  t.match(list, { status: 200, body: { items: [{ phone, name: 'Lucía Méndez', unread: 1 }] } })
  t.match(list.body.items[0].lastMessage, { text: 'Hola, ¿tienen pan?', direction: 'in', status: 'received' })
  t.ok(list.body.items[0].windowClosesAt)
  const thread = await call('GET', `/whatsapp/chats/${phone}`)
  t.match(thread.body.items, [{ text: 'Hola, ¿tienen pan?', direction: 'in' }])

  const body = { message: 'Sí, de campo', numberTel: phone, type: 'text' }
  const headers = { 'idempotency-key': 'pedido-1' }
  const sent = await call('POST', '/whatsapp/messages', body, { headers })
  t.match(sent, { status: 202, body: { text: 'Sí, de campo', direction: 'out' } })
  t.equal((await call('POST', '/whatsapp/messages', body, { headers })).body.id, sent.body.id)
  const ours = (await call('GET', `/whatsapp/chats/${phone}`)).body.items
  const theirs = (await atBehind('GET', `/whatsapp/chats/${phone}`)).body.items
  const textsOf = (items: { text: string; direction: string }[]) =>
    items.filter(({ direction }) => direction !== 'internal').map(({ text }) => text)
  t.same(textsOf(ours), ['Hola, ¿tienen pan?', 'Sí, de campo'])
  t.same(textsOf(theirs), textsOf(ours))

  const tag = (await call('POST', '/whatsapp/tags', { label: 'Mayorista' })).body
  t.equal((await call('PUT', `/whatsapp/chats/${phone}/tags/${tag.id}`)).status, 200)
  t.match((await call('GET', '/whatsapp/conversations')).body.items[0].tags, [{ label: 'Mayorista' }])
  t.same((await atBehind('GET', '/whatsapp/all-tags')).body.items ?? [], [], 'tags stay in front')
  t.equal((await call('POST', `/whatsapp/conversations/${phone}/notes`, { text: 'Paga los viernes' })).status, 201)
  t.match((await call('GET', `/whatsapp/chats/${phone}`)).body.items.at(-1), { text: 'Paga los viernes' })

  t.equal((await call('POST', '/whatsapp/chat/archive', { phoneNumber: phone })).status, 200)
  t.match((await atBehind('GET', '/whatsapp/conversations?archived=true')).body.items, [{ phone, archived: true }])
  t.same((await call('GET', '/whatsapp/conversations')).body.items, [])
  t.match((await call('GET', '/verify/waba')).body, { kind: 'cloud', status: 'connected' })
  t.same(backend.errors(), [])
})

t.test('templates are made, listed and deleted behind, and errors keep their words', async t => {
  const { call, atBehind } = await aPair(t)
  const components = [{ type: 'BODY', text: 'Tu pedido está listo' }]
  const template = { name: 'aviso_propio', language: 'es_AR', category: 'UTILITY', components }
  const made = await call('POST', '/whatsapp/template', { template })
  t.match(made.body, { name: 'aviso_propio', language: 'es_AR' })
  const namesOf = ({ body }: { body: { items: { name: string }[] } }) => body.items.map(({ name }) => name)
  const ours = namesOf(await call('GET', '/whatsapp/template'))
  t.ok(ours.includes('aviso_propio'))
  t.same(ours, namesOf(await atBehind('GET', '/whatsapp/template')))
  t.equal((await call('GET', '/whatsapp/template/name/aviso_propio')).body.languages.length, 1)
  t.match(await call('GET', '/whatsapp/template/nothing'), { status: 404, body: { message: /^Error 404: / } })
  const refused = await call('POST', '/whatsapp/messages', { message: 'x', numberTel: '5491155559999', type: 'text' })
  t.ok([400, 404, 409, 422].includes(refused.status), `${refused.status} ${refused.body.message}`)
})

t.test('what happens behind reaches the pages in front by the stream', async t => {
  const { call, customerWrites, databases } = await aPair(t)
  const streamOf = async () => (await call('GET', '/organization/upstream')).body.stream
  t.ok(await until(async () => (await streamOf())?.state === 'open'))
  await customerWrites('Hola')
  const shown = async () =>
    (await databases.read.selectFrom('event').select(['type', 'data']).orderBy('seq').execute()).filter(
      ({ type, data }) => type === 'messageChanged' && JSON.parse(data).message.text === 'Hola',
    ).length
  t.ok(await until(async () => (await shown()) === 1), 'open pages got the message')
  t.match((await call('GET', '/whatsapp/conversations?unread=true')).body.items, [{ phone, name: 'Lucía Méndez' }])
  t.equal((await streamOf()).refused, 0)
})
