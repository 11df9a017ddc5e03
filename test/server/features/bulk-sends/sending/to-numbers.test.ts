/** A template to numbers that a program lists, with the simulator as Meta and a manual clock. */
import t from 'tap'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { aMember } from '#test/helpers/actors.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

interface Taken {
  id: string
  planned: number
  omitted: { phone: string; reason: string }[]
  state: string
}
interface Refusal {
  code: string
  message: string
  details: { field: string; code: string; message: string }[]
}
const address = '/whatsapp/messages_template'
const text = 'Hola {{1}}, tu pedido {{2}} está listo para retirar.'

t.test('each number gets the template once with its values, and omitted ones are listed', async t => {
  const { backend, owner, template, report, recipients, taken } = await stage(t)
  const id = await template(text)
  const { key } = await aKey(backend.app, owner.cookie)
  const [one, two] = phones(2) as [string, string]
  const send = (idempotency: string) =>
    backend.inject({
      method: 'POST',
      url: `/api${address}`,
      headers: { 'x-api-key': key, 'idempotency-key': idempotency },
      payload: { phones: [one, '11 5550-1001', `+${one}`, 'nadie'], template: id, bodyExample: ['Ana', '4711'] },
    })
  const reply = await send('pedido-4711')
  t.equal(reply.statusCode, 202, reply.body)
  const answer = reply.json() as Taken
  t.same(Object.keys(answer).sort(), ['id', 'omitted', 'planned', 'state'])
  t.equal(answer.planned, 2)
  t.same(answer.omitted, [
    { phone: `+${one}`, reason: 'duplicate' },
    { phone: 'nadie', reason: 'invalidNumber' },
  ])
  await backend.settle()
  const again = await send('pedido-4711')
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.same(again.json(), answer)
  await backend.settle()
  t.same(
    (await taken()).map(({ wa_id, count }) => [wa_id, Number(count)]).sort(),
    [
      [one, 1],
      [two, 1],
    ],
    'nobody gets it twice',
  )
  t.match(await report(answer), { state: 'completed', counts: { omitted: 2 } })
  t.same(
    (await recipients(answer)).map(({ given, reason }) => reason?.code ?? given),
    [one, two, 'duplicate', 'invalidNumber'],
  )
  const thread = await backend.inject({ url: `/api/whatsapp/chats/${one}`, headers: { 'x-api-key': key } })
  t.equal(thread.json().items.at(-1).text, 'Hola Ana, tu pedido 4711 está listo para retirar.')
  const sends = await backend.inject({ url: '/api/whatsapp/bulk-sends', headers: { 'x-api-key': key } })
  t.same(
    (sends.json().items as BulkSend[]).map(one => one.id),
    [answer.id],
  )
})

t.test('an API key can list 250 numbers in one call', async t => {
  const { backend, owner, id } = await stage(t)
  const { key } = await aKey(backend.app, owner.cookie)
  const payload = { phones: phones(250), template: id, bodyExample: [] }
  const reply = await backend.inject({ method: 'POST', url: `/api${address}`, headers: { 'x-api-key': key }, payload })
  t.equal(reply.statusCode, 202, reply.body)
  t.equal(reply.json().planned, 250)
})

t.test('a template can be given by its name, and a location can be included', async t => {
  const { backend, ask, later } = await stage(t)
  const { json: made } = await ask<{ id: string }>('POST', '/whatsapp/template', {
    template: {
      name: 'donde_estamos',
      language: 'es_AR',
      category: 'UTILITY',
      components: [
        { type: 'HEADER', format: 'LOCATION' },
        { type: 'BODY', text: 'Te esperamos hoy hasta las ocho.' },
      ],
    },
  })
  await later(60_000)
  await ask('POST', `/sandbox/template/${made.id}`, { status: 'APPROVED' })
  await backend.settle()
  await ask('POST', '/whatsapp/template/sync')
  const body = { phones: phones(1), template: 'donde_estamos', language: 'es-AR', bodyExample: [] }
  const without = await ask<Refusal>('POST', address, { ...body, location: null })
  t.equal(without.status, 400)
  t.match(without.json.details, [{ field: 'body.location' }])
  const location = { latitude: -34.6, longitude: -58.4, name: 'Panadería' }
  const { status, json } = await ask<Taken>('POST', address, { ...body, image: null, location })
  t.equal(status, 202, JSON.stringify(json))
  await backend.settle()
  const { body: request } = await backend.databases.read
    .selectFrom('sandbox_message')
    .select('body')
    .where('direction', '=', 'out')
    .executeTakeFirstOrThrow()
  t.match(request, '-34.6')
})

t.test('an invalid call is refused by its field, and nothing is stored', async t => {
  const { ask, template, id } = await stage(t)
  const withValues = await template(text)
  const good = { phones: phones(1), template: withValues, bodyExample: ['Ana', '4711'] }
  const refused = async (change: object) => {
    const { status, json } = await ask<Refusal>('POST', address, { ...good, ...change })
    return [status, ...(json.details ?? [{ field: json.code }]).map(({ field }) => field)]
  }
  t.same(await refused({ phones: undefined }), [400, 'body.phones'])
  t.same(await refused({ phones: [] }), [400, 'body.phones'])
  t.same(await refused({ phones: ['5491155550101,5491155550102'] }), [400, 'body.phones.0'])
  t.same(await refused({ template: undefined }), [400, 'body.template'])
  t.same(await refused({ template: 'ninguna' }), [404, 'TEMPLATES_NOT_FOUND'])
  t.same(await refused({ bodyExample: undefined }), [400, 'body.bodyExample'])
  t.same(await refused({ bodyExample: ['Ana'] }), [400, 'body.bodyExample.1'])
  t.same(await refused({ bodyExample: ['Ana', '1', '2'] }), [400, 'body.bodyExample'])
  t.same(await refused({ bodyExample: ['A\nna', '1'] }), [400, 'body.bodyExample.0'])
  t.same(await refused({ image: 'https://example.com/a.png' }), [400, 'body.image'])
  t.same(await refused({ location: { latitude: 1, longitude: 1 } }), [400, 'body.location'])
  t.same(await refused({ template: id }), [400, 'body.bodyExample'])
  t.same(await refused({ at: 'mañana' }), [400, 'body.at'])
  t.same(await refused({ at: '2020-01-01T00:00:00Z' }), [400, 'body.at'])
  t.same((await ask<{ items: unknown[] }>('GET', '/whatsapp/bulk-sends')).json.items, [])
})

t.test('a caller who may not send to all of them sends to none; seeing one conversation is not enough', async t => {
  const { ask, askAs, backend, owner, template, taken } = await stage(t)
  const id = await template(text)
  const [tagged, other, stranger] = phones(3) as [string, string, string]
  for (const from of [tagged, other]) await ask('POST', '/sandbox/inbound', { from, text: 'Hola' })
  await backend.settle()
  const { json: vip } = await ask<{ id: string }>('POST', '/whatsapp/tags', { label: 'VIP' })
  const put = (url: string) => backend.inject({ method: 'PUT', url: `/api${url}`, headers: { cookie: owner.cookie } })
  await put(`/whatsapp/chats/${tagged}/tags/${vip.id}`)
  const member = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
  const asMember = askAs(member.cookie)
  const send = <T>(...to: string[]) =>
    asMember<T>('POST', address, { phones: to, template: id, bodyExample: ['Ana', '1'] })
  const none = await send<Refusal>(tagged, other)
  t.equal(none.status, 403)
  t.equal(none.json.code, 'BULK_SENDS_NOT_PERMITTED')
  t.match(none.json.message, /2/)
  t.same(
    none.json.details.map(({ field, code }) => [field, code]),
    [
      ['body.phones.0', 'notPermitted'],
      ['body.phones.1', 'notPermitted'],
    ],
  )
  await ask('POST', '/members/content-permissions', { role: 'member', phoneTagId: vip.id, granted: true })
  t.same(
    (await send<Refusal>(tagged, other)).json.details.map(({ field }) => field),
    ['body.phones.1'],
  )
  t.equal((await send<Refusal>(stranger)).status, 403, 'whom nobody knows')
  t.equal((await send<Taken>(other)).status, 202, 'a conversation of their own')
  await backend.settle()
  t.same(
    (await taken()).map(({ wa_id }) => wa_id),
    [other],
  )
})

t.test('opted-out contacts are omitted, and without recipients the send ends at once', async t => {
  const { ask, backend, owner, template, report, taken } = await stage(t)
  const id = await template('Hoy dos por uno en facturas, hasta las ocho.', 'MARKETING')
  const [one] = phones(1) as [string]
  await ask('POST', '/sandbox/inbound', { from: one, text: 'Hola' })
  await backend.settle()
  const headers = { cookie: owner.cookie }
  await backend.inject({ method: 'PUT', url: `/api/whatsapp/chats/${one}/opt-out`, headers, payload: {} })
  const { json } = await ask<Taken>('POST', address, { phones: [one], template: id, bodyExample: [] })
  t.match(json, { planned: 0, omitted: [{ phone: one, reason: 'optedOut' }] })
  await backend.settle()
  t.equal((await report(json)).state, 'completed')
  t.same(await taken(), [])
})

t.test('with a time it starts by itself then, and is in the organization’s history', async t => {
  const { ask, backend, later, id, report, taken } = await stage(t)
  const at = new Date(backend.clock.now().getTime() + 3_600_000).toISOString()
  const { status, json } = await ask<Taken>('POST', address, { phones: phones(3), template: id, bodyExample: [], at })
  t.equal(status, 202, JSON.stringify(json))
  await backend.settle()
  t.match(await report(json), { state: 'scheduled', startsAt: at })
  t.same(await taken(), [])
  await later(3_601_000)
  await later(20_000)
  t.equal((await taken()).length, 3)
  const { items } = (await ask<{ items: { action: string; subject: string }[] }>('GET', '/organization/audit')).json
  const created = items.find(({ action }) => action === 'bulkCreated')
  t.equal(created?.subject, (await report(json)).name, 'the audit log names the send, not its template')
  t.same(backend.errors(), [])
})
