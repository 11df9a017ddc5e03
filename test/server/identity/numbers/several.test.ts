import fc from 'fast-check'
import t, { type Test } from 'tap'
import { createDerive } from '#server/messaging/intake/derive.ts'
import { aMember } from '#test/helpers/actors.ts'
import { alone } from '#test/helpers/lease.ts'
import { textOfWebhook, textWebhook } from '#test/helpers/webhooks.ts'
import { body, codeOf, connect, stage } from './stage.ts'

const second = '106540352242923'
const phones = { [body.phoneNumberId]: '+1 555-078-3881', [second]: '+1 555-078-3882' }

/** Meta has two numbers in one account. */
const stageOfTwo = async (t: Test) => {
  const s = await stage(t)
  for (const [id, display] of Object.entries(phones))
    s.graph.on(
      new RegExp(`GET .*/${id}(\\?|$)`),
      { status: 200, body: { id, display_phone_number: display, verified_name: 'Panadería' } },
      1000,
    )
  return s
}

type Stage = Awaited<ReturnType<typeof stageOfTwo>>

/** From received webhooks to stored conversations. */
const intakeOf = ({ databases, parts, org }: Stage) => {
  const { journal } = parts
  // The lease belongs to a process that runs jobs, and here nothing is sent.
  const derive = createDerive({ ...parts, lease: alone, takers: parts.webhookTakers })
  const stored = () =>
    databases.read
      .selectFrom('message')
      .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
      .innerJoin('contact', 'contact.id', 'conversation.contact_id')
      .select(['message.wamid', 'conversation.connection_id', 'contact.wa_id'])
      .where('conversation.org_id', '=', org.id)
      .where('message.text', '=', textOfWebhook)
      .orderBy('message.wamid')
      .execute()
  return { journal, derive, stored }
}

t.test('a second number is connected beside the first, each with its secrets and its name', async t => {
  const s = await stageOfTwo(t)
  const first = await connect(s)
  t.notOk('numbers' in (await s.numbers.getWaba(s.member, {})), 'a single number is returned without a list')
  const other = await connect(s, { phoneNumberId: second, appSecret: 'the-app-secret-2' })
  t.match((await s.numbers.listConnections(s.member, {})).items, [{ id: first.id }, { id: other.id }])
  t.match(await s.numbers.getConnection(s.member, { query: {} }), { id: first.id })
  t.match(await s.numbers.getConnection(s.member, { query: { id: other.id } }), { phone: '15550783882' })
  t.match(await s.numbers.getConnection(s.member, { query: { number: '+1 555 078 3882' } }), { id: other.id })
  t.equal((await s.numbers.findClient(s.org.id, other.id))?.connection.id, other.id)
  t.equal((await s.numbers.findByConnectionId(other.id))?.appSecret, 'the-app-secret-2')
  t.match(await s.numbers.getWaba(s.member, {}), {
    phone: '15550783881',
    numbers: [
      { id: first.id, status: 'connected' },
      { id: other.id, status: 'connected' },
    ],
  })
})

t.test('a number gets a name of our own, which connecting it again keeps', async t => {
  const s = await stageOfTwo(t)
  const first = await connect(s)
  const other = await connect(s, { phoneNumberId: second })
  const rename = (label: string | null, query: { id?: string; number?: string }) =>
    s.numbers.rename(s.member, { query, body: { label } })
  t.match(await rename('  Ventas ', { id: other.id }), { id: other.id, label: 'Ventas' })
  const heard = s.published.length
  await rename('Ventas', { id: other.id })
  t.equal(s.published.length, heard, 'setting the same name again emits no event')
  t.match(await connect(s, { phoneNumberId: second, appSecret: 'the-app-secret-3' }), { label: 'Ventas' })
  t.match((await s.numbers.getWaba(s.member, {})).numbers, [{ label: null }, { label: 'Ventas' }])
  t.match(await rename(' ', { number: '15550783882' }), { label: null })
  t.match(
    (await s.rows()).find(({ id }) => id === first.id),
    { label: null },
  )
})

t.test('numbers keep the chosen order; a new one comes last', async t => {
  const s = await stageOfTwo(t)
  const third = '106540352242924'
  const display = { display_phone_number: '+1 555-078-3883', verified_name: 'Panadería' }
  s.graph.on(new RegExp(`GET .*/${third}(\\?|$)`), { status: 200, body: { id: third, ...display } })
  const first = await connect(s)
  const other = await connect(s, { phoneNumberId: second })
  const order = async () => (await s.numbers.listConnections(s.member, {})).items.map(({ id }) => id)
  t.same(await order(), [first.id, other.id])
  await s.numbers.orderNumbers(s.member, { body: { ids: [other.id] } })
  t.same(await order(), [other.id, first.id])
  t.equal(
    await codeOf(s.numbers.orderNumbers(s.member, { body: { ids: [first.id, 'nobody'] } })),
    'NUMBERS_NOT_CONNECTED',
  )
  await s.numbers.disconnect(s.member, { query: { id: other.id } })
  s.graph.on(/GET .*\/phone_numbers/, { status: 200, body: { data: [{ id: third }] } }, 1)
  const last = await connect(s, { phoneNumberId: third })
  t.same(await order(), [first.id, last.id])
  await connect(s, { appSecret: 'the-app-secret-3' })
  t.same(await order(), [first.id, last.id], 'connecting one again does not change the order')
})

t.test('with several numbers a change must name one, and only of its own organization', async t => {
  const s = await stageOfTwo(t)
  const first = await connect(s)
  await connect(s, { phoneNumberId: second })
  const neighbour = await aMember({ databases: s.databases })
  const body = { label: 'x' }
  const unsaid = { code: 'APP_VALIDATION', fields: ['query.number'] }
  await t.rejects(async () => s.numbers.disconnect(s.member, { query: {} }), unsaid)
  await t.rejects(async () => s.numbers.rename(s.member, { query: {}, body }), unsaid)
  for (const query of [{ id: first.id }, { number: '15550783881' }]) {
    t.equal(await codeOf(s.numbers.disconnect(neighbour.member, { query })), 'NUMBERS_NOT_CONNECTED')
    t.equal(await codeOf(s.numbers.rename(neighbour.member, { query, body })), 'NUMBERS_NOT_CONNECTED')
    t.equal(await codeOf(s.numbers.getConnection(neighbour.member, { query })), 'NUMBERS_NOT_CONNECTED')
  }
  t.same((await s.numbers.listConnections(neighbour.member, {})).items, [])
  t.equal(await s.numbers.findClient(neighbour.org.id, first.id), undefined)
  t.ok((await s.rows()).every(row => row.disconnected_at === null && row.label === null))
})

t.test('a disconnected number keeps its conversations and gets them back when it is connected again', async t => {
  const s = await stageOfTwo(t)
  const first = await connect(s)
  const other = await connect(s, { phoneNumberId: second })
  const { journal, derive, stored } = intakeOf(s)
  const write = async (wamid: string) => {
    await journal.append({ connectionId: null, raw: textWebhook({ phoneNumberId: second, wamid }) })
    await derive.drain()
  }
  await write('wamid.1')
  const stateOfFirst = await s.queueFrom()
  const stateOfOther = await s.queueFrom(second)
  await s.numbers.disconnect(s.member, { query: { id: other.id } })
  t.same([await stateOfFirst(), await stateOfOther()], ['queued', 'failed'], 'its queued messages fail, and no others')
  t.match(
    (await s.rows()).find(({ id }) => id === other.id),
    {
      access_token_sealed: '',
      app_secret_sealed: '',
      verify_token_sealed: '',
    },
  )
  t.equal(await s.numbers.findClient(s.org.id, other.id), undefined)
  t.match((await s.numbers.getWaba(s.member, {})).numbers, [
    { id: first.id, status: 'connected' },
    { id: other.id, status: null },
  ])
  t.same(
    (await s.numbers.listConnections(s.member, {})).items.map(({ id }) => id),
    [first.id],
  )
  await write('wamid.2')
  t.same(
    (await stored()).map(({ wamid }) => wamid),
    ['wamid.1'],
    'its webhooks now belong to no organization',
  )
  const neighbour = await aMember({ databases: s.databases })
  const theirs = await connect(s, { phoneNumberId: second }, neighbour.member)
  t.not(theirs.id, other.id, 'another organization starts with a new one')
  t.equal(await codeOf(connect(s, { phoneNumberId: second })), 'NUMBERS_TAKEN')
  await s.numbers.disconnect(neighbour.member, { query: {} })
  t.equal((await connect(s, { phoneNumberId: second })).id, other.id)
  await write('wamid.3')
  t.match(await stored(), [
    { wamid: 'wamid.1', connection_id: other.id },
    { wamid: 'wamid.3', connection_id: other.id },
  ])
})

t.test(
  'through whichever connection webhooks of an app arrive, each message goes to the number it was sent to',
  async t => {
    const customers = ['5491155550001', '5491155550002', '5491155550003']
    const numbers = Object.keys(phones)
    const arrival = fc.record({
      from: fc.constantFrom(...customers),
      phoneNumberId: fc.constantFrom(...numbers),
      through: fc.constantFrom('first', 'second', 'shared'),
      drains: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(arrival, { minLength: 1, maxLength: 12 }), async arrivals => {
        const s = await stageOfTwo(t)
        const ids = {
          [body.phoneNumberId]: (await connect(s)).id,
          [second]: (await connect(s, { phoneNumberId: second })).id,
        }
        const ways = { first: ids[body.phoneNumberId], second: ids[second], shared: null }
        const { journal, derive, stored } = intakeOf(s)
        const expected: { wamid: string; wa_id: string; connection_id: string | undefined }[] = []
        for (const [i, { from, phoneNumberId, through, drains }] of arrivals.entries()) {
          const wamid = `wamid.${String(i).padStart(3, '0')}`
          const way = ways[through as keyof typeof ways] ?? null
          await journal.append({ connectionId: way, raw: textWebhook({ from, phoneNumberId, wamid }) })
          expected.push({ wamid, wa_id: from, connection_id: ids[phoneNumberId] })
          if (drains) await derive.drain()
        }
        await derive.drain()
        t.same(await stored(), expected)
        const pairs = new Set(expected.map(({ wa_id, connection_id }) => `${wa_id} ${connection_id}`))
        const { count } = await s.databases.read
          .selectFrom('conversation')
          .select(eb => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        t.equal(count, pairs.size, 'one conversation for each pair of contact and number')
      }),
      { numRuns: 15 },
    )
  },
)
