/** Who must not be written to, or not yet, through the product's own calls, with the simulator as Meta. */
import t from 'tap'
import type { BulkPlan } from '#shared/bulk-sends.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('whoever is blocked gets nothing, by whichever way they are named, at the plan and at their turn', async t => {
  const { create, report, recipients, house, later, ask, id, taken } = await stage(t)
  const [one, two, three] = phones(3) as [string, string, string]
  for (const from of [one, two]) await ask('POST', '/sandbox/inbound', { from, type: 'text', text: 'Hola' })
  await house.settle()
  const block = (phone: string) => ask('POST', `/whatsapp/conversations/${phone}/block`)
  t.equal((await block(one)).status, 200)
  const audience = { numbers: `${one}\n${two}\n${three}` }
  const { json } = await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', { template: id, audience })
  t.match(json, { planned: 2, omitted: [{ reason: 'blocked', count: 1 }] })
  const send = await create({ audience })
  await house.settle()
  t.match(await report(send), { state: 'ready', counts: { planned: 2, omitted: 1 } })
  await block(two)
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/start`)
  for (let i = 0; i < 3; i += 1) await later(20_000)
  t.match(await report(send), {
    state: 'completed',
    counts: { planned: 0, failed: 0, omitted: 2 },
    groups: [{ state: 'omitted', reason: 'blocked', count: 2 }],
  })
  t.same(
    (await recipients(send, '?state=omitted')).map(({ given }) => given),
    [one, two],
  )
  t.same(
    (await taken()).map(({ wa_id }) => wa_id),
    [three],
  )
  const { csv } = (await ask<{ csv: string }>('GET', `/whatsapp/bulk-sends/${send.id}/report`)).json
  t.match(csv, /bloqueó a esta persona|Blocked by the organization/)
  t.same(house.errors(), [])
})
