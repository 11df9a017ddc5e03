import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { upstreamStage } from '#test/helpers/upstream-stage.ts'

const phone = '5491155550101'
const parts = [
  'GET /verify/waba',
  'GET /whatsapp/conversations',
  'GET /whatsapp/all-conversations',
  'GET /whatsapp/chat-name/:phone',
  'GET /whatsapp/template',
  'POST /whatsapp/chat/archive',
]

t.test('what the upstream says that it does not serve is not asked of it', async t => {
  const { call, example, backend } = await upstreamStage(t)
  example.missing.add('GET /whatsapp/template')
  t.match(await call('GET', '/whatsapp/template'), { status: 404, body: { code: 'UPSTREAM_NOT_OFFERED' } })
  await wait(50)
  const before = example.asked.length
  const refused = await call('GET', '/whatsapp/template')
  t.match(refused, { status: 404, body: { message: /no ofrece esto: GET \/whatsapp\/template$/ } })
  t.equal(example.asked.length, before)
  t.equal((await call('GET', '/whatsapp/conversations')).status, 200)
  example.missing.clear()
  backend.clock.advance(11 * 60_000)
  await call('GET', '/whatsapp/conversations')
  await wait(50)
  t.equal((await call('GET', '/whatsapp/template')).status, 200, 'its next release serves it')
  const { calls } = (await call('GET', '/organization/upstream')).body
  t.ok(calls.every((one: { failures: number }) => one.failures === 0))
})

t.test('calls that the upstream does not serve are answered from our rows, or refused with the reason', async t => {
  const { call, aChat, example, owner } = await upstreamStage(t)
  aChat(phone, 'Lucía Méndez', ['Hola'])
  await call('GET', '/whatsapp/conversations')
  for (const one of parts) example.missing.add(one)
  await wait(50)
  t.match(await call('GET', '/verify/waba'), { status: 200, body: { phone: '', displayPhone: '', verifiedName: null } })
  t.match((await call('GET', '/whatsapp/conversations')).body.items, [{ phone, name: 'Lucía Méndez' }])
  t.match((await call('GET', '/whatsapp/all-conversations')).body.items, [{ phone }])
  t.match((await call('GET', `/whatsapp/chat-name/${phone}`)).body, { name: 'Lucía Méndez' })
  t.match((await call('GET', `/whatsapp/chats/${phone}`)).body.items, [{ text: 'Hola' }])
  t.match((await call('GET', '/whatsapp/search?q=lucia')).body.conversations, [{ phone }])
  t.match(await call('POST', '/whatsapp/chat/archive', { phoneNumber: phone }), { status: 404 })
  t.equal(example.bookOf(owner.org.id).conversations.get(phone)?.archived, false)
  t.notOk((await call('GET', `/whatsapp/conversations/${phone}`)).body.archived)
  t.match(await call('GET', '/whatsapp/conversations/5491199999999'), { status: 404 })
})
