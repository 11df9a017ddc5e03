/** Imports that are discarded: what is stored for them goes, and what they brought stays. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { zipOf } from '#test/helpers/zip-of.ts'
import { anExport, archiveOf, call, connectedOrg, getImport, preview, rowsLeft, take, undo } from './stage.ts'

t.setTimeout(fileTimeoutMs)

const backend = await startBackend(t)
const { databases } = backend
const { owner, orgId, headers, caller } = await connectedOrg(backend, 'Panadería')

const discard = (id: string, cookie = owner.cookie) =>
  backend.inject({ method: 'DELETE', url: `/api/imports/${id}`, headers: { cookie } })
const listed = async () => (await call(caller, 'GET', '')).json().items.map(({ id }: { id: string }) => id)
const countOf = async (table: 'chat_import' | 'chat_import_piece' | 'chat_import_chat' | 'chat_import_made') =>
  (await databases.read.selectFrom(table).select('org_id').where('org_id', '=', orgId).execute()).length
const folder = join(backend.dataDir, 'media', orgId)
const filesKept = () =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter(one => one.isFile()).length
    : 0

t.test('an import that never began or that failed is discarded with its file', async t => {
  const before = await rowsLeft(backend, orgId)
  const kept = filesKept()
  const waiting = (await call(caller, 'POST', '', { source: 'whatsapp' })).json()
  const ready = await preview(t, caller, await anExport())
  const failed = await preview(t, caller, await zipOf({ 'nada.pdf': 'x' }))
  t.match(
    [waiting, ready, failed].map(({ state, isDiscardable }) => [state, isDiscardable]),
    [
      ['uploading', true],
      ['ready', true],
      ['failed', true],
    ],
  )
  t.ok(filesKept() > kept, 'their files are stored')
  for (const { id } of [waiting, ready, failed]) {
    t.equal((await discard(id)).statusCode, 200)
    t.equal((await discard(id)).statusCode, 404, 'again: it is gone')
    t.equal((await call(caller, 'GET', `/${id}`)).statusCode, 404)
    t.equal((await call(caller, 'POST', `/${id}/start`)).statusCode, 404)
  }
  t.same(await listed(), [])
  t.strictSame(await rowsLeft(backend, orgId), before)
  t.equal(await countOf('chat_import'), 0)
  t.equal(filesKept(), kept)
  const { items } = (await backend.inject({ method: 'GET', url: '/api/organization/audit', headers })).json()
  t.equal(items.filter(({ action }: { action: string }) => action === 'chatImportDiscarded').length, 3)
})

t.test('a finished import is discarded once it is undone, or after thirty days, when its messages stay', async t => {
  const one = await take(t, caller, await anExport())
  t.equal(one.isDiscardable, false)
  t.match((await discard(one.id)).json(), { code: 'IMPORTS_CAN_BE_UNDONE' })
  t.match(await getImport(caller, one.id), { state: 'done' })
  await undo(t, caller, one.id)
  t.equal((await discard(one.id)).statusCode, 200)
  await backend.settle()
  t.equal(await countOf('chat_import'), 0)

  const other = await take(t, caller, await anExport())
  const messages = (await rowsLeft(backend, orgId)).message
  await databases.write
    .updateTable('chat_import')
    .set({ ended_at: new Date(backend.clock.now().getTime() - 31 * 86_400_000).toISOString() })
    .where('id', '=', other.id)
    .execute()
  t.equal((await getImport(caller, other.id)).isDiscardable, true)
  t.equal((await discard(other.id)).statusCode, 200)
  const left = await rowsLeft(backend, orgId)
  t.strictSame(left.message, messages)
  t.equal(await countOf('chat_import'), 0)
  t.equal(await countOf('chat_import_chat'), 0)
})

t.test('tags and fields of an import that was stopped before its first contact go, too', async t => {
  const source = await connectedOrg(backend, 'De antes')
  await backend.inject({
    ...{ method: 'POST', url: '/api/sandbox/inbound', headers: source.headers },
    payload: { from: '5491155550404', text: 'Hola' },
  })
  await backend.settle()
  const file = await archiveOf(source.caller)
  const before = await rowsLeft(backend, orgId)
  const { id } = await preview(t, caller, file, { source: 'recado' })
  await databases.write
    .insertInto('tag')
    .values({
      id: 'tag-of-import',
      org_id: orgId,
      label: 'Traída',
      hue: 1,
      created_at: backend.clock.now().toISOString(),
    })
    .execute()
  await databases.write
    .insertInto('chat_import_made')
    .values({ import_id: id, org_id: orgId, kind: 'tag', source: 'Traída', target: 'tag-of-import', added: null })
    .execute()
  await databases.write.updateTable('chat_import').set({ state: 'paused' }).where('id', '=', id).execute()
  t.equal((await discard(id)).statusCode, 200)
  t.strictSame(await rowsLeft(backend, orgId), before)
})

t.test('one at work stays; only those who import discard', async t => {
  const { id } = await preview(t, caller, await anExport())
  for (const state of ['running', 'undoing'] as const) {
    await databases.write.updateTable('chat_import').set({ state }).where('id', '=', id).execute()
    t.match((await discard(id)).json(), { code: 'IMPORTS_WRONG_STATE' })
  }
  await databases.write.updateTable('chat_import').set({ state: 'ready' }).where('id', '=', id).execute()
  const member = await aMember({ databases, org: owner.org, role: 'member' })
  t.equal((await discard(id, member.cookie)).statusCode, 403)
  const stranger = await aMember({ databases, orgName: 'Vecina' })
  t.equal((await discard(id, stranger.cookie)).statusCode, 404)
  t.match(await getImport(caller, id), { state: 'ready' })

  // The server stopped before the job ran.
  await databases.write
    .updateTable('chat_import')
    .set({ state: 'discarding', created_at: '2020-01-01T00:00:00.000Z' })
    .where('id', '=', id)
    .execute()
  t.same(await listed(), [])
  await databases.write
    .updateTable('job')
    .set({ state: 'waiting', due_at: '2020-01-01T00:00:00.000Z' })
    .where('kind', '=', 'maintenance')
    .execute()
  await backend.settle()
  t.equal(await countOf('chat_import'), 0)
  t.equal(await countOf('chat_import_piece'), 0)
  t.same(backend.errors(), [])
})
