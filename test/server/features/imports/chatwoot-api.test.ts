/** An account of Chatwoot that is fetched by its API: it brings what a dump brings, once, whatever the answers are. */
import t from 'tap'
import { chatwootTables, phoneOf } from '#test/fixtures/dumps/chatwoot.ts'
import { chatwootApi, chatwootToken } from '#test/fixtures/dumps/chatwoot-api.ts'
import { postgresDump } from '#test/fixtures/dumps/plain.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { type Answer, from, startWithChatwoot, usual } from './chatwoot-stage.ts'
import { type Caller, call, getImport, messagesOf, picture, rowsLeft, takeDump, undo } from './stage.ts'

t.setTimeout(fileTimeoutMs)

const { backend, clock, chatwoot, connected, begin, fetched, taken, passWaits } = await startWithChatwoot()
const { databases } = backend
const dump = (...of: Parameters<typeof chatwootTables>) => Buffer.from(postgresDump(chatwootTables(...of)))

const stored = (id: string) =>
  databases.read.selectFrom('chat_import').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const chatsOf = async (caller: Caller, id: string) => (await call(caller, 'GET', `/${id}/chats`)).json().items

/** Times as the API says them, and of deletions that they happened. */
const inSeconds = (rows: Awaited<ReturnType<typeof messagesOf>>) =>
  rows
    .map(row => ({ ...row, at: row.at.slice(0, 19), revoked_at: row.revoked_at !== null }))
    .map(row => JSON.stringify(row))
    .sort()

t.test('an account comes in as by its dump, with files, notes and tags, and the token is gone', async t => {
  const byDump = await connected('Por copia')
  await takeDump(t, byDump.caller, dump(), 'chatwoot')
  const to = await connected('Por dirección')
  const one = await fetched(t, to.caller)
  t.match(one, {
    ...{ state: 'ready', fileName: 'Panadería Don Luis (chatwoot.example.com)', refused: 6 },
    found: {
      ...{ chats: 6, messages: 64, contacts: 6, files: 2 },
      archive: {
        organization: 'Panadería Don Luis',
        numbers: [{ id: '1', label: 'WhatsApp Ventas', chats: 6 }],
        agents: [{ id: '7', name: 'Marta' }],
      },
    },
  })
  t.match(await stored(one.id), { token: null, remote: /"cursor":null/ })
  await call(to.caller, 'POST', `/${one.id}/start`)
  await backend.settle()
  const done = await getImport(to.caller, one.id)
  t.match(done, { state: 'done', refused: 7, taken: { messages: 64, files: 1, contacts: 6 } })
  for (const chat of await chatsOf(to.caller, one.id))
    t.strictSame([chat.kept, chat.keptSum], [chat.found, chat.foundSum])
  const [expected, came] = [await messagesOf(backend, byDump.orgId), await messagesOf(backend, to.orgId)]
  const withoutFiles = (rows: typeof came) =>
    rows.map(row => ({
      ...row,
      name: null,
      size: null,
      mime: null,
      state: null,
      sha256: null,
      type: row.name ? '' : row.type,
    }))
  t.strictSame(inSeconds(withoutFiles(came)), inSeconds(withoutFiles(expected)))
  t.match(
    came.find(row => row.name === 'torta.png'),
    { type: 'image', mime: 'image/png', state: 'stored', text: 'Fotos' },
  )
  t.match(
    came.find(row => row.name === 'lista.pdf'),
    { type: 'document', state: 'failed' },
  )
  const contacts = (orgId: string) =>
    databases.read
      .selectFrom('contact')
      .select(['name', 'wa_id', 'note'])
      .where('org_id', '=', orgId)
      .orderBy('wa_id')
      .execute()
  t.strictSame(await contacts(to.orgId), await contacts(byDump.orgId))
  const tags = (orgId: string) =>
    databases.read
      .selectFrom('contact_tag')
      .innerJoin('tag', 'tag.id', 'contact_tag.tag_id')
      .innerJoin('contact', 'contact.id', 'contact_tag.contact_id')
      .select(['tag.label', 'contact.wa_id'])
      .where('contact_tag.org_id', '=', orgId)
      .orderBy('contact.wa_id')
      .orderBy('tag.label')
      .execute()
  t.strictSame(await tags(to.orgId), await tags(byDump.orgId))
  t.ok(chatwoot.asked.every(url => !url.includes(chatwootToken)))
  t.same(backend.errors(), [])
})

t.test(
  'what came by a dump does not come again by the API, nor the other way round; an undo leaves nothing',
  async t => {
    for (const [name, first, second] of [
      ['copia y dirección', 'dump', 'api'],
      ['dirección y copia', 'api', 'dump'],
      ['dirección dos veces', 'api', 'api'],
    ] as const) {
      const to = await connected(name)
      const bring = (way: 'dump' | 'api') =>
        way === 'dump' ? takeDump(t, to.caller, dump(), 'chatwoot') : taken(t, to.caller)
      const before = await rowsLeft(backend, to.orgId)
      const one = await bring(first)
      t.match(one, { state: 'done', taken: { messages: 64, existing: 0 } }, name)
      const after = await rowsLeft(backend, to.orgId)
      const again = await bring(second)
      t.match(again, { state: 'done', taken: { messages: 0, contacts: 0, existing: 64 } }, name)
      for (const chat of await chatsOf(to.caller, again.id))
        t.equal(chat.keptSum, chat.foundSum, `${name}: ${chat.name}`)
      await undo(t, to.caller, again.id)
      t.strictSame(await rowsLeft(backend, to.orgId), after, name)
      await undo(t, to.caller, one.id)
      t.strictSame(await rowsLeft(backend, to.orgId), before, name)
    }
    const to = await connected('Con más')
    await taken(t, to.caller)
    chatwoot.api = chatwootApi({ picture, tables: chatwootTables({ messages: 66 }) })
    t.match((await taken(t, to.caller)).taken, { messages: 6, existing: 64 }, 'only what is new')
  },
)

t.test('older versions and long conversations come whole', async t => {
  const old = await connected('Vieja')
  chatwoot.api = chatwootApi({ version: '2', picture, tables: chatwootTables({ version: '2', messages: 600 }) })
  t.match((await taken(t, old.caller)).taken, { messages: 604, contacts: 6, files: 1 })
  const long = await connected('Larga')
  const tables = chatwootTables({ contacts: 1, messages: 2_500 })
  chatwoot.api = chatwootApi({ picture, tables })
  t.match((await taken(t, long.caller)).taken, { messages: 2_504 }, 'more than one answer has')
  // Larger than an answer may be: a few are asked for at once.
  const large = await connected('Grande')
  chatwoot.api = usual
  chatwoot.answer = url => {
    if (!url.includes('/conversations/2/') || !url.includes('after=')) return undefined
    return new Response(`[${' '.repeat(7 * 1024 ** 2)}]`)
  }
  t.match((await taken(t, large.caller)).taken, { messages: 64 })
  t.same(backend.errors(), [])
})

t.test('an address or a token that will not do is refused beside its field, and nothing is kept', async t => {
  const to = await connected('Rechazada')
  const before = await rowsLeft(backend, to.orgId)
  const html = () =>
    new Response('<!doctype html><title>Bienvenidos</title>', { headers: { 'content-type': 'text/html' } })
  const moved = () => new Response(null, { status: 301, headers: { location: 'https://otro.example.com/' } })
  const json = (value: unknown) => () => Response.json(value)
  const cases: readonly (readonly [string, string, RegExp, Partial<typeof from>, Answer?])[] = [
    ['another token', 'token', /rejected that token/, { token: 'otra' }],
    ['a token that is no header', 'token', /rejected that token/, { token: 'dos líneas\r\nx: y' }],
    ['an agent', 'token', /belongs to an agent/, {}, json({ accounts: [{ id: 1, name: 'A', role: 'agent' }] })],
    ['no account', 'address', /any Chatwoot account/, {}, json({ accounts: [] })],
    [
      'another account',
      'address',
      /any Chatwoot account/,
      { address: 'https://chatwoot.example.com/app/accounts/9/x' },
    ],
    ['HTML', 'address', /Something other than Chatwoot/, {}, html],
    ['half JSON', 'address', /Something other than Chatwoot/, {}, () => new Response('{"accounts": [')],
    ['wrong types', 'address', /Something other than Chatwoot/, {}, json({ accounts: 'todas' })],
    ['null', 'address', /Something other than Chatwoot/, {}, json(null)],
    ['another host', 'address', /leads to another one/, {}, moved],
    ['too often', 'address', /too many requests/, {}, () => new Response('', { status: 429 })],
    ['broken', 'address', /isn't responding/, {}, () => new Response('', { status: 500 })],
    ['http', 'address', /can't be called/, { address: 'http://chatwoot.example.com' }],
    ['an inner address', 'address', /can't be called/, { address: 'https://10.0.0.7' }],
    ['a local name', 'address', /can't be called/, { address: 'https://localhost:3000' }],
    ['credentials', 'address', /isn't valid/, { address: 'https://ana:clave@chatwoot.example.com' }],
    ['no address', 'address', /isn't valid/, { address: 'chat woot' }],
    ['another kind', 'address', /isn't valid/, { address: 'file:///etc/passwd' }],
  ]
  for (const [name, field, text, changes, answer] of cases) {
    chatwoot.answer = answer
    const reply = await backend.inject({
      ...{ method: 'POST', url: '/api/imports', payload: { source: 'chatwoot', from: { ...from, ...changes } } },
      headers: { ...to.headers, 'accept-language': 'en' },
    })
    t.equal(reply.statusCode, 400, name)
    t.match(reply.json().details, [{ field: `body.from.${field}`, message: text }], name)
    t.notMatch(reply.body, chatwootToken)
  }
  chatwoot.answer = undefined
  chatwoot.api = chatwootApi({ accounts: [1, 2] })
  t.match((await begin(to.caller)).body, /Panadería Don Luis \(1\), Librería \(2\)/)
  const other = await call(to.caller, 'POST', '', { source: 'whaticket', from })
  t.match(other.json().details, [{ field: 'body.from' }])
  t.strictSame(await rowsLeft(backend, to.orgId), before)
  t.equal(
    (await databases.read.selectFrom('chat_import').select('id').where('org_id', '=', to.orgId).execute()).length,
    0,
  )
  const chosen = await fetched(t, to.caller, { address: 'https://chatwoot.example.com/app/accounts/2/dashboard' })
  t.match(chosen, { state: 'ready', found: { messages: 1, archive: { organization: 'Librería' } } })
})

t.test('it waits when it is asked to, goes on where it was, and stops when that does not help', async t => {
  const waits = await connected('Espera')
  let limited = 3
  chatwoot.answer = url =>
    url.includes('/conversations/3/') && limited-- > 0
      ? new Response('Retry later', { status: 429, headers: { 'retry-after': '120' } })
      : undefined
  const one = await fetched(t, waits.caller)
  t.match(one, { state: 'reading', fetching: { done: 2, total: 9 } })
  t.match(await stored(one.id), { token: /^v2\./ }, 'the token is sealed')
  const askedBefore = chatwoot.asked.length
  clock.advance(119_000)
  await backend.settle()
  t.equal(chatwoot.asked.length, askedBefore, 'not earlier')
  for (let n = 0; n < 3; n += 1) {
    clock.advance(121_000)
    await backend.settle()
  }
  t.match(await getImport(waits.caller, one.id), { state: 'ready', found: { messages: 64 } })
  t.equal(chatwoot.asked.filter(url => url.includes('/conversations/2/')).length, 1, 'nothing is asked twice')

  const broken = await connected('Rota')
  chatwoot.answer = url => (url.includes('/conversations/3/') ? new Response('', { status: 500 }) : undefined)
  const other = await fetched(t, broken.caller)
  await passWaits(10)
  t.match(await getImport(broken.caller, other.id), { state: 'paused', failure: 'unreachable', fetching: { done: 2 } })
  chatwoot.answer = undefined
  t.equal((await call(broken.caller, 'POST', `/${other.id}/resume`)).statusCode, 202)
  await backend.settle()
  t.match(await getImport(broken.caller, other.id), { state: 'ready', failure: null, found: { messages: 64 } })

  const revoked = await connected('Sin permiso')
  chatwoot.answer = url => (url.includes('/conversations/4/') ? new Response('{}', { status: 401 }) : undefined)
  const last = await fetched(t, revoked.caller)
  t.match(last, { state: 'failed', failure: 'tokenRefused' })
  t.match(await stored(last.id), { token: null })
  t.equal((await call(revoked.caller, 'POST', `/${last.id}/undo`)).statusCode, 409)
})

t.test('one that stops behind every answer ends as one that ran through', async t => {
  const tables = chatwootTables({ contacts: 20, messages: 1_500 })
  const first = await connected('Entera')
  chatwoot.api = chatwootApi({ picture, tables })
  const whole = await taken(t, first.caller)
  for (const version of ['4', '2'] as const) {
    const to = await connected(`Cortada ${version}`)
    let calls = 0
    chatwoot.api = chatwootApi({ picture, tables, version })
    // What came is stored, and the next run begins with the one that failed.
    chatwoot.answer = url =>
      /\/(?:contacts\?|conversations[?/])/.test(url) && calls++ % 2 ? new Response('', { status: 502 }) : undefined
    const made = await begin(to.caller)
    const { id } = made.json()
    for (let n = 0; n < 400 && (await getImport(to.caller, id)).state === 'reading'; n += 1) {
      await backend.settle()
      clock.advance(901_000)
    }
    t.ok(calls > 50, `${calls} calls`)
    await call(to.caller, 'POST', `/${id}/start`)
    await backend.settle()
    t.match(await getImport(to.caller, id), { state: 'done', taken: whole.taken })
    t.strictSame(inSeconds(await messagesOf(backend, to.orgId)), inSeconds(await messagesOf(backend, first.orgId)))
  }
  t.same(backend.errors(), [])
})

t.test('what finds no room waits for room', async t => {
  const to = await connected('Sin lugar')
  const used = (bytes: number) =>
    databases.write
      .insertInto('file_use')
      .values({ org_id: to.orgId, bytes })
      .onConflict(on => on.column('org_id').doUpdateSet({ bytes }))
      .execute()
  await used(10 ** 13)
  const { id } = await fetched(t, to.caller)
  t.match(await getImport(to.caller, id), { state: 'paused', failure: 'noRoom', received: 0 })
  await used(0)
  t.equal((await call(to.caller, 'POST', `/${id}/resume`)).statusCode, 202)
  await backend.settle()
  t.match(await getImport(to.caller, id), { state: 'ready', failure: null, found: { messages: 64 } })
})

t.test('it is paused and resumed while it is fetched, and a forgotten one is deleted with its token', async t => {
  const to = await connected('Pausa')
  const wait = () => new Response('', { status: 429, headers: { 'retry-after': '3000' } })
  chatwoot.answer = url => (url.includes('/conversations/5/') ? wait() : undefined)
  const { id } = await fetched(t, to.caller)
  t.match((await call(to.caller, 'POST', `/${id}/pause`)).json(), { state: 'paused', fetching: { done: 4 } })
  clock.advance(3_001_000)
  chatwoot.answer = undefined
  await backend.settle()
  t.match(await getImport(to.caller, id), { state: 'paused' })
  t.match((await call(to.caller, 'POST', `/${id}/resume`)).json(), { state: 'reading' })
  await backend.settle()
  t.match(await getImport(to.caller, id), { state: 'ready', found: { messages: 64 } })
  t.equal((await call(to.caller, 'POST', `/${id}/pause`)).statusCode, 409)

  chatwoot.answer = url => (url.includes('/conversations/5/') ? wait() : undefined)
  const left = await fetched(t, to.caller)
  await call(to.caller, 'POST', `/${left.id}/pause`)
  const old = '2020-01-01T00:00:00.000Z'
  await databases.write.updateTable('chat_import').set({ created_at: old }).where('id', '=', left.id).execute()
  await databases.write
    .updateTable('job')
    .set({ state: 'waiting', due_at: old })
    .where('kind', '=', 'maintenance')
    .execute()
  await backend.settle()
  t.equal((await call(to.caller, 'GET', `/${left.id}`)).statusCode, 404)
  const pieces = databases.read.selectFrom('chat_import_piece').select('path').where('import_id', '=', left.id)
  t.strictSame(await pieces.execute(), [])
})

t.test('answers of wrong types and without an end bring no harm', async t => {
  const to = await connected('Rara')
  const odd = [{}, null, 7, 'x', { id: {} }, { id: '1 or 1=1', content: "');--" }, { id: -4 }, { id: 1e300 }]
  const replaced: Readonly<Record<string, unknown>> = {
    agents: odd,
    labels: { payload: odd },
    custom_attribute_definitions: odd,
    conversations: {
      data: { meta: { all_count: 'muchas' }, payload: [...odd, { id: 1, meta: { sender: [] }, labels: 'vip' }] },
    },
  }
  chatwoot.answer = url => {
    const path = /accounts\/1\/([a-z_]+)(?:\?|$)/.exec(url)?.[1] ?? ''
    if (path in replaced) return Response.json(replaced[path])
    return url.includes('/notes') ? Response.json([{ content: { a: 1 } }, 4]) : undefined
  }
  t.match(await fetched(t, to.caller), { state: 'ready', found: { contacts: 6, chats: 0, messages: 0 } })

  const endless = await connected('Sin fin')
  chatwoot.answer = url => {
    const page = Number(new URL(url).searchParams.get('page'))
    return /\/contacts\?/.test(url) && page > 1
      ? Response.json({ payload: [{ id: 1, name: 'Otra vez', phone_number: `+${phoneOf(1)}` }] })
      : undefined
  }
  t.match(
    await fetched(t, endless.caller),
    { state: 'ready', found: { contacts: 6, messages: 64 } },
    'a page that repeats',
  )

  const lies = await connected('Miente')
  chatwoot.answer = url => {
    if (url.includes('/conversations/2/')) return new Response('<html>', { status: 200 })
    return undefined
  }
  const { id } = await fetched(t, lies.caller)
  await passWaits(10)
  t.match(await getImport(lies.caller, id), { state: 'paused', failure: 'oddAnswer' })
})

t.test('files that are not there, too large or elsewhere leave a place that says so', async t => {
  const cases: readonly (readonly [string, Answer])[] = [
    ['gone', () => new Response('', { status: 404 })],
    ['inside', () => new Response('', { status: 302, headers: { location: 'http://169.254.169.254/latest' } })],
    ['round and round', url => new Response('', { status: 302, headers: { location: url } })],
    [
      'without an end',
      () => new Response(new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(4 * 1024 ** 2)) })),
    ],
  ]
  for (const [name, answer] of cases) {
    const to = await connected(name)
    chatwoot.answer = (url, init) => {
      if (!/\/(?:rails|disk)\//.test(url)) return undefined
      t.equal(new Headers(init.headers).get('api-access-token'), null, 'the token does not go along')
      return answer(url, init)
    }
    t.match(await taken(t, to.caller), { state: 'done', taken: { messages: 64, files: 0 } }, name)
    t.match(
      (await messagesOf(backend, to.orgId)).find(row => row.name === 'torta.png'),
      { state: 'failed' },
    )
  }
  const busy = await connected('Con espera')
  let limited = 1
  chatwoot.answer = url =>
    url.includes('/disk/') && limited-- > 0
      ? new Response('', { status: 429, headers: { 'retry-after': '60' } })
      : undefined
  const { id } = await taken(t, busy.caller)
  t.match(await getImport(busy.caller, id), { state: 'running' })
  clock.advance(61_000)
  await backend.settle()
  t.match(await getImport(busy.caller, id), { state: 'done', taken: { messages: 64, files: 1 } })
})
