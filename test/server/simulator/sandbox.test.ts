import t from 'tap'
import { verifySignature } from '#server/whatsapp/webhooks/signature.ts'
import { sandboxBench, textTo } from '#test/helpers/sandbox.ts'
import { itemsOf } from '#test/helpers/webhooks.ts'

const customer = '5491155551234'
const minute = 60_000

t.test('a customer writes, the business answers, and the statuses follow', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, delivered, clock, number } = bench

  const said = await sandbox.service.inbound(member, {
    body: { from: '+54 9 11 5555-1234', name: 'José Ñandú', text: '¿Hola? 👍 http://x.y/z' },
  })
  t.equal(said.status, 200)
  t.equal(delivered.length, 1)
  t.equal(delivered[0]?.path, `/webhooks/whatsapp/${bench.connectionId}`)
  t.ok(verifySignature(delivered[0]?.raw as Buffer, delivered[0]?.headers['x-hub-signature-256'], number.appSecret))
  t.match(itemsOf(delivered[0]?.raw as Buffer, clock.now().toISOString()), [
    {
      kind: 'message',
      wamid: said.wamid,
      sender: { waId: customer, profileName: 'José Ñandú' },
      body: { type: 'text', text: '¿Hola? 👍 http://x.y/z' },
      opensWindow: true,
    },
  ])

  const sent = await bench.post(textTo('+54 9 11 5555-1234', 'Buenas', { biz_opaque_callback_data: 'job-1' }))
  t.equal(sent.status, 200)
  t.match(sent.json, {
    messaging_product: 'whatsapp',
    contacts: [{ input: '+54 9 11 5555-1234', wa_id: customer }],
    messages: [{ id: /^wamid\./ }],
  })
  for (let i = 0; i < 10; i += 1) {
    clock.advance(1000)
    await bench.idle()
  }
  const statuses = delivered.slice(1).flatMap(webhook => itemsOf(webhook.raw, clock.now().toISOString()))
  t.match(
    statuses,
    ['sent', 'delivered', 'read'].map(status => ({
      kind: 'status',
      status,
      wamid: sent.json.messages[0].id,
      callback: 'job-1',
      recipient: { waId: customer },
    })),
  )
  t.equal(statuses.length, 3)
  const outbox = await sandbox.service.listOutbox(member, { query: {} })
  t.match(outbox, { total: 1, items: [{ to: customer, type: 'text', callback: 'job-1', status: 'read' }] })
  t.same(bench.errors, [])
})

t.test('after a month everything is deleted', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, clock, databases } = bench
  await sandbox.service.inbound(member, { body: { from: customer, type: 'image' } })
  await sandbox.service.setPresence(member, { body: { from: customer, online: false } })
  await bench.post(textTo(customer))
  clock.advance(minute)
  await bench.idle()
  clock.advance(31 * 24 * 60 * minute)
  await bench.idle()
  await sandbox.prune(clock.now())
  for (const table of ['sandbox_message', 'sandbox_media', 'job'] as const)
    t.same(await databases.read.selectFrom(table).selectAll().execute(), [], table)
})
