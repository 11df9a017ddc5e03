import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { linkedFile } from '#server/messaging/media/linked-file.ts'
import { aMember } from '#test/helpers/actors.ts'
import { isOnSqlite } from '#test/helpers/engine.ts'
import { graphError } from '#test/helpers/graph.ts'
import { jpeg, sha256, stage } from './stage.ts'

const minute = 60_000
const partials = (dataDir: string) => readdir(join(dataDir, 'media', '.partial'))

t.test('a file is downloaded to our disk, verified, and its message is published again', async t => {
  const s = await stage(t)
  s.serve(jpeg)
  const { id, messageId } = await s.file({ sha256: sha256(jpeg) })
  await s.settle()
  const row = await s.row(id)
  t.match(row, {
    state: 'stored',
    size: jpeg.length,
    sha256: sha256(jpeg),
    mime: 'image/jpeg',
    error: null,
  })
  t.same(await readFile(join(s.dataDir, 'media', row.path ?? '')), jpeg)
  t.match(row.path, new RegExp(`^${s.ana.org.id}/`))
  t.same(await partials(s.dataDir), [])
  t.match(s.published, [{ type: 'messageChanged', data: { message: { id: messageId, media: { state: 'stored' } } } }])
  t.equal(s.graph.requests.length, 2)
  await s.settle()
  t.equal(s.graph.requests.length, 2, 'once')
})

t.test('a failed download is retried later, and the message stays as it is', async t => {
  const s = await stage(t)
  s.graph.on(/GET \/v25/, graphError(131000, 500))
  const { id } = await s.file()
  await s.settle()
  t.match([await s.row(id), await s.job(id)], [{ state: 'pending' }, { attempts: 1, reason: '131000' }])
  t.same(s.published, [])
  s.serve(jpeg)
  await s.settle()
  t.equal((await s.row(id)).state, 'pending', 'not before its time')
  s.clock.advance(minute)
  await s.settle()
  t.match([await s.row(id), await s.job(id)], [{ state: 'stored' }, undefined])
})

t.test('a file whose bytes differ from the announced hash is not stored', async t => {
  const s = await stage(t)
  const wrong = Buffer.concat([jpeg.subarray(0, -1), Buffer.from('x')])
  s.serve(wrong)
  const { id } = await s.file({ sha256: sha256(jpeg) })
  await s.settle()
  t.match([await s.row(id), await s.job(id)], [{ state: 'pending' }, { reason: 'HASH_MISMATCH' }])
  s.serve(jpeg.subarray(0, 100), { sha256: sha256(jpeg), size: jpeg.length })
  s.clock.advance(minute)
  await s.settle()
  t.match([await s.row(id), await s.job(id)], [{ state: 'pending' }, { reason: 'SIZE_MISMATCH' }])
  t.same(await partials(s.dataDir), [])
})

t.test('retries end after six, over hours, and the message shows that its file failed', async t => {
  const s = await stage(t)
  s.graph.on(/GET \/v25/, graphError(131000, 500), 100)
  const { id, messageId } = await s.file()
  for (let i = 0; i < 12; i += 1) {
    await s.settle()
    s.clock.advance(5 * 60 * minute)
  }
  t.match(
    [await s.row(id), await s.job(id)],
    [
      { state: 'failed', error: '131000' },
      { attempts: 6, state: 'failed' },
    ],
  )
  t.match(s.published, [{ type: 'messageChanged', data: { message: { id: messageId, media: { state: 'failed' } } } }])
  t.equal(s.graph.requests.length, 6)
})

t.test('a file that Meta no longer has or that is too large fails at once', async t => {
  const s = await stage(t)
  s.graph.on(/GET \/v25/, graphError(100, 400, { error_subcode: 33 }))
  const gone = await s.file()
  await s.settle()
  t.match(await s.row(gone.id), { state: 'failed', error: '100' })
  s.serve(jpeg, { size: 200 * 1024 * 1024 })
  const large = await s.file()
  await s.settle()
  t.match(await s.row(large.id), { state: 'failed', error: 'TOO_LARGE' })
  t.match(
    s.published.at(-1),
    { data: { message: { media: { state: 'failed', problem: 'tooLarge' } } } },
    'and says why',
  )
})

t.test('a media id older than a week is not requested', async t => {
  const s = await stage(t)
  const { id } = await s.file({ at: '2026-11-12T00:00:00.000Z' })
  await s.settle()
  t.match(await s.row(id), { state: 'failed', error: 'EXPIRED' })
  t.equal(s.graph.requests.length, 0)
})

t.test('a cut connection, a hanging server and HTML instead of the file are all retried', async t => {
  const s = await stage(t)
  for (const download of ['reset', 'html'] as const) {
    s.serve(jpeg, { download, count: 2 })
    const { id } = await s.file()
    await s.settle()
    t.equal((await s.row(id)).state, 'pending', download)
  }
  t.same(s.log.lines('error'), [])
})

t.test('a refused token marks the number, and the file waits for a new connection without using a try', async t => {
  const s = await stage(t)
  s.graph.on(/GET \/v25/, graphError(190, 401))
  const { id } = await s.file()
  await s.settle()
  t.same(s.marked, [s.ana.org.id])
  const waiting = [{ state: 'pending' }, { reason: 'NOT_CONNECTED', attempts: 0 }]
  t.match([await s.row(id), await s.job(id)], waiting)
  for (const status of ['reauthorise', undefined] as const) {
    await s.setStatus(status)
    for (let i = 0; i < 12; i += 1) {
      s.clock.advance(5 * 60 * minute)
      await s.settle()
    }
    t.match([await s.row(id), await s.job(id)], waiting)
  }
  t.equal(s.graph.requests.length, 1, 'Meta is not asked with a token it refused')
  s.serve(jpeg)
  await s.setStatus('connected')
  await s.settle()
  t.match(await s.row(id), { state: 'stored', error: null })
})

t.test(
  'another organization’s connection starts no download of ours, and no file waits longer than its week',
  async t => {
    const s = await stage(t)
    await s.setStatus(undefined)
    const { id } = await s.file()
    await s.settle()
    const before = (await s.job(id))?.due_at
    const other = await aMember({ databases: s.databases })
    await s.setStatus('connected', other.org.id)
    await s.setStatus(undefined)
    await s.settle()
    t.ok(before)
    t.equal((await s.job(id))?.due_at, before)
    s.clock.advance(8 * 24 * 60 * minute)
    await s.settle()
    t.match(await s.row(id), { state: 'failed', error: 'EXPIRED' })
  },
)

t.test('bytes that do not match their declared type get no type', async t => {
  const s = await stage(t)
  const html = Buffer.from('<html><script>alert(document.cookie)</script></html>')
  s.serve(html)
  const { id } = await s.file()
  await s.settle()
  t.match(await s.row(id), { state: 'stored', mime: 'application/octet-stream' })
})

t.test('a photo as phones make it keeps its type', async t => {
  const s = await stage(t)
  s.serve(Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), Buffer.alloc(2000)]))
  const { id } = await s.file()
  await s.settle()
  t.match(await s.row(id), { state: 'stored', mime: 'image/heic' })
})

t.test('a member may retry a failed file, and only a failed one', async t => {
  const s = await stage(t)
  s.graph.on(/GET \/v25/, graphError(100, 400))
  const { id } = await s.file()
  await s.settle()
  const retry = async () => s.media.service.retryMedia(s.ana.member, { params: { id } })
  s.serve(jpeg)
  t.same(await retry(), { success: true })
  await s.settle()
  t.match(await s.row(id), { state: 'stored' })
  await t.rejects(retry(), { code: 'MEDIA_NOT_FAILED' })
  await t.rejects(async () => s.media.service.retryMedia({ ...s.ana.member, orgId: 'another' }, { params: { id } }), {
    code: 'MEDIA_NOT_FOUND',
  })
})

t.test('a download of a dead process is started again, and its partial file deleted', async t => {
  const s = await stage(t)
  s.serve(jpeg, { download: 'hang' })
  const { id } = await s.file()
  while (s.graph.requests.length < 2) await new Promise(resolve => setTimeout(resolve, 5))
  const half = join(s.dataDir, 'media', '.partial', 'half')
  await writeFile(half, 'half')
  // With several processes, another one could still be writing it.
  if (!isOnSqlite) await utimes(half, 0, 0)
  s.machine.die(s.media.host)
  s.serve(jpeg)
  const heir = s.open()
  heir.jobs.start()
  t.teardown(() => heir.jobs.stop())
  await heir.jobs.idle()
  t.equal((await s.row(id)).state, 'pending')
  s.clock.advance(minute)
  await heir.jobs.idle()
  t.equal((await s.row(id)).state, 'stored')
  t.notOk((await partials(s.dataDir)).includes('half'))
})

t.test('stopping aborts a download and leaves it for the next start', async t => {
  const s = await stage(t)
  s.serve(jpeg, { download: 'hang' })
  const { id } = await s.file()
  while (s.graph.requests.length < 2) await new Promise(resolve => setTimeout(resolve, 5))
  await s.media.jobs.stop()
  t.match(
    [await s.row(id), await s.job(id)],
    [
      { state: 'pending', error: null },
      { state: 'waiting', attempts: 0 },
    ],
  )
  t.same(await partials(s.dataDir), [])
})

t.test('a file whose download kills the process every time fails in the end', async t => {
  const s = await stage(t)
  s.graph.on(/GET \/v25/, graphError(131000, 500))
  const { id } = await s.file()
  // Nothing runs, and no heartbeat is in progress that began before the other process died.
  await s.settle()
  await s.databases.write
    .updateTable('job')
    .set({ state: 'running', attempts: 6, owner: 'a dead one' })
    .where('unique_key', '=', id)
    .execute()
  await s.media.jobs.beat()
  t.match([await s.row(id), await s.job(id)], [{ state: 'failed', error: 'STORAGE' }, { state: 'failed' }])
})

t.test('the image of an advertisement is downloaded once from its address, and only if it is an image', async t => {
  const s = await stage(t)
  const providerId = linkedFile('https://scontent.example/aviso.jpg')
  s.linked.push({ body: jpeg })
  const picture = await s.file({ providerId })
  await s.settle()
  t.match(await s.row(picture.id), { state: 'stored', mime: 'image/jpeg', size: jpeg.length })
  t.strictSame(s.called, ['https://scontent.example/aviso.jpg'])
  t.equal(s.graph.requests.length, 0, 'Meta is asked for no id')
  s.linked.push({ body: Buffer.from('<html><script>alert(1)</script></html>') })
  const page = await s.file({ providerId })
  await s.settle()
  t.match(await s.row(page.id), { state: 'failed', error: 'NO_PICTURE' })
  const inside = await s.file({ providerId })
  await s.settle()
  t.match([await s.row(inside.id), await s.job(inside.id)], [{ state: 'pending' }, { reason: 'LINK' }])
})
