import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'

const hour = 3_600_000
const phone = '5491155550101'

t.test("Meta's figure stands beside ours, with the difference by its cause", async t => {
  const clock = handClock('2026-11-20T13:00:00.000Z')
  const backend = await startBackend(t, { clock })
  const ana = await aMember({ databases: backend.databases, name: 'Ana' })
  const call = async (method: 'GET' | 'POST' | 'PUT', url: string, body?: object) => {
    const headers = { cookie: ana.cookie, 'x-organization-id': ana.org.id, 'accept-language': 'es' }
    const reply = await backend.inject({ method, url: `/api${url}`, headers, ...(body ? { payload: body } : {}) })
    t.ok(reply.statusCode < 300, `${url}: ${reply.statusCode} ${reply.statusCode < 300 ? '' : reply.body}`)
    return reply.json()
  }
  const settle = async (ms = 3_000) => {
    clock.advance(ms)
    await backend.settle()
  }
  await call('POST', '/whatsapp/connection/sandbox')
  await call('POST', '/whatsapp/template/sync')
  // The simulator bills 0.026 for a utility message.
  const rates = [{ country: 'AR', prices: { UTILITY: 0.03 } }]
  await call('PUT', '/whatsapp/rate-card', { validFrom: '2026-11-01', currency: 'USD', rates })
  await call('POST', '/whatsapp/messages_template', {
    phones: ['5491155550102'],
    template: 'pedido_listo',
    bodyExample: ['Ana', '7'],
  })
  for (let i = 0; i < 5; i += 1) await settle()
  await call('POST', '/sandbox/inbound', { from: phone, name: 'Lucía', text: 'Hola' })
  await settle()
  await call('POST', '/whatsapp/messages', { numberTel: phone, message: 'Hola, Lucía.' })
  for (let i = 0; i < 5; i += 1) await settle()
  t.equal((await call('GET', '/stats/blocks/cost?days=7')).meta, null, 'not asked yet')

  for (let i = 0; i < 26; i += 1) await settle(hour)
  const { meta, total } = await call('GET', '/stats/blocks/cost?days=7')
  t.match(total, { delivered: 2, free: 1, billed: 1, amounts: [{ amount: 0.03, currency: 'USD' }] })
  t.match(meta, { currency: 'USD', billed: 1, free: 1, cost: 0.026, ours: 0.03, hasFailed: false })
  t.same(meta.differences, [{ cause: 'price', amount: 0.004 }])
  t.same(backend.errors(), [])
})
