import t from 'tap'
import { pictureOf } from '#server/platform/storage/picture.ts'
import { mediaSample } from '#server/simulator/media/samples.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend, type TestBackend } from '#test/helpers/backend.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const customer = '5491155551234'

/** The whole backend with an organization connected to the simulator, over its own calls. */
const connected = async (t: Parameters<typeof startBackend>[0]) => {
  const backend = await startBackend(t)
  const { cookie } = await aMember({ databases: backend.databases })
  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie, origin: 'http://localhost:3000' },
      ...(payload ? { payload } : {}),
    })
    if (reply.statusCode >= 400) throw new Error(`${method} ${path}: ${reply.statusCode} ${reply.body}`)
    return reply.json()
  }
  await call('POST', '/whatsapp/connection/sandbox')
  await call('PATCH', '/sandbox', { statusDelayMs: 0 })
  return { backend, call }
}

/** Waits until the product says so; what is under way over the loopback has no other end. */
const until = async (backend: TestBackend, done: () => Promise<boolean>) => {
  for (let i = 0; i < 1000 && !(await done()); i += 1) {
    await backend.settle()
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

t.test('through the whole backend: a customer writes, a person answers, and the ticks follow', async t => {
  const { backend, call } = await connected(t)
  t.match(await call('POST', '/sandbox/inbound', { from: customer, name: 'Ana Paz', text: '¿Hay medialunas? 🥐' }), {
    status: 200,
  })
  t.match(await call('POST', '/sandbox/inbound', { from: customer, type: 'image', caption: 'así' }), { status: 200 })
  await backend.settle()
  t.match(await call('GET', '/whatsapp/conversations'), {
    items: [{ phone: customer, name: 'Ana Paz', unread: 2, lastMessage: { type: 'image', text: 'así' } }],
  })
  t.match(await call('GET', '/notify'), [{ about: { name: 'Ana Paz', said: 'así' } }])
  await call('POST', '/whatsapp/messages', { numberTel: customer, message: 'Sí, recién hechas' })
  t.strictSame((await call('GET', '/notify'))[0].about, { name: 'Ana Paz' }, 'our message is the last one')
  const last = async () => (await call('GET', `/whatsapp/chats/${customer}`)).items.at(-1)
  await until(backend, async () => (await last()).status === 'read')
  t.match(await last(), { direction: 'out', text: 'Sí, recién hechas', status: 'read' })
  const image = async () =>
    (await call('GET', `/whatsapp/chats/${customer}`)).items.find(({ type }: { type: string }) => type === 'image')
      .media
  await until(backend, async () => (await image()).state === 'stored')
  const { width, height } = pictureOf(mediaSample('image').bytes) ?? {}
  t.type(width, 'number')
  t.match(await image(), { state: 'stored', mime: 'image/png', width, height })
  t.same(backend.errors(), [])
})

t.test('a send whose reply was cut off is settled by its status, and sent once', async t => {
  const { backend, call } = await connected(t)
  const cut = '5491155900603'
  await call('POST', '/sandbox/inbound', { from: cut, text: 'hola' })
  await backend.settle()
  await call('POST', '/whatsapp/messages', { numberTel: cut, message: 'una sola vez' })
  const last = async () => (await call('GET', `/whatsapp/chats/${cut}`)).items.at(-1)
  await until(backend, async () => (await last()).status === 'read')
  t.match(await last(), { text: 'una sola vez', status: 'read' })
  t.notOk((await last()).unconfirmed)
  t.match(await call('GET', '/sandbox/outbox'), { total: 1 })
})

t.test('a send to a test number fails with its reason', async t => {
  const { backend, call } = await connected(t)
  const wrong = '5491155131049'
  await call('POST', '/sandbox/inbound', { from: wrong, text: 'hola' })
  await backend.settle()
  await call('POST', '/whatsapp/messages', { numberTel: wrong, message: 'hola' })
  const last = async () => (await call('GET', `/whatsapp/chats/${wrong}`)).items.at(-1)
  await until(backend, async () => (await last()).status === 'failed')
  t.match(await last(), { status: 'failed', error: { code: '131049' } })
})

t.test('the phone’s address book names a customer, until the entry is removed', async t => {
  const { backend, call } = await connected(t)
  await call('POST', '/sandbox/inbound', { from: customer, name: 'Ana Paz', text: 'hola' })
  const name = async () => (await call('GET', '/whatsapp/conversations')).items[0]?.name
  const put = (addressBook: string) => call('POST', '/sandbox/presence', { from: customer, addressBook })
  for (const [book, shown] of [
    ['Ana de la esquina', 'Ana de la esquina'],
    ['', 'Ana Paz'],
    ['Ana 🥐', 'Ana 🥐'],
  ] as const) {
    await put(book)
    await until(backend, async () => (await name()) === shown)
    t.equal(await name(), shown)
  }
  t.same(backend.errors(), [])
})

t.test('letting a day pass closes the window on both sides', async t => {
  const { backend, call } = await connected(t)
  await call('POST', '/sandbox/inbound', { from: customer, text: 'hola' })
  await backend.settle()
  await call('POST', '/sandbox/clock', { advanceMs: 25 * 3_600_000 })
  t.match(await call('GET', '/sandbox/customers'), { items: [{ waId: customer, windowClosesAt: null }] })
  const { windowClosesAt } = (await call('GET', '/whatsapp/conversations')).items[0]
  t.ok(Date.parse(windowClosesAt) < Date.now())
  t.match(await call('GET', '/sandbox'), { graphUrl: 'http://localhost:3000/sandbox/graph' })
})

t.test("through the whole backend: Meta's agent answers, hands over, and a person is called", async t => {
  const { backend, call } = await connected(t)
  await call('POST', '/sandbox/agent', { from: customer, action: 'hold' })
  await call('POST', '/sandbox/inbound', { from: customer, name: 'Ana Paz', text: '¿Tienen turno?' })
  await call('POST', '/sandbox/agent', { from: customer, action: 'answer', text: 'Sí, a las 10' })
  await backend.settle()
  const row = async () => (await call('GET', '/whatsapp/conversations')).items[0]
  t.match(await row(), { name: 'Ana Paz', control: 'metaAgent', lastMessage: { text: 'Sí, a las 10' } })
  t.match(await call('GET', '/whatsapp/conversations?metaAgent=true'), { items: [{ phone: customer }] })
  t.match(await call('GET', '/stats/overview'), { open: 1, waiting: 0, metaAgent: 1 })
  t.same(await call('GET', '/notify'), [])
  await call('POST', '/sandbox/agent', { from: customer, action: 'handOver', text: 'Quiere hablar con alguien' })
  await until(backend, async () => (await row()).control === 'needsHuman')
  t.equal((await call('GET', '/notify')).length, 1)
  // Taken without a word, Meta's agent is told to stop.
  await call('POST', '/sandbox/agent', { from: customer, action: 'hold' })
  backend.clock.advance(5000)
  await call('POST', '/sandbox/inbound', { from: customer, text: '¿Hola?' })
  await backend.settle()
  t.equal((await row()).control, 'metaAgent')
  await call('POST', `/whatsapp/conversations/${customer}/control`, { owner: 'human' })
  const withAgent = async () => (await call('GET', '/sandbox/customers')).items[0].withAgent
  await until(backend, async () => !(await withAgent()))
  t.equal(await withAgent(), false)
  t.same(backend.errors(), [])
})

t.test('a file of the largest allowed size is accepted', async t => {
  const { call } = await connected(t)
  const bytes = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(670_000)])
  const body = { from: customer, type: 'document', mime: 'application/pdf', dataBase64: bytes.toString('base64') }
  t.match(await call('POST', '/sandbox/inbound', body), { status: 200 })
})
