import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { signedHeaders } from '#server/features/outgoing-webhooks/signature.ts'
import { isOnSqlite } from '#test/helpers/engine.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { type Heard, webhookPath, webhookStage } from '#test/helpers/webhook-stage.ts'

t.setTimeout(fileTimeoutMs)

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

const textOf = ({ body }: Heard): string => JSON.parse(body).data.message.text

t.test('deliveries of a conversation keep their order while one fails, and other conversations go on', async t => {
  const { say, heard, program, listen, later } = await webhookStage(t)
  await listen(['message.received'])
  let isDown = true
  program.answer = one => new Response(null, { status: isDown && textOf(one) === 'uno' ? 500 : 200 })
  for (const text of ['uno', 'dos', 'tres']) await say(text)
  await say('de otra persona', { from: '5491155550505' })
  t.same(heard.map(textOf), ['uno', 'de otra persona'])
  isDown = false
  await later(minuteMs)
  t.same(heard.map(textOf), ['uno', 'de otra persona', 'uno', 'dos', 'tres'])
})

t.test('a webhook that does not answer delays no other', async t => {
  const { call, backend, heard, program, listen } = await webhookStage(t)
  const hanging = ['a', 'b', 'c', 'd', 'e']
  for (const name of [...hanging, 'healthy'])
    await listen(['message.received'], { name, url: `https://${name}.example.com/` })
  const stuck: ((response: Response) => void)[] = []
  program.answer = ({ url }) =>
    url.includes('healthy') ? new Response() : new Promise<Response>(resolve => stuck.push(resolve))
  const people = 30
  for (let i = 0; i < people; i += 1)
    await call('POST', '/sandbox/inbound', { from: `54911555506${String(i).padStart(2, '0')}`, text: 'Hola' })
  const count = () => heard.filter(({ url }) => url.includes('healthy')).length
  for (let waited = 0; count() < people && waited < 10 * secondMs; waited += 20) await pause(20)
  t.equal(count(), people, 'the healthy one has everything while the others hang')
  t.ok(stuck.length >= hanging.length && stuck.length <= 6 * hanging.length, `${stuck.length} calls hang`)
  program.answer = () => new Response()
  for (const answer of stuck) answer(new Response())
  await backend.settle()
  t.equal(heard.length, people * (hanging.length + 1))
})

t.test('a replaced secret signs for another day', async t => {
  const { call, heard, listen, later } = await webhookStage(t)
  const first = await listen(['message.received'])
  const { secret: second } = (await call('POST', `${webhookPath}/orders/secret`)).body
  const signatures = async () => {
    heard.length = 0
    await call('POST', `${webhookPath}/orders/test`)
    await later(secondMs)
    const [one] = heard
    const id = one?.headers['webhook-id'] ?? ''
    const atSeconds = Number(one?.headers['webhook-timestamp'])
    const by = (secrets: string[]) => signedHeaders(secrets, { id, atSeconds, body: one?.body ?? '' })
    return { given: one?.headers['webhook-signature'], by }
  }
  const both = await signatures()
  t.equal(both.given, both.by([second, first])['webhook-signature'])
  t.equal(both.given?.split(' ').length, 2)
  const { items } = (await call('GET', webhookPath)).body
  t.type(items[0].formerSecretUntil, 'string')
  await later(25 * hourMs)
  const one = await signatures()
  t.equal(one.given, one.by([second])['webhook-signature'])
  t.equal((await call('GET', webhookPath)).body.items[0].formerSecretUntil, null)
})

t.test('headers are sent with each delivery, and only their names are shown', async t => {
  const { call, heard, listen, later, databases } = await webhookStage(t)
  await listen(['message.received'], { headers: { Authorization: 'Bearer llave-1042', 'X-Sucursal': 'norte' } })
  await call('POST', `${webhookPath}/orders/test`)
  await later(secondMs)
  t.match(heard[0]?.headers, { authorization: 'Bearer llave-1042', 'x-sucursal': 'norte' })
  const shown = await call('GET', webhookPath)
  t.match(shown.body.items, [{ headers: ['authorization', 'x-sucursal'] }])
  const rows = await databases.read.selectFrom('outgoing_webhook').selectAll().execute()
  t.notMatch(JSON.stringify([shown, rows]), 'llave-1042')
  t.match((await call('PATCH', `${webhookPath}/orders`, { headers: {} })).body, { headers: [] })
  for (const [name, value] of [
    ['Host', 'example.com'],
    ['content-length', '1'],
    ['Transfer-Encoding', 'chunked'],
    ['webhook-id', '1'],
    ['Webhook-Signature', 'v1,'],
    ['x-hub-signature-256', 'sha256='],
    ['proxy-authorization', 'x'],
    ['a b', 'x'],
    ['', 'x'],
    ['x:y', 'x'],
    ['x-a\r\nx-b', 'x'],
    ['x'.repeat(65), 'x'],
    ['x-a', ''],
    ['x-a', 'a\r\nx-b: c'],
    ['x-a', 'ñandú'],
    ['x-a', ' x'],
  ] as const) {
    const reply = await call('PATCH', `${webhookPath}/orders`, { headers: { [name]: value } })
    t.equal(reply.status, 400, JSON.stringify([name, value]))
    t.match(reply.body.details[0].field, /^body\.headers/, JSON.stringify([name, value]))
  }
  const twice = await call('PATCH', `${webhookPath}/orders`, { headers: { 'X-A': '1', 'x-a': '2' } })
  t.equal(twice.status, 400)
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`x-${i}`, '1']))
  t.equal((await call('PATCH', `${webhookPath}/orders`, { headers: many })).status, 400)
})

t.test('deliveries of a time are sent again in their order, with the same ids', async t => {
  const { backend, call, say, heard, program, listen, later } = await webhookStage(t)
  await listen(['message.received'])
  program.answer = () => new Response(null, { status: 410 })
  await say('uno')
  await call('PATCH', `${webhookPath}/orders`, { active: true })
  await later(secondMs)
  const since = backend.clock.now().toISOString()
  await say('dos')
  await call('PATCH', `${webhookPath}/orders`, { active: true })
  program.answer = () => new Response()
  await say('tres')
  const ids = new Map(heard.map(one => [textOf(one), one.headers['webhook-id']]))
  const again = async (body: object) => {
    heard.length = 0
    const reply = await call('POST', `${webhookPath}/orders/redeliver`, body)
    await later(secondMs)
    return { ...reply, texts: heard.map(textOf) }
  }
  t.match(await again({ since, until: since }), { status: 202, body: { count: 0 } })
  const newer = await again({ since })
  t.match(newer, { status: 202, body: { count: 1 }, texts: ['dos'] })
  t.equal(heard[0]?.headers['webhook-id'], ids.get('dos'))
  const long = '2020-01-01T00:00:00Z'
  t.match(await again({ since: long }), { body: { count: 1 }, texts: ['uno'] })
  t.match(await again({ since: long }), { body: { count: 0 } }, 'nothing failed any more')
  t.match(await again({ since: long, all: true }), { body: { count: 3 }, texts: ['uno', 'dos', 'tres'] })
  t.match(await again({ since: '2026-13-01T00:00:00Z' }), { status: 400 })
  await call('PATCH', `${webhookPath}/orders`, { active: false })
  t.match(await again({ since: long }), { status: 409, body: { code: 'OUTGOING_WEBHOOKS_INACTIVE' } })
})

t.test('the log is narrowed by state', async t => {
  const { call, program, listen, later } = await webhookStage(t)
  await listen(['message.received'])
  const test = async (status: number) => {
    program.answer = () => new Response(null, { status })
    await call('POST', `${webhookPath}/orders/test`)
    await later(secondMs)
  }
  await test(200)
  await test(500)
  const states = async (state: string) =>
    (await call('GET', `${webhookPath}/orders/deliveries?state=${state}`)).body.items.map(
      ({ state }: { state: string }) => state,
    )
  t.same(await states('delivered'), ['delivered'])
  t.same(await states('waiting'), ['waiting'])
  t.same(await states('failed'), [])
  t.equal((await call('GET', `${webhookPath}/orders/deliveries?state=other`)).status, 400)
})

t.test('what happened while no webhook listened is not stored', async t => {
  const { say, databases } = await webhookStage(t)
  await say('hola')
  t.same(await databases.read.selectFrom('webhook_event').select('id').execute(), [])
  t.same(await databases.read.selectFrom('job').select('kind').where('kind', 'like', 'outgoing%').execute(), [])
})

/** SQLite has one process. */
if (!isOnSqlite)
  t.test('two processes send each delivery once, and both know a new webhook within a second', async t => {
    const { call, backend, heard, program, listen, startAnother, delivered } = await webhookStage(t)
    const other = await startAnother()
    // Both have heard that nothing listens.
    await call('POST', '/sandbox/inbound', { from: '5491155550700', text: 'antes' })
    await delivered()
    t.equal(heard.length, 0)
    await listen(['message.received'])
    await pause(1500)
    program.answer = () => pause(5).then(() => new Response())
    const people = 40
    const texts = Array.from({ length: people }, (_, i) => `hola ${i}`)
    await Promise.all(
      texts.map((text, i) =>
        call('POST', '/sandbox/inbound', { from: `54911555507${String(i).padStart(2, '0')}`, text }),
      ),
    )
    for (let waited = 0; heard.length < people && waited < 20 * secondMs; waited += 50) await pause(50)
    await Promise.all([backend.settle(), other.settle()])
    t.same(heard.map(textOf).toSorted(), texts.toSorted())
    t.equal(new Set(heard.map(({ headers }) => headers['webhook-id'])).size, people)
    const { items } = (await call('GET', `${webhookPath}/orders/deliveries`)).body
    for (const { state, attempts } of items) t.match({ state, attempts }, { state: 'delivered', attempts: 1 })
  })
