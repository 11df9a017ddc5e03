/** Whaticket's database as MySQL and PostgreSQL dump it, of the community and of forks. */
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { mysqlDump, phpMyAdminDump, postgresDump, postgresInserts } from '#test/fixtures/dumps/plain.ts'
import { ourNumber, phoneOf, pictureName, whaticketTables } from '#test/fixtures/dumps/whaticket.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { zipOf } from '#test/helpers/zip-of.ts'
import { call, connectedOrg, getImport, messagesOf, picture, preview, rowsLeft, takeDump, undo } from './stage.ts'

t.setTimeout(fileTimeoutMs)

const backend = await startBackend(t)
const { databases } = backend
const connected = (name: string) => connectedOrg(backend, name)
const contents = async (orgId: string) => ({
  messages: await messagesOf(backend, orgId),
  contacts: await databases.read
    .selectFrom('contact')
    .select(['name', 'wa_id', 'note'])
    .where('org_id', '=', orgId)
    .orderBy('wa_id')
    .execute(),
})
const community = Buffer.from(mysqlDump(whaticketTables()))
const withFiles = () => zipOf({ 'whaticket.sql': community, [`public/${pictureName}`]: picture })

t.test('a dump of MySQL comes in whole, with tags, quotes, places, cards and files', async t => {
  const to = await connected('Panadería')
  const { id, found, refused } = await preview(t, to.caller, await withFiles(), { source: 'whaticket' })
  t.match(found, {
    ...{ chats: 5, messages: 55, contacts: 5, files: 1, missingFiles: 1 },
    archive: {
      ...{ madeAt: null, numbers: [{ id: '1', phone: ourNumber, label: 'Ventas', chats: 5 }] },
      ...{ agents: [{ id: '4', name: 'Marta', messages: 1 }], tags: [{ label: 'VIP', contacts: 1 }] },
    },
  })
  t.equal(found?.archive?.accounts, undefined)
  t.equal(refused, 6)
  const list = await backend.inject({ method: 'GET', url: `/api/imports/${id}/refused`, headers: to.headers })
  for (const why of [
    'No WhatsApp number',
    "It's from a group",
    'your own number',
    'The date',
    'chat or contact',
    "isn't in the export",
  ])
    t.match(list.body, why)
  await call(to.caller, 'POST', `/${id}/mapping`, { agents: [{ from: '4', to: to.owner.user.id }] })
  t.equal((await call(to.caller, 'POST', `/${id}/start`)).statusCode, 202)
  await backend.settle()
  t.match(await getImport(to.caller, id), { state: 'done', taken: { messages: 55, files: 1, contacts: 5 } })
  const { messages } = await contents(to.orgId)
  const of = (n: number) => messages.find(row => row.wamid === `3EB0${String(n).padStart(16, '0')}`)
  t.match(of(1), {
    at: '2024-03-14T12:01:01.000Z',
    direction: 'in',
    wa_id: phoneOf(1),
    text: '¿Tienen torta?\nLa grande',
  })
  t.match(of(2), { text: 'precio: $ 3.500\\kg; "oferta"' })
  t.match(of(3), { direction: 'out', status: 'read', author_kind: 'phone' })
  t.match(of(6), { direction: 'out', status: 'failed' })
  t.match(of(9), { author_kind: 'person', author_id: to.owner.user.id, text: '*Marta:*\nListo' })
  t.match(of(12), { text: '', revoked_at: '2024-03-14T12:13:13.000Z' })
  t.match(of(20), { reply_to_wamid: of(15)?.wamid })
  t.match(of(1_001), { type: 'image', text: 'Así', mime: 'image/png', state: 'stored' })
  t.match(of(1_002), { type: 'document', text: '', name: 'lista_1710.pdf', state: 'failed' })
  t.match(of(1_003), { type: 'location', text: 'Local', content: /-34\.6/ })
  t.match(of(1_004), { type: 'contacts', text: 'Juan Pérez', content: /\+54 9 11/ })
  t.match(of(1_008), { wa_id: phoneOf(1) }, 'both tickets of a contact are one chat')
  const { items } = (await call(to.caller, 'GET', `/${id}/chats`)).json()
  t.equal(items.length, 5)
  for (const { found, foundSum, kept, keptSum } of items) t.strictSame([kept, keptSum], [found, foundSum])
  const marks = await databases.read
    .selectFrom('message')
    .select('content')
    .where('org_id', '=', to.orgId)
    .where('type', '=', 'activity')
    .execute()
  t.match(JSON.parse(marks[0]?.content ?? ''), { activity: { kind: 'imported', source: 'whaticket' } })
  t.same(backend.errors(), [])
})

t.test('rows that a dump has twice come in once', async t => {
  const [once, twice] = [await connected('Una vez'), await connected('Dos veces')]
  await takeDump(t, once.caller, await withFiles(), 'whaticket')
  const doubled = Object.entries(whaticketTables()).map(([name, rows]) => [name, [...rows, ...rows]])
  const zip = { 'w.sql': mysqlDump(Object.fromEntries(doubled)), [`public/${pictureName}`]: picture }
  t.match(await takeDump(t, twice.caller, await zipOf(zip), 'whaticket'), {
    ...{ state: 'done', failure: null, taken: { messages: 55, files: 1, contacts: 5, existing: 55 } },
  })
  t.strictSame(await contents(twice.orgId), await contents(once.orgId))
  t.same(backend.errors(), [])
})

t.test('phpMyAdmin, PostgreSQL and packed dumps bring the same', async t => {
  const first = await connected('Primera')
  await takeDump(t, first.caller, community, 'whaticket')
  const expected = await contents(first.orgId)
  const utc = whaticketTables({ zone: '+00' })
  const forms: readonly (readonly [string, Buffer])[] = [
    ['phpMyAdmin', Buffer.from(phpMyAdminDump(whaticketTables()))],
    ['PostgreSQL', Buffer.from(postgresDump(utc))],
    ['PostgreSQL with INSERT', Buffer.from(postgresInserts(utc))],
    ['packed', gzipSync(community)],
  ]
  for (const [name, file] of forms) {
    const to = await connected(name)
    await takeDump(t, to.caller, file, 'whaticket')
    t.strictSame(await contents(to.orgId), expected, name)
  }
})

t.test('of a fork, the company that is chosen, with notes, blocks and its own ids', async t => {
  const file = Buffer.from(postgresDump(whaticketTables({ version: 'fork', zone: '+00' })))
  const to = await connected('Librería')
  const { id, found } = await preview(t, to.caller, file, { source: 'whaticket' })
  t.match(found, {
    messages: 56,
    archive: {
      account: '1',
      accounts: [
        { id: '1', chats: 7 },
        { id: '2', chats: 1 },
      ],
    },
  })
  await call(to.caller, 'POST', `/${id}/mapping`, { account: '2' })
  await backend.settle()
  t.match(await getImport(to.caller, id), { state: 'ready', found: { messages: 1 } })
  await call(to.caller, 'POST', `/${id}/start`)
  await backend.settle()
  t.match(await messagesOf(backend, to.orgId), [{ text: 'Buenas', wa_id: '5491155569999' }])

  const bakery = await connected('Panadería')
  await takeDump(t, bakery.caller, file, 'whaticket')
  const rows = await messagesOf(backend, bakery.orgId)
  t.equal(rows.length, 56)
  t.match(
    rows.find(row => row.type === 'note'),
    { direction: 'internal', text: 'Paga a 15 días', author_name: 'Marta' },
  )
  const wid = (n: number) => `3EB0${String(n).padStart(16, '0')}`
  t.match(
    rows.find(row => row.wamid === wid(20)),
    { reply_to_wamid: wid(15) },
  )
  const blocked = await databases.read
    .selectFrom('contact')
    .select('wa_id')
    .where('org_id', '=', bakery.orgId)
    .where('blocked_at', 'is not', null)
    .execute()
  t.same(blocked, [{ wa_id: phoneOf(2) }])
})

t.test('it brings nothing twice, and an undo leaves every row as it was', async t => {
  const to = await connected('Historia')
  const before = await rowsLeft(backend, to.orgId)
  const one = await takeDump(t, to.caller, await withFiles(), 'whaticket')
  t.match(one.taken, { messages: 55, existing: 0 })
  const newer = await takeDump(t, to.caller, Buffer.from(mysqlDump(whaticketTables({ messages: 53 }))), 'whaticket')
  t.match(newer.taken, { messages: 3, contacts: 0, existing: 55 })
  await undo(t, to.caller, newer.id)
  await undo(t, to.caller, one.id)
  t.strictSame(await rowsLeft(backend, to.orgId), before)
  t.same(backend.errors(), [])
})

t.test('what is no dump of Whaticket, or not whole, brings nothing and says why', async t => {
  const to = await connected('Rota')
  const { Messages, ...rest } = whaticketTables()
  const without = (name: string) => (Messages ?? []).map(({ [name]: _left, ...row }) => row)
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ['a text', Buffer.from('hola'), 'notDump'],
    ['without messages', Buffer.from(mysqlDump(rest)), 'notDump'],
    ['without a column', Buffer.from(mysqlDump({ ...rest, Messages: without('body') })), 'columns'],
    ['cut off', community.subarray(0, community.length - 60), 'cutOff'],
  ]
  for (const [name, file, failure] of cases)
    t.match(await preview(t, to.caller, file, { source: 'whaticket' }), { state: 'failed', failure, found: null }, name)
  t.same(await messagesOf(backend, to.orgId), [])
  t.same(backend.errors(), [])
})
