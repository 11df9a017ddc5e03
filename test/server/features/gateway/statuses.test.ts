import t from 'tap'
import { gatewayCustomer, gatewayStage } from '#test/helpers/gateway-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test(
  'statuses carry the id and the text of the program that sent; those of people stay as Meta sent them',
  async t => {
    const { send, say, call, listenRaw, heardValues, backend, databases } = await gatewayStage(t)
    await say('Buenas')
    await listenRaw()
    const own = (await send({ text: { body: 'Listo' }, biz_opaque_callback_data: 'order-7' })).body.messages[0].id
    const silent = (await send({ text: { body: 'Otra cosa' } })).body.messages[0].id
    await call('POST', '/whatsapp/messages', { message: 'De Ana', numberTel: gatewayCustomer })
    const statuses = (await heardValues()).flatMap(value => value.statuses ?? [])
    const of = (id: string) => statuses.filter(one => one.id === id)
    t.same(
      of(own).map(one => one.status),
      ['sent', 'delivered', 'read'],
    )
    for (const one of of(own)) t.equal(one.biz_opaque_callback_data, 'order-7')
    t.equal(of(silent).length, 3)
    for (const one of of(silent)) t.notOk('biz_opaque_callback_data' in one, 'ours is not for programs')
    const { wamid } = await databases.read
      .selectFrom('message')
      .select('wamid')
      .where('text', '=', 'De Ana')
      .executeTakeFirstOrThrow()
    t.equal(of(wamid as string).length, 3)
    t.same(backend.errors(), [])
  },
)

t.test('a reaction of a program has statuses, and what the customer answers to names the program’s id', async t => {
  const { send, say, call, listenRaw, heardValues, databases, thread } = await gatewayStage(t)
  await say('Buenas')
  await listenRaw()
  const inbound = (await thread()).findLast(one => one.direction === 'in')
  const body = {
    type: 'reaction',
    reaction: { message_id: inbound.wamid, emoji: '👍' },
    biz_opaque_callback_data: 'r1',
  }
  const reaction = (await send(body)).body.messages[0].id
  const own = (await send({ text: { body: '¿Venís?' } })).body.messages[0].id
  const statuses = (await heardValues()).flatMap(value => value.statuses ?? [])
  t.match(
    statuses.filter(one => one.id === reaction),
    [{ status: 'sent', biz_opaque_callback_data: 'r1' }],
  )
  const { wamid } = await databases.read
    .selectFrom('message')
    .select('wamid')
    .where('text', '=', '¿Venís?')
    .executeTakeFirstOrThrow()
  await call('POST', '/sandbox/inbound', { from: gatewayCustomer, text: 'Sí', replyToWamid: wamid })
  await call('POST', '/sandbox/inbound', { from: gatewayCustomer, type: 'reaction', targetWamid: wamid, emoji: '❤️' })
  const messages = (await heardValues()).flatMap(value => value.messages ?? [])
  t.match(messages, [{ context: { id: own } }, { reaction: { message_id: own } }])
})

t.test('a message that Meta never accepted fails in the program’s webhook', async t => {
  const { send, say, call, listenRaw, heardValues, number } = await gatewayStage(t)
  await say('Buenas')
  await listenRaw()
  await call('POST', '/sandbox/fail', { code: '130497' })
  const sent = await send({ text: { body: 'Listo' }, biz_opaque_callback_data: 'order-9' })
  t.equal(sent.status, 200)
  const [value] = await heardValues()
  t.match(value, {
    metadata: { phone_number_id: number },
    statuses: [
      {
        id: sent.body.messages[0].id,
        status: 'failed',
        recipient_id: gatewayCustomer,
        biz_opaque_callback_data: 'order-9',
        errors: [{ code: 130497, title: /restricted/ }],
      },
    ],
  })
})
