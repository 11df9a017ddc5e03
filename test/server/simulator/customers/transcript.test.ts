import t from 'tap'
import type { SandboxInbound } from '#shared/simulator/inbound.ts'
import { type SandboxBench, sandboxBench, textTo } from '#test/helpers/sandbox.ts'

const phone = '5491155551234'
const hour = 3_600_000

const phoneOf = (bench: SandboxBench, from = phone) => {
  const { service } = bench.sandbox
  return {
    does: async (body: Omit<SandboxInbound, 'from'>) =>
      (await service.inbound(bench.member, { body: { from, ...body } })).wamid as string,
    shows: async (before?: number) =>
      service.getThread(bench.member, { params: { phone: from }, query: before ? { before } : {} }),
    is: (body: object) => service.setPresence(bench.member, { body: { from, ...body } }),
  }
}

/** Lets every possible status happen. */
const settle = async (bench: SandboxBench) => {
  for (let i = 0; i < 4; i += 1) {
    bench.clock.advance(60_000)
    await bench.idle()
  }
}

t.test('the phone shows messages written on it and delivered to it, oldest first', async t => {
  const bench = await sandboxBench(t)
  const customer = phoneOf(bench)
  await customer.does({ text: '¿Tienen pan?' })
  await bench.post(textTo(phone, 'Sí, recién salido'))
  t.match(
    (await customer.shows()).items,
    [{ text: '¿Tienen pan?', mine: true, status: 'received' }],
    'not before it arrives',
  )
  await settle(bench)
  const { items, before } = await customer.shows()
  t.match(items, [
    { text: '¿Tienen pan?', mine: true },
    { text: 'Sí, recién salido', mine: false, status: 'read', type: 'text' },
  ])
  t.equal(before, null)
})

t.test('an offline phone shows nothing new until it is online', async t => {
  const bench = await sandboxBench(t)
  const customer = phoneOf(bench)
  await customer.does({ text: 'Hola' })
  await customer.is({ online: false })
  await bench.post(textTo(phone, 'Buenas'))
  await settle(bench)
  t.equal((await customer.shows()).items.length, 1)
  await customer.is({ online: true })
  await settle(bench)
  t.equal((await customer.shows()).items.length, 2)
})

t.test('failed messages are not on the phone', async t => {
  const bench = await sandboxBench(t)
  const customer = phoneOf(bench)
  await customer.does({ text: 'Hola' })
  await bench.sandbox.service.arm(bench.member, { body: { code: '131026' } })
  await bench.post(textTo(phone, 'Se pierde'))
  await settle(bench)
  t.equal((await customer.shows()).items.length, 1)
})

t.test('edits, removals and reactions change their messages', async t => {
  const bench = await sandboxBench(t)
  const customer = phoneOf(bench)
  const [first, second] = [await customer.does({ text: 'Dos docenas' }), await customer.does({ text: 'Perdón' })]
  const sent = (await bench.post(textTo(phone, 'Anotado'))).json.messages[0].id
  await settle(bench)
  await customer.does({ type: 'edit', targetWamid: first, text: 'Tres docenas' })
  await customer.does({ type: 'revoke', targetWamid: second })
  await customer.does({ type: 'reaction', targetWamid: sent, emoji: '👍' })
  await customer.does({ type: 'reaction', targetWamid: sent, emoji: '❤️' })
  const reply = await customer.does({ text: 'Gracias', replyToWamid: first })
  t.match((await customer.shows()).items, [
    { wamid: first, text: 'Tres docenas', edited: true },
    { wamid: second, text: '', revoked: true },
    { wamid: sent, reactions: [{ emoji: '❤️', mine: true }] },
    { wamid: reply, replyTo: { wamid: first, text: 'Tres docenas', mine: true } },
  ])
  const last = async () => (await bench.sandbox.service.listCustomers(bench.member, {})).items[0]?.last
  await customer.does({ type: 'edit', targetWamid: reply, text: 'Mil gracias' })
  t.match(await last(), { text: 'Mil gracias', type: 'text' }, 'the list shows the same text as the phone')
  await customer.does({ type: 'revoke', targetWamid: reply })
  t.match(await last(), { text: '', type: 'revoked' })
  await customer.does({ type: 'unreaction', targetWamid: sent })
  t.notOk((await customer.shows()).items[2]?.reactions)
})

t.test('buttons and rows can be tapped, and the tap has the chosen title', async t => {
  const bench = await sandboxBench(t)
  const customer = phoneOf(bench)
  await customer.does({ text: 'Hola' })
  const list = {
    button: 'Ver horarios',
    sections: [{ title: 'Hoy', rows: [{ id: 'm', title: 'Mañana', description: 'De 8 a 12' }] }],
  }
  const buttons = { buttons: [{ type: 'reply', reply: { id: 'si', title: 'Sí, quiero' } }] }
  for (const [type, action] of [
    ['button', buttons],
    ['list', list],
  ])
    await bench.post({
      messaging_product: 'whatsapp',
      to: phone,
      type: 'interactive',
      interactive: { type, header: { type: 'text', text: 'Pedido' }, body: { text: '¿Confirmás?' }, action },
    })
  await settle(bench)
  const { items } = await customer.shows()
  t.match(items.slice(1), [
    {
      type: 'interactive',
      header: 'Pedido',
      text: '¿Confirmás?',
      choices: [{ kind: 'button', id: 'si', title: 'Sí, quiero' }],
    },
    { listTitle: 'Ver horarios', choices: [{ kind: 'list', id: 'm', title: 'Mañana', description: 'De 8 a 12' }] },
  ])
  await customer.does({ type: 'button_reply', choiceId: 'si', replyToWamid: items[1]?.wamid })
  t.match((await customer.shows()).items.at(-1), {
    type: 'choice',
    text: 'Sí, quiero',
    replyTo: { text: '¿Confirmás?' },
  })
})

t.test('files, places and cards are shown; only the organization can get a file', async t => {
  const bench = await sandboxBench(t)
  const other = await sandboxBench(t, { databases: bench.databases })
  const customer = phoneOf(bench)
  for (const type of ['image', 'voice', 'document', 'location', 'contacts', 'sticker', 'order', 'form'])
    await customer.does({ type })
  const { items } = await customer.shows()
  t.same(
    items.map(item => item.type),
    ['image', 'voice', 'document', 'location', 'contacts', 'sticker', 'order', 'form'],
  )
  t.match(items[3], { location: { latitude: -34.603738 } })
  t.match(items[4], { contacts: [{ name: 'Ana Paz' }] })
  const id = items[0]?.media?.id as string
  const file = await bench.sandbox.service.getFile(bench.member, { params: { id } })
  t.match(file, { mime: /^image\// })
  t.equal(Buffer.from(file.dataBase64 as string, 'base64').length, file.size)
  await t.rejects(async () => other.sandbox.service.getFile(other.member, { params: { id } }), {
    code: 'SANDBOX_FILE_NOT_FOUND',
  })
})

t.test('a long chat is paged without gaps or duplicates', async t => {
  const bench = await sandboxBench(t)
  const customer = phoneOf(bench)
  for (let i = 0; i < 55; i += 1) await customer.does({ text: `mensaje ${i}` })
  const newest = await customer.shows()
  t.equal(newest.items.length, 50)
  const older = await customer.shows(newest.before as number)
  t.same(
    [...older.items, ...newest.items].map(item => item.text),
    Array.from({ length: 55 }, (_, i) => `mensaje ${i}`),
  )
  t.equal(older.before, null)
})

t.test('a customer can be created with a name, and add and remove a username', async t => {
  const bench = await sandboxBench(t)
  const customer = phoneOf(bench)
  await customer.is({ name: ' Marta Ruiz ', username: '@marta.r' })
  t.match((await customer.shows()).customer, {
    name: 'Marta Ruiz',
    username: 'marta.r',
    last: null,
    displayPhone: /^\+54/,
  })
  await customer.does({ text: 'Hola' })
  t.match((await bench.sandbox.service.listCustomers(bench.member, {})).items, [
    { name: 'Marta Ruiz', last: { text: 'Hola', mine: true } },
  ])
  await customer.is({ username: '' })
  t.equal((await customer.shows()).customer.username, null)
})

t.test('an unknown number has no customer', async t => {
  const bench = await sandboxBench(t)
  await t.rejects(phoneOf(bench).shows(), { code: 'SANDBOX_CUSTOMER_NOT_FOUND', status: 404 })
})

t.test('moving the clock makes the shown times older', async t => {
  const bench = await sandboxBench(t)
  const customer = phoneOf(bench)
  await customer.does({ text: 'Hola' })
  const at = (await customer.shows()).items[0]?.at as string
  await bench.sandbox.service.moveClock(bench.member, { body: { advanceMs: hour } })
  t.equal(Date.parse(at) - Date.parse((await customer.shows()).items[0]?.at as string), hour)
})
