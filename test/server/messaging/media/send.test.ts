import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { pictureOf } from '#server/platform/storage/picture.ts'
import { mediaSample } from '#server/simulator/media/samples.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend, type TestBackend } from '#test/helpers/backend.ts'
import { fakeS3 } from '#test/helpers/s3.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const customer = '5491155551234'
const origin = 'http://localhost:3000'

type Fields = Record<string, string>
interface Part {
  bytes: Uint8Array
  name?: string
  mime?: string
}

const formOf = (fields: Fields, file?: Part): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (file) form.set('file', new Blob([file.bytes as BlobPart], { type: file.mime ?? '' }), file.name ?? 'foto.png')
  return form
}

/** A conversation with a customer who has just written, on the simulator. */
const aChat = async (t: Parameters<typeof startBackend>[0], env: Record<string, string> = {}) => {
  const backend = await startBackend(t, { env })
  const { cookie, org } = await aMember({ databases: backend.databases })
  const headers = { cookie, origin }
  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
    (await backend.inject({ method, url: `/api${path}`, headers, ...(payload ? { payload } : {}) })).json()
  await call('POST', '/whatsapp/connection/sandbox')
  await call('PATCH', '/sandbox', { statusDelayMs: 0 })
  await call('POST', '/sandbox/inbound', { from: customer, name: 'Ana Paz', text: '¿Tenés la lista?' })
  await backend.settle()
  const post = async (form: FormData, more: Record<string, string> = {}) => {
    const answer = await fetch(`${backend.url}/api/whatsapp/messages`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: form,
    })
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Message & Refusal }
  }
  const send = (file: Part | undefined, fields: Fields = {}, more: Record<string, string> = {}) =>
    post(formOf({ type: 'file', numberTel: customer, ...fields }, file), more)
  /** The thread without its activity lines. */
  const thread = async (): Promise<Message[]> =>
    (await call('GET', `/whatsapp/chats/${customer}`)).items.filter(
      ({ direction }: Message) => direction !== 'internal',
    )
  return { backend, headers, orgId: org.id, call, post, send, thread }
}
interface Refusal {
  code: string
  details?: { field: string; code: string; message: string }[]
}

/** Waits until the product says so; what is under way over the loopback has no other end. */
const until = async (backend: TestBackend, done: () => Promise<boolean>) => {
  for (let i = 0; i < 1000 && !(await done()); i += 1) {
    await backend.settle()
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

const filesOf = async (backend: TestBackend): Promise<string[]> =>
  (await readdir(join(backend.dataDir, 'media'), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter(entry => entry.isFile())
    .map(entry => entry.name)
const countOf = async ({ databases }: TestBackend, table: 'received_file' | 'media' | 'message' | 'uploaded_file') =>
  (await databases.read.selectFrom(table).selectAll().execute()).length

const sample = (kind: string): Part => {
  const { bytes, mime, name } = mediaSample(kind)
  return { bytes, mime, name: name ?? `a.${mime.split('/')[1]}` }
}

t.test('every kind of file reaches the customer with the type of its content', async t => {
  const s = await aChat(t)
  const sent: [kind: string, file: Part, fields: Fields][] = [
    ['image', sample('image'), { message: 'La carta' }],
    ['video', sample('video'), {}],
    ['audio', sample('voice'), {}],
    ['voice', sample('voice'), { as: 'voice' }],
    ['document', sample('document'), { message: 'Adjunto', name: 'Lista de precios.pdf' }],
    ['sticker', sample('sticker'), {}],
    ['document', sample('image'), { as: 'document', name: 'plano.png' }],
    [
      'document',
      { bytes: Buffer.from('codigo;precio\r\nmedialuna;900\r\n'), mime: 'text/csv', name: 'precios.csv' },
      {},
    ],
  ]
  for (const [kind, file, fields] of sent) {
    const { status, body } = await s.send(file, fields)
    t.equal(status, 202, JSON.stringify(body))
    t.match(body, {
      type: kind,
      direction: 'out',
      status: 'queued',
      media: { state: 'stored', size: file.bytes.length },
    })
    t.equal(body.media?.name, fields.name ?? file.name)
    const { width, height } = pictureOf(Buffer.from(file.bytes)) ?? {}
    t.strictSame([body.media?.width, body.media?.height], [width, height], 'so large is its place kept')
    const served = await s.backend.inject({ method: 'GET', url: body.media?.url as string, headers: s.headers })
    t.ok(served.rawPayload.equals(file.bytes), `${kind}: a member who sees the chat gets the same bytes`)
  }
  await until(s.backend, async () => (await s.thread()).every(({ status }) => ['received', 'read'].includes(status)))
  t.same(
    (await s.thread()).slice(1).map(({ type, status, text }) => [type, status, text]),
    [
      ['image', 'read', 'La carta'],
      ['video', 'read', ''],
      ['audio', 'read', ''],
      ['voice', 'read', ''],
      ['document', 'read', 'Adjunto'],
      ['sticker', 'read', ''],
      ['document', 'read', 'plano.png'],
      ['document', 'read', 'precios.csv'],
    ],
  )
  const phone = await s.call('GET', `/sandbox/customers/${customer}/messages`)
  t.same(
    phone.items?.filter((one: { mine: boolean }) => !one.mine).map((one: { type: string }) => one.type),
    sent.map(([kind]) => kind),
  )
  t.equal(await countOf(s.backend, 'received_file'), 0)
  t.same(s.backend.errors(), [])
})

t.test('a name is decoded as browsers encode it and gets the extension of the content', async t => {
  const s = await aChat(t)
  const nameOf = async (file: Part) => (await s.send(file, {})).body.media?.name
  const pdf = { ...sample('document'), mime: 'application/octet-stream' }
  t.equal(await nameOf({ ...pdf, name: 'Lista "nueva".pdf' }), 'Lista "nueva".pdf')
  t.equal(await nameOf({ ...pdf, name: 'dos\nrenglones.pdf' }), 'dos renglones.pdf')
  t.equal(await nameOf({ ...pdf, name: 'factura.jpg' }), 'factura.pdf')
})

t.test('an image with an impossibly large header is sent without dimensions', async t => {
  const s = await aChat(t)
  const file = sample('image')
  const bytes = Buffer.from(file.bytes)
  bytes.writeUInt32BE(0xffffffff, 16)
  const { status, body } = await s.send({ ...file, bytes })
  t.equal(status, 202, JSON.stringify(body))
  t.strictSame([body.media?.width, body.media?.height], [undefined, undefined])
})

t.test('the same file is not uploaded to WhatsApp again', async t => {
  const s = await aChat(t)
  for (const name of ['uno.png', 'dos.png']) await s.send({ ...sample('image'), name })
  await until(s.backend, async () => (await s.thread()).every(({ status }) => ['received', 'read'].includes(status)))
  t.equal(await countOf(s.backend, 'media'), 2)
  t.equal(await countOf(s.backend, 'uploaded_file'), 1)
  t.equal((await s.backend.databases.read.selectFrom('sandbox_media').selectAll().execute()).length, 1)
})

const png = sample('image')
const big = (head: Uint8Array, size: number): Uint8Array => Buffer.concat([head, Buffer.alloc(size - head.length)])
const bad: [what: string, file: Part | undefined, fields: Fields, status: number, field: string, code: string][] = [
  ['no file', undefined, {}, 400, 'body.file', 'required'],
  ['an empty file', { bytes: Buffer.alloc(0) }, {}, 400, 'body.file', 'fileEmpty'],
  ['a picture of six megabytes', { ...png, bytes: big(png.bytes, 6 << 20) }, {}, 413, 'body.file', 'fileTooLarge'],
  [
    'a program',
    { bytes: Buffer.concat([Buffer.from('MZ\u0000'), randomBytes(900)]), name: 'a.exe', mime: '' },
    {},
    400,
    'body.file',
    'fileKind',
  ],
  [
    'a page that calls itself a picture',
    { bytes: Buffer.from('<html><script>1</script>'), mime: 'image/png' },
    {},
    400,
    'body.file',
    'fileKind',
  ],
  [
    'text that calls itself a picture',
    { bytes: Buffer.from('hola'), mime: 'image/png' },
    {},
    400,
    'body.mime_type',
    'fileLies',
  ],
  ['a picture that calls itself a PDF', { ...png, mime: 'application/pdf' }, {}, 400, 'body.mime_type', 'fileLies'],
  [
    'a photo that telephones make and WhatsApp does not take',
    {
      bytes: Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), Buffer.alloc(900)]),
      name: 'a.heic',
      mime: '',
    },
    {},
    400,
    'body.file',
    'filePhoto',
  ],
  ['a field that lies about it', png, { mime_type: 'video/mp4' }, 400, 'body.mime_type', 'fileLies'],
  ['another size than was said', png, { size: '5' }, 400, 'body.size', 'fileSize'],
  ['a size that is none', png, { size: 'big' }, 400, 'body.size', 'type'],
  ['a name with a path', { ...png, name: '../../etc/passwd' }, {}, 400, 'body.name', 'fileNamePath'],
  ['a field with a path', png, { name: 'C:\\temp\\a.png' }, 400, 'body.name', 'fileNamePath'],
  ['a name without end', png, { name: 'a'.repeat(300) }, 400, 'body.name', 'maxLength'],
  ['a name that turns its direction', png, { name: 'foto\u202egnp.exe' }, 400, 'body.name', 'format'],
  ['a picture as a voice note', png, { as: 'voice' }, 400, 'body.as', 'notVoice'],
  ['a picture as a sticker', png, { as: 'sticker' }, 400, 'body.as', 'notSticker'],
  ['a way there is none of', png, { as: 'poster' }, 400, 'body.as', 'enum'],
  ['words with a sticker', sample('sticker'), { message: 'hola' }, 400, 'body.message', 'noCaption'],
  ['a caption without end', png, { message: 'a'.repeat(1025) }, 400, 'body.message', 'maxLength'],
  ['a field there is none of', png, { colour: 'red' }, 400, 'body.colour', 'unknown'],
  ['a file with a text message', png, { type: 'text', message: 'hola' }, 400, 'body.file', 'unknown'],
  ['nobody to send it to', png, { numberTel: '!' }, 400, 'body.numberTel', 'minLength'],
]

t.test('a file that cannot be sent is refused by its field, and nothing of it is kept', async t => {
  const s = await aChat(t)
  const before = { files: await filesOf(s.backend), messages: await countOf(s.backend, 'message') }
  for (const [what, file, fields, status, field, code] of bad) {
    const answer = await s.send(file, fields)
    t.equal(answer.status, status, `${what}: ${JSON.stringify(answer.body)}`)
    t.match(answer.body.details?.[0], { field, code }, what)
    t.notMatch(answer.body.details?.[0]?.message ?? '', /^errors:|^field\./, `${what}: in words`)
  }
  const two = formOf({ type: 'file', numberTel: customer }, png)
  two.append('file', new Blob([png.bytes as BlobPart]), 'b.png')
  t.match(await s.post(two), { status: 400, body: { details: [{ field: 'body.file', code: 'fileMany' }] } })
  const json = await s.call('POST', '/whatsapp/messages', { type: 'file', numberTel: customer })
  t.match(json.details, [
    { field: 'body.file', code: 'required' },
    { field: 'body.name', code: 'required' },
  ])
  t.same(await filesOf(s.backend), before.files)
  t.equal(await countOf(s.backend, 'message'), before.messages)
  t.equal(await countOf(s.backend, 'received_file'), 0)
  t.equal(await countOf(s.backend, 'media'), 0)
})

t.test('a conversation with a closed window accepts no file and keeps none', async t => {
  const s = await aChat(t)
  t.match(await s.send(png, { numberTel: '5491100000000' }), { status: 409, body: { code: 'INBOX_WINDOW_CLOSED' } })
  t.same(await filesOf(s.backend), [])
  t.equal(await countOf(s.backend, 'received_file'), 0)
})

/** The beginning of a form with a file, followed by the end of the connection or of the announced length. */
const cutOff = async (s: Awaited<ReturnType<typeof aChat>>, how: 'hang up' | 'short') => {
  const head = [
    '--cut',
    'content-disposition: form-data; name="type"',
    '',
    'file',
    '--cut',
    'content-disposition: form-data; name="file"; filename="a.png"',
    'content-type: image/png',
    '',
    '',
  ].join('\r\n')
  const body = Buffer.concat([Buffer.from(head), Buffer.from(png.bytes), Buffer.alloc(100_000)])
  const length = how === 'short' ? body.length : body.length + 50_000
  const outgoing = request(`${s.backend.url}/api/whatsapp/messages`, {
    method: 'POST',
    headers: { ...s.headers, 'content-type': 'multipart/form-data; boundary=cut', 'content-length': length },
  })
  outgoing.on('error', () => undefined)
  outgoing.write(body)
  if (how === 'short') {
    outgoing.end()
    const [answer] = await once(outgoing, 'response')
    let text = ''
    for await (const chunk of answer) text += chunk
    return { status: answer.statusCode, body: JSON.parse(text) as Refusal }
  }
  await until(s.backend, async () => (await filesOf(s.backend)).length > 0)
  if (!(await filesOf(s.backend)).length) throw new Error('Nothing was being written')
  outgoing.destroy()
  await until(s.backend, async () => (await countOf(s.backend, 'received_file')) === 0)
  return undefined
}

t.test('an upload that is cut off leaves nothing', async t => {
  const s = await aChat(t)
  t.match(await cutOff(s, 'short'), { status: 400, body: { details: [{ field: 'body.file', code: 'fileCut' }] } })
  await cutOff(s, 'hang up')
  t.same(await filesOf(s.backend), [])
  t.equal(await countOf(s.backend, 'received_file'), 0)
  t.equal(await countOf(s.backend, 'media'), 0)
  t.same(s.backend.errors(), [])
})

t.test('files left by an interrupted call are deleted within the hour', async t => {
  const s = await aChat(t)
  await s.backend.databases.write
    .insertInto('received_file')
    .values({ id: 'left', org_id: s.orgId, path: 'left', created_at: s.backend.clock.now().toISOString() })
    .execute()
  await s.send(png)
  await writeFile(join(s.backend.dataDir, 'media', 'left'), 'half')
  t.equal(await s.backend.parts.files.prune(), 0, 'one may still be at work')
  s.backend.clock.advance(7 * 3_600_000)
  t.equal(await s.backend.parts.files.prune(), 1)
  t.notMatch(await filesOf(s.backend), ['left'])
  t.equal((await filesOf(s.backend)).length, 1, 'a file of a message stays')
})

t.test('the same form with the same key is one message and one file', async t => {
  const s = await aChat(t)
  const key = { 'idempotency-key': 'factura-17' }
  const first = await s.send(png, { message: 'La factura' }, key)
  const again = await s.send(png, { message: 'La factura' }, key)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.equal(again.body.id, first.body.id)
  const other = await s.send(
    { ...png, bytes: Buffer.concat([png.bytes, Buffer.from('.')]) },
    { message: 'La factura' },
    key,
  )
  t.match(other, { status: 409, body: { code: 'APP_IDEMPOTENCY_MISMATCH' } }, 'another content is another call')
  const pair = { clientKey: 'composer-1234' }
  const one = await s.send(png, pair)
  const two = await s.send(png, pair)
  t.equal(two.body.id, one.body.id, 'the key of the sender pairs them without a header')
  t.equal(await countOf(s.backend, 'media'), 2)
  t.equal((await filesOf(s.backend)).length, 2)
  t.equal(await countOf(s.backend, 'received_file'), 0)
})

t.test('only calls that take forms accept one', async t => {
  const s = await aChat(t)
  const answer = await fetch(`${s.backend.url}/api/whatsapp/chat/archive`, {
    method: 'POST',
    headers: s.headers,
    body: formOf({ phoneNumber: customer }),
  })
  t.equal(answer.status, 415)
})

t.test('the file of a caller without the permission to write is not read', async t => {
  const s = await aChat(t)
  const viewer = await aMember({ databases: s.backend.databases, role: 'viewer' })
  const headers = { cookie: viewer.cookie, origin }
  const url = `${s.backend.url}/api/whatsapp/messages`
  const form = () => formOf({ type: 'file', numberTel: customer }, png)
  t.equal((await fetch(url, { method: 'POST', headers, body: form() })).status, 403)
  t.equal((await fetch(url, { method: 'POST', headers: { origin }, body: form() })).status, 401)
  t.equal(
    (await fetch(url, { method: 'POST', headers: { ...s.headers, origin: 'https://elsewhere.example' }, body: form() }))
      .status,
    403,
  )
  t.same(await filesOf(s.backend), [])
})

t.test(
  'with MEDIA_URL files are only in the bucket, are served from it, and are deleted with their organization',
  async t => {
    const s3 = await fakeS3(t)
    const s = await aChat(t, s3.env)
    const picture = sample('image')
    const bytes = Buffer.from(picture.bytes)
    const { status, body } = await s.send(picture)
    t.equal(status, 202)
    await until(s.backend, async () => (await s.thread()).every(({ status }) => ['received', 'read'].includes(status)))
    const phone = await s.call('GET', `/sandbox/customers/${customer}/messages`)
    t.equal(phone.items.filter((one: { mine: boolean }) => !one.mine).length, 1, 'WhatsApp has it')
    const logo = await s.backend.inject({
      method: 'PUT',
      url: '/api/organization/logo',
      headers: s.headers,
      payload: { dataBase64: bytes.toString('base64') },
    })
    t.equal(logo.statusCode, 200, logo.body)
    t.ok((await s.backend.inject({ url: logo.json().logo })).rawPayload.equals(bytes))
    t.equal([...s3.objects.keys()].filter(key => key.startsWith(`recado/media/${s.orgId}/`)).length, 1)
    t.equal([...s3.objects.keys()].filter(key => key.startsWith('recado/logos/')).length, 1)
    t.same(await filesOf(s.backend), [])

    const get = (headers: Record<string, string> = {}) =>
      s.backend.inject({ method: 'GET', url: body.media?.url as string, headers: { ...s.headers, ...headers } })
    t.ok((await get()).rawPayload.equals(bytes))
    const part = await get({ range: 'bytes=10-19' })
    t.match([part.statusCode, part.headers['content-range']], [206, `bytes 10-19/${bytes.length}`])
    t.ok(part.rawPayload.equals(bytes.subarray(10, 20)))

    const trouble = { status: 503, code: 'ServiceUnavailable' }
    s3.troubles.push(trouble, trouble, trouble)
    const away = await get()
    t.match([away.statusCode, away.headers['retry-after'], away.json().code], [503, '10', 'APP_UNAVAILABLE'])
    t.notMatch(away.headers['cache-control'], /immutable/)
    s3.troubles.push(trouble, trouble, trouble)
    const refused = await s.send(picture)
    t.match([refused.status, refused.headers.get('retry-after')], [503, '10'])
    t.equal(await countOf(s.backend, 'received_file'), 0)
    t.equal((await get()).statusCode, 200, 'and it comes back by itself')

    await s.backend.parts.removal.hide(s.orgId)
    await s.backend.parts.jobs.idle()
    t.same(
      [...s3.objects.keys()].filter(key => key.startsWith('recado/media/')),
      [],
    )
  },
)
