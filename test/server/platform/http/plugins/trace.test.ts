import type { IncomingHttpHeaders } from 'node:http'
import t from 'tap'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { flowPhone } from '#test/helpers/flow-stage.ts'
import { webhookStage } from '#test/helpers/webhook-stage.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

t.test('a request gives its id and its trace to the calls of WhatsApp that it makes', async t => {
  const { backend, owner, call } = await chatStage(t)
  await call('POST', '/sandbox/inbound', { from: '5491155550101', name: 'Ana', type: 'text', text: 'hola' })
  await backend.settle()
  const seen: { url: string; headers: IncomingHttpHeaders }[] = []
  backend.app.server.on('request', ({ url = '', headers }) => void seen.push({ url, headers }))
  const ask = (headers: Record<string, string>, text: string) =>
    backend.inject({
      method: 'POST',
      url: '/api/whatsapp/messages',
      headers: { cookie: owner.cookie, ...headers },
      payload: { numberTel: '5491155550101', type: 'text', message: text, isHuman: true },
    })
  const toGraph = async (headers: Record<string, string>, text: string) => {
    seen.length = 0
    const reply = await ask(headers, text)
    t.equal(reply.statusCode, 202, reply.body)
    await backend.settle()
    const [sent] = seen.filter(({ url }) => url.includes('/messages?'))
    const { 'x-request-id': id, traceparent } = sent?.headers ?? {}
    return { answered: reply.headers['x-request-id'], id, traceparent }
  }

  const both = await toGraph({ 'x-request-id': 'order-4711', traceparent }, 'uno')
  t.same(both, { answered: 'order-4711', id: 'order-4711', traceparent })
  const none = await toGraph({}, 'dos')
  t.match(none.id, /^[\da-f-]{36}$/)
  t.same([none.answered, none.traceparent], [none.id, undefined])
  for (const wrong of ['short', 'with space 1', 'x'.repeat(65), '<script>alert(1)', 'línea-larga'])
    t.match(
      (await ask({ 'x-request-id': Buffer.from(wrong).toString('latin1') }, wrong)).headers['x-request-id'],
      /^[\da-f-]{36}$/,
      wrong,
    )
  await backend.settle()
  for (const wrong of [
    '00-0-0-01',
    traceparent.replace(/^00/, 'ff'),
    `${traceparent}-x`,
    traceparent.replace(/-b.*-/, `-${'0'.repeat(16)}-`),
  ])
    t.equal((await toGraph({ traceparent: wrong }, wrong)).traceparent, undefined, wrong)
})

t.test('what waits carries the trace of the request that began it', async t => {
  const { backend, clock, owner, call } = await chatStage(t)
  await call('POST', '/sandbox/inbound', { from: '5491155550101', name: 'Ana', type: 'text', text: 'hola' })
  await backend.settle()
  const at = new Date(clock.now().getTime() + 60_000).toISOString()
  const reply = await backend.inject({
    method: 'POST',
    url: '/api/whatsapp/conversations/5491155550101/scheduled',
    headers: { cookie: owner.cookie, 'x-request-id': 'order-4711', traceparent },
    payload: { text: 'luego', at },
  })
  t.equal(reply.statusCode, 201, reply.body)
  const seen: IncomingHttpHeaders[] = []
  backend.app.server.on('request', ({ url = '', headers }) => void (url.includes('/messages?') && seen.push(headers)))
  clock.advance(61_000)
  await backend.settle()
  t.equal(seen.length, 1)
  t.same([seen[0]?.['x-request-id'], seen[0]?.traceparent], ['order-4711', traceparent])
})

t.test('so does each attempt to tell a program of it', async t => {
  const { backend, owner, say, heard, program, listen, delivered } = await webhookStage(t)
  await say('Buenas')
  await listen(['conversation.archived'])
  await delivered()
  program.answer = () => new Response('later', { status: 503 })
  const reply = await backend.inject({
    method: 'POST',
    url: '/api/whatsapp/chat/archive',
    headers: { cookie: owner.cookie, 'x-request-id': 'order-4711', traceparent },
    payload: { phoneNumber: flowPhone, archived: true },
  })
  t.equal(reply.statusCode, 200, reply.body)
  await backend.settle()
  backend.clock.advance(3_600_000)
  await backend.settle()
  const seen = heard.map(({ headers }) => [headers['x-request-id'], headers.traceparent])
  t.ok(seen.length > 1, 'it was tried again')
  t.same(new Set(seen.map(String)), new Set([`order-4711,${traceparent}`]))
})
