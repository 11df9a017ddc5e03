import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import t from 'tap'
import { publicLookup } from '#server/platform/outbound/address.ts'
import { createOutbound, createPublicFetch, type OutboundCall } from '#server/platform/outbound/outbound.ts'

const failure = (reason: string) => ({ name: 'OutboundFailure', reason })
const reads: OutboundCall = { timeoutMs: 5_000, maxBytes: 1_000, maxRedirects: 3 }

/** Answers by address, and records requests. */
const aNetwork = (answers: Record<string, () => Response | Promise<Response>>) => {
  const asked: { url: string; headers: Headers; method: string | undefined }[] = []
  const fetch = (async (url: string, init: RequestInit) => {
    asked.push({ url, headers: new Headers(init.headers), method: init.method })
    const answer = answers[url]
    if (!answer) throw new TypeError('fetch failed')
    return answer()
  }) as typeof globalThis.fetch
  return { asked, outbound: createOutbound({ fetch }) }
}
const to =
  (location: string, status = 302) =>
  () =>
    new Response('moved', { status, headers: { location } })

t.test('only full host names over https are called, in every spelling', async t => {
  const { asked, outbound } = aNetwork({})
  for (const address of [
    'http://example.com/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://1.1.1.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://①②⑦.⓪.⓪.①/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://printer.local/',
    'https://db.internal/',
    'https://intranet/',
    'https://example.com:8443/',
    'https://user:secret@example.com/',
    'https://example.com@127.0.0.1/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'https://',
    'no address',
    `https://example.com/${'a'.repeat(3_000)}`,
  ])
    await t.rejects(outbound.call(address, reads), failure('address'), address)
  t.same(asked, [])
})

t.test('each redirect is checked like the first address', async t => {
  for (const inner of [
    'http://example.com/',
    'https://169.254.169.254/',
    'https://localhost/',
    'https://0x7f.1/',
    '//[::1]/',
  ]) {
    const { asked, outbound } = aNetwork({ 'https://example.com/': to(inner) })
    await t.rejects(outbound.call('https://example.com/', reads), failure('address'), inner)
    t.equal(asked.length, 1)
  }
})

t.test('only GET follows redirects, up to the limit', async t => {
  const { asked, outbound } = aNetwork({
    'https://example.com/': to('/a'),
    'https://example.com/a': to('https://other.example.com/b', 308),
    'https://other.example.com/b': () => new Response('there'),
    'https://example.com/round': to('https://example.com/round'),
  })
  const answer = await outbound.call('https://example.com/', { ...reads, headers: { 'x-api-key': 'k', accept: 'a/b' } })
  t.equal(String(answer.body), 'there')
  t.same(
    asked.map(({ headers }) => [headers.get('x-api-key'), headers.get('accept')]),
    [
      ['k', 'a/b'],
      ['k', 'a/b'],
      [null, 'a/b'],
    ],
    'headers for one host are sent to no other',
  )
  await t.rejects(outbound.call('https://example.com/round', reads), failure('redirects'))
  t.match(await outbound.call('https://example.com/', { ...reads, method: 'POST' }), { status: 302 })
  t.match(await outbound.call('https://example.com/', { ...reads, maxRedirects: 0 }), { status: 302 })
})

t.test('answers are limited in size and time', async t => {
  let bytes = 0
  const endless = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          bytes += 400
          controller.enqueue(new Uint8Array(400))
        },
      }),
    )
  const { outbound } = aNetwork({
    'https://example.com/large': endless,
    'https://example.com/slow': () => new Promise(() => {}),
    'https://example.com/fits': () => new Response('x'.repeat(1_000)),
  })
  await t.rejects(outbound.call('https://example.com/large', reads), failure('tooLarge'))
  t.ok(bytes <= reads.maxBytes + 1_200, `${bytes} bytes were read of it`)
  t.equal((await outbound.call('https://example.com/fits', reads)).body.length, 1_000)
  t.equal((await outbound.call('https://example.com/large', { ...reads, maxBytes: 0 })).body.length, 0)
  await t.rejects(outbound.call('https://example.com/gone', reads), failure('network'))
})

t.test('a server that does not answer in time is given up', async t => {
  const fetch = ((_url: string, { signal }: RequestInit) =>
    new Promise((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason)),
    )) as typeof globalThis.fetch
  // A timeout alone keeps no process alive.
  const alive = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(alive))
  const outbound = createOutbound({ fetch })
  await t.rejects(outbound.call('https://example.com/', { ...reads, timeoutMs: 20 }), failure('timeout'))
  const stop = new AbortController()
  const call = outbound.call('https://example.com/', { ...reads, timeoutMs: 60_000, signal: stop.signal })
  stop.abort()
  await t.rejects(call, failure('network'))
})

t.test('a name that resolves differently later gains nothing: the connection checks it', async t => {
  const server = createServer((_request, response) => response.end('reached'))
  t.teardown(() => new Promise(done => server.close(done)))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let reached = 0
  server.on('connection', () => (reached += 1))
  // The first lookup alone would have been accepted as public.
  const meanings = ['127.0.0.1', '10.0.0.1', '169.254.169.254']
  let looks = 0
  const rebinding = publicLookup(((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: meanings[looks++] ?? '127.0.0.1', family: 4 }])) as never)
  const fetch = createPublicFetch(rebinding)
  for (const _ of meanings)
    await t.rejects(fetch(`http://rebinding.example.com:${port}/`), { cause: { name: 'PrivateAddress' } })
  t.equal(looks, meanings.length, 'one lookup per connection')
  t.equal(reached, 0)
  const outbound = createOutbound({
    fetch: ((_url: string, init: RequestInit) => fetch(`http://x.example.com:${port}/`, init)) as never,
  })
  await t.rejects(outbound.call('https://example.com/', reads), failure('private'))
})

t.test('the checked address is the one that is connected to', async t => {
  const server = createServer((_request, response) => response.end('reached'))
  t.teardown(() => new Promise(done => server.close(done)))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let looks = 0
  const pinned: LookupFunction = (_name, options, done) => {
    looks += 1
    if (options.all) done(null, [{ address: '127.0.0.1', family: 4 }])
    else done(null, '127.0.0.1', 4)
  }
  const answer = await createPublicFetch(pinned)(`http://pinned.example.com:${port}/`)
  t.equal(await answer.text(), 'reached')
  t.equal(looks, 1)
})
