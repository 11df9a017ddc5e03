import t from 'tap'
import { journalState } from '#server/messaging/intake/table.ts'
import type { Delivery } from '#shared/deliveries/api.ts'
import { aMember } from '#test/helpers/actors.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const from = '5491155550101'

const stage = async (t: Parameters<typeof chatStage>[0]) => {
  const s = await chatStage(t)
  const { backend, call } = s
  await call('POST', '/sandbox/inbound', { from, name: 'Ana', text: 'Hola' })
  await call('POST', '/sandbox/inbound', { from, text: '¿Están?' })
  await backend.settle()
  const list = async (query = ''): Promise<Delivery[]> => (await call('GET', `/whatsapp/deliveries${query}`)).body.items
  const thread = async (): Promise<string[]> =>
    (await call('GET', `/whatsapp/chats/${from}`)).body.items
      .filter(({ type }: { type: string }) => type === 'text')
      .map(({ text }: { text: string }) => text)
  return { ...s, list, thread }
}

t.test('deliveries are listed newest first, with what they hold, and shown as they came', async t => {
  const s = await stage(t)
  const items = await s.list()
  const messages = items.filter(({ kinds }) => kinds.includes('message'))
  t.match(messages, [
    { state: 'applied', kept: [], note: null, customers: [{ name: 'Ana', address: from }] },
    { state: 'applied', kept: [], customers: [{ name: 'Ana', address: from }] },
  ])
  t.same(
    items.map(({ id }) => Number(id)),
    items.map(({ id }) => Number(id)).sort((a, b) => b - a),
  )
  const { body } = await s.call('GET', `/whatsapp/deliveries/${messages[0]?.id}`)
  t.same(body.customers, [{ name: 'Ana', address: from }])
  t.match(JSON.parse(body.raw), { object: 'whatsapp_business_account' })
  t.equal(JSON.parse(body.raw).entry[0].changes[0].value.messages[0].text.body, '¿Están?')
  t.equal(body.isCut, false)
  t.same(messages[0]?.statuses, [])
  t.same(await s.list('?number=5491100000000'), [], 'of another number')
  t.same(await s.list('?state=failed'), [])
  const stranger = await aMember({ databases: s.databases, orgName: 'Otra' })
  t.match(await s.call('GET', '/whatsapp/deliveries', undefined, stranger), { status: 200, body: { items: [] } })
  const { status } = await s.call('GET', `/whatsapp/deliveries/${messages[0]?.id}`, undefined, stranger)
  t.equal(status, 404)
  const taken = await s.call('POST', '/whatsapp/deliveries/replay', { ids: [messages[0]?.id] }, stranger)
  t.match(taken, { status: 200, body: { replayed: 0 } })
  await s.databases.write.deleteFrom('conversation').execute()
  const { customers } = (await s.call('GET', `/whatsapp/deliveries/${messages[0]?.id}`)).body
  t.same(customers, [{ name: '+54 9 11 5555 0101', address: null }], 'without a chat, by the number')
})

t.test('processing again adds nothing that is there, and brings back what was lost', async t => {
  const s = await stage(t)
  const before = await s.thread()
  const ids = (await s.list()).map(({ id }) => id)
  const again = async (body: object) => {
    const answer = await s.call('POST', '/whatsapp/deliveries/replay', body)
    await s.backend.settle()
    return answer
  }
  t.match(await again({ ids }), { status: 200, body: { replayed: ids.length, hasMore: false, next: null } })
  t.same(await s.thread(), before, 'once each')
  t.ok((await s.list()).every(({ state }) => state === 'applied'))
  // As if an earlier version had not read it.
  await s.databases.write.deleteFrom('message').where('text', '=', '¿Están?').execute()
  t.same(await s.thread(), ['Hola'])
  t.match(await again({ from: ids.at(-1), to: ids[0] }), { body: { replayed: ids.length } })
  t.same((await s.thread()).sort(), [...before].sort())
  const { body: audit } = await s.call('GET', '/organization/audit?kind=connection')
  t.match(audit.items, [
    { action: 'deliveriesReplayed', subject: `${ids.at(-1)} – ${ids[0]}` },
    { action: 'deliveriesReplayed', subject: /^\d+, \d+/ },
  ])
  t.equal((await s.call('POST', '/whatsapp/deliveries/replay', { from: '1' })).status, 400)
  t.equal((await s.call('POST', '/whatsapp/deliveries/replay', { ids, from: '1', to: '2' })).status, 400)
  t.same(s.backend.errors(), [])
})

t.test('what was kept and not understood, and what failed, are found by their state', async t => {
  const s = await stage(t)
  const [first, second] = await s.list()
  const orgId = s.owner.org.id
  const item = { name: 'new_field', item: '{}', at: first?.at ?? '' }
  await s.databases.write
    .insertInto('untaken_item')
    .values({ ...item, seq: Number(first?.id), place: 0, org_id: orgId })
    .execute()
  await s.databases.write
    .updateTable('webhook_journal')
    .set({ state: journalState.parked, note: 'Error', attempts: 5 })
    .where('seq', '=', Number(second?.id))
    .execute()
  t.match(await s.list('?state=notUnderstood'), [{ id: first?.id, state: 'notUnderstood', kept: ['new_field'] }])
  t.match(await s.list('?state=failed'), [{ id: second?.id, state: 'failed', note: 'Error', attempts: 5 }])
  await s.call('POST', '/whatsapp/deliveries/replay', { ids: [first?.id, second?.id] })
  await s.backend.settle()
  t.same(await s.list('?state=notUnderstood'), [])
  t.same(await s.list('?state=failed'), [])
})

t.test('a delivery about a sent message says which statuses it reports', async t => {
  const s = await stage(t)
  await s.call('PATCH', '/sandbox', { statusDelayMs: 0 })
  await s.call('POST', '/whatsapp/messages', { numberTel: from, message: 'Sí', type: 'text' })
  await s.backend.settle()
  const reports = (await s.list()).filter(({ kinds }) => kinds.includes('status'))
  t.ok(reports.length)
  const reported = new Set(reports.flatMap(({ statuses }) => statuses))
  t.ok(reported.has('sent'), [...reported].join(', '))
  t.ok(
    reports.every(({ statuses }) => statuses.length),
    'each of them',
  )
})
