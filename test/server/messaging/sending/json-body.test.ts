/** Messages as programs send them in JSON, through the public API, with the simulator as Meta. */
import t, { type Test } from 'tap'
import { bytesText, jsonFileMaxBytes } from '#shared/media/sent-files.ts'
import { aMember } from '#test/helpers/actors.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { startBackend } from '#test/helpers/backend.ts'

const customer = '5491155550123'
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  Buffer.alloc(64),
])
const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n')

const setUp = async (t: Test, pushFetch?: typeof fetch) => {
  const backend = await startBackend(t, pushFetch ? { pushFetch } : {})
  const owner = await aMember({ databases: backend.databases })
  const { key } = await aKey(backend.app, owner.cookie)
  const ask = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const headers = { 'x-api-key': key, 'accept-language': 'es' }
    const reply = await backend.inject({ method, url: `/api${path}`, headers, ...(payload ? { payload } : {}) })
    return { status: reply.statusCode, json: reply.json() }
  }
  await backend.inject({ method: 'POST', url: '/api/whatsapp/connection/sandbox', headers: { cookie: owner.cookie } })
  await backend.inject({
    method: 'POST',
    url: '/api/sandbox/inbound',
    headers: { cookie: owner.cookie },
    payload: { from: customer, type: 'text', text: 'Hola' },
  })
  await backend.settle()
  const send = (body: object) => ask('POST', '/whatsapp/messages', { numberTel: customer, ...body })
  const settle = async () => {
    for (let i = 0; i < 3; i += 1) {
      await backend.settle()
      backend.clock.advance(60_000)
    }
    await backend.settle()
  }
  const kept = async () => (await backend.databases.read.selectFrom('received_file').selectAll().execute()).length
  return { backend, ask, send, settle, kept }
}

const fieldsOf = ({ json }: { json: { details?: { field: string }[]; code: string } }) =>
  json.details?.map(({ field }) => field) ?? json.code

t.test(
  'an empty message is refused; files, templates and actions need no text, and missing fields are named',
  async t => {
    const { ask, send, settle } = await setUp(t)
    const file = await send({ type: 'file', name: 'foto.png', file: png.toString('base64'), message: '' })
    t.equal(file.status, 202, JSON.stringify(file.json))
    const action = { type: 'actionRecado', action: 'confirm', labelRecado: 'Confirmo', data: { key: 'turno-1' } }
    const button = await send({ ...action, message: '' })
    t.match(button, { status: 202, json: { text: 'Confirmo', interactive: { buttons: [{ title: 'Confirmo' }] } } })
    t.match(await send(action), { status: 202 }, 'nor need it be there')
    await ask('POST', '/whatsapp/template/sync')
    const template = { type: 'template', template: 'pedido_listo', phones: [customer], bodyExample: ['Ana', '1'] }
    t.match(await send({ ...template, message: '' }), { status: 202 })
    await settle()
    const { json: thread } = await ask('GET', `/whatsapp/chats/${customer}`)
    const out = thread.items.filter((one: { direction: string }) => one.direction === 'out')
    t.equal(out.length, 4)
    t.ok(
      out.every(({ status }: { status: string }) => /^(sent|delivered|read)$/.test(status)),
      'WhatsApp took all of them',
    )

    t.same(fieldsOf(await send({ type: 'text', message: '' })), ['body.message'])
    t.same(fieldsOf(await send({ type: 'file', message: '' })), ['body.file', 'body.name'])
    t.same(fieldsOf(await send({ type: 'file', message: '', name: 'x.png' })), ['body.file'])
    t.same(fieldsOf(await send({ type: 'file', message: '', file: png.toString('base64') })), ['body.name'])
    t.same(fieldsOf(await send({ type: 'template', message: '' })), [
      'body.template',
      'body.phones',
      'body.bodyExample',
    ])
    t.same(fieldsOf(await send({ type: 'actionRecado', message: '' })), [
      'body.action',
      'body.labelRecado',
      'body.data',
    ])
    t.same(fieldsOf(await send({ type: 'text', message: 'x', file: png.toString('base64') })), ['body.file'])
    t.match(await send({ type: 'paloma', message: '' }), {
      status: 400,
      json: { message: 'Tipo de mensaje no soportado.' },
    })
  },
)

t.test('a base64 file is decoded; an invalid or too large one is refused and nothing is stored', async t => {
  const { send, kept } = await setUp(t)
  const sent = await send({ type: 'file', name: 'foto.png', file: `data:image/png;base64,${png.toString('base64')}` })
  t.match(sent, { status: 202, json: { type: 'image', media: { mime: 'image/png', size: png.length } } })
  const other = await send({ type: 'file', name: 'f.pdf', file: pdf.toString('base64'), message: 'La factura' })
  t.match(other, { status: 202, json: { type: 'document', text: 'La factura', media: { name: 'f.pdf' } } })
  for (const file of ['factura.pdf', 'aGVsbG8=x', '@@@@', Buffer.from('<html>').toString('base64')])
    t.match(await send({ type: 'file', name: 'x', file }), { status: 400, json: { details: [{ field: 'body.file' }] } })
  const big = Buffer.concat([png, Buffer.alloc(jsonFileMaxBytes)]).toString('base64')
  const refused = await send({ type: 'file', name: 'x.png', file: big })
  t.equal(refused.status, 413)
  t.match(refused.json.details?.[0]?.message, bytesText(jsonFileMaxBytes))
  const largest = Buffer.concat([png, Buffer.alloc(jsonFileMaxBytes - png.length)]).toString('base64')
  t.equal((await send({ type: 'file', name: 'x.png', file: largest })).status, 202, 'the largest picture fits')
  t.equal(await kept(), 0)
})

t.test(
  'a file at an https address is downloaded once through the egress guard, and a failure names its field',
  async t => {
    const asked: string[] = []
    const answers: Record<string, () => Response> = {
      'https://files.example.com/facturas/factura%200004.pdf': () =>
        new Response(pdf, { headers: { 'content-type': 'application/pdf' } }),
      'https://files.example.com/moved': () =>
        new Response(null, { status: 302, headers: { location: 'https://10.0.0.1/secret' } }),
      'https://files.example.com/large': () => new Response(Buffer.alloc(jsonFileMaxBytes + 1)),
      'https://files.example.com/page': () =>
        new Response('<html>no</html>', { headers: { 'content-type': 'text/html' } }),
    }
    const pushFetch = (async (url: string) => {
      asked.push(url)
      return answers[url]?.() ?? new Response(null, { status: 404 })
    }) as unknown as typeof fetch
    const { ask, send, settle, kept } = await setUp(t, pushFetch)
    const sent = await send({ type: 'file', file: 'https://files.example.com/facturas/factura%200004.pdf' })
    t.match(sent, { status: 202, json: { type: 'document', media: { name: 'factura 0004.pdf', size: pdf.length } } })
    await settle()
    t.match((await ask('GET', `/whatsapp/chats/${customer}`)).json.items.at(-1), { status: /sent|delivered|read/ })
    t.same(asked, ['https://files.example.com/facturas/factura%200004.pdf'])

    const refused: [string, number, RegExp][] = [
      ['http://files.example.com/a.pdf', 400, /https/],
      ['https://127.0.0.1/a.pdf', 400, /nombre público/],
      ['https://localhost/a.pdf', 400, /nombre público/],
      ['https://user:pass@files.example.com/a.pdf', 400, /nombre público/],
      ['https://files.example.com/moved', 400, /nombre público/],
      ['https://files.example.com/none', 400, /404/],
      ['https://files.example.com/large', 413, /5 MB/],
      ['https://files.example.com/page', 400, /no acepta|WhatsApp/],
    ]
    for (const [file, status, message] of refused) {
      const { status: got, json } = await send({ type: 'file', name: 'x', file })
      t.match({ got, ...json }, { got: status, details: [{ field: 'body.file', message }] }, file)
    }
    t.equal(asked.includes('https://10.0.0.1/secret'), false)
    t.equal(await kept(), 0)
  },
)

t.test('one organization may download a few files at once, then is told to wait', async t => {
  const waiting: (() => void)[] = []
  const pushFetch = (async () => {
    await new Promise<void>(resolve => waiting.push(resolve))
    return new Response(pdf)
  }) as unknown as typeof fetch
  const { send } = await setUp(t, pushFetch)
  const all = Array.from({ length: 5 }, () => send({ type: 'file', file: 'https://files.example.com/a.pdf' }))
  t.match(await Promise.race(all), { status: 429 })
  for (const go of waiting) go()
  t.same((await Promise.all(all)).map(({ status }) => status).sort(), [202, 202, 202, 202, 429])
})

t.test('a product is refused before sending if no catalogue is linked', async t => {
  const { backend, send, ask } = await setUp(t)
  const body = {
    type: 'actionRecado',
    action: 'product',
    labelRecado: 'Ver',
    data: { catalogId: '1', productRetailerId: 'medialuna' },
    message: '',
  }
  t.match(await send(body), { status: 409, json: { code: 'INBOX_NO_CATALOGUE' } })
  await backend.settle()
  const { json } = await ask('GET', `/whatsapp/chats/${customer}`)
  t.same(
    json.items.map(({ direction }: { direction: string }) => direction),
    ['in'],
  )
})
