import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { captionMaxChars, fileMaxBytes } from '#shared/media/sent-files.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const origin = 'http://localhost:3000'
const png = Buffer.from(pixel, 'base64')
const pdf = Buffer.from('%PDF-1.4\n%%EOF')
const webp = Buffer.concat([Buffer.from('RIFF\x1a\0\0\0WEBPVP8 ', 'latin1'), Buffer.alloc(64)])

const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const owner = await aMember({ databases: backend.databases })
  const ana = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
  const headersOf = (who: Pick<AMember, 'cookie'>) => ({ cookie: who.cookie, origin })
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, who = owner) => {
    const reply = await backend.inject({
      method,
      url: `/api/whatsapp/ready-answers${path}`,
      headers: headersOf(who),
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.body ? reply.json() : undefined }
  }
  const put = async (id: string, bytes: Uint8Array, name: string, mime = '', who = owner) => {
    const form = new FormData()
    form.set('file', new Blob([bytes as BlobPart], { type: mime }), name)
    const answer = await fetch(`${backend.url}/api/whatsapp/ready-answers/${id}/file`, {
      method: 'POST',
      headers: headersOf(who),
      body: form,
    })
    return { status: answer.status, body: await answer.json() }
  }
  const fetchFile = async (id: string, who = owner) => {
    const answer = await fetch(`${backend.url}/api/whatsapp/ready-answers/${id}/file`, { headers: headersOf(who) })
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const make = async (more: object = {}, who = owner): Promise<string> =>
    (await call('POST', '', { title: 'Menú', shortcut: 'menu', text: 'Nuestro menú', ...more }, who)).body.id
  /** The stored files. */
  const kept = async () => {
    const all = await readdir(join(backend.dataDir, 'media'), { recursive: true, withFileTypes: true })
    return all.filter(entry => entry.isFile()).length
  }
  return { backend, owner, ana, call, put, fetchFile, make, kept }
}

t.test('a file is attached to an answer, replaced, and deleted with it', async t => {
  const { backend, ana, call, put, fetchFile, make, kept } = await stage(t)
  const id = await make({ shared: true })
  t.match(await put(id, png, 'menú.png', 'image/png'), {
    status: 200,
    body: { file: { kind: 'image', name: 'menú.png', mime: 'image/png', size: png.length } },
  })
  t.match((await call('GET', '', undefined, ana)).body.items, [{ id, file: { name: 'menú.png' } }])
  const got = await fetchFile(id, ana)
  t.equal(got.status, 200)
  t.same(got.bytes, png)
  t.match(got.headers.get('content-disposition'), /filename/)
  t.equal(got.headers.get('x-content-type-options'), 'nosniff')
  t.match(await put(id, pdf, 'menu.pdf', 'application/pdf'), { status: 200, body: { file: { kind: 'document' } } })
  t.same((await fetchFile(id)).bytes, pdf)
  t.match(await call('PATCH', `/${id}`, { title: 'La carta' }), { status: 200, body: { file: { name: 'menu.pdf' } } })
  t.match(await call('DELETE', `/${id}/file`), { status: 200, body: { file: null } })
  t.equal((await fetchFile(id)).status, 404)
  await put(id, png, 'menú.png')
  t.equal((await call('DELETE', `/${id}`)).status, 200)
  await backend.settle()
  t.same(await backend.databases.read.selectFrom('ready_answer_file').selectAll().execute(), [])
  // Unreferenced files are deleted at once, and any missed by that are deleted later.
  for (let tries = 0; (await kept()) > 0 && tries < 2_000; tries += 1) await new Promise(setImmediate)
  t.equal(await kept(), 0, 'nothing lies about')
  t.same(backend.errors(), [])
})

t.test('an invalid file is refused by its field and leaves nothing', async t => {
  const { backend, ana, call, put, fetchFile, make, kept } = await stage(t)
  const id = await make()
  t.match(await put(id, Buffer.alloc(0), 'nada.png', 'image/png'), {
    status: 400,
    body: { details: [{ field: 'body.file' }] },
  })
  t.match(await put(id, webp, 'sticker.webp', 'image/webp'), {
    status: 400,
    body: { details: [{ field: 'body.file' }] },
  })
  t.match(await put(id, Buffer.from('MZ\x90\0'), 'x.exe', 'application/x-msdownload'), { status: 400 })
  t.match(await put(id, pdf, '../carta.pdf', 'application/pdf'), {
    status: 400,
    body: { details: [{ field: 'body.name' }] },
  })
  const large = Buffer.concat([png, Buffer.alloc(fileMaxBytes.image)])
  t.match(await put(id, large, 'grande.png', 'image/png'), { status: 413 })
  t.equal((await put(id, png, 'menu.png', 'image/png', ana)).status, 404, 'it is not hers')
  t.equal((await fetchFile(id, ana)).status, 404)
  t.match(await call('POST', `/${id}/file`, {}), { status: 400, body: { details: [{ field: 'body.file' }] } })
  const long = await make({ shortcut: 'largo', text: 'a'.repeat(captionMaxChars + 1) })
  t.match(await put(long, png, 'menu.png'), { status: 400, body: { details: [{ field: 'body.file' }] } })
  await put(id, png, 'menu.png')
  t.match(await call('PATCH', `/${id}`, { text: 'a'.repeat(captionMaxChars + 1) }), {
    status: 400,
    body: { details: [{ field: 'body.text' }] },
  })
  const stranger = await aMember({ databases: backend.databases, orgName: 'Otra' })
  t.equal((await fetchFile(id, stranger)).status, 404)
  t.equal(await kept(), 1)
  t.same(backend.errors(), [])
})
