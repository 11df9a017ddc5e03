/** A limited-time offer whose end is given with the send: no expired offer is sent. */
import t, { type Test } from 'tap'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { aBulkStage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const hourMs = 3_600_000

const stage = async (t: Test) => {
  const made = await aBulkStage(t)
  const { ask, create, backend, later, phones } = made
  const inHours = (hours: number) => new Date(backend.clock.now().getTime() + hours * hourMs).toISOString()
  const offer = {
    ...{ name: 'oferta', language: 'es_AR', category: 'MARKETING' },
    components: [
      { type: 'BODY', text: 'Dos por uno en facturas.' },
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Solo hoy', has_expiration: true } },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Ver', url: 'https://example.com/oferta' }] },
    ],
  }
  const { json, status } = await ask<{ id: string }>('POST', '/whatsapp/template', { template: offer })
  t.equal(status, 201, JSON.stringify(json))
  await later(60_000)
  await ask('POST', `/sandbox/template/${json.id}`, { status: 'APPROVED' })
  await backend.settle()
  await ask('POST', '/whatsapp/template/sync')
  const request = (offerEndsAt: string) => ({
    template: json.id,
    audience: { numbers: phones(3).join('\n') },
    values: { offerEndsAt },
  })
  const made1 = async (offerEndsAt: string, more: object) => {
    const send = await create({ ...request(offerEndsAt), ...more })
    await backend.settle()
    return send
  }
  const refusal = (reply: { status: number; json: unknown }) => ({
    status: reply.status,
    json: { details: (reply.json as { details?: unknown }).details },
  })
  return { ...made, inHours, request, offered: made1, refusal }
}

t.test('an expired offer can be neither planned, tested, created nor scheduled', async t => {
  const { ask, inHours, request, offered, refusal, phones, backend } = await stage(t)
  const past = { status: 400, json: { details: [{ field: 'body.values.offerEndsAt' }] } }
  const over = request(inHours(-1))
  t.match(refusal(await ask('POST', '/whatsapp/bulk-sends/plan', over)), past)
  t.match(refusal(await ask('POST', '/whatsapp/bulk-sends', over)), past)
  t.match(refusal(await ask('POST', '/whatsapp/bulk-sends/test', { ...over, number: phones(4)[3] })), past)
  const late = { ...request(inHours(2)), startIfPlanned: 3, startAt: inHours(3) }
  t.match(refusal(await ask('POST', '/whatsapp/bulk-sends', late)), past)
  const plan = await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', request(inHours(2)))
  t.match(plan, { status: 200, json: { planned: 3 } })

  const send = await offered(inHours(2), { startIfPlanned: 3, startAt: inHours(1) })
  const step = (startAt: string) => ask<BulkSend>('POST', `/whatsapp/bulk-sends/${send.id}/schedule`, { startAt })
  t.match(refusal(await step(inHours(3))), { status: 400, json: { details: [{ field: 'body.startAt' }] } })
  t.match(await step(inHours(1.5)), { status: 200 })
  t.same(backend.errors(), [])
})

t.test('recipients not reached before the end are omitted with that reason', async t => {
  const { ask, inHours, offered, report, recipients, later, taken, backend } = await stage(t)
  const send = await offered(inHours(2), {})
  t.match(await report(send), { state: 'ready', counts: { planned: 3 } })
  await later(2 * hourMs)
  t.match(await ask('POST', `/whatsapp/bulk-sends/${send.id}/start`), { status: 200 })
  await later(5000)
  await later(5000)
  t.match(await report(send), { state: 'completed', counts: { omitted: 3, planned: 0 } })
  t.same(
    (await recipients(send)).map(({ reason }) => reason?.code),
    ['offerOver', 'offerOver', 'offerOver'],
  )
  t.equal((await taken()).length, 0)

  const timely = await offered(inHours(2), { startIfPlanned: 3 })
  await later(60_000)
  t.match(await report(timely), { state: 'completed', counts: { omitted: 0 } })
  t.equal((await taken()).length, 3)
  t.same(backend.errors(), [])
})
