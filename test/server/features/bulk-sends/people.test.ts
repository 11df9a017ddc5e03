/** Recipients who must not be written to, or not yet, through the public API, with the simulator as Meta. */
import t from 'tap'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('a blocked contact gets nothing, however they are named, at planning and at sending', async t => {
  const { create, report, recipients, backend, later, ask, id, taken } = await stage(t)
  const [one, two, three] = phones(3) as [string, string, string]
  for (const from of [one, two]) await ask('POST', '/sandbox/inbound', { from, type: 'text', text: 'Hola' })
  await backend.settle()
  const block = (phone: string) => ask('POST', `/whatsapp/conversations/${phone}/block`)
  t.equal((await block(one)).status, 200)
  const audience = { numbers: `${one}\n${two}\n${three}` }
  const { json } = await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', { template: id, audience })
  t.match(json, { planned: 2, omitted: [{ reason: 'blocked', count: 1 }] })
  const send = await create({ audience })
  await backend.settle()
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
  t.match(csv, /bloqueó a esta persona|Blocked contact/)
  t.same(backend.errors(), [])
})

t.test('two sends to the same person are six seconds apart, and delay nobody else', async t => {
  const { create, report, backend, later, owner } = await stage(t)
  const [shared, ...others] = phones(4) as [string, ...string[]]
  const both = [
    await create({ audience: { numbers: `${shared}\n${others[0]}` }, startIfPlanned: 2 }),
    await create({ audience: { numbers: `${shared}\n${others[1]}\n${others[2]}` }, startIfPlanned: 3 }),
  ]
  await backend.settle()
  const taken = () =>
    backend.databases.read
      .selectFrom('sandbox_message')
      .select(['wa_id', 'at_ms'])
      .where('org_id', '=', owner.org.id)
      .where('direction', '=', 'out')
      .orderBy('at_ms')
      .execute()
  for (let i = 0; i < 4; i += 1) await later(1_000)
  t.equal((await taken()).length, 4, 'the others have theirs')
  for (let i = 0; i < 20; i += 1) await later(1_000)
  const times = (await taken()).filter(({ wa_id }) => wa_id === shared).map(({ at_ms }) => Number(at_ms))
  t.equal(times.length, 2)
  t.ok((times[1] as number) - (times[0] as number) >= 6000, String(times))
  for (const send of both) t.match(await report(send), { state: 'completed', counts: { planned: 0, failed: 0 } })
  t.same(backend.errors(), [])
})

t.test('a recipient with Meta’s pair limit is retried with growing delays, and the send continues', async t => {
  const { create, report, backend, later, ask, taken, owner } = await stage(t)
  for (let i = 0; i < 3; i += 1) await ask('POST', '/sandbox/fail', { code: '131056' })
  const send = await create({ audience: { numbers: phones(30).join('\n') }, startIfPlanned: 30 })
  await backend.settle()
  for (let i = 0; i < 3; i += 1) await later(1_100)
  t.ok((await taken()).length >= 27, 'the others are through')
  t.equal((await report(send)).state, 'running')
  for (let i = 0; i < 12; i += 1) await later(20_000)
  t.match(await report(send), { state: 'completed', counts: { planned: 0, queued: 0, failed: 0 } })
  t.equal((await taken()).length, 30)
  const refused = await backend.databases.read
    .selectFrom('message_attempt')
    .select('message_id')
    .where('org_id', '=', owner.org.id)
    .where('error_code', '=', '131056')
    .execute()
  t.equal(refused.length, 3)
  t.same(backend.errors(), [])
})

const dayMs = 86_400_000

t.test('a send that reaches Meta’s messaging limit waits, says why, and continues by itself', async t => {
  const { create, report, backend, later, ask, taken, id, owner } = await stage(t)
  const plan = async (numbers: readonly string[]) =>
    (
      await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', {
        template: id,
        audience: { numbers: numbers.join('\n') },
      })
    ).json.room
  const people = phones(6)
  t.same(await plan(people), { limit: null, used: 0 }, 'asked when the number came')
  await ask('PATCH' as 'POST', '/sandbox', { messagingLimit: 'TIER_250' })
  await backend.settle()
  t.same(await plan(people), { limit: 250, used: 0 }, 'told by webhook')
  const others = Array.from({ length: 248 }, (_, i) => ({ org_id: owner.org.id, contact_id: `c${i}` }))
  await backend.databases.write
    .insertInto('contact')
    .values(
      others.map(({ org_id, contact_id }, i) => ({
        id: contact_id,
        org_id,
        wa_id: `5491144${1000 + i}`,
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
      })) as never,
    )
    .execute()
  const openedAt = new Date(backend.clock.now().getTime() - 23 * 3_600_000).toISOString()
  await backend.databases.write
    .insertInto('opened_person')
    .values(others.map(one => ({ ...one, opened_at: openedAt })))
    .execute()
  t.same(await plan(people), { limit: 250, used: 248 })
  // A customer who wrote today does not count against the limit.
  await ask('POST', '/sandbox/inbound', { from: people[5], type: 'text', text: 'Hola' })
  await backend.settle()
  const send = await create({ audience: { numbers: people.join('\n') }, startIfPlanned: 6 })
  for (let i = 0; i < 4; i += 1) await later(20_000)
  t.same(
    (await taken()).map(({ wa_id }) => wa_id).toSorted(),
    [people[0], people[1], people[5]],
    'two have room, and one is answered',
  )
  const held = await report(send)
  t.match(held, { state: 'running', held: { why: 'peopleLimit' }, counts: { planned: 3, failed: 0 } })
  t.equal(held.held?.until, new Date(Date.parse(openedAt) + dayMs).toISOString())
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/pause`)
  t.equal((await report(send)).held, null, 'paused, it waits for a person')
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/resume`)
  for (let i = 0; i < 6; i += 1) await later(14 * 60_000)
  t.match(await report(send), { state: 'completed', held: null, counts: { planned: 0, failed: 0 } })
  t.equal((await taken()).length, 6)
  t.same(await plan(people), { limit: 250, used: 5 }, 'a day later nobody of before counts')
  t.same(backend.errors(), [])
})

t.test('a raised limit lets a waiting send continue, and other sends count, too', async t => {
  const { create, report, backend, later, ask, taken, template, owner } = await stage(t)
  const [one] = phones(1) as [string]
  const setLimit = (limit: number) =>
    backend.databases.write
      .updateTable('wa_connection')
      .set({ messaging_limit: limit })
      .where('org_id', '=', owner.org.id)
      .execute()
  const greeting = await template('Ya podés retirar tu pedido en el local.')
  const sent = await ask('POST', '/whatsapp/messages_template', { phones: [one], template: greeting, bodyExample: [] })
  t.equal(sent.status, 202, JSON.stringify(sent.json))
  for (let i = 0; i < 3; i += 1) await later(20_000)
  const send = await create({ audience: { numbers: phones(2, 50).join('\n') } })
  await backend.settle()
  await setLimit(1)
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/start`)
  await later(1_000)
  t.match(await report(send), { state: 'running', held: { why: 'peopleLimit' }, counts: { planned: 2 } })
  await setLimit(-1)
  for (let i = 0; i < 3; i += 1) await later(16 * 60_000)
  t.match(await report(send), { state: 'completed', counts: { planned: 0, failed: 0 } })
  t.equal((await taken()).length, 3)
  t.same(backend.errors(), [])
})

t.test('beyond the limit Meta fails every further message, and a send that did not know the limit stops', async t => {
  const { create, report, backend, later, ask, taken, owner } = await stage(t)
  await ask('PATCH' as 'POST', '/sandbox', { messagingLimit: 'TIER_250' })
  const send = await create({ audience: { numbers: phones(330).join('\n') } })
  await backend.settle()
  await backend.databases.write
    .updateTable('wa_connection')
    .set({ messaging_limit: -1 })
    .where('org_id', '=', owner.org.id)
    .execute()
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/start`)
  for (let i = 0; i < 30; i += 1) await later(1_100)
  const { state, reason, counts, groups } = await report(send)
  t.same([state, reason], ['blocked', 'limitReached'])
  t.equal(counts.planned + counts.failed + counts.queued, 80)
  t.ok(counts.failed > 0)
  t.match(groups, [{ reason: '131048', mayRetry: true }])
  t.ok((await taken()).length < 330)
})

t.test(
  'each recipient gets it within their local hours; the send waits for the rest and continues by itself',
  async t => {
    const { create, report, backend, later, taken, ask, id } = await stage(t)
    const argentine = phones(3)
    const others = ['34612345678', '34612345679']
    // 18:30 in Argentina is past 22:00 in Spain.
    const day = backend.clock.now().toISOString().slice(0, 10)
    const evening = Date.parse(`${day}T21:30:00.000Z`) + 86_400_000
    await later(evening - backend.clock.now().getTime())
    const hours = { from: 9, to: 20 }
    const audience = { numbers: [...others, ...argentine].map(digits => `+${digits}`).join('\n') }
    const send = await create({ audience, startIfPlanned: 5, hours })
    for (let i = 0; i < 4; i += 1) await later(20_000)
    t.same(
      (await taken()).map(({ wa_id }) => wa_id).toSorted(),
      argentine.toSorted(),
      'who stands behind those that wait is not kept waiting',
    )
    const held = await report(send)
    t.match(held, { state: 'running', hours, held: { why: 'hours' }, counts: { planned: 2 } })
    const hour = new Intl.DateTimeFormat('en', { timeZone: 'Atlantic/Canary', hour: 'numeric', hourCycle: 'h23' })
    t.equal(hour.format(Date.parse(held.held?.until ?? '')), '09')
    for (let i = 0; i < 60; i += 1) await later(15 * 60_000)
    t.match(await report(send), { state: 'completed', held: null, counts: { planned: 0, failed: 0 } })
    t.equal((await taken()).length, 5)
    t.match(await ask('POST', '/whatsapp/bulk-sends', { template: id, audience, hours: { from: 9, to: 9 } }), {
      status: 400,
      json: { details: [{ field: 'body.hours.to' }] },
    })
    t.same(backend.errors(), [])
  },
)

t.test('a scheduled send reaches each at that local time; started by hand it reaches all at once', async t => {
  const { create, report, backend, later, taken, ask, id } = await stage(t)
  const [argentine = '', spaniard = ''] = [...phones(1), '34612345678']
  const day = (ahead: number) => new Date(backend.clock.now().getTime() + ahead * 86_400_000).toISOString().slice(0, 10)
  const audience = { numbers: `+${spaniard}\n+${argentine}` }
  const localStart = `${day(3)}T10:00`
  const send = await create({ audience, startIfPlanned: 2, localStart })
  await backend.settle()
  const startsAt = `${day(2)}T20:00:00.000Z`
  t.match(await report(send), { state: 'scheduled', localStart, startsAt }, 'when the first clock anywhere shows it')
  await later(Date.parse(startsAt) - backend.clock.now().getTime() + 5_000)
  for (let i = 0; i < 3; i += 1) await later(2_000)
  t.match(await report(send), { state: 'running', held: { why: 'hours' }, counts: { planned: 2 } })
  const until = async (iso: string) => {
    while (backend.clock.now().toISOString() < iso) await later(15 * 60_000)
  }
  await until(`${day(0)}T12:00:00.000Z`.replace(day(0), localStart.slice(0, 10)))
  t.same(
    (await taken()).map(({ wa_id }) => wa_id),
    [spaniard],
  )
  await until(`${localStart.slice(0, 10)}T13:30:00.000Z`)
  t.match(await report(send), { state: 'completed', counts: { planned: 0, failed: 0 } })
  t.equal((await taken()).length, 2)
  const other = await create({
    audience: { numbers: phones(2, 40).join('\n') },
    startIfPlanned: 2,
    localStart: `${day(3)}T10:00`,
  })
  await backend.settle()
  await ask('POST', `/whatsapp/bulk-sends/${other.id}/start`)
  for (let i = 0; i < 3; i += 1) await later(2_000)
  t.match(await report(other), { state: 'completed', localStart: null })
  for (const [what, code] of [
    [{ localStart: `${day(-2)}T10:00` }, 'timePast'],
    [{ localStart: '2027-02-30T10:00' }, 'time'],
    [{ localStart: `${day(3)}T10:00`, startAt: `${day(3)}T10:00:00Z` }, 'invalid'],
  ] as const)
    t.match(await ask('POST', '/whatsapp/bulk-sends', { template: id, audience, ...what }), {
      status: 400,
      json: { details: [{ field: 'body.localStart', code }] },
    })
  t.same(backend.errors(), [])
})
