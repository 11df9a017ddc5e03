import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { fileMaxBytes } from '#shared/media/sent-files.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const origin = 'http://localhost:3000'
const png = Buffer.from(pixel, 'base64')
const pdf = Buffer.from('%PDF-1.4\n%%EOF')

const body = { type: 'BODY', text: 'Tu torta está lista para retirar, te esperamos hasta las ocho.' }
const withHeader = (format: string, more: object = {}) => ({
  name: 'torta_lista',
  language: 'es_AR',
  category: 'UTILITY',
  components: [{ type: 'HEADER', format }, body],
  ...more,
})

const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const who = await aMember({ databases: backend.databases })
  const headers = { cookie: who.cookie, origin, 'accept-language': 'es' }
  const connect = { method: 'POST', url: '/api/whatsapp/connection/sandbox', headers } as const
  await backend.inject(connect)
  const send = async (
    method: 'POST' | 'PUT',
    path: string,
    fields: Readonly<Record<string, unknown>>,
    file?: { bytes: Uint8Array; name?: string; mime?: string },
    more: Readonly<Record<string, string>> = {},
  ) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields))
      form.append(name, value instanceof Blob ? value : typeof value === 'string' ? value : JSON.stringify(value))
    if (file)
      form.append('file', new Blob([file.bytes as BlobPart], { type: file.mime ?? '' }), file.name ?? 'foto.png')
    const answer = await fetch(`${backend.url}/api/whatsapp/template${path}`, {
      method,
      headers: { ...headers, ...more },
      body: form,
    })
    return { status: answer.status, json: await answer.json() }
  }
  /** The stored files and the rows that refer to them. */
  const kept = async () => {
    const all = await readdir(join(backend.dataDir, 'media'), { recursive: true, withFileTypes: true }).catch(() => [])
    const { read } = backend.databases
    return {
      files: all.filter(entry => entry.isFile()).length,
      named: (await read.selectFrom('template_media').select('id').execute()).length,
      nobodys: (await read.selectFrom('received_file').select('id').execute()).length,
    }
  }
  /** Unreferenced files are deleted after the response. */
  const settled = async () => {
    for (let tries = 0; tries < 2_000; tries += 1) {
      const { files, named, nobodys } = await kept()
      if (nobodys === 0 && files === named) break
      await new Promise(setImmediate)
    }
    return kept()
  }
  return { backend, who, headers, send, settled }
}

t.test('a template and its header file come as one form, for both methods', async t => {
  const { backend, headers, send, settled } = await stage(t)
  const made = await send('POST', '', { template: withHeader('IMAGE') }, { bytes: png, mime: 'image/png' })
  t.match(made, {
    status: 201,
    json: { status: 'PENDING', media: [{ card: null, mime: 'image/png', name: 'foto.png', size: png.length }] },
  })
  const got = await backend.inject({ method: 'GET', url: made.json.media[0].url, headers })
  t.same(got.rawPayload, png)

  const asBlob = new Blob([JSON.stringify(withHeader('DOCUMENT', { name: 'carta' }))], { type: 'application/json' })
  const draft = await send('POST', '', { template: asBlob, draft: 'true' }, { bytes: pdf, mime: 'application/pdf' })
  t.match(draft, { status: 201, json: { status: 'DRAFT', name: 'carta', media: [{ mime: 'application/pdf' }] } })
  const changed = await send(
    'PUT',
    `/${draft.json.id}`,
    { template: { components: [{ type: 'HEADER', format: 'IMAGE' }, body] } },
    { bytes: png },
  )
  t.match(changed, { status: 200, json: { status: 'PENDING', media: [{ mime: 'image/png' }] } })

  const handle = made.json.media[0].handle
  const named = await send('POST', '', { template: withHeader('IMAGE', { name: 'otra' }), file: handle })
  t.match(named, { status: 201, json: { media: [{ handle }] } }, 'a form without bytes names a file that was uploaded')
  t.same(await settled(), { files: 3, named: 3, nobodys: 0 })
  t.same(backend.errors(), [])
})

t.test('the same form with the same key is one template', async t => {
  const { backend, send, settled } = await stage(t)
  const again = () =>
    send('POST', '', { template: withHeader('IMAGE') }, { bytes: png }, { 'idempotency-key': 'the same' })
  const first = await again()
  t.equal(first.status, 201)
  t.same((await again()).json, first.json)
  t.same(await settled(), { files: 1, named: 1, nobodys: 0 })
  const other = { bytes: Buffer.concat([png, Buffer.from('x')]) }
  t.equal(
    (await send('POST', '', { template: withHeader('IMAGE') }, other, { 'idempotency-key': 'the same' })).status,
    409,
    'another file is another call',
  )
  t.same(await settled(), { files: 1, named: 1, nobodys: 0 })
  t.same(backend.errors(), [])
})

t.test('a form that is not a valid template is refused by its field and leaves nothing', async t => {
  const { backend, send, settled } = await stage(t)
  const draft = await send('POST', '', { template: withHeader('IMAGE', { name: 'borrador' }), draft: 'true' })
  t.equal(draft.status, 201)
  const image = withHeader('IMAGE')
  const file = { bytes: png, mime: 'image/png' }
  const refusals: [string, { fields: Record<string, unknown>; file?: typeof file & { name?: string } }, object][] = [
    ['no file', { fields: { template: image } }, { code: 'fileRequired' }],
    ['empty', { fields: { template: image }, file: { ...file, bytes: Buffer.alloc(0) } }, { code: 'fileEmpty' }],
    ['wrong kind', { fields: { template: image }, file: { bytes: pdf, mime: '' } }, { code: 'fileKind' }],
    [
      'no kind of headers',
      { fields: { template: image }, file: { bytes: Buffer.from('ID3\x03'), mime: 'audio/mpeg' } },
      { field: 'body.file', code: 'fileKind' },
    ],
    [
      'lying kind',
      { fields: { template: image }, file: { bytes: png, mime: 'application/pdf' } },
      { code: 'fileLies' },
    ],
    [
      'what runs',
      { fields: { template: image }, file: { bytes: Buffer.from('<svg onload=alert(1)>'), mime: 'image/png' } },
      { field: 'body.file', code: 'fileKind' },
    ],
    [
      'a path for a name',
      { fields: { template: image }, file: { ...file, name: '../../etc/passwd' } },
      { field: 'body.name', code: 'fileNamePath' },
    ],
    [
      'nowhere to put it',
      { fields: { template: withHeader('IMAGE', { components: [body] }) }, file },
      { field: 'body.file', code: 'fileNoPlace' },
    ],
    ['no JSON', { fields: { template: '{"name":' }, file }, { field: 'body.template', code: 'json' }],
    ['another JSON', { fields: { template: '[]' }, file }, { field: 'body.template', code: 'type' }],
    [
      'a prototype',
      { fields: { template: '{"__proto__":{"name":"x"}}' }, file },
      { field: 'body.template', code: 'json' },
    ],
    ['no template', { fields: {}, file }, { field: 'body.template', code: 'required' }],
    ['a stranger', { fields: { template: image, surprise: '1' }, file }, { field: 'body.surprise', code: 'unknown' }],
    ['long', { fields: { template: `"${'x'.repeat(70_000)}"` }, file }, { field: 'body.template', code: 'maxLength' }],
  ]
  const before = await settled()
  for (const [said, { fields, file }, detail] of refusals)
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', `/${draft.json.id}`],
    ] as const) {
      const answer = await send(method, path, fields, file)
      t.match(answer, { status: 400, json: { details: [detail] } }, `${said}: ${method}`)
      t.same(await settled(), before, `${said} left nothing: ${method}`)
    }
  const large = { bytes: Buffer.concat([png, Buffer.alloc(fileMaxBytes.image)]), mime: 'image/png' }
  t.match(await send('POST', '', { template: image }, large), {
    status: 413,
    json: { details: [{ field: 'body.file' }] },
  })
  const deep = `${'['.repeat(70)}${']'.repeat(70)}`
  t.match(await send('POST', '', { template: `{"components":${deep}}` }, file), {
    status: 400,
    json: { code: 'APP_BAD_JSON' },
  })
  t.match(await send('PUT', '/nobody', { template: {} }, file), { status: 404 })
  t.same(await settled(), before)
  t.same(backend.errors(), [])
})

t.test('an interrupted form leaves nothing', async t => {
  const { backend, headers, settled } = await stage(t)
  const part = (head: string, content: string | Buffer) =>
    Buffer.concat([Buffer.from(`--cut\r\ncontent-disposition: form-data; ${head}\r\n\r\n`), Buffer.from(content)])
  const begun = Buffer.concat([
    part('name="template"', `${JSON.stringify(withHeader('IMAGE'))}\r\n`),
    part('name="file"; filename="foto.png"\r\ncontent-type: image/png', png),
  ])
  const options = { method: 'POST', headers: { ...headers, 'content-type': 'multipart/form-data; boundary=cut' } }
  // Everything except the end.
  const short = await fetch(`${backend.url}/api/whatsapp/template`, { ...options, body: begun as BodyInit })
  t.match({ status: short.status, json: await short.json() }, { status: 400, json: { details: [{ code: 'fileCut' }] } })
  // A form whose connection is cut.
  const call = request(`${backend.url}/api/whatsapp/template`, options)
  call.on('error', () => undefined)
  const closed = new Promise(resolve => call.on('close', resolve))
  call.write(begun)
  await new Promise(resolve => setTimeout(resolve, 50))
  call.destroy()
  await closed
  await new Promise(resolve => setTimeout(resolve, 50))
  t.same(await settled(), { files: 0, named: 0, nobodys: 0 })
  t.equal((await backend.databases.read.selectFrom('template').select('id').execute()).length, 0)
  t.same(backend.errors(), [])
})
