/** What one run of fetching from Chatwoot costs, and how it ends when a person stops the import. */
import t from 'tap'
import type { Client } from '#server/features/imports/chatwoot/api/client.ts'
import type { Cursor } from '#server/features/imports/chatwoot/api/cursor.ts'
import { createPages } from '#server/features/imports/chatwoot/api/pages.ts'
import { createRows } from '#server/features/imports/chatwoot/api/rows.ts'
import { listImports } from '#server/features/imports/store.ts'
import { chatwootTables } from '#test/fixtures/dumps/chatwoot.ts'
import { chatwootApi } from '#test/fixtures/dumps/chatwoot-api.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { startWithChatwoot } from './chatwoot-stage.ts'
import { call, getImport, picture } from './stage.ts'

t.setTimeout(fileTimeoutMs)

const { backend, chatwoot, connected, begin, fetched, taken } = await startWithChatwoot()
const { read } = backend.databases

t.test('conversations are listed once, however many runs ask for their messages', async t => {
  const listed: [number, number][] = []
  const ids = [2, 3, 5, 8, 13]
  const conversations = {
    async list(from: number, to: number) {
      listed.push([from, to])
      return ids.length
    },
    after: async (id: number) => ids.filter(one => one > id).slice(0, 2),
  }
  const asked: string[] = []
  const client = {
    get: async (path: string) => {
      asked.push(path)
      return { payload: [] }
    },
  } as unknown as Client
  const of = { client, address: 'https://chatwoot.example.com', account: '1', now: 0, received: 900, conversations }
  let cursor: Cursor | null = { phase: 'messages', from: 100, to: null, after: 0, done: 0, total: 0 }
  let runs = 0
  for (; cursor; runs += 1) cursor = await createPages(of, createRows())(JSON.parse(JSON.stringify(cursor)))
  t.same(listed, [[100, 900]])
  t.equal(runs, ids.length + 2)
  t.same(
    asked.map(path => Number(/conversations\/(\d+)/.exec(path)?.[1])),
    ids,
  )
})

t.test('the chats of one that is being fetched are not shown yet, and are those of the file in the end', async t => {
  const to = await connected('Listada')
  const wait = () => new Response('', { status: 429, headers: { 'retry-after': '3000' } })
  chatwoot.answer = url => (url.includes('/conversations/5/') ? wait() : undefined)
  const { id } = await fetched(t, to.caller)
  const rows = read.selectFrom('chat_import_chat').select('source').where('import_id', '=', id)
  t.ok((await rows.execute()).length > 4, 'they are kept where the next run finds them')
  t.same((await call(to.caller, 'GET', `/${id}/chats`)).json(), { items: [], next: null })
  chatwoot.answer = undefined
  const whole = await taken(t, (await connected('Entera')).caller)
  t.equal(whole.state, 'done')
  await call(to.caller, 'POST', `/${id}/pause`)
  await call(to.caller, 'POST', `/${id}/resume`)
  await backend.settle()
  t.match(await getImport(to.caller, id), { state: 'ready', found: whole.found })
  t.ok((await rows.execute()).every(({ source }) => !source.startsWith('0')))
})

t.test('calls for notes count in a run as others do', async t => {
  const tables = chatwootTables({ contacts: 90, messages: 90 })
  const piecesOf = async (name: string, hasPhones: boolean) => {
    const contacts = tables.contacts?.map(row => (hasPhones ? row : { ...row, phone_number: null }))
    chatwoot.api = chatwootApi({ picture, tables: { ...tables, contacts: contacts ?? [] } })
    const { id } = await fetched(t, (await connected(name)).caller)
    const notes = chatwoot.asked.filter(url => url.endsWith('/notes')).length
    t.equal(notes > 80, hasPhones)
    chatwoot.asked = []
    const pieces = read.selectFrom('chat_import_piece').select('start').where('import_id', '=', id)
    return (await pieces.execute()).length
  }
  const without = await piecesOf('Sin notas', false)
  t.ok((await piecesOf('Con notas', true)) > without, 'more runs fetch the same contacts')
})

/** An answer whose bytes never come, as `fetch` has it. */
const endless = ({ signal }: RequestInit) =>
  new Response(
    new ReadableStream({
      start: stream => signal?.addEventListener('abort', () => stream.error(signal.reason), { once: true }),
    }),
  )

t.test('one that is paused while a file comes slowly waits for it no longer, and goes on with it', async t => {
  const to = await connected('Lenta')
  const { id } = await fetched(t, to.caller)
  const asked = Promise.withResolvers<AbortSignal>()
  chatwoot.answer = (url, init) => {
    if (!/\/(?:rails|disk)\//.test(url)) return undefined
    asked.resolve(init.signal as AbortSignal)
    return endless(init)
  }
  await call(to.caller, 'POST', `/${id}/start`)
  const signal = await asked.promise
  t.equal(signal.aborted, false)
  t.match((await call(to.caller, 'POST', `/${id}/pause`)).json(), { state: 'paused' })
  if (!t.equal(signal.aborted, true, 'the file is not waited for')) return
  await backend.settle()
  t.match(await getImport(to.caller, id), { state: 'paused', failure: null, taken: { files: 0 } })
  const received = read.selectFrom('received_file').select('id').where('org_id', '=', to.orgId)
  t.strictSame(await received.execute(), [], 'nothing is left of it')
  chatwoot.answer = undefined
  t.equal((await call(to.caller, 'POST', `/${id}/resume`)).statusCode, 202)
  await backend.settle()
  t.match(await getImport(to.caller, id), { state: 'done', taken: { messages: 64, files: 1 } })
})

t.test('one that is deleted while an answer comes slowly is gone at once', async t => {
  const to = await connected('Borrada')
  const asked = Promise.withResolvers<AbortSignal>()
  chatwoot.answer = (url, init) => {
    if (!url.includes('/conversations/5/')) return undefined
    asked.resolve(init.signal as AbortSignal)
    return endless(init)
  }
  const { id } = (await begin(to.caller)).json()
  const signal = await asked.promise
  const { cookie } = to.caller
  const deleted = await backend.inject({ method: 'DELETE', url: `/api/imports/${id}`, headers: { cookie } })
  t.equal(deleted.statusCode, 200)
  if (!t.equal(signal.aborted, true)) return
  await backend.settle()
  t.equal((await call(to.caller, 'GET', `/${id}`)).statusCode, 404)
  for (const table of ['chat_import', 'chat_import_chat', 'chat_import_piece'] as const)
    t.strictSame(await read.selectFrom(table).select('org_id').where('org_id', '=', to.orgId).execute(), [], table)
})

t.test('a list of imports reads no lines that are not taken', async t => {
  const to = await connected('Con faltantes')
  const { id } = await fetched(t, to.caller)
  const [one] = await listImports(read, to.orgId, 10)
  t.equal(one?.id, id)
  t.equal(one?.refused.count, 6)
  t.notOk(JSON.stringify(one).includes('"line"'), 'counts alone')
  const { reasons } = await getImport(to.caller, id)
  t.same((await call(to.caller, 'GET', '')).json().items[0].reasons, reasons)
  const lines = (await call(to.caller, 'GET', `/${id}/refused`)).body.trim().split('\n')
  t.equal(lines.length, 1 + 6, 'and they are in the file')
  // As an earlier version stored them.
  const { refused, refused_lines: first } = await read
    .selectFrom('chat_import')
    .select(['refused', 'refused_lines'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const former = JSON.stringify({ ...JSON.parse(refused), first: JSON.parse(first ?? '') })
  await backend.databases.write
    .updateTable('chat_import')
    .set({ refused: former, refused_lines: null })
    .where('id', '=', id)
    .execute()
  t.same((await call(to.caller, 'GET', `/${id}/refused`)).body.trim().split('\n'), lines)
})
