import t, { type Test } from 'tap'
import { createS3Storage, partBytes } from '#server/platform/storage/s3.ts'
import { examineS3 } from '#server/platform/storage/s3-examine.ts'
import { fakeS3 } from '#test/helpers/s3.ts'
import { chunksOf, storageConforms } from './conformance.ts'

const open = async (t: Test) => {
  const s3 = await fakeS3(t)
  return { s3, storage: createS3Storage(s3.address, 'media', [0, 0]), leftovers: async () => s3.uploads.size }
}

storageConforms(t, open)

const word = () => chunksOf(Buffer.from('a word'))

t.test('a large file takes the memory of one part', async t => {
  const { s3, storage } = await open(t)
  await storage.write('org/00/film', chunksOf(Buffer.alloc(3 * partBytes + 1)))
  t.equal(s3.largest(), partBytes)
  t.equal(s3.objects.get('recado/media/org/00/film')?.bytes.length, 3 * partBytes + 1)
})

t.test('a cut connection, and a server that asks to wait, are retried', async t => {
  const { s3, storage } = await open(t)
  s3.troubles.push('cut', { status: 503, code: 'SlowDown' })
  await storage.write('org/00/file', word())
  t.ok(s3.objects.has('recado/media/org/00/file'))
})

t.test('while it is unavailable every call has retry-after, and nothing stays half done', async t => {
  const { s3, storage } = await open(t)
  const away = { code: 'APP_UNAVAILABLE', status: 503, retryAfterSeconds: 10 }
  for (const trouble of [{ status: 500, code: 'InternalError' }, 'cut'] as const) {
    s3.troubles.push(trouble, trouble, trouble)
    await t.rejects(storage.write('org/00/file', word()), away)
    // Begins, then fails while the second part is sent; ending it works again.
    const bytes = chunksOf(Buffer.alloc(2 * partBytes))
    const cutLater = async function* () {
      yield Buffer.alloc(partBytes)
      s3.troubles.push(trouble, trouble, trouble)
      yield* bytes
    }
    await t.rejects(storage.write('org/00/film', cutLater()), away)
    t.equal(s3.uploads.size, 0)
  }
  await s3.close()
  const calls: (() => Promise<unknown>)[] = [
    () => storage.write('org/00/file', word()),
    () => storage.read('org/00/file'),
    () => storage.withBlob('org/00/file', async () => undefined),
    () => storage.remove('org/00/file'),
    () => storage.removeBelow('org'),
    () => storage.sweep(),
  ]
  for (const call of calls) await t.rejects(call(), away)
  t.equal(s3.objects.size, 0)
})

t.test('an upload whose end answers 200 with an error has failed', async t => {
  const { s3, storage } = await open(t)
  const body = async function* () {
    yield Buffer.alloc(partBytes)
    yield Buffer.alloc(10)
    // Sending the last part and ending the upload fail.
    s3.troubles.push({ status: 200, code: 'InternalError' }, { status: 200, code: 'InternalError' })
  }
  await t.rejects(storage.write('org/00/film', body()), { code: 'APP_UNAVAILABLE' })
  t.equal(s3.objects.size, 0)
  t.equal(s3.uploads.size, 0)
})

t.test('unfinished uploads of a dead process are deleted, current ones are not', async t => {
  const { s3, storage } = await open(t)
  const at = new Date(1_000_000)
  s3.uploads.set('left', { key: 'recado/media/org/00/film', parts: new Map(), at })
  s3.uploads.set('foreign', { key: 'another/film', parts: new Map(), at })
  await storage.sweep(999_999)
  t.equal(s3.uploads.size, 2)
  const body = async function* () {
    yield Buffer.alloc(partBytes + 1)
    await storage.sweep()
    t.same([...s3.uploads.keys()].includes('left'), false)
    t.equal(s3.uploads.size, 2)
  }
  await storage.write('org/00/other', body())
  t.same([...s3.uploads.keys()], ['foreign'])
})

t.test('settings that cannot open the bucket stop the start, each with its fix and without a key', async t => {
  const { s3 } = await open(t)
  await examineS3(s3.address)
  t.equal(s3.objects.size, 0, 'its test object is deleted')
  for (const [change, says] of [
    [{ bucket: 'nobody' }, /There is no bucket "nobody".*make it, or correct MEDIA_URL/],
    [{ region: 'moon-1' }, /not in the region moon-1.*correct region/],
    [{ accessKeyId: 'AKIDOTHER' }, /refused the key.*AWS_ACCESS_KEY_ID/],
    [{ secretAccessKey: 'another-secret' }, /refused the key.*AWS_SECRET_ACCESS_KEY/],
    [{ endpoint: 'http://127.0.0.1:9' }, /does not serve \(.*correct bucket and endpoint/],
  ] as const) {
    const refused = examineS3({ ...s3.address, ...change })
    await t.rejects(refused, { name: 'InstallationFault', message: says })
    t.notMatch(await refused.catch(error => error.message), /another-secret|EXAMPLEKEY/)
  }
  s3.troubles.push({ status: 403, code: 'AccessDenied' })
  await t.rejects(examineS3(s3.address), /may not do in the bucket.*s3:GetObject/)
})

t.test('a storage that cannot list unfinished uploads works', async t => {
  for (const how of [
    { status: 501, code: 'NotImplemented' },
    { status: 405, code: 'MethodNotAllowed' },
    { status: 400, code: 'InvalidRequest' },
    { status: 403, code: 'AccessDenied' },
  ]) {
    const s3 = await fakeS3(t)
    s3.refuseToList(how)
    await t.resolves(examineS3(s3.address), how.code)
    await t.resolves(createS3Storage(s3.address, 'media', [1, 1]).sweep())
    const lists = s3.asked.filter(line => line.includes('uploads='))
    t.equal(lists.length, 2, `${how.code} is asked once each time, not again and again`)
  }
})
