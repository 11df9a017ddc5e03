/** The history of bulk sends, through the public API. */
import t, { type Test } from 'tap'
import { selectIds } from '#server/features/history/store.ts'
import { type HistoryEntry, historyPayloadMaxBytes, historyPerPage, mostRecent } from '#shared/history/api.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { aBulkStage, phones } from '#test/helpers/bulk-stage.ts'
import { isOnSqlite } from '#test/helpers/engine.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

interface Page {
  items: HistoryEntry[]
  page: number
  pageSize: number
  hasMore: boolean
}

const stage = async (t: Test) => {
  const bulk = await aBulkStage(t)
  const { backend, owner } = bulk
  const ana = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
  const bea = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
  const call = async (
    who: Pick<AMember, 'cookie'>,
    method: 'GET' | 'POST' | 'DELETE',
    { query = '', body, headers = {} }: { query?: string; body?: object; headers?: Record<string, string> } = {},
  ) => {
    // Ids sort by time.
    backend.clock.advance(1)
    const reply = await backend.inject({
      method,
      url: `/api/whatsapp/history${query}`,
      headers: { cookie: who.cookie, 'accept-language': 'es', ...headers },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, headers: reply.headers, body: reply.json() }
  }
  const list = async (who: AMember, query = '') => (await call(who, 'GET', { query })).body as Page
  const titles = async (who: AMember, query = '') => (await list(who, query)).items.map(({ title }) => title)
  const add = async (who: AMember, body: object) => (await call(who, 'POST', { body })).body as HistoryEntry
  return { ...bulk, ana, bea, call, list, titles, add }
}

t.test('every bulk send is in the history from its creation, with its outcome', async t => {
  const { backend, owner, ana, create, list, ask, call, id } = await stage(t)
  const { json: template } = await ask<{ name: string }>('GET', `/whatsapp/template/${id}`)
  const send = await create({ audience: { numbers: `${phones(25).join('\n')}\nnadie` }, startIfPlanned: 25 })
  await ask('POST', '/whatsapp/bulk-sends/test', {
    template: id,
    audience: { numbers: phones(1)[0] },
    number: phones(9)[8],
  })
  await backend.settle()
  const { items } = await list(ana)
  t.equal(items.length, 1, 'a test is none')
  t.match(items[0], {
    id: send.id,
    kind: 'masive',
    title: template.name,
    createdBy: owner.user.name,
    mayDelete: false,
    payload: {
      send: send.id,
      state: 'running',
      counts: { omitted: 1 },
      template: { id },
      audience: { hasNumbers: true },
    },
  })
  t.match(items[0]?.summary, /25 personas|25 people/)
  const query = `?id=${send.id}`
  t.match(await call(ana, 'DELETE', { query }), { status: 403, body: { code: 'HISTORY_NOT_YOURS' } })
  const refused = await call(owner, 'DELETE', { query })
  t.match(refused, { status: 409, body: { code: 'HISTORY_UNDER_WAY' } })
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/cancel`)
  t.same((await list(owner)).items[0]?.payload.state, 'cancelled')
  t.match(await call(owner, 'DELETE', { query }), { status: 200, body: { success: true } })
  t.same((await list(owner)).items, [])
  t.equal((await ask('GET', `/whatsapp/bulk-sends/${send.id}`)).status, 200, 'its report stays')
  t.match(await call(owner, 'DELETE', { query }), { status: 404, body: { code: 'HISTORY_NOT_FOUND' } })
  const log = (await ask<{ items: { action: string; subject: string }[] }>('GET', '/organization/audit')).json.items
  t.match(
    log.find(({ action }) => action === 'historyHidden'),
    { subject: template.name },
  )
})

t.test('a send shows the cost estimated when its plan was written', async t => {
  const { backend, owner, ana, create, list, ask } = await stage(t)
  const costs = async () => (await list(ana)).items.map(({ payload }) => payload.cost)
  await create({ audience: { numbers: phones(1).join('\n') } })
  await backend.settle()
  const setPrice = (UTILITY: number) =>
    backend.inject({
      method: 'PUT',
      url: '/api/whatsapp/rate-card',
      headers: { cookie: owner.cookie },
      payload: { currency: 'ARS', validFrom: '2026-10-01', rates: [{ country: 'AR', prices: { UTILITY } }] },
    })
  t.equal((await setPrice(40.5)).statusCode, 200)
  backend.clock.advance(1)
  const numbers = [...phones(3), phones(1)[0], '+59899123456', 'nadie'].join('\n')
  const { id } = await create({ audience: { numbers } })
  await backend.settle()
  const estimated = { amount: 121.5, unpriced: 1, currency: 'ARS', validFrom: '2026-10-01' }
  t.same(await costs(), [estimated, null], 'of who gets it, by the prices of then')
  t.equal((await setPrice(99)).statusCode, 200)
  t.same((await ask<{ cost: unknown }>('GET', `/whatsapp/bulk-sends/${id}`)).json.cost, estimated)
  t.same(await costs(), [estimated, null], 'what others cost changes nothing of it')
  t.same(backend.errors(), [])
})

t.test('an entry without a kind is a shared send; its other fields are kept', async t => {
  const { backend, owner, ana, bea, add, titles, call } = await stage(t)
  const entry = await add(ana, {
    title: '  Aviso de   feriado ',
    summary: 'A clientes',
    audience: ['vip'],
    payload: { a: 1 },
  })
  t.match(entry, {
    kind: 'masive',
    title: 'Aviso de feriado',
    summary: 'A clientes',
    payload: { audience: ['vip'], a: 1 },
    createdBy: ana.user.name,
    mayDelete: true,
  })
  t.match(await add(ana, { entry: { kind: 'draft', title: 'Borrador', x: 1 } }), { kind: 'draft', payload: { x: 1 } })
  t.match(await add(ana, {}), { kind: 'masive', title: '', payload: {} })
  t.same(await titles(ana), ['', 'Borrador', 'Aviso de feriado'])
  t.same(await titles(bea), ['', 'Aviso de feriado'])
  t.same(await titles(bea, '?q=FERIADO'), ['Aviso de feriado'])
  t.same(await titles(bea, '?q=clientes'), ['Aviso de feriado'])
  t.same(await titles(bea, '?q=%25'), [], 'a sign is a sign')
  t.same(await titles(ana, '?kind=draft'), ['Borrador'])
  t.equal((await call(bea, 'DELETE', { query: `?id=${entry.id}` })).status, 403)
  t.equal((await call(ana, 'DELETE', { query: `?id=${entry.id}` })).status, 200)
  t.same(await titles(bea), [''])
  const viewer = await aMember({ databases: backend.databases, org: owner.org, role: 'viewer' })
  t.equal((await call(viewer, 'GET')).status, 403)
  const { key } = await aKey(backend.app, owner.cookie)
  backend.clock.advance(1)
  const byKey = await backend.inject({
    method: 'POST',
    url: '/api/whatsapp/history',
    headers: { 'x-api-key': key },
    payload: { title: 'De un programa' },
  })
  t.equal(byKey.statusCode, 201)
  t.same(await titles(owner), ['De un programa', ''])
})

t.test('private entries are visible to their author only, and the newest stay', async t => {
  const { owner, ana, bea, add, titles, call } = await stage(t)
  const drafts = await add(ana, { kind: 'draft', title: 'Mío' })
  for (let i = 0; i < mostRecent + 3; i += 1) await add(ana, { kind: 'recent', title: `Búsqueda ${i}` })
  await add(bea, { kind: 'recent', title: 'De Bea' })
  const recent = await titles(ana, '?kind=recent')
  t.equal(recent.length, mostRecent)
  t.equal(recent[0], `Búsqueda ${mostRecent + 2}`)
  t.same(await titles(bea), ['De Bea'])
  t.same(await titles(owner), [])
  for (const who of [bea, owner])
    t.match(await call(who, 'DELETE', { query: `?id=${drafts.id}` }), {
      status: 404,
      body: { code: 'HISTORY_NOT_FOUND' },
    })
})

t.test('the same key within a day is the same entry, as idempotency key or as key of the entry', async t => {
  const { backend, ana, bea, call, add, titles } = await stage(t)
  const body = { title: 'Una vez', clientKey: 'mi-clave' }
  const first = await add(ana, body)
  t.same(await add(ana, body), first)
  t.not((await add(bea, body)).id, first.id, 'of each their own')
  const headers = { 'idempotency-key': 'otra' }
  const one = await call(ana, 'POST', { body: { title: 'Otra' }, headers })
  const two = await call(ana, 'POST', { body: { title: 'Otra' }, headers })
  t.equal(two.headers['idempotency-replayed'], 'true')
  t.equal(one.body.id, two.body.id)
  backend.clock.advance(25 * 3_600_000)
  t.not((await add(ana, body)).id, first.id)
  t.same(await titles(ana), ['Una vez', 'Otra', 'Una vez', 'Una vez'])
})

t.test('an invalid entry is refused by its field', async t => {
  const { ana, call } = await stage(t)
  const refused = async (body: object) => {
    const reply = await call(ana, 'POST', { body })
    return [reply.status, ...(reply.body.details ?? []).map(({ field }: { field: string }) => field)]
  }
  t.same(await refused({ kind: 'otro' }), [400, 'body.kind'])
  t.same(await refused({ title: 4 }), [400, 'body.title'])
  t.same(await refused({ payload: [] }), [400, 'body.payload'])
  t.same(await refused({ entry: { kind: 'otro' } }), [400, 'body.entry.kind'])
  t.same(await refused({ big: 'ñ'.repeat(historyPayloadMaxBytes / 2) }), [400, 'body.payload'])
  t.equal((await call(ana, 'DELETE')).status, 400)
  t.equal((await call(ana, 'DELETE', { query: '?id=nadie' })).status, 404)
  t.equal((await call(ana, 'GET', { query: '?kind=otro' })).status, 400)
})

t.test('the history is paged newest first, and each kind is read from the index', async t => {
  const { backend, owner, ana, add, list } = await stage(t)
  for (let i = 0; i < historyPerPage + 2; i += 1) await add(ana, { title: `${i}`, ...(i % 3 ? {} : { kind: 'draft' }) })
  const first = await list(ana)
  t.match(first, { page: 1, pageSize: historyPerPage, hasMore: true })
  t.equal(first.items[0]?.title, String(historyPerPage + 1))
  const second = await list(ana, '?page=2')
  t.same(
    second.items.map(({ title }) => title),
    ['1', '0'],
  )
  t.equal(second.hasMore, false)
  if (!isOnSqlite) return
  for (const kind of ['masive', 'draft'] as const) {
    const query = { kinds: [kind], authorId: ana.user.id, words: 'a', offset: 0, limit: 31 }
    const { sql, parameters } = selectIds(backend.databases.read, owner.org.id, kind, query).compile()
    const plan = backend.databases.raw.read.prepare(`explain query plan ${sql}`).all(...parameters) as {
      detail: string
    }[]
    const details = plan.map(({ detail }) => detail).join('\n')
    t.match(details, /SEARCH history_entry USING INDEX history_entry_list/)
    t.notMatch(details, /TEMP B-TREE/)
  }
})
