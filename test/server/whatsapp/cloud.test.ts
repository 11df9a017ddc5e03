import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import t, { type Test } from 'tap'
import { type CloudNumberOptions, createCloudNumber } from '#server/whatsapp/cloud.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import { payload } from '#test/helpers/payloads.ts'

const phoneNumberId = '106540352242922'
const wabaId = '102290129340398'
const accessToken = 'EAAtoken'
const to = '5491155551234'

interface Seen {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
}
type Answer = (seen: Seen, response: ServerResponse) => void

const json =
  (status: number, body: Buffer | object): Answer =>
  (_seen, response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
    response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
  }

/** A server in place of Meta that answers in turn and records requests. */
const inMetasPlace = async (t: Test, ...answers: Answer[]) => {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const one = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', 'http://x'),
      headers: request.headers,
      body,
    }
    seen.push(one)
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    answer?.(one, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sandbox/graph`
  const number = (options: Partial<CloudNumberOptions> = {}) =>
    createCloudNumber({ baseUrl, version: 'v25.0', phoneNumberId, wabaId, accessToken, ...options })
  return { seen, baseUrl, number }
}

const failure = async (call: Promise<unknown>): Promise<WhatsAppError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof WhatsAppError)) throw new Error('rejects with nothing but WhatsAppError', { cause: error })
  return error
}

t.test('a text goes out as Meta wants it', async t => {
  const { seen, number } = await inMetasPlace(t, json(200, payload('graph/send')))
  const accepted = await number().send({ to, content: { type: 'text', text: 'Hola' }, callback: 'attempt-1' })
  t.match(accepted, { wamid: /^wamid\./, waId: to, bsuid: 'AR.13491208655302741918' })
  t.equal(seen[0]?.method, 'POST')
  t.equal(seen[0]?.url.pathname, `/sandbox/graph/v25.0/${phoneNumberId}/messages`)
  t.equal(seen[0]?.url.search, '', 'no secret in the address')
  t.match(seen[0]?.headers, {
    authorization: 'Bearer EAAtoken',
    'content-type': 'application/json',
    'user-agent': /Recado/,
  })
  t.same(JSON.parse(seen[0]?.body ?? ''), {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'text',
    text: { body: 'Hola', preview_url: false },
    biz_opaque_callback_data: 'attempt-1',
  })
})

t.test('an answer quotes, a link is previewed, a customer without a number is reached by id', async t => {
  const { seen, number } = await inMetasPlace(t, json(200, payload('graph/send-by-user-id')))
  const text = 'Mirá https://ejemplo.com.ar'
  const accepted = await number().send({
    to: 'AR.77771208655302741918',
    content: { type: 'text', text },
    replyToWamid: 'wamid.X',
    callback: 'c',
  })
  t.same(Object.keys(accepted).sort(), ['bsuid', 'wamid'])
  const body = JSON.parse(seen[0]?.body ?? '')
  t.match(body, {
    recipient: 'AR.77771208655302741918',
    context: { message_id: 'wamid.X' },
    text: { preview_url: true },
  })
  t.notOk('to' in body)
})

t.test('calls are signed where the app secret is known', async t => {
  const { seen, number } = await inMetasPlace(t, json(200, payload('graph/success')))
  await number({ appSecret: 's3cret' }).subscribe()
  t.equal(
    seen[0]?.url.searchParams.get('appsecret_proof'),
    createHmac('sha256', 's3cret').update(accessToken).digest('hex'),
  )
  t.match(seen[0], { method: 'POST', url: { pathname: `/sandbox/graph/v25.0/${wabaId}/subscribed_apps` } })
})

t.test('read receipt and typing are one call', async t => {
  const { seen, number } = await inMetasPlace(t, json(200, payload('graph/success')))
  await number().markRead('wamid.X')
  await number().markRead('wamid.X', { typing: true })
  t.same(JSON.parse(seen[0]?.body ?? ''), { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.X' })
  t.match(JSON.parse(seen[1]?.body ?? ''), { status: 'read', typing_indicator: { type: 'text' } })
})

t.test('a check returns the number’s facts and verifies its account', async t => {
  const { seen, number } = await inMetasPlace(
    t,
    json(200, payload('graph/number')),
    json(200, payload('graph/numbers')),
  )
  t.same(await number().check(), { phone: '5491155550000', verifiedName: 'Librería Sur' })
  t.match(seen[0]?.url.searchParams.get('fields'), 'display_phone_number')
  t.equal(seen[1]?.url.pathname, `/sandbox/graph/v25.0/${wabaId}/phone_numbers`)
})

t.test('a check reads all pages by cursor, up to a limit', async t => {
  const page = (ids: string[], after?: string) =>
    json(200, {
      data: ids.map(id => ({ id })),
      paging: { cursors: { after: after ?? 'end' }, ...(after ? { next: 'https://evil.example/next' } : {}) },
    })
  const found = await inMetasPlace(t, json(200, payload('graph/number')), page(['1'], 'two'), page([phoneNumberId]))
  await found.number().check()
  t.equal(found.seen[2]?.url.searchParams.get('after'), 'two')

  const missing = await inMetasPlace(t, json(200, payload('graph/number')), page(['1'], 'two'), page(['2']))
  t.match(await failure(missing.number().check()), { code: 'WRONG_ACCOUNT', retry: 'credentials' })

  const endless = await inMetasPlace(t, json(200, payload('graph/number')), page(['1'], 'again'))
  t.match(await failure(endless.number().check()), { code: 'WRONG_ACCOUNT' })
  t.ok(endless.seen.length < 30)
})

t.test('an error of Meta keeps its code and says how to retry', async t => {
  const { number } = await inMetasPlace(
    t,
    json(400, payload('graph/error-throughput')),
    json(401, payload('graph/error-token')),
    json(206, payload('graph/error-text-data')),
  )
  const send = () => failure(number().send({ to, content: { type: 'text', text: 'Hola' }, callback: 'c' }))
  t.match(await send(), { code: '130429', retry: 'later', httpStatus: 400, detail: /throughput/ })
  t.match(await send(), { code: '190', retry: 'credentials', httpStatus: 401 })
  t.match(await send(), { code: '100', retry: 'never', httpStatus: 206 }, 'a success with an error in it is an error')
})

t.test('a reply that is not the Cloud API’s is an error', async t => {
  const text =
    (status: number, body: string, headers: Record<string, string> = {}): Answer =>
    (_seen, response) =>
      response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
  const { seen, number } = await inMetasPlace(
    t,
    text(502, '<html>Bad gateway</html>'),
    text(200, '<html>Welcome to the hotel</html>'),
    text(200, '{"messages":[]}'),
    text(200, '{"messages":[{"id":"wam'),
    text(302, '', { location: 'http://127.0.0.1:1/elsewhere' }),
    text(200, `{"messages":[{"id":"wamid.A"}],"x":"${'x'.repeat(2_000_000)}"}`),
  )
  const send = () => failure(number().send({ to, content: { type: 'text', text: 'Hola' }, callback: 'c' }))
  t.match(await send(), { code: 'UNREADABLE', retry: 'unknown', httpStatus: 502 })
  t.match(await send(), { code: 'UNREADABLE', retry: 'unknown', httpStatus: 200 })
  t.match(await send(), { code: 'UNREADABLE', retry: 'unknown' }, 'without an id it may have been accepted')
  t.match(await send(), { code: 'UNREADABLE', retry: 'unknown' })
  t.match(await send(), { code: 'UNREADABLE', retry: 'never', httpStatus: 302 }, 'a redirect is not followed')
  t.match(await send(), { code: 'UNREADABLE', retry: 'unknown' }, 'a reply that never ends')
  t.equal(seen.length, 6)
})

t.test('a connection lost after sending leaves a send unconfirmed, before sending it does not', async t => {
  const { number, seen } = await inMetasPlace(t, (_seen, response) => response.socket?.destroy())
  t.match(await failure(number().send({ to, content: { type: 'text', text: 'Hola' }, callback: 'c' })), {
    code: 'UNCONFIRMED',
    retry: 'unknown',
  })
  t.equal(seen.length, 1, 'asked once')
  t.match(await failure(number().markRead('wamid.X')), { code: 'NETWORK', retry: 'quick' }, 'a receipt may be repeated')

  const closed = createTcpServer()
  closed.listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  const gone = number({ baseUrl: `http://127.0.0.1:${port}` })
  t.match(await failure(gone.send({ to, content: { type: 'text', text: 'Hola' }, callback: 'c' })), {
    code: 'NETWORK',
    retry: 'quick',
  })
})

t.test('a call without an answer times out, and a send is then unconfirmed', async t => {
  const { number } = await inMetasPlace(t, () => undefined)
  t.match(
    await failure(number({ timeoutMs: 50 }).send({ to, content: { type: 'text', text: 'Hola' }, callback: 'c' })),
    {
      code: 'TIMEOUT',
      retry: 'unknown',
    },
  )
  const half = await inMetasPlace(t, (_seen, response) => response.writeHead(200).write('{"messages":'))
  t.match(
    await failure(half.number({ timeoutMs: 50 }).send({ to, content: { type: 'text', text: 'Hola' }, callback: 'c' })),
    {
      code: 'TIMEOUT',
      retry: 'unknown',
    },
  )
})

t.test('calls that share a signal each have their own time limit, and the signal ends those under way', async t => {
  const { number } = await inMetasPlace(t, () => undefined)
  const stop = new AbortController()
  const send = (timeoutMs: number) =>
    failure(number({ timeoutMs }).send({ to, content: { type: 'text', text: 'Hola' }, callback: 'c' }, stop.signal))
  const from = performance.now()
  const [first, ...others] = [send(1_000), send(60_000), send(60_000)] as const
  t.match(await first, { code: 'TIMEOUT', retry: 'unknown' })
  const ms = performance.now() - from
  t.ok(ms >= 1_000 && ms < 20_000, `${ms} ms`)
  stop.abort()
  for (const other of others) t.match(await other, { code: 'TIMEOUT', retry: 'unknown' })
})

t.test('a call aborted before it begins was not sent; during it, it is unconfirmed', async t => {
  const began = Promise.withResolvers<void>()
  const { number, seen } = await inMetasPlace(t, () => began.resolve())
  t.match(
    await failure(number().send({ to, content: { type: 'text', text: 'Hola' }, callback: 'c' }, AbortSignal.abort())),
    {
      code: 'NETWORK',
      retry: 'quick',
    },
  )
  t.equal(seen.length, 0)
  const stop = new AbortController()
  const sending = failure(number().send({ to, content: { type: 'text', text: 'Hola' }, callback: 'c' }, stop.signal))
  await began.promise
  stop.abort()
  t.match(await sending, { code: 'TIMEOUT', retry: 'unknown' })
})

t.test('a token that cannot be sent in a header is refused without printing it', async t => {
  const { number, seen } = await inMetasPlace(t, json(200, payload('graph/success')))
  for (const bad of ['EAA\nsecret', '', 'EAA secret', 'EAAñ']) {
    const error = await failure(number({ accessToken: bad }).subscribe())
    t.match(error, { code: '190', retry: 'credentials' })
    t.notMatch(`${error.message} ${String(error.cause)}`, /secret/)
  }
  t.equal(seen.length, 0)
})

t.test('no error carries the token', async t => {
  const token = 'EAAverysecret'
  const echo: Answer = (seen, response) =>
    json(400, { error: { code: 190, message: 'nope', error_data: seen.body } })(seen, response)
  const { number } = await inMetasPlace(t, echo, (_seen, response) => response.socket?.destroy())
  for (let time = 0; time < 2; time += 1) {
    const error = await failure(
      number({ accessToken: token }).send({ to, content: { type: 'text', text: 'Hola' }, callback: 'c' }),
    )
    const said = [error, error.cause, (error.cause as Error | undefined)?.cause].map(
      part => `${String(part)} ${JSON.stringify(part)} ${(part as Error | undefined)?.stack}`,
    )
    t.notMatch(said.join(' '), /verysecret/)
  }
})

const bytes = Buffer.from('hello')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const file =
  (body: Buffer = bytes, headers: Record<string, string> = {}): Answer =>
  (_seen, response) =>
    response.writeHead(200, { 'content-type': 'image/png', ...headers }).end(body)
const info = (baseUrl: string, facts: object = {}) =>
  json(200, {
    url: new URL('/attachments/?mid=1', baseUrl).href,
    mime_type: 'image/png',
    sha256,
    file_size: 5,
    id: '1',
    ...facts,
  })
const collect = async (body: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}
const limits = { maxBytes: 1000 }

/** Answers by path: `/1` the file's info, `/attachments` the file. */
const mediaServer = async (t: Test, answers: { info?: (baseUrl: string) => Answer; file?: Answer[] } = {}) => {
  const files = answers.file ?? [file()]
  const place: { baseUrl: string } = { baseUrl: '' }
  const server = await inMetasPlace(t, (seen, response) => {
    if (seen.url.pathname.startsWith('/sandbox/graph')) (answers.info ?? info)(place.baseUrl)(seen, response)
    else (files.length > 1 ? files.shift() : files[0])?.(seen, response)
  })
  place.baseUrl = server.baseUrl
  return server
}

t.test('a file is streamed, with Meta’s facts about it', async t => {
  const { number, seen } = await mediaServer(t)
  const media = await number().fetchMedia('1', limits)
  t.match(media, { mime: 'image/png', size: 5, sha256 })
  t.same(await collect(media.body), bytes)
  t.match(seen[0]?.url, { pathname: '/sandbox/graph/v25.0/1', search: `?phone_number_id=${phoneNumberId}` })
  t.equal(seen[1]?.headers.authorization, 'Bearer EAAtoken')
})

t.test('a file size may be text, or missing', async t => {
  const inText = await mediaServer(t, { info: base => info(base, { file_size: '5' }) })
  t.equal((await inText.number().fetchMedia('1', limits)).size, 5)
  const unknown = await mediaServer(t, {
    info: base => info(base, { file_size: undefined }),
    file: [(_seen, response) => response.writeHead(200).end(bytes)],
  })
  const media = await unknown.number().fetchMedia('1', limits)
  t.match(media, { size: null, mime: 'image/png' })
  t.same(await collect(media.body), bytes)
})

t.test('an expired address is requested once more', async t => {
  const gone: Answer = (_seen, response) => response.writeHead(404).end('gone')
  const login: Answer = (_seen, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>')
  for (const expired of [gone, login]) {
    const { number, seen } = await mediaServer(t, { file: [expired, file()] })
    t.same(await collect((await number().fetchMedia('1', limits)).body), bytes)
    t.equal(seen.length, 4)
    const never = await mediaServer(t, { file: [expired] })
    t.match(await failure(never.number().fetchMedia('1', limits)), { code: 'UNREADABLE', retry: 'never' })
    t.equal(never.seen.length, 4)
  }
})

t.test('a file beyond the limit is refused, with or without a stated size', async t => {
  const big = Buffer.alloc(5000)
  const announced = await mediaServer(t, { info: base => info(base, { file_size: 5000 }) })
  t.match(await failure(announced.number().fetchMedia('1', limits)), { code: 'TOO_LARGE', retry: 'never' })
  t.equal(announced.seen.length, 1, 'the upload is not started')
  const inHeader = await mediaServer(t, {
    info: base => info(base, { file_size: undefined }),
    file: [file(big, { 'content-length': '5000' })],
  })
  t.match(await failure(inHeader.number().fetchMedia('1', limits)), { code: 'TOO_LARGE' })
  const lied = await mediaServer(t, { file: [file(big)] })
  const media = await lied.number().fetchMedia('1', limits)
  t.match(await failure(collect(media.body)), { code: 'TOO_LARGE' })
})

t.test('the token is sent only to Meta’s hosts', async t => {
  const other = await inMetasPlace(t, file())
  const elsewhere = other.baseUrl.replace('127.0.0.1', 'localhost')
  for (const url of [
    elsewhere,
    'https://lookaside.fbsbx.com.evil.example/x',
    'https://evil.example/?lookaside.fbsbx.com',
    'http://lookaside.fbsbx.com/x',
    'file:///etc/passwd',
    'no address',
    'https://user@169.254.169.254/latest',
  ]) {
    const { number, seen } = await mediaServer(t, { info: base => info(base, { url }) })
    t.match(await failure(number().fetchMedia('1', limits)), { code: 'MEDIA_HOST', retry: 'never' }, url)
    t.equal(seen.length, 1)
  }
  t.equal(other.seen.length, 0)
})

t.test('a redirect is followed without the token, to Meta’s hosts only', async t => {
  const redirect =
    (location: string): Answer =>
    (_seen, response) =>
      response.writeHead(302, { location }).end()
  const other = await inMetasPlace(t, file())
  const away = await mediaServer(t, { file: [redirect(other.baseUrl)] })
  t.match(await failure(away.number().fetchMedia('1', limits)), { code: 'MEDIA_HOST' })
  t.equal(other.seen.length, 0)

  const within = await mediaServer(t, { file: [redirect('/attachments/again'), file()] })
  t.same(await collect((await within.number().fetchMedia('1', limits)).body), bytes)
  t.match(
    within.seen.map(seen => seen.headers.authorization),
    ['Bearer EAAtoken', 'Bearer EAAtoken', undefined],
  )

  const endless = await mediaServer(t, { file: [redirect('/attachments/again')] })
  t.match(await failure(endless.number().fetchMedia('1', limits)), { code: 'MEDIA_HOST' })
  t.equal(endless.seen.length, 5)
})

t.test('Meta’s hosts get the token, its content network does not', async t => {
  const asked: { host: string; token: boolean }[] = []
  const fake = (async (url: URL, init: RequestInit) => {
    asked.push({ host: url.hostname, token: new Headers(init.headers).has('authorization') })
    if (url.hostname === 'graph.facebook.com') return Response.json(JSON.parse(payload('graph/media').toString()))
    if (url.hostname === 'lookaside.fbsbx.com')
      return new Response(null, { status: 302, headers: { location: 'https://scontent.xx.fbcdn.net/v/1' } })
    return new Response(bytes)
  }) as unknown as typeof fetch
  const number = createCloudNumber({
    baseUrl: 'https://graph.facebook.com',
    version: 'v25.0',
    phoneNumberId,
    wabaId,
    accessToken,
    fetch: fake,
  })
  t.same(await collect((await number.fetchMedia('1', limits)).body), bytes)
  t.same(asked, [
    { host: 'graph.facebook.com', token: true },
    { host: 'lookaside.fbsbx.com', token: true },
    { host: 'scontent.xx.fbcdn.net', token: false },
  ])
})

t.test('a broken download can be retried; an abandoned one closes its connection', async t => {
  const broken = await mediaServer(t, {
    file: [
      (_seen, response) =>
        response.writeHead(200, { 'content-length': '5' }).write('he', () => response.socket?.destroy()),
    ],
  })
  const media = await broken.number().fetchMedia('1', limits)
  t.match(await failure(collect(media.body)), { code: 'NETWORK', retry: 'quick' })

  const closed = Promise.withResolvers<void>()
  const slow = await mediaServer(t, {
    file: [
      (_seen, response) => {
        response.on('close', () => closed.resolve())
        response.writeHead(200, { 'content-type': 'image/png' }).write('h')
      },
    ],
  })
  for await (const _chunk of (await slow.number().fetchMedia('1', limits)).body) break
  await closed.promise
  t.pass('the server saw the line close')
})

t.test('a missing file and a failing server give different errors', async t => {
  const gone = await mediaServer(t, { info: () => json(400, payload('graph/error-missing-object')) })
  t.match(await failure(gone.number().fetchMedia('1', limits)), { code: '100', retry: 'never' })
  const trouble = await mediaServer(t, { file: [(_seen, response) => response.writeHead(503).end()] })
  t.match(await failure(trouble.number().fetchMedia('1', limits)), { code: 'UNREADABLE', retry: 'quick' })
})
