import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('a text goes out to a number, and its webhook is what ends the round trip', async t => {
  const backend = await startBackend(t)
  const owner = await aMember({ databases: backend.databases })
  const call = async (method: 'GET' | 'POST', path: string, payload?: object, cookie = owner.cookie) => {
    const headers = { cookie, origin: 'http://localhost:3000', 'accept-language': 'es' }
    const reply = await backend.inject({ method, url: `/api${path}`, headers, ...(payload ? { payload } : {}) })
    return { status: reply.statusCode, json: reply.json() }
  }
  const address = '/whatsapp/connection/round-trip'
  t.match(await call('POST', address, { to: '5491155550100' }), {
    status: 404,
    json: { code: 'NUMBERS_NOT_CONNECTED' },
  })
  await call('POST', '/whatsapp/connection/sandbox')
  t.match(await call('POST', address, { to: 'ninguno' }), {
    status: 400,
    json: { code: 'NUMBERS_NUMBER_INVALID', details: [{ field: 'body.to' }] },
  })
  const trip = async (to: string) => {
    const begun = await call('POST', address, { to })
    t.match(begun, { status: 200, json: { wamid: /^wamid\./ } })
    return `${address}?wamid=${encodeURIComponent(begun.json.wamid)}`
  }
  const first = await trip('11 5555-0100')
  t.match(await call('GET', first), { status: 200, json: { heard: null } }, 'no status yet')
  await backend.settle()
  backend.clock.advance(10_000)
  await backend.settle()
  t.match(
    await call('GET', first),
    { json: { heard: { status: 'failed', code: '131047' } } },
    'a customer who never wrote gets no text, and a failed status arrives',
  )
  t.same((await call('GET', '/whatsapp/conversations')).json.items, [], 'it belongs to no conversation')

  const other = await aMember({ databases: backend.databases })
  t.match(await call('GET', first, undefined, other.cookie), { json: { heard: null } }, 'no other organization sees it')
  const guest = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
  t.match(await call('POST', address, { to: '5491155550100' }, guest.cookie), { status: 403 })
  t.match(await call('GET', first, undefined, guest.cookie), { status: 403 })
  t.same(backend.errors(), [])
})
