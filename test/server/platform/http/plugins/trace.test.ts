import type { IncomingHttpHeaders } from 'node:http'
import t from 'tap'
import { chatStage } from '#test/helpers/chat-stage.ts'

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

t.test('a job that no request began carries nothing of an earlier one', async t => {
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
  t.same([seen[0]?.['x-request-id'], seen[0]?.traceparent], [undefined, undefined])
})
