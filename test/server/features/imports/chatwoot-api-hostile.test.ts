/** Answers of a false Chatwoot, or of one whose rows nobody expects: they stop their own import at most. */
import t from 'tap'
import { createClient, RemoteTrouble } from '#server/features/imports/chatwoot/api/client.ts'
import { createOutbound } from '#server/platform/outbound/outbound.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { startWithChatwoot } from './chatwoot-stage.ts'
import { call, getImport, picture } from './stage.ts'

t.setTimeout(fileTimeoutMs)

const { backend, clock, chatwoot, connected, begin, fetched, taken, passWaits } = await startWithChatwoot()
const isFile = (url: string) => /\/(?:rails|disk)\//.test(url)
const answers = (path: RegExp, body: string) => (url: string) => (path.test(url) ? new Response(body) : undefined)
const many = (count: number, row: string) => `[${Array(count).fill(row).join(',')}]`

t.test('an answer of more values or levels than Chatwoot has is not parsed', async t => {
  const get = (body: string) => {
    const fetch = (async () => new Response(body)) as unknown as typeof globalThis.fetch
    const outbound = createOutbound({ fetch })
    return createClient({ outbound, address: 'https://chatwoot.example.com', token: 'a' }).get('profile')
  }
  t.same(await get(many(90_000, '1')), Array(90_000).fill(1))
  await t.rejects(get(many(110_000, '1')), new RemoteTrouble('tooLarge'))
  t.same(
    await get(`${'['.repeat(100)}${']'.repeat(100)}`.replace('[]', '[1]')),
    JSON.parse(`${'['.repeat(100)}1${']'.repeat(100)}`),
  )
  await t.rejects(get(`${'['.repeat(101)}${']'.repeat(101)}`), new RemoteTrouble('odd'))
})

t.test('answers of millions of rows pause their import, and the address is refused', async t => {
  const profile = await connected('Perfil')
  for (const body of [many(1_900_000, '{}'), many(3_000, '{"id":1}'), many(700_000, '{"id":1}')]) {
    chatwoot.answer = answers(/\/profile$/, `{"accounts":${body}}`)
    const refused = await begin(profile.caller)
    t.equal(refused.statusCode, 400)
    t.match(refused.json().details, [{ field: 'body.from.address' }])
  }
  const cases: readonly (readonly [string, RegExp, string])[] = [
    ['agents', /\/agents$/, many(1_900_000, '{}')],
    ['rows without values', /\/inboxes$/, many(2_001, '{}')],
    ['contacts', /\/contacts\?include/, `{"payload":${many(600_000, '{"id":1}')}}`],
    ['deep', /\/labels$/, `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['heavy labels', /\/labels$/, many(1_000, `{"id":1,"title":"${"'".repeat(5_000)}"}`)],
  ]
  for (const [name, path, body] of cases) {
    const to = await connected(name)
    chatwoot.answer = answers(path, body)
    const { id } = await fetched(t, to.caller)
    await passWaits(10)
    t.match(await getImport(to.caller, id), { state: 'paused', failure: 'oddAnswer' }, name)
  }
  t.same(backend.errors(), [])
})

t.test('messages of more values than are parsed at once come a few at a time', async t => {
  const to = await connected('Mucho')
  chatwoot.answer = url =>
    url.includes('/conversations/2/') && url.includes('after=') ? new Response(many(200_000, '1')) : undefined
  t.match(await fetched(t, to.caller), { state: 'ready', found: { messages: 64 } })
})

t.test('names that read like commands of a database are names', async t => {
  const to = await connected('Idiomas')
  chatwoot.answer = url => {
    if (!url.includes('/conversations?') || !url.includes('page=1')) return undefined
    const sender = { id: 9, name: 'SET NAMES klingon', phone_number: '+5491155551234' }
    return Response.json({ data: { meta: { all_count: 1 }, payload: [{ id: 5, inbox_id: 1, meta: { sender } }] } })
  }
  t.match(await fetched(t, to.caller), { state: 'ready', failure: null })
})

t.test('a host of files that is gone costs its files, and Chatwoot itself gets time to come back', async t => {
  const failed = (code: string) => () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
  }
  const broken = () => new Response(new ReadableStream({ pull: controller => controller.error(new Error('cut')) }))
  const elsewhere = 'https://old-bucket.example.com/torta.png'
  const cases: readonly (readonly [string, () => Response])[] = [
    ['no such name', failed('ENOTFOUND')],
    ['nobody listens', failed('ECONNREFUSED')],
    ['an old certificate', failed('CERT_HAS_EXPIRED')],
    ['breaks off', broken],
  ]
  for (const [name, answer] of cases) {
    const to = await connected(name)
    chatwoot.answer = url => {
      if (url === elsewhere) return answer()
      return isFile(url) ? new Response('', { status: 302, headers: { location: elsewhere } }) : undefined
    }
    t.match(await taken(t, to.caller), { state: 'done', taken: { messages: 64, files: 0 } }, name)
  }
  for (const [name, answer] of cases) {
    const to = await connected(`Propio: ${name}`)
    chatwoot.answer = url => (isFile(url) ? answer() : undefined)
    const { id, state } = await taken(t, to.caller)
    t.equal(state, 'running', name)
    await passWaits(2)
    t.match(await getImport(to.caller, id), { state: 'done', taken: { messages: 64, files: 0 } }, name)
  }
  const back = await connected('Vuelve')
  let silent = 2
  chatwoot.answer = url => (isFile(url) && silent-- > 0 ? failed('ECONNREFUSED')() : undefined)
  const { id } = await taken(t, back.caller)
  await passWaits(2)
  t.match(await getImport(back.caller, id), { state: 'done', taken: { messages: 64, files: 1 } })
})

t.test('files that have to wait leave no others behind, and are not waited for without an end', async t => {
  const to = await connected('Con espera')
  const wait = () => new Response('', { status: 429, headers: { 'retry-after': '60' } })
  chatwoot.answer = url => {
    if (!isFile(url)) return undefined
    return url.includes('torta') ? new Response(new Uint8Array(picture)) : wait()
  }
  const { id, state } = await taken(t, to.caller)
  t.equal(state, 'running')
  await passWaits(2)
  const received = backend.databases.read.selectFrom('received_file').select('id').where('org_id', '=', to.orgId)
  t.strictSame(await received.execute(), [])
  await passWaits(36)
  t.match(await getImport(to.caller, id), { state: 'running' })
  await passWaits(1)
  t.match(await getImport(to.caller, id), { state: 'paused', failure: 'unreachable' })
  chatwoot.answer = undefined
  t.equal((await call(to.caller, 'POST', `/${id}/resume`)).statusCode, 202)
  await backend.settle()
  t.match(await getImport(to.caller, id), { state: 'done', taken: { messages: 64, files: 1 } })
})

t.test('an import whose files come slowly lets others run, and goes on behind its last commit', async t => {
  const slow = await connected('Lenta')
  const { id } = await fetched(t, slow.caller)
  const files: string[] = []
  chatwoot.answer = url => {
    if (!isFile(url)) return undefined
    files.push(url)
    clock.advance(30_000)
    return new Response(new Uint8Array(picture))
  }
  await call(slow.caller, 'POST', `/${id}/start`)
  await backend.settle()
  t.match(await getImport(slow.caller, id), { state: 'done', taken: { messages: 64, files: 2 } })
  t.equal(new Set(files).size, files.length, 'no file comes twice')
})

t.test('a page of more contacts than Chatwoot says is none', async t => {
  const to = await connected('Muchos')
  chatwoot.answer = url => {
    if (!url.includes('/contacts?include')) return undefined
    const row = (_: unknown, n: number) => ({ id: n + 1, phone_number: `+54911555${10_000 + n}` })
    return Response.json({ payload: Array.from({ length: 101 }, row) })
  }
  const { id } = await fetched(t, to.caller)
  await passWaits(10)
  t.match(await getImport(to.caller, id), { state: 'paused', failure: 'oddAnswer' })
  t.notOk(chatwoot.asked.some(url => url.includes('/notes')))
})

t.test('ids, times and labels out of all bounds are left out', async t => {
  const sender = { id: 9, name: 'Ana', phone_number: '+5491155551234' }
  const chat = (id: unknown) => ({ id, inbox_id: 1, meta: { sender } })
  const late = [8_640_000_000_000, 8_640_000_000_000, 253_402_300_800, -1, '1e999']
  const cases: readonly (readonly [string, RegExp, object])[] = [
    ['chats', /\/conversations\?.*page=1$/, { data: { payload: [chat(1), chat('1e999'), chat(2 ** 60)] } }],
    ['times', /\/messages\?/, { payload: late.map((created_at, n) => ({ id: n + 1, created_at, content: 'Hola' })) }],
    ['half a letter', /\/labels$/, { payload: [{ id: 1, title: 'a\ud800' }] }],
    ['a long label', /\/labels$/, { payload: [{ id: 1, title: 'ñandú'.repeat(400) }] }],
  ]
  for (const [name, path, body] of cases) {
    const to = await connected(name)
    chatwoot.answer = answers(path, JSON.stringify(body))
    const { state, failure } = await fetched(t, to.caller)
    t.strictSame({ state, failure }, { state: 'ready', failure: null }, name)
  }
  t.notOk(chatwoot.asked.some(url => url.length > 6_000))
  t.same(backend.errors(), [])
})
