/** Several sends from one number: rate, alternation, and members who answer meanwhile; with the simulator as Meta. */
import t from 'tap'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

type Stage = Awaited<ReturnType<typeof stage>>

const setPace = ({ backend, owner }: Stage, perSecond: number) =>
  backend.inject({
    method: 'PUT',
    url: '/api/whatsapp/bulk-pace',
    headers: { cookie: owner.cookie },
    payload: { perSecond },
  })

/** A planned send that starts when it is told to. */
const ready = async ({ create, backend }: Stage, count: number, from: number): Promise<BulkSend> => {
  const send = await create({ audience: { numbers: phones(count, from).join('\n') } })
  await backend.settle()
  return send
}

t.test('a number sends at the organization’s rate, also for sends that already run', async t => {
  const world = await stage(t)
  const { ask, later, report, taken } = world
  t.match(await ask('GET', '/whatsapp/bulk-pace'), { status: 200, json: { perSecond: 20 } })
  t.match((await setPace(world, 5)).json(), { perSecond: 5 })
  t.match(await ask('GET', '/whatsapp/bulk-pace'), { json: { perSecond: 5 } })
  const send = await ready(world, 60, 0)
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/start`)
  const counts: number[] = []
  for (let second = 0; second < 4; second += 1) {
    await later(second ? 1000 : 0)
    counts.push((await taken()).length)
  }
  t.same(counts, [5, 10, 15, 20])
  t.match(await report(send), { perSecond: 5, usualPerSecond: 5 })
  await setPace(world, 30)
  await later(1000)
  t.equal((await taken()).length, 50)
})

t.test('an invalid rate is refused by its field', async t => {
  const world = await stage(t)
  for (const perSecond of [0, -1, 1.5, 1001]) {
    const reply = await setPace(world, perSecond)
    t.equal(reply.statusCode, 400)
    t.match(reply.json(), { details: [{ field: 'body.perSecond' }] })
  }
})

t.test('sends that share a number get equal parts of its rate, whatever their size', async t => {
  const world = await stage(t)
  const { ask, later, report } = world
  const large = await ready(world, 200, 0)
  const small = await ready(world, 100, 200)
  const late = await ready(world, 100, 400)
  for (const one of [large, small]) await ask('POST', `/whatsapp/bulk-sends/${one.id}/start`)
  const leftOf = async (send: BulkSend) => (await report(send)).counts.planned
  for (let second = 0; second < 4; second += 1) await later(1000)
  const [ofLarge, ofSmall] = [200 - (await leftOf(large)), 100 - (await leftOf(small))]
  t.ok(Math.abs(ofLarge - ofSmall) <= 20, `${ofLarge} and ${ofSmall}`)
  await ask('POST', `/whatsapp/bulk-sends/${late.id}/start`)
  const before = await leftOf(late)
  for (let second = 0; second < 3; second += 1) await later(1000)
  t.equal(before - (await leftOf(late)), 20, 'a bulk send that starts later gets its share of the next turns')
})

t.test('a member’s answer is sent at once, however many bulk messages wait', async t => {
  const world = await stage(t)
  const { ask, backend, later, taken } = world
  const customer = '5491155559999'
  await ask('POST', '/sandbox/inbound', { from: customer, type: 'text', text: '¿Abren mañana?' })
  await backend.settle()
  for (const from of [0, 300]) {
    const send = await ready(world, 300, from)
    await ask('POST', `/whatsapp/bulk-sends/${send.id}/start`)
  }
  await later(1000)
  const gotBefore = (await taken()).find(({ wa_id }) => wa_id === customer)?.count ?? 0
  const sent = await ask('POST', '/whatsapp/messages', { type: 'text', message: 'A las ocho', numberTel: customer })
  t.equal(sent.status, 202)
  // No time passes: bulk messages wait for their turn, the answer does not.
  await backend.settle()
  t.equal((await taken()).find(({ wa_id }) => wa_id === customer)?.count, gotBefore + 1)
  t.same(backend.errors(), [])
})
