import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type APerson, aPerson } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const ana = await aPerson({ databases: backend.databases })
  const luis = await aPerson({ databases: backend.databases })
  const call = async (who: APerson, method: 'PUT' | 'DELETE', what: string, body?: object) => {
    const headers = { cookie: who.cookie, 'accept-language': 'es' }
    const reply = await backend.inject({
      method,
      url: `/api/account/${what}`,
      headers,
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  const upload = (who: APerson, bytes: Buffer) => call(who, 'PUT', 'picture', { dataBase64: bytes.toString('base64') })
  const seenBy = async (who: APerson) =>
    (await backend.inject({ url: '/api/viewer', headers: { cookie: who.cookie } })).json().user
  const folder = join(backend.dataDir, 'pictures')
  return {
    backend,
    ana,
    luis,
    call,
    upload,
    seenBy,
    folder,
    files: () => (existsSync(folder) ? readdirSync(folder).filter(name => name !== '.partial') : []),
  }
}

t.test('a picture is stored and served, and the previous one is deleted', async t => {
  const { backend, ana, call, upload, seenBy, files } = await stage(t)
  const first = await upload(ana, png)
  t.match(first, { status: 200, body: { image: /^\/pictures\/[0-9a-z]{24}\.png$/ } })
  t.equal((await seenBy(ana)).image, first.body.image)
  const seen = await backend.inject({ url: first.body.image })
  t.same(seen.rawPayload, png)
  t.match(seen.headers, { 'x-content-type-options': 'nosniff', 'content-security-policy': /sandbox/ })
  const second = await upload(ana, png)
  t.equal((await backend.inject({ url: first.body.image })).statusCode, 404)
  t.same(files(), [second.body.image.slice('/pictures/'.length)])
  t.same(await call(ana, 'DELETE', 'picture'), { status: 200, body: { image: null } })
  t.same(files(), [])
  t.equal((await seenBy(ana)).image, null)
})

t.test('files that are not pictures or too large are refused and change nothing', async t => {
  const { ana, call, upload, files } = await stage(t)
  t.match(await upload(ana, Buffer.from('<svg onload="alert(1)"/>')), {
    status: 400,
    body: { code: 'AUTH_PICTURE_INVALID', details: [{ field: 'body.dataBase64' }] },
  })
  t.match(await call(ana, 'PUT', 'picture', { dataBase64: 'ñ' }), { body: { code: 'AUTH_PICTURE_INVALID' } })
  const wide = Buffer.from(png)
  wide.writeUInt32BE(50_000, 16)
  t.match(await upload(ana, wide), { status: 413, body: { code: 'AUTH_PICTURE_TOO_LARGE' } })
  t.same(files(), [])
})

t.test('a person who uses the picture of another cannot delete it', async t => {
  const { backend, ana, luis, call, upload } = await stage(t)
  const { image } = (await upload(ana, png)).body
  await backend.databases.write.updateTable('user').set({ image }).where('id', '=', luis.user.id).execute()
  await call(luis, 'DELETE', 'picture')
  t.equal((await backend.inject({ url: image })).statusCode, 200)
})

t.test('an unused picture is deleted after a day', async t => {
  const { backend, ana, upload, folder, files } = await stage(t)
  const kept = (await upload(ana, png)).body.image.slice('/pictures/'.length)
  const orphan = 'zzzzzzzzzzzzzzzzzzzzzzzz.png'
  writeFileSync(join(folder, orphan), png)
  const { prunePictures } = backend.parts.profiles
  t.equal(await prunePictures(new Date()), 0)
  const longAgo = Date.now() / 1000 - 2 * 86_400
  for (const name of [kept, orphan]) utimesSync(join(folder, name), longAgo, longAgo)
  t.equal(await prunePictures(new Date()), 1)
  t.same(files(), [kept])
})

t.test('a signature is trimmed, bounded, and part of the next page', async t => {
  const { ana, luis, call, seenBy } = await stage(t)
  t.equal((await seenBy(ana)).signature, '')
  const set = (signature: string) => call(ana, 'PUT', 'signature', { signature })
  t.same(await set('  — Ana\r\nde la panadería \n'), { status: 200, body: { signature: '— Ana\nde la panadería' } })
  t.equal((await seenBy(ana)).signature, '— Ana\nde la panadería')
  t.equal((await seenBy(luis)).signature, '')
  t.match(await set('x'.repeat(121)), { status: 400, body: { details: [{ field: 'body.signature' }] } })
  t.equal((await seenBy(ana)).signature, '— Ana\nde la panadería')
  t.same((await set('   ')).body, { signature: '' })
  t.equal((await seenBy(ana)).signature, '')
})

t.test('an impersonating administrator cannot change the profile', async t => {
  const { backend, ana, luis, call, upload } = await stage(t)
  await backend.databases.write
    .updateTable('session')
    .set({ impersonatedBy: luis.user.id })
    .where('id', '=', ana.person.sessionId)
    .execute()
  const refused = { status: 403, body: { code: 'AUTH_NOT_WHILE_IMPERSONATING' } }
  t.match(await upload(ana, png), refused)
  t.match(await call(ana, 'DELETE', 'picture'), refused)
  t.match(await call(ana, 'PUT', 'signature', { signature: 'x' }), refused)
})
