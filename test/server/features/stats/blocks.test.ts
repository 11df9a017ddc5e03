import t from 'tap'
import { selectBegun } from '#server/features/bulk-sends/reports/period-store.ts'
import { selectPlaces } from '#server/features/bulk-sends/reports/report-store.ts'
import { selectCountedRuns } from '#server/features/flows/runs/run-store.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { type RecipientState, recipientOutcomes, recipientStates } from '#shared/bulk-sends/states.ts'
import { countedRuns } from '#shared/flows/runs/limits.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { randomCases } from '#test/helpers/night.ts'
import { chance } from '#test/helpers/segment-history.ts'

const backend = await startBackend(t)
const { databases } = backend
const { owner, ids } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
const orgId = owner.org.id
const ask = async (path: string, cookie = owner.cookie, language = 'es') => {
  const reply = await backend.inject({
    method: 'GET',
    url: `/api/stats/blocks${path}`,
    headers: { cookie, 'accept-language': language },
  })
  return { status: reply.statusCode, body: reply.json() }
}
const noCounts = {
  planned: 0,
  queued: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  replied: 0,
  unconfirmed: 0,
  failed: 0,
  omitted: 0,
}

/** A copy of the neighbour's send that began at a time, with these outcomes. */
const aSend = async (startedAt: string, counts: Partial<typeof noCounts & { opted_out: number }>, name = 'promo') => {
  const row = await databases.read
    .selectFrom('bulk_send')
    .selectAll()
    .where('id', '=', ids.bulkSend)
    .executeTakeFirstOrThrow()
  const id = newId(Date.parse(startedAt))
  const template = JSON.stringify({ ...JSON.parse(row.template), name })
  await databases.write
    .insertInto('bulk_send')
    .values({ ...row, ...noCounts, ...counts, id, template, started_at: startedAt, created_at: startedAt })
    .execute()
  return id
}

t.test('bulk sends of a range: what was read was delivered, and those before and after do not count', async t => {
  // The range is the organization's days: at 02:59 UTC it is still the day before.
  await aSend('2026-03-10T02:59:00.000Z', { sent: 100 }, 'antes')
  const first = await aSend(
    '2026-03-10T03:00:00.000Z',
    { sent: 1, delivered: 2, read: 3, replied: 4, failed: 5, unconfirmed: 6, omitted: 9, planned: 8, opted_out: 2 },
    '=promo',
  )
  const last = await aSend('2026-03-12T02:59:59.000Z', { replied: 1 }, 'feriado')
  await aSend('2026-03-12T03:00:00.000Z', { sent: 100 }, 'después')
  const { body } = await ask('/bulk-sends?from=2026-03-10&to=2026-03-11')
  t.match(body, {
    sends: 2,
    total: { sent: 22, delivered: 10, read: 8, replied: 5, failed: 5, unconfirmed: 6, optedOut: 2 },
    items: [
      { id: last, template: 'feriado', sent: 1, delivered: 1, read: 1, replied: 1 },
      {
        id: first,
        sent: 21,
        delivered: 9,
        read: 7,
        replied: 4,
        failed: 5,
        unconfirmed: 6,
        href: `/org/${owner.org.slug}/c/masive/${first}`,
      },
    ],
  })
  const { csv } = (await ask('/bulkSends/report?from=2026-03-10&to=2026-03-11')).body
  t.equal(
    csv,
    [
      'Empezó;Plantilla;Estado;Enviados;Entregados;Leídos;Respondieron;Fallaron;Bajas;Sin confirmar',
      '2026-03-12T02:59:59.000Z;feriado;Listo para enviar;1;1;1;1;0;0;0',
      "2026-03-10T03:00:00.000Z;'=promo;Listo para enviar;21;9;7;4;5;2;6",
      '',
    ]
      .join('\r\n')
      .replaceAll('Listo para enviar', csv.split('\r\n')[1].split(';')[2]),
  )
})

/** All items of a list of a call with pages. */
const allOf = async (path: string, query: URLSearchParams, cookie = owner.cookie) => {
  const items: { id: string }[] = []
  for (let page = 1, isMore = true; isMore; page += 1) {
    query.set('page', `${page}`)
    const reply = await backend.inject({ method: 'GET', url: `/api${path}?${query}`, headers: { cookie } })
    if (reply.statusCode !== 200) throw new Error(reply.body)
    const body = reply.json()
    items.push(...body.items)
    isMore = body.hasMore
  }
  t.equal(new Set(items.map(({ id }) => id)).size, items.length, 'each once')
  return items
}
const queryOf = (href: string) => new URLSearchParams(href.split('?')[1])

t.test('every figure of a bulk send opens a list of as many recipients', async t => {
  const next = chance(7)
  const model = await databases.read
    .selectFrom('bulk_recipient')
    .selectAll()
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  for (let n = 0; n < randomCases({ day: 4, night: 40 }); n += 1) {
    const at = `2026-04-0${1 + (n % 9)}T12:00:00.000Z`
    const people = Array.from({ length: Math.floor(next() * 160) }, () => ({
      state: recipientStates[Math.floor(next() * recipientStates.length)] as RecipientState,
      opted_out_at: next() < 0.1 ? at : null,
    }))
    const counts = Object.fromEntries(
      recipientStates.map(state => [state, people.filter(one => one.state === state).length]),
    )
    const id = await aSend(at, { ...counts, opted_out: people.filter(one => one.opted_out_at).length })
    for (const [place, one] of people.entries())
      await databases.write
        .insertInto('bulk_recipient')
        .values({ ...model, ...one, id: newId(), send_id: id, place, reason: null, conversation_id: null })
        .execute()
  }
  const { body } = await ask('/bulk-sends?from=2026-04-01&to=2026-04-09')
  for (const { id, href, ...send } of body.items)
    for (const outcome of recipientOutcomes) {
      const path = `/whatsapp/bulk-sends/${id}/recipients`
      t.equal((await allOf(path, queryOf(`${href}?outcome=${outcome}`))).length, send[outcome], outcome)
    }
  t.equal((await allOf('/whatsapp/bulk-sends', queryOf(body.listHref))).length, body.sends)
  const { body: march } = await ask('/bulk-sends?from=2026-03-10&to=2026-03-11')
  t.equal((await allOf('/whatsapp/bulk-sends', queryOf(march.listHref))).length, 2, 'not those before and after')
  await t.rejects(
    allOf(`/whatsapp/bulk-sends/${ids.bulkSend}/recipients`, new URLSearchParams('state=sent&outcome=sent')),
  )
  for (const since of ['yesterday', '2016-12-31T23:59:60Z'])
    await t.rejects(allOf('/whatsapp/bulk-sends', new URLSearchParams({ since })), /query\.since/)
})

t.test('the block of flows counts the days of its range', async t => {
  const day = (at: string, started: number, finished: number, handedOff: number) =>
    databases.write
      .insertInto('flow_day')
      .values({ flow_id: ids.flow, day: at, org_id: orgId, started, finished, handed_off: handedOff })
      .execute()
  await day('2026-03-09', 50, 0, 0)
  await day('2026-03-10', 7, 3, 2)
  await day('2026-03-11', 5, 5, 0)
  await day('2026-03-12', 50, 0, 0)
  const { body } = await ask('/flows?from=2026-03-10&to=2026-03-11')
  t.match(body, {
    flows: 1,
    isPartial: false,
    total: { started: 12, finished: 8, handedOff: 2 },
    items: [{ id: ids.flow, started: 12, finished: 8, handedOff: 2 }],
  })
  const steps = await ask(`/flows/${ids.flow}`)
  t.equal(steps.status, 200)
  t.equal((await ask('/flows/unknown')).status, 404)
  const empty = (await ask('/flows?from=2025-03-10&to=2025-03-11')).body
  t.match(empty, { flows: 0, items: [], total: { started: 0 } })
})

t.test('every figure of a flow opens a list of as many sessions', async t => {
  const next = chance(11)
  const model = await databases.read
    .selectFrom('flow_session')
    .selectAll()
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  const test = await databases.read.selectFrom('flow_test').select('id').executeTakeFirst()
  const states = ['finished', 'handedOff', 'expired', 'left'] as const
  const first = Date.parse('2026-05-01T00:00:00.000Z')
  const dayOf = (at: number) => new Date(at - 3 * 3_600_000).toISOString().slice(0, 10)
  const days = new Map<string, Record<(typeof countedRuns)[number], number>>()
  for (let n = 0; n < randomCases({ day: 120, night: 2_000 }); n += 1) {
    const startedAt = first + Math.floor(next() * 6 * 86_400_000)
    const endedAt = startedAt + Math.floor(next() * 2 * 86_400_000)
    const state = states[Math.floor(next() * states.length)] as (typeof states)[number]
    const isTest = test !== undefined && next() < 0.1
    await databases.write
      .insertInto('flow_session')
      .values({
        ...{ ...model, id: newId(startedAt), state, test_id: isTest ? test.id : null, client_key: null },
        ...{ started_at: new Date(startedAt).toISOString(), ended_at: new Date(endedAt).toISOString() },
      })
      .execute()
    if (isTest) continue
    const count = (at: number, name: (typeof countedRuns)[number]) => {
      const day = days.get(dayOf(at)) ?? { started: 0, finished: 0, handedOff: 0 }
      day[name] += 1
      days.set(dayOf(at), day)
    }
    count(startedAt, 'started')
    if (state === 'finished' || state === 'handedOff') count(endedAt, state)
  }
  for (const [day, { handedOff, ...counts }] of days)
    await databases.write
      .insertInto('flow_day')
      .values({ flow_id: ids.flow, day, org_id: orgId, ...counts, handed_off: handedOff })
      .execute()
  const { body } = await ask('/flows?from=2026-05-02&to=2026-05-04')
  const [flow] = body.items
  t.equal(flow.id, ids.flow)
  const path = `/whatsapp/flows/${ids.flow}/runs`
  for (const counted of countedRuns) {
    t.ok(flow[counted] > 0, `some ${counted}`)
    t.equal((await allOf(path, queryOf(`${flow.href}&counted=${counted}`))).length, flow[counted], counted)
  }
  for (const wrong of ['counted=all', 'counted=started&since=yesterday', 'counted=started&since=2016-12-31T23:59:60Z'])
    await t.rejects(allOf(path, new URLSearchParams(wrong)), /"field":"query\./)
})

testOnSqlite('sessions that a figure counts are found by an index', async t => {
  const viewer = { ...owner, orgId, scope: { kind: 'all' } } as never
  for (const [counted, index] of [
    ['started', 'flow_session_started'],
    ['finished', 'flow_session_counted'],
  ] as const) {
    const since = '2026-05-01T03:00:00.000Z'
    const range = { counted, since, until: '2026-05-02T03:00:00.000Z', flowId: ids.flow, offset: 0, limit: 31 }
    const { sql, parameters } = selectCountedRuns(databases.read, viewer, range).compile()
    const plan = databases.raw.read
      .prepare(`explain query plan ${sql}`)
      .all(...(parameters as (string | number)[]))
      .map(row => (row as { detail: string }).detail)
      .join('\n')
    t.match(plan, index)
  }
})

t.test('the health of numbers says what Meta said, and why it is not known', async t => {
  const { body } = await ask('/health')
  t.equal(body.items.length, 1)
  t.match(body.items[0], { isSimulated: true, href: `/org/${owner.org.slug}/settings/whatsapp` })
  const read = body.items[0].readAt !== null
  await databases.write
    .updateTable('number_standing')
    .set({ facts: JSON.stringify({ quality: { value: 'medium' }, limit: { failure: 'TOKEN' }, token: { value: {} } }) })
    .where('org_id', '=', orgId)
    .execute()
  await databases.write
    .updateTable('wa_connection')
    .set({ messaging_limit: null })
    .where('org_id', '=', orgId)
    .execute()
  const [number] = (await ask('/health')).body.items
  if (read)
    t.match(number, {
      quality: { value: 'medium', why: null },
      limit: { people: null, why: 'refused' },
      token: { why: 'notSaid' },
    })
  await databases.write.deleteFrom('number_standing').where('org_id', '=', orgId).execute()
  const [unread] = (await ask('/health')).body.items
  t.match(unread, { quality: { value: null, why: 'notRead' }, limit: { why: 'notRead' }, token: { why: 'notRead' } })
  t.match((await ask('/health/report', owner.cookie, 'en')).body.csv, /^Number,/)
})

t.test('billing may not read blocks of sends, flows and health; members count only what they see', async t => {
  const as = async (role: string) => (await aMember({ databases, org: owner.org, role })).cookie
  const billing = await as('billing')
  for (const path of ['/bulk-sends', '/flows', '/health', '/flows/report'])
    t.equal((await ask(path, billing)).status, 403, path)
  const viewer = (await ask('/bulk-sends?from=2026-03-10&to=2026-03-11', await as('viewer'))).body
  t.match(viewer, { sends: 2, listHref: null, items: [{ href: null }, { href: null }] })
  const member = (await ask('/bulk-sends?from=2026-03-10&to=2026-03-11', await as('member'))).body
  t.equal(member.sends, 0, 'sends of others, whose people have tags that are not granted')
  const stranger = await aMember({ databases })
  t.match((await ask('/bulk-sends?from=2026-03-10&to=2026-03-11', stranger.cookie)).body, { sends: 0, items: [] })
})

t.test('ranges that cannot be are refused, naming the field', async t => {
  for (const [query, field] of [
    ['from=2026-03-11&to=2026-03-10', 'to'],
    ['from=2015-01-01&to=2026-01-01', 'to'],
    ['from=2999-01-01', 'from'],
    ['from=2026-02-31', 'from'],
  ] as const)
    for (const path of ['/bulk-sends', '/flows', '/bulkSends/report']) {
      const { status, body } = await ask(`${path}?${query}`)
      t.equal(status, 400, `${path}?${query}`)
      t.match(JSON.stringify(body), `query.${field}`)
    }
  t.equal((await ask('/other/report')).status, 400)
})

testOnSqlite('recipients of a figure are found by their indexes, each part in order', async t => {
  const planOf = (filter: Parameters<typeof selectPlaces>[3]['filter']) => {
    const { sql, parameters } = selectPlaces(databases.read, 'x', 'y', { filter, offset: 0, limit: 51 }).compile()
    return databases.raw.read
      .prepare(`explain query plan ${sql}`)
      .all(...(parameters as (string | number)[]))
      .map(row => (row as { detail: string }).detail)
      .join('\n')
  }
  t.match(planOf('optedOut'), 'bulk_recipient_opted_out')
  t.match(planOf({ states: ['delivered', 'read'] }), /bulk_recipient_state[\s\S]*bulk_recipient_state/)
})

testOnSqlite('sends of a range are found by their index', async t => {
  const { sql, parameters } = selectBegun(databases.read, 'x', { since: 'a', until: 'b', limit: 5 }).compile()
  const plan = databases.raw.read
    .prepare(`explain query plan ${sql}`)
    .all(...(parameters as unknown[]))
    .map(row => (row as { detail: string }).detail)
    .join(' ')
  t.match(plan, 'bulk_send_begun')
  t.notMatch(plan, 'TEMP B-TREE')
})
