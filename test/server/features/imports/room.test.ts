/** No room for files in the middle of an upload or an import: it says so, nothing is lost, and it goes on. */
import t, { type Test } from 'tap'
import { appErrors } from '#server/platform/http/errors.ts'
import type { ImportSource } from '#shared/imports/states.ts'
import { chatwootTables, pictureKey } from '#test/fixtures/dumps/chatwoot.ts'
import { mysqlDump, postgresDump } from '#test/fixtures/dumps/plain.ts'
import { pictureName, whaticketTables } from '#test/fixtures/dumps/whaticket.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { zipOf } from '#test/helpers/zip-of.ts'
import { call, connectedOrg, getImport, messagesOf, picture, preview, takeDump } from './stage.ts'

t.setTimeout(fileTimeoutMs)

const backend = await startBackend(t)
const { databases } = backend

const usedBytes = (orgId: string, bytes: number) =>
  databases.write
    .insertInto('file_use')
    .values({ org_id: orgId, bytes })
    .onConflict(on => on.column('org_id').doUpdateSet({ bytes }))
    .execute()
const full = 10 ** 13

/** The first file of a message: nothing of a dump comes before its contacts and chats. */
const dumps = {
  chatwoot: () => zipOf({ 'dump.sql': postgresDump(chatwootTables()), [`storage/${pictureKey}`]: picture }),
  whaticket: () => zipOf({ 'dump.sql': mysqlDump(whaticketTables()), [`public/${pictureName}`]: picture }),
} satisfies Partial<Record<ImportSource, () => Promise<Buffer>>>

const put = (cookie: string, url: string, piece: Buffer, range: string) =>
  backend.inject({
    ...{ method: 'PUT', url, payload: piece },
    headers: { cookie, 'content-type': 'application/octet-stream', 'content-range': range },
  })

/** Uploads a dump in halves, the second of which has no room at first. */
const uploadedInHalves = async (t: Test, { cookie, orgId, file }: { cookie: string; orgId: string; file: Buffer }) => {
  const caller = { backend, cookie }
  const { id, uploadUrl } = (await call(caller, 'POST', '', { source: 'chatwoot' })).json()
  const half = Math.ceil(file.length / 2)
  const range = (from: number, to: number) => `bytes ${from}-${to - 1}/${file.length}`
  t.equal((await put(cookie, uploadUrl, file.subarray(0, half), range(0, half))).statusCode, 200)
  await usedBytes(orgId, full)
  const second = () => put(cookie, uploadUrl, file.subarray(half), range(half, file.length))
  t.match((await second()).json(), { statusCode: 413, code: 'MEDIA_NO_ROOM', message: /File storage is full/ })
  t.match(await getImport(caller, id), { state: 'uploading', received: half }, 'the first half stays')
  await usedBytes(orgId, 0)
  t.equal((await second()).statusCode, 200)
  t.equal((await call(caller, 'POST', `/${id}/preview`)).statusCode, 202)
  await backend.settle()
  return getImport(caller, id)
}

t.test('an upload that was refused for lack of room continues at its last piece', async t => {
  const { orgId, owner } = await connectedOrg(backend, 'Subida')
  const one = await uploadedInHalves(t, { cookie: owner.cookie, orgId, file: await dumps.chatwoot() })
  t.match(one, { state: 'ready', found: { messages: 64 } })
})

t.test('a file that is larger than the room is refused with its first piece', async t => {
  const { orgId, owner, caller } = await connectedOrg(backend, 'Grande')
  const { uploadUrl } = (await call(caller, 'POST', '', { source: 'recado' })).json()
  const { limitBytes } = (
    await backend.inject({ method: 'GET', url: '/api/organization/files', headers: { cookie: owner.cookie } })
  ).json()
  await usedBytes(orgId, limitBytes - 10 * 1024 ** 2)
  const piece = Buffer.alloc(4 * 1024 ** 2)
  const sent = await put(owner.cookie, uploadUrl, piece, `bytes 0-${piece.length - 1}/${20 * 1024 ** 2}`)
  t.match(sent.json(), { code: 'MEDIA_NO_ROOM' })
})

for (const source of ['chatwoot', 'whaticket'] as const)
  t.test(`a dump of ${source} waits for room and goes on as if nothing had happened`, async t => {
    const file = await dumps[source]()
    const smooth = await connectedOrg(backend, `Sin tropiezos ${source}`)
    const whole = await takeDump(t, smooth.caller, file, source)
    t.ok(whole.taken.files > 0, 'it has files')

    const { caller, orgId } = await connectedOrg(backend, `Sin lugar ${source}`)
    const { id } = await preview(t, caller, file, { source })
    await usedBytes(orgId, full)
    await call(caller, 'POST', `/${id}/start`)
    await backend.settle()
    const waiting = await getImport(caller, id)
    t.match(waiting, { state: 'paused', failure: 'noRoom', canRetry: false })
    t.ok(waiting.taken.contacts > 0, 'what needs no room is in')
    t.ok(waiting.taken.messages < whole.taken.messages)
    await usedBytes(orgId, 0)
    t.equal((await call(caller, 'POST', `/${id}/resume`)).statusCode, 202)
    await backend.settle()
    t.match(await getImport(caller, id), { state: 'done', failure: null, taken: whole.taken, refused: whole.refused })
    t.strictSame(await messagesOf(backend, orgId), await messagesOf(backend, smooth.orgId))
  })

t.test('a disk that is full pauses an import, and one that was only looked through can be tried again', async t => {
  const { caller, orgId } = await connectedOrg(backend, 'Disco')
  const { id } = await preview(t, caller, await dumps.chatwoot(), { source: 'chatwoot' })
  const { storages } = backend.parts
  const write = storages.media.write
  storages.media.write = async () => {
    throw appErrors.UNAVAILABLE({ retryAfterSeconds: 1 })
  }
  await call(caller, 'POST', `/${id}/start`)
  await backend.settle()
  for (let tries = 0; tries < 6; tries += 1) {
    await databases.write
      .updateTable('job')
      .set({ state: 'waiting', due_at: '2020-01-01T00:00:00.000Z' })
      .where('kind', '=', 'imports.work')
      .execute()
    await backend.settle()
  }
  t.match(await getImport(caller, id), { state: 'paused', failure: 'storage' })
  storages.media.write = write
  await call(caller, 'POST', `/${id}/resume`)
  await backend.settle()
  t.match(await getImport(caller, id), { state: 'done', taken: { messages: 64, files: 1 } })

  const other = await preview(t, caller, await dumps.chatwoot(), { source: 'chatwoot' })
  await databases.write
    .updateTable('chat_import')
    .set({ state: 'failed', failure: 'broken', ended_at: backend.clock.now().toISOString() })
    .where('id', '=', other.id)
    .execute()
  t.match(await getImport(caller, other.id), { canRetry: true })
  t.equal((await call(caller, 'POST', `/${other.id}/preview`)).statusCode, 202)
  await backend.settle()
  t.match(await getImport(caller, other.id), { state: 'ready', failure: null, endedAt: null })
  t.ok(orgId)
})
