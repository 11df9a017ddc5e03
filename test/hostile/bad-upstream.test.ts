/** A product API that does what none should: every line of it is one answer to a member, and nothing else suffers. */
import type { ServerResponse } from 'node:http'
import { test } from 'tap'
import { ConfigError, readConfig } from '#server/platform/config/config.ts'
import { aMember } from '#test/helpers/actors.ts'
import { aBadUpstream, type Behaviour, json, waba } from '#test/helpers/bad-upstream.ts'
import { upstreamStage } from '#test/helpers/upstream-stage.ts'

const row = { phone: '5491155550101', name: 'Lucía', lastMessage: null, unread: 0, archived: false }
const page = (items: unknown[]) => json({ items, page: 1, pageSize: 30, hasMore: false })

test('answers that do not fit are 502 and name the path and the field', async t => {
  const { call, state, backend, clock } = await aBadUpstream(t)
  const cases: [name: string, behaviour: Behaviour, field: string][] = [
    [
      'HTML with 200',
      (_q, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hola</h1>'),
      'content-type',
    ],
    ['half JSON', (_q, r) => r.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[{"pho'), 'JSON'],
    ['a redirect', (_q, r) => r.writeHead(302, { location: 'http://169.254.169.254/' }).end(), 'location'],
    ['no list', json({ items: 'none' }), 'items'],
    ['a text for a number', page([{ ...row, unread: 'many' }]), 'items.0.unread'],
    ['no phone', page([row, { ...row, phone: 'nobody' }]), 'items.1.phone'],
    [
      'an unknown status',
      page([{ ...row, lastMessage: { text: 'x', at: '2026-11-20T13:05:00.000Z', direction: 'in', status: 'eaten' } }]),
      'items.0.lastMessage.status',
    ],
    ['a row of another organization', page([{ ...row, org: 'another' }]), 'items.0.org'],
    ['a number', json(7), 'the whole answer'],
  ]
  for (const [name, behaviour, field] of cases) {
    state.behaviour = behaviour
    const answer = await call('GET', '/whatsapp/conversations')
    t.match(answer, { status: 502, body: { code: 'UPSTREAM_MISFIT' } }, name)
    t.ok(answer.body.message.includes(`/whatsapp/conversations: ${field}.`), `${name}: ${answer.body.message}`)
    clock.advance(60_000)
  }
  t.same(backend.errors(), [])
  t.ok(backend.lines.filter(line => line.reason === 'misfit').length >= cases.length)
})

test('unknown fields, unknown kinds and rows that come twice are no fault', async t => {
  const { call, state } = await aBadUpstream(t)
  state.behaviour = page([{ ...row, secret: 'x', tags: [{ id: 'theirs' }] }, row, { ...row, name: 'again' }])
  const { body } = await call('GET', '/whatsapp/conversations')
  t.equal(body.items.length, 1)
  t.notOk('secret' in body.items[0])
  t.same(body.items[0].tags, [])
  const at = '2026-11-20T13:05:00.000Z'
  state.behaviour = (request, response) =>
    (request.url?.startsWith('/whatsapp/chats')
      ? page([
          { id: '1', direction: 'in', type: 'hologram', at },
          { id: '1', direction: 'in', at },
        ])
      : page([row]))(request, response)
  const chat = await call('GET', '/whatsapp/chats/5491155550101')
  t.match(chat.body.items, [{ id: '1', type: 'unsupported', text: '' }])
  t.equal(chat.body.items.length, 1)
})

test('an answer of fifty megabytes is given up, compressed or not', async t => {
  const { call, state } = await aBadUpstream(t)
  let written = 0
  state.behaviour = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const chunk = Buffer.alloc(2 ** 20, 'a')
    const more = () => {
      while (written < 50 && !response.destroyed) {
        written += 1
        if (!response.write(chunk)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  }
  t.match(await call('GET', '/verify/waba'), { status: 502, body: { message: /verify\/waba: size/ } })
  t.ok(written < 50, `stopped after ${written} megabytes`)
})

test('a slow upstream is waited for three seconds, and another organization and the health check notice nothing', async t => {
  const { call, state, databases, backend } = await aBadUpstream(t)
  const other = await aMember({ databases, orgName: 'Otra' })
  const open: ServerResponse[] = []
  state.behaviour = (request, response) => {
    const org = JSON.parse(
      Buffer.from((request.headers.authorization ?? '').split('.')[1] ?? '', 'base64url').toString(),
    ).org
    if (org === other.org.id) return waba(request, response)
    open.push(response.writeHead(200, { 'content-type': 'application/json' }))
    // One byte a second.
    const drip = setInterval(() => response.write(' '), 1_000)
    response.on('close', () => clearInterval(drip))
  }
  const slow = Array.from({ length: 100 }, () => call('GET', '/verify/waba'))
  await new Promise(resolve => setTimeout(resolve, 200))
  t.equal((await call('GET', '/verify/waba', undefined, { who: other })).status, 200)
  t.equal((await call('GET', '/whatsapp/all-tags')).status, 200, 'what is ours is answered')
  t.equal((await backend.inject({ url: '/readyz' })).statusCode, 200)
  t.ok(
    open.some(({ closed }) => !closed),
    'none of them waited for the slow one',
  )
  const answers = await Promise.all(slow)
  const statuses = new Set(answers.map(({ body }) => body.code))
  t.ok(open.length <= 16 * 6, 'the calls of an organization are bounded')
  t.same([...statuses].sort(), ['UPSTREAM_BUSY', 'UPSTREAM_RESTING', 'UPSTREAM_UNREACHABLE'])
  t.ok(answers.every(({ status, headers }) => status === 503 && headers['retry-after']))
})

test('a dead upstream is asked twice, then rests, then is tried again', async t => {
  const { call, state, clock } = await aBadUpstream(t)
  state.behaviour = request => request.socket.destroy()
  t.match(await call('GET', '/verify/waba'), { status: 503, body: { code: 'UPSTREAM_UNREACHABLE' } })
  t.equal(state.asked, 2, 'a read is tried once more')
  for (let i = 0; i < 4; i += 1) await call('GET', '/verify/waba')
  t.equal(state.asked, 10)
  t.match(await call('GET', '/verify/waba'), { status: 503, body: { code: 'UPSTREAM_RESTING' } })
  t.equal(state.asked, 10, 'it is left alone')
  state.behaviour = waba
  clock.advance(10_000)
  t.equal((await call('GET', '/verify/waba')).status, 200)
  t.equal((await call('GET', '/verify/waba')).status, 200)
})

test('a write is never repeated, and its answer says that it may have happened', async t => {
  const { call, state } = await aBadUpstream(t)
  state.behaviour = page([row])
  await call('GET', '/whatsapp/conversations')
  const before = state.asked
  state.behaviour = request => request.socket.destroy()
  const sent = await call('POST', '/whatsapp/messages', { message: 'Hola', numberTel: '5491155550101' })
  t.match(sent, { status: 503, body: { code: 'UPSTREAM_UNREACHABLE', message: /puede que lo haya hecho igual/ } })
  t.equal(state.asked - before, 1)
})

test('errors keep their status and message, and nobody is signed out', async t => {
  const { call, state, clock } = await aBadUpstream(t)
  const say = (status: number, body: unknown, headers = {}) => {
    state.behaviour = json(body, status, headers)
    clock.advance(60_000)
    return call('GET', '/whatsapp/template')
  }
  t.match(await say(401, { message: 'no' }), { status: 502, body: { code: 'UPSTREAM_TOKEN_REFUSED' } })
  t.match(await say(403, { message: 'falta plantillas:leer' }), {
    status: 403,
    body: { code: 'UPSTREAM_FORBIDDEN', message: /falta plantillas:leer/ },
  })
  t.match(await say(404, { message: 'No está' }), { status: 404, body: { code: 'UPSTREAM_NOT_OFFERED' } })
  t.match(await say(422, { error: { message: 'Mal' } }), { status: 422, body: { message: 'Error 422: Mal' } })
  t.match(await say(418, {}), { status: 400, body: { message: 'Error 418: Error desconocido en la petición' } })
  t.match(await say(501, {}), { status: 404, body: { code: 'UPSTREAM_NOT_OFFERED' } })
  t.match(await say(500, { message: 'Se rompió' }), { status: 502, body: { message: 'Error 500: Se rompió' } })
  const limited = await say(429, { message: 'Despacio' }, { 'retry-after': '17' })
  t.match(limited, { status: 429, headers: { 'retry-after': '17' }, body: { message: 'Error 429: Despacio' } })
  t.match(await say(503, {}, { 'retry-after': '9' }), { status: 503, headers: { 'retry-after': '9' } })
  t.match(await say(400, { message: `<b>${'x'.repeat(1000)}\u0000` }), { status: 400 })
  const { body } = await say(400, { message: 'x'.repeat(1_000) })
  t.ok(body.message.length < 330, 'long messages are cut')
})

test('a private address is reached only where the operator allowed it', async t => {
  const stage = await aBadUpstream(t)
  const { port } = new URL(stage.backend.parts.config.upstreamUrl as string)
  for (const [address, allow] of [
    [`http://127.0.0.1:${port}`, ''],
    ['https://localhost', ''],
    ['https://10.0.0.1', '127.0.0.1'],
    ['http://example.com', ''],
    ['https://169.254.169.254', '10.0.0.0/8'],
    ['ftp://example.com', '10.0.0.0/8'],
    ['https://user:secret@example.com', ''],
  ] as const)
    t.throws(() => readConfig({ PRODUCT_API_URL: address, OUTBOUND_ALLOW: allow }), ConfigError, address)
  for (const [address, allow] of [
    ['https://api.example.com/v1', ''],
    ['https://api.example.com:8443', ''],
    ['http://backend:4000', '10.0.0.0/8'],
    ['https://10.1.2.3', '10.0.0.0/8'],
  ] as const)
    t.equal(readConfig({ PRODUCT_API_URL: address, OUTBOUND_ALLOW: allow }).upstreamUrl, address)
  // The name may be called; what it resolves to is not in the list.
  const { call } = await upstreamStage(t, { url: `http://localhost:${port}`, allow: '10.0.0.0/8' })
  t.match(await call('GET', '/verify/waba'), { status: 503, body: { code: 'UPSTREAM_UNREACHABLE' } })
  t.equal(stage.state.asked, 0)
})
