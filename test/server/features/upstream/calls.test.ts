import t from 'tap'
import { createUpstreamKeys } from '#server/features/upstream/keys.ts'
import { aMember } from '#test/helpers/actors.ts'
import { upstreamStage } from '#test/helpers/upstream-stage.ts'

t.test('the token says who asks and nothing more', async t => {
  const { call, databases, owner, example, backend } = await upstreamStage(t)
  t.match((await call('GET', '/verify/waba')).body, { phone: '5491150000000', displayPhone: '+54 9 11 5000 0000' })
  const viewer = await aMember({ databases, org: owner.org, role: 'viewer' })
  await call('GET', '/verify/waba', undefined, { who: viewer })
  const [first, second] = example.asked
  t.match(first?.claims, {
    iss: backend.parts.config.publicUrl,
    aud: example.url,
    sub: `person:${owner.user.id}`,
    org: owner.org.id,
    role: 'owner',
    lang: 'es',
  })
  t.equal(Number(first?.claims.exp) - Number(first?.claims.iat), 60)
  t.match(second?.claims, { role: 'viewer', scopes: ['chat:read', 'stats:open', 'stats:read'] })
  t.same(Object.keys(first?.claims ?? {}).sort(), [
    'aud',
    'exp',
    'iat',
    'iss',
    'lang',
    'org',
    'rid',
    'role',
    'scopes',
    'sub',
  ])
  t.equal(first?.headers['x-request-id'], first?.claims.rid)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await call('GET', '/verify/waba', undefined, { headers: { traceparent, 'x-request-id': 'order-4711' } })
  const { headers, claims } = example.asked.at(-1) ?? {}
  t.same([headers?.traceparent, headers?.['x-request-id'], claims?.rid], [traceparent, 'order-4711', 'order-4711'])
  for (const name of ['cookie', 'user-agent', 'x-forwarded-for', 'referer'])
    t.notMatch(String(first?.headers[name] ?? ''), owner.cookie, name)
})

t.test('the key set has public keys only, and a new key after ninety days', async t => {
  const { backend } = await upstreamStage(t)
  const keys = async () =>
    (await backend.inject({ url: '/.well-known/jwks.json' })).json().keys as Record<string, string>[]
  const [key] = await keys()
  t.same(Object.keys(key ?? {}).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  const stored = await backend.databases.read.selectFrom('upstream_key').selectAll().execute()
  t.equal(stored.length, 1)
  t.notMatch(stored[0]?.private_key, /"d"/)
  const day = 24 * 60 * 60 * 1000
  backend.clock.advance(90.5 * day)
  const both = await keys()
  t.equal(both.length, 2, 'the former key is still published')
  t.equal(both[1]?.kid, key?.kid)
  backend.clock.advance(day)
  await createUpstreamKeys(backend.parts).prune(backend.clock.now())
  t.same(
    (await keys()).map(({ kid }) => kid),
    [both[0]?.kid],
  )
})

t.test('templates are those of the upstream, with files of forms', async t => {
  const { call, backend, owner, example } = await upstreamStage(t)
  const template = {
    name: 'pedido_listo',
    language: 'es_AR',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Listo' }],
  }
  const made = await call('POST', '/whatsapp/template', { template })
  t.match(made, { status: 201, body: { name: 'pedido_listo', status: 'PENDING', quality: 'UNKNOWN', media: [] } })
  const form = new FormData()
  form.set('template', JSON.stringify({ ...template, name: 'con_foto' }))
  form.set('file', new Blob(['hola'], { type: 'text/plain' }), 'hola.txt')
  const request = new Request('http://x/', { method: 'POST', body: form })
  const withFile = await backend.inject({
    method: 'POST',
    url: '/api/whatsapp/template',
    headers: { cookie: owner.cookie, 'content-type': request.headers.get('content-type') as string },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  t.match(withFile.json(), { name: 'con_foto' })
  t.match(example.asked.at(-1)?.headers['content-type'], /^multipart\/form-data/)
  const list = await call('GET', '/whatsapp/template')
  t.same(
    list.body.items.map((one: { name: string }) => one.name),
    ['pedido_listo', 'con_foto'],
  )
  t.equal((await call('GET', '/whatsapp/template/name/pedido_listo')).body.languages.length, 1)
  t.same((await call('DELETE', '/whatsapp/template/1/pedido_listo')).body.removed, [{ id: '1', language: 'es_AR' }])
  t.match(await call('GET', '/whatsapp/template/1'), {
    status: 404,
    body: { message: 'Error 404: No existe esa plantilla' },
  })
})

t.test('numbers, bulk sends and grants of tags reach the upstream', async t => {
  const { call } = await upstreamStage(t)
  t.match((await call('POST', '/whatsapp/number', { phone: '5491155550100', nameWaba: 'Luis' })).body, {
    state: 'codeSent',
  })
  t.match((await call('POST', '/verify/auth', { code: '123456', number: '5491155550100' })).body, {
    status: 'connected',
  })
  t.match((await call('PUT', '/whatsapp/namewaba', { name: 'Luis', phone: '5491155550100' })).body, {
    state: 'inReview',
  })
  const phones = ['5491155550100', '5491155550101']
  t.match(await call('POST', '/whatsapp/messages_template', { phones, template: 'pedido_listo', bodyExample: [] }), {
    status: 202,
    body: { planned: 2, omitted: [] },
  })
  const tag = (await call('POST', '/whatsapp/tags', { label: 'Mayorista' })).body
  const grant = { role: 'member', phoneTagId: tag.id }
  t.match((await call('POST', '/members/content-permissions', grant)).body, { granted: true })
  t.match((await call('POST', '/members/content-permissions', grant)).body, { granted: false })
})

t.test('a file of a message comes through us, for members and by the address that an answer named', async t => {
  const { call, aChat, backend, owner, databases } = await upstreamStage(t)
  aChat('5491155550101', 'Lucía Méndez', ['Hola'])
  const sent = await call('POST', '/whatsapp/messages', {
    type: 'file',
    name: 'hola.txt',
    message: '',
    numberTel: '5491155550101',
    file: 'aG9sYQ==',
  })
  t.match(sent.body.media, { state: 'stored', name: 'hola.txt' })
  const url = sent.body.media.url as string
  const get = (address: string, cookie: string) => backend.inject({ url: address, headers: { cookie } })
  const file = await get(url, owner.cookie)
  t.equal(file.statusCode, 200)
  t.equal(file.body, 'hola\n')
  t.equal(file.headers['x-content-type-options'], 'nosniff')
  t.match(file.headers['content-security-policy'], /sandbox/)
  t.match(file.headers['content-disposition'], /^attachment/)
  t.equal(
    (await get(url.replace('/files/', '/whatsapp/template?x=/'), owner.cookie)).statusCode,
    404,
    'another address',
  )
  const stranger = await aMember({ databases, orgName: 'Otra' })
  t.equal((await get(url, stranger.cookie)).statusCode, 403)
  t.equal((await get(url, '')).statusCode, 401)
})

t.test('pages of one organization are never asked with the token of another', async t => {
  const { call, aChat, databases, owner, example } = await upstreamStage(t)
  const other = await aMember({ databases, orgName: 'Otra' })
  aChat('5491155550101', 'Lucía Méndez', ['Hola'])
  t.same((await call('GET', '/whatsapp/conversations', undefined, { who: other })).body.items, [])
  t.equal((await call('GET', '/whatsapp/chats/5491155550101', undefined, { who: other })).status, 404)
  const orgs = new Set(
    example.asked.filter(one => one.claims.sub === `person:${other.user.id}`).map(one => one.claims.org),
  )
  t.same([...orgs], [other.org.id])
  t.not(other.org.id, owner.org.id)
})

t.test('how the upstream answers is known to those who manage integrations', async t => {
  const { call, databases, owner, example } = await upstreamStage(t)
  await call('GET', '/verify/waba')
  await call('GET', '/whatsapp/template/gone')
  const known = await call('GET', '/organization/upstream')
  t.match(known.body, {
    address: example.url,
    lastEventAt: null,
    calls: [{ call: 'GET /verify/waba', count: 1, failures: 0, resting: false, lastFailure: null }],
  })
  t.type(known.body.calls[0].tookMs, 'number')
  example.server.closeAllConnections()
  await new Promise(done => example.server.close(done))
  for (let i = 0; i < 5; i += 1) await call('GET', '/whatsapp/template')
  const [first] = (await call('GET', '/organization/upstream')).body.calls
  t.match(first, { call: 'GET /whatsapp/template', failures: 5, resting: true, lastFailure: { reason: 'unreachable' } })
  t.match((await call('GET', '/verify/waba')).body, { phone: '5491150000000' }, 'the last known number')
  const viewer = await aMember({ databases, org: owner.org, role: 'viewer' })
  t.equal((await call('GET', '/organization/upstream', undefined, { who: viewer })).status, 403)
  const other = await aMember({ databases, orgName: 'Otra' })
  t.same((await call('GET', '/organization/upstream', undefined, { who: other })).body.calls, [])
})
