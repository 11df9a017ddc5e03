/** A product API whose bytes are wrong: certificates, compression, files and their names. */
import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { test } from 'tap'
import { aBadUpstream, type Behaviour, json, waba } from '#test/helpers/bad-upstream.ts'
import { tlsFile } from '#test/helpers/tls-postgres.ts'

const head = { 'content-type': 'application/json' }
const packed =
  (body: Buffer, encoding: string): Behaviour =>
  (_request, response) =>
    response.writeHead(200, { ...head, 'content-encoding': encoding }).end(body)

test('a certificate that nobody trusts, or of another name, is no answer, and nothing is sent to it', async t => {
  const tls = { key: readFileSync(tlsFile('server.key')), cert: readFileSync(tlsFile('server.pem')) }
  for (const host of ['localhost', '127.0.0.1']) {
    const { call, state } = await aBadUpstream(t, { tls, host })
    t.match(await call('GET', '/verify/waba'), { status: 503, body: { code: 'UPSTREAM_UNREACHABLE' } }, host)
    const sent = { message: 'Hola', numberTel: '5491155550101' }
    t.equal((await call('POST', '/whatsapp/messages', sent)).status, 503, host)
    t.equal(state.asked, 0, host)
    const { body } = await call('GET', '/organization/upstream')
    t.match(body.calls[0].lastFailure, { reason: 'unreachable' })
  }
})

// That such an answer is not read to its end is a claim of `outbound.test.ts`.
test('fifty megabytes in fifty kilobytes are no answer', async t => {
  const { call, state, clock } = await aBadUpstream(t)
  const plain = Buffer.alloc(50 * 2 ** 20, ' ')
  for (const [encoding, bomb] of [
    ['gzip', gzipSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['gzip, gzip', gzipSync(gzipSync(plain))],
  ] as const) {
    state.behaviour = packed(bomb, encoding)
    t.match(await call('GET', '/verify/waba'), { status: 502, body: { message: /verify\/waba: size/ } }, encoding)
    clock.advance(60_000)
  }
})

test('a compressed answer is read, and one that lies about it is no answer', async t => {
  const { call, state, clock, backend } = await aBadUpstream(t)
  const text = Buffer.from(JSON.stringify({ phone: '5491150000000' }))
  for (const [encoding, body] of [
    ['gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
  ] as const) {
    state.behaviour = packed(body, encoding)
    t.match(await call('GET', '/verify/waba'), { status: 200, body: { phone: '5491150000000' } }, encoding)
  }
  const lies: [name: string, behaviour: Behaviour][] = [
    ['plain text as gzip', packed(text, 'gzip')],
    ['plain text as br', packed(text, 'br')],
    ['half of it', packed(gzipSync(text).subarray(0, 20), 'gzip')],
    ['a shorter length', (_q, r) => r.writeHead(200, { ...head, 'content-length': '5' }).end('{"pho')],
    ['gzip that is not named', (_q, r) => r.writeHead(200, head).end(gzipSync(text))],
  ]
  for (const [name, behaviour] of lies) {
    state.behaviour = behaviour
    const { status, body } = await call('GET', '/whatsapp/all-conversations')
    t.ok([502, 503].includes(status), `${name}: ${status} ${body.code}`)
    clock.advance(60_000)
  }
  state.behaviour = waba
  t.equal((await call('GET', '/verify/waba')).status, 200)
  t.same(backend.errors(), [])
})

test('files with wrong names, lengths, types and encodings reach a member as they should, or not at all', async t => {
  const { call, state, backend, owner } = await aBadUpstream(t)
  const at = new Date().toISOString()
  const row = { phone: '5491155550101', name: 'Lucía' }
  const addressOf = async (url: string): Promise<{ url: string; state: string }> => {
    const media = { url, mime: 'application/pdf', name: 'x.pdf', size: 4 }
    state.behaviour = (request, response) =>
      json(
        request.url?.startsWith('/whatsapp/chats')
          ? [{ id: '1', direction: 'in', type: 'document', at, media }]
          : { items: [row] },
      )(request, response)
    const { body } = await call('GET', '/whatsapp/chats/5491155550101')
    return body.items[0].media
  }
  const get = (url: string) => backend.inject({ url, headers: { cookie: owner.cookie } })
  const hello: Behaviour = (_q, r) => r.writeHead(200, { 'content-type': 'application/pdf' }).end('hola')

  for (const url of ['/files/%00', '/files/a%0d%0aset-cookie:x', '/files/ñandú "1".pdf', '/files/']) {
    const { url: ours } = await addressOf(url)
    state.behaviour = hello
    const file = await get(ours)
    t.equal(file.statusCode, 200, url)
    t.equal(file.body, 'hola', url)
    t.notOk(file.headers['set-cookie'], url)
    t.match(file.headers['content-disposition'], /^(?:attachment|inline); filename="[\w ._-]+"/, url)
  }
  for (const url of [
    '/files/%E0%A4%A',
    'http://169.254.169.254/x',
    '//example.com/x',
    'https://example.com/x',
    'file:///etc/passwd',
  ])
    t.match(await addressOf(url), { url: '', state: 'failed' }, url)

  const { url: ours } = await addressOf('/files/1')
  const seal = /seal=([\w-]+)$/.exec(ours)?.[1] ?? ''
  for (const wrong of ['', 'x', `${seal}x`, seal.slice(1), seal.toLowerCase()])
    t.equal((await get(ours.replace(seal, wrong))).statusCode, 404, 'another seal')

  const cases: [name: string, behaviour: Behaviour, status: number][] = [
    ['compressed', (_q, r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hola')), 503],
    ['a redirect', (_q, r) => r.writeHead(302, { location: 'http://169.254.169.254/' }).end(), 503],
    ['an error', (_q, r) => r.writeHead(500).end('<h1>'), 503],
    ['gone', (_q, r) => r.writeHead(404).end('<h1>'), 404],
    ['cut off', q => q.socket.destroy(), 503],
  ]
  for (const [name, behaviour, status] of cases) {
    state.behaviour = behaviour
    const file = await get(ours)
    t.equal(file.statusCode, status, name)
    t.match(file.headers['content-type'], /^application\/json/, name)
    t.notMatch(file.body, '<h1>', name)
  }
  state.behaviour = (_q, r) =>
    r.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b', link: '<x>' }).end('<script>')
  const page = await get(ours)
  t.notMatch(page.headers['content-type'], 'html')
  t.notOk(page.headers['set-cookie'])
  t.notOk(page.headers.link)
  t.match(page.headers['content-security-policy'], /sandbox/)
})
