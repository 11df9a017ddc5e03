/** The safety measures of a send, through the public API, with the simulator as Meta. */
import t from 'tap'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const minuteMs = 60_000

t.test('a few recipients get it first; the others follow by themselves if that went well', async t => {
  const { create, report, backend, later, taken, ask } = await stage(t)
  const canary = { people: 2, waitMinutes: 10 }
  const send = await create({ audience: { numbers: phones(6).join('\n') }, startIfPlanned: 6, canary })
  await backend.settle()
  for (let i = 0; i < 3; i += 1) await later(20_000)
  t.equal((await taken()).length, 2)
  const waiting = await report(send)
  t.match(waiting, { state: 'running', canary, counts: { planned: 4 } })
  t.ok(waiting.waitsUntil && Date.parse(waiting.waitsUntil) > backend.clock.now().getTime())
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/pause`)
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/resume`)
  await later(2 * minuteMs)
  t.equal((await taken()).length, 2, 'resumed, it waits as before')
  for (let i = 0; i < 3; i += 1) await later(4 * minuteMs)
  t.equal((await taken()).length, 6)
  t.equal((await report(send)).state, 'completed')
  t.same(backend.errors(), [])
})

t.test('the send stops when the first messages fail, and continues when it is resumed', async t => {
  const { create, report, backend, later, taken, ask } = await stage(t)
  await ask('POST', '/sandbox/fail', { code: '131026' })
  const canary = { people: 2, waitMinutes: 1 }
  const send = await create({ audience: { numbers: phones(4).join('\n') }, startIfPlanned: 4, canary })
  await backend.settle()
  for (let i = 0; i < 3; i += 1) await later(minuteMs)
  t.match(await report(send), { state: 'blocked', reason: 'tooManyFailed', counts: { planned: 2, failed: 1 } })
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/resume`)
  for (let i = 0; i < 3; i += 1) await later(minuteMs)
  t.match(await report(send), { state: 'completed', counts: { planned: 0, failed: 1 } })
  t.ok((await taken()).every(({ count }) => Number(count) === 1))
  t.same(backend.errors(), [])
})

t.test('a template whose quality falls during the send stops it', async t => {
  const { create, report, backend, later, id, ask } = await stage(t)
  const send = await create({ audience: { numbers: phones(30).join('\n') }, startIfPlanned: 30 })
  await backend.settle()
  await backend.databases.write.updateTable('template').set({ quality: 'RED' }).where('id', '=', id).execute()
  await later(1_100)
  t.match(await report(send), { state: 'blocked', reason: 'qualityLow' })
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/resume`)
  for (let i = 0; i < 4; i += 1) await later(20_000)
  t.equal((await report(send)).state, 'completed', 'a person resumed it despite the low quality')
})

t.test('a template that becomes marketing stops the send; after resuming, opted-out contacts get nothing', async t => {
  const { create, report, backend, later, id, ask, taken, recipients } = await stage(t)
  const people = phones(50)
  const send = await create({ audience: { numbers: people.join('\n') }, startIfPlanned: 50 })
  await backend.settle()
  await ask('POST', '/sandbox/inbound', { from: people[49], type: 'text', text: 'BAJA' })
  await ask('POST', `/sandbox/template/${id}`, { category: 'MARKETING' })
  await backend.settle()
  await later(1_100)
  t.match(await report(send), { state: 'blocked', reason: 'templateRecategorised' })
  const before = (await taken()).length
  t.ok(before < 50)
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/resume`)
  for (let i = 0; i < 4; i += 1) await later(20_000)
  t.match(await report(send), { state: 'completed', counts: { omitted: 1, planned: 0 } })
  t.same(
    (await recipients(send, '?state=omitted')).map(({ given, reason }) => [given, reason?.code]),
    [[people[49], 'optedOut']],
  )
})

t.test('nobody gets more marketing than the cap, at planning and at sending, until its days have passed', async t => {
  const { create, report, backend, later, ask, template } = await stage(t)
  const offer = await template('Esta semana todas las medialunas a mitad de precio.', 'MARKETING')
  const [one, two] = phones(2) as [string, string]
  const toOne = { template: offer, audience: { numbers: one } }
  const toBoth = { template: offer, audience: { numbers: `${one}\n${two}` } }
  const plan = async (body: object) => (await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', body)).json
  const written = await create(toBoth)
  await backend.settle()
  await create({ ...toOne, startIfPlanned: 1 })
  for (let i = 0; i < 3; i += 1) await later(20_000)
  t.same(
    (await plan(toBoth)).omitted.map(({ reason, count }) => [reason, count]),
    [['capped', 1]],
  )
  t.equal((await plan({ ...toBoth, marketingCap: null })).planned, 2)
  t.equal((await plan({ ...toBoth, marketingCap: { sends: 2, days: 1 } })).planned, 2)
  t.equal((await plan({ ...toBoth, template: await template('Ya podés retirar tu pedido en el local.') })).planned, 2)
  await ask('POST', `/whatsapp/bulk-sends/${written.id}/start`)
  for (let i = 0; i < 3; i += 1) await later(20_000)
  t.match(await report(written), { state: 'completed', counts: { omitted: 1, planned: 0 } })
  await later(25 * 60 * minuteMs)
  t.equal((await plan(toBoth)).planned, 2)
  t.same(backend.errors(), [])
})

t.test('the segment of unanswered contacts excludes those who answered, and opted-out ones are counted', async t => {
  const { create, report, backend, later, ask, id } = await stage(t)
  const people = phones(3)
  const send = await create({ audience: { numbers: people.join('\n') }, startIfPlanned: 3 })
  for (let i = 0; i < 6; i += 1) await later(20_000)
  await ask('POST', '/sandbox/inbound', { from: people[0], type: 'text', text: 'BAJA' })
  await backend.settle()
  t.match(await report(send), { optedOut: 1, counts: { replied: 1 } })
  const audience = { unanswered: { send: send.id } }
  const again = { template: id, audience }
  const { json } = await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', again)
  t.match(json, { planned: 2, omitted: [] })
  const reminder = (await ask<BulkSend>('POST', '/whatsapp/bulk-sends', { ...again, startIfPlanned: 2 })).json
  t.equal(reminder.audience.unansweredOf, send.template.name)
  for (let i = 0; i < 4; i += 1) await later(20_000)
  t.equal((await report(reminder)).state, 'completed')
  const missing = { ...again, audience: { unanswered: { send: '0'.repeat(24) } } }
  t.match(await ask('POST', '/whatsapp/bulk-sends/plan', missing), {
    status: 400,
    json: { details: [{ field: 'body.audience.unanswered.send' }] },
  })
})

t.test('a test message goes to one number with the first recipient’s values, and is not listed', async t => {
  const { backend, later, ask, template, report, taken } = await stage(t)
  const id = await template('Hola {{1}}, tu pedido está listo para retirar.')
  const request = {
    template: id,
    audience: { csv: { text: 'Nombre;Teléfono\nnadie;x\nAna Paz;11 5555-1001' } },
    values: { body: { '1': { from: 'column', text: 'Nombre' } } },
  }
  const sendTest = (body: object) => ask<BulkSend>('POST', '/whatsapp/bulk-sends/test', { ...request, ...body })
  const { status, json } = await sendTest({ number: '11 5555-9090' })
  t.match({ status, json }, { status: 202, json: { isTest: true, state: 'running', counts: { planned: 1 } } })
  for (let i = 0; i < 3; i += 1) await later(20_000)
  t.match(await report(json), { state: 'completed', counts: { planned: 0, queued: 0, failed: 0 } })
  t.same(
    (await taken()).map(({ wa_id }) => wa_id),
    ['5491155559090'],
  )
  const thread = await ask<{ items: { text: string }[] }>('GET', '/whatsapp/chats/5491155559090')
  t.equal(thread.json.items[0]?.text, 'Hola Ana Paz, tu pedido está listo para retirar.')
  t.same((await ask<{ items: unknown[] }>('GET', '/whatsapp/bulk-sends')).json.items, [])
  t.equal((await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', request)).json.planned, 1)
  t.match(await sendTest({ number: 'hola' }), { status: 400, json: { details: [{ field: 'body.number' }] } })
  t.match(await sendTest({ audience: { numbers: 'nadie' }, number: '11 5555-9090' }), {
    status: 409,
    json: { code: 'BULK_SENDS_NOBODY' },
  })
  t.same(backend.errors(), [])
})

t.test('a plan shows its cost once prices are entered, and not before', async t => {
  const { ask, id } = await stage(t)
  const cost = async () =>
    (
      await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', {
        template: id,
        audience: { numbers: `${phones(2).join('\n')}\n+59899123456` },
      })
    ).json.cost
  t.equal(await cost(), null)
  const card = { currency: 'USD', validFrom: '2026-10-01', rates: [{ country: 'AR', prices: { UTILITY: 0.03 } }] }
  const put = (body: object) => ask('PUT' as 'POST', '/whatsapp/rate-card', body)
  t.equal((await put(card)).status, 200)
  t.match(await ask('GET', '/whatsapp/rate-card'), { json: card })
  t.same(await cost(), { amount: 0.06, unpriced: 1, currency: 'USD', validFrom: '2026-10-01' })
  t.match(await put({ ...card, validFrom: '2026-02-30' }), {
    status: 400,
    json: { details: [{ field: 'body.validFrom' }] },
  })
  t.match(await put({ ...card, rates: [...card.rates, ...card.rates] }), {
    status: 400,
    json: { details: [{ field: 'body.rates.1.country' }] },
  })
})
