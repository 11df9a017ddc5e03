import t from 'tap'
import { createReplyNotices } from '#server/features/stats/cost/reply-notices.ts'
import { selectBilled, selectSelected } from '#server/features/stats/cost/sums-store.ts'
import type { SentCounts, SentKey } from '#server/features/stats/cost/table.ts'
import { seesAll } from '#server/identity/visibility/scope.ts'
import { anyTemplate, freeReplies } from '#shared/stats/cost.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'

const backend = await startBackend(t)
const { databases } = backend
const { owner } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
const orgId = owner.org.id
const { id: connectionId, phone } = await databases.read
  .selectFrom('wa_connection')
  .select(['id', 'phone'])
  .where('org_id', '=', orgId)
  .executeTakeFirstOrThrow()
await databases.write.deleteFrom('rate_card').where('org_id', '=', orgId).execute()
await databases.write.deleteFrom('past_rate_card').where('org_id', '=', orgId).execute()
const call = async (
  method: 'GET' | 'PUT' | 'DELETE',
  path: string,
  { cookie = owner.cookie, body = undefined as object | undefined } = {},
) => {
  const reply = await backend.inject({
    method,
    url: `/api${path}`,
    headers: { cookie, 'accept-language': 'es' },
    ...(body ? { payload: body } : {}),
  })
  return { status: reply.statusCode, body: reply.json() }
}
const range = 'from=2026-03-01&to=2026-03-31'

const aDay = (key: Partial<SentKey>, counts: Partial<SentCounts>) =>
  databases.write
    .insertInto('sent_day')
    .values({
      ...{ org_id: orgId, day: '2026-03-10', connection_id: connectionId, country: 'AR', category: 'marketing' },
      ...{ charge: 'regular', source: 'template', template: '' },
      ...{ sent: 0, delivered: 0, read: 0, failed: 0, replied: 0, opted_out: 0 },
      ...key,
      ...counts,
    })
    .execute()

const card = (validFrom: string, currency: string, rates: object[]) =>
  call('PUT', '/whatsapp/rate-card', { body: { validFrom, currency, rates } })

t.test('the costs of a month with two price lists equal those added up by hand', async t => {
  // Until the ninth in dollars, then in pesos: 0.06 dollars and 90 pesos for a promotion.
  await card('2026-02-01', 'USD', [
    { country: 'AR', prices: { MARKETING: 0.06, UTILITY: 0.02 } },
    { country: '*', prices: { MARKETING: 0.1 } },
  ])
  await card('2026-03-10', 'ARS', [{ country: 'AR', prices: { MARKETING: 90, UTILITY: 30, SERVICE: 25 } }])
  await aDay({ day: '2026-02-28', template: 'promo' }, { sent: 500, delivered: 500 })
  await aDay(
    { day: '2026-03-01', template: 'promo', source: 'bulk' },
    { sent: 110, delivered: 100, read: 60, failed: 10, replied: 5, opted_out: 1 },
  )
  await aDay({ day: '2026-03-01', template: 'promo', source: 'bulk', country: 'UY' }, { sent: 10, delivered: 10 })
  await aDay({ day: '2026-03-01', category: 'service', source: 'reply' }, { sent: 4, delivered: 4 })
  await aDay({ day: '2026-03-10', template: 'promo' }, { sent: 3, delivered: 2 })
  await aDay({ day: '2026-03-10', template: 'aviso', category: 'utility', country: '??' }, { sent: 7, delivered: 7 })
  await aDay({ day: '2026-03-10', category: 'service', source: 'reply' }, { sent: 20, delivered: 20 })
  await aDay(
    { day: '2026-03-10', category: 'service', source: 'reply', charge: 'allowance' },
    { sent: 1000, delivered: 1000 },
  )
  await aDay({ day: '2026-03-10', category: 'service', source: 'reply', charge: 'entry' }, { sent: 6, delivered: 6 })
  await aDay({ day: '2026-04-01', template: 'promo' }, { sent: 500, delivered: 500 })

  const { body } = await call('GET', `/stats/blocks/cost?${range}`)
  // 100 × 0.06 + 10 × 0.1 + 4 replies at the price of utility, 0.02; and 2 × 90 + 20 × 25. Seven have no price.
  const amounts = [
    { amount: 680, currency: 'ARS' },
    { amount: 7.08, currency: 'USD' },
  ]
  t.match(body.total, { delivered: 1149, free: 1006, billed: 143, unpriced: 7, amounts })
  t.match(body.byCategory, [
    { category: 'marketing', delivered: 112, billed: 112, amounts: [{ amount: 180 }, { amount: 7 }] },
    { category: 'utility', delivered: 7, unpriced: 7, amounts: [] },
    { category: 'service', delivered: 1030, free: 1006, billed: 24, amounts: [{ amount: 500 }, { amount: 0.08 }] },
  ])
  t.match(body.bySource, [
    { source: 'bulk', amounts: [{ amount: 7, currency: 'USD' }] },
    { source: 'template', amounts: [{ amount: 180, currency: 'ARS' }] },
    { source: 'reply' },
  ])
  t.same(
    body.byCountry.map(({ country, delivered }: { country: string; delivered: number }) => [country, delivered]),
    [
      ['AR', 1132],
      ['UY', 10],
      ['??', 7],
    ],
  )
  t.match(body.byDay, [
    { day: '2026-03-01', billed: 114 },
    { day: '2026-03-10', billed: 29 },
  ])
  t.match(body.cards, [{ validFrom: '2026-02-01' }, { validFrom: '2026-03-10', currency: 'ARS' }])

  const { figures } = (await call('GET', `/stats/summary?${range}`)).body
  t.match(figures.cost, { ...amounts[0], amounts, estimated: true, unpriced: 7 })
  const ofOther = (await call('GET', `/stats/summary?${range}&number=999`)).body
  t.equal(ofOther.figures.cost, null)
  const own = (await call('GET', `/stats/blocks/cost?${range}&number=${phone}`)).body
  t.equal(own.total.billed, 143)

  const { csv } = (await call('GET', `/stats/blocks/cost/report?${range}`)).body
  t.match(csv, 'Día;Categoría;País;Entregados;Gratis;Cobrados;Sin precio;Costo estimado;Moneda\r\n')
  t.match(csv, '2026-03-01;Marketing;UY;10;0;10;0;1;USD\r\n')
  t.match(csv, '2026-03-10;Utilidad;??;7;0;7;7;;\r\n')
})

t.test('the file of a year comes in parts of whole days, the largest, too', async t => {
  const days = Array.from({ length: 366 }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10))
  const countries = Array.from({ length: 60 }, (_, i) => `${String.fromCharCode(65 + (i % 26))}${Math.floor(i / 26)}`)
  const rows = days.flatMap(day =>
    countries.map(country => ({
      ...{ org_id: orgId, day, connection_id: connectionId, country, category: 'marketing' as const },
      ...{ charge: 'regular' as const, source: 'bulk' as const, template: 'x' },
      ...{ sent: 1, delivered: 1, read: 0, failed: 0, replied: 0, opted_out: 0 },
    })),
  )
  for (let i = 0; i < rows.length; i += 500)
    await databases.write
      .insertInto('sent_day')
      .values(rows.slice(i, i + 500))
      .execute()
  const lines: string[] = []
  let parts = 0
  for (let after: string | null | undefined; after !== null; parts += 1) {
    const place: string = after === undefined ? '' : `&after=${after}`
    const { body } = await call('GET', `/stats/blocks/cost/report?from=2024-01-01&to=2024-12-31${place}`)
    const own = body.csv.split('\r\n').slice(0, -1)
    t.ok(own.length <= 2_001)
    lines.push(...own)
    after = body.next
  }
  t.equal(parts, 12)
  t.equal(lines.length, 1 + rows.length)
  t.equal(lines.filter(line => line.startsWith('Día')).length, 1)
  t.same(new Set(lines.slice(1).map(line => line.slice(0, 13))).size, rows.length / 60)
  const asked = await call('GET', '/stats/blocks/cost/report?from=2024-01-01&to=2024-12-31&after=2024-13-45')
  t.match(asked, { status: 400, body: { details: [{ field: 'query.after' }] } })
  const past = await call('GET', '/stats/blocks/cost/report?from=2024-01-01&to=2024-12-31&after=9999-12-31')
  t.match(past, { status: 200, body: { csv: '', next: null } })
  const began = process.threadCpuUsage()
  t.equal((await call('GET', '/stats/blocks/cost?from=2024-01-01&to=2024-12-31')).status, 200)
  const used = process.threadCpuUsage(began)
  t.comment(`block of ${rows.length} sums: ${(used.user + used.system) / 1000} ms`)
  await databases.write.deleteFrom('sent_day').where('day', '<', '2025-01-01').execute()
})

t.test('templates of a range, and the list behind each figure', async t => {
  const { body } = await call('GET', `/stats/blocks/templates?${range}`)
  t.match(body, {
    templates: 2,
    total: { sent: 130, delivered: 119, read: 60, failed: 10, replied: 5, optedOut: 1 },
    items: [
      { template: 'promo', category: 'marketing', sent: 123, delivered: 112 },
      { template: 'aviso', category: 'utility', sent: 7 },
    ],
  })
  const query = body.items[0].href.split('?')[1]
  const list = async (outcome: string) => (await call('GET', `/stats/messages?${query}&outcome=${outcome}`)).body
  t.equal((await list('sent')).total, 123)
  t.equal((await list('failed')).total, 10)
  t.equal((await list('optedOut')).total, 1)
  const { csv } = (await call('GET', `/stats/blocks/templates/report?${range}`)).body
  t.match(csv, 'promo;Marketing;123;112;60;5;10;1\r\n')
})

interface Counts {
  href: string
  delivered: number
  free: number
  billed: number
  [outcome: string]: unknown
}

t.test('every figure of costs and of templates opens a list of as many messages', async t => {
  const totalOf = async (href: string) => (await call('GET', `/stats/messages?${href.split('?')[1]}`)).body.total
  const cost = (await call('GET', `/stats/blocks/cost?${range}`)).body
  const estimates: Counts[] = [cost.total, ...['byCategory', 'bySource', 'byCountry', 'byDay'].flatMap(by => cost[by])]
  t.equal(estimates.length, 1 + 3 + 3 + 3 + 2)
  for (const { href, delivered, free, billed } of estimates) {
    t.equal(await totalOf(href), delivered, href)
    t.equal(await totalOf(`${href}&charge=free`), free, href)
    t.equal(await totalOf(`${href}&charge=regular`), billed, href)
  }
  const templates = (await call('GET', `/stats/blocks/templates?${range}`)).body
  for (const counts of [templates.total, ...templates.items] as Counts[])
    for (const outcome of ['sent', 'delivered', 'read', 'replied', 'failed', 'optedOut'])
      t.equal(await totalOf(`${counts.href}&outcome=${outcome}`), counts[outcome], `${counts.href} ${outcome}`)
  const { figures } = (await call('GET', `/stats/summary?${range}`)).body
  t.equal(await totalOf(figures.cost.href), cost.total.billed)
})

t.test('an earlier price list can be forgotten, and a list of the same day replaces', async t => {
  const past = async () => (await call('GET', '/whatsapp/rate-cards')).body.items
  t.match(await past(), [{ validFrom: '2026-02-01', currency: 'USD' }])
  await card('2026-03-10', 'ARS', [{ country: 'AR', prices: { MARKETING: 95 } }])
  t.equal((await past()).length, 1)
  t.equal((await call('DELETE', '/whatsapp/rate-cards/2026-02-01')).status, 200)
  t.same(await past(), [])
  t.equal((await call('DELETE', '/whatsapp/rate-cards/yesterday')).status, 400)
})

t.test('billing sees costs and nothing else, and others see no costs', async t => {
  const as = async (role: string) => ({ cookie: (await aMember({ databases, org: owner.org, role })).cookie })
  const billing = await as('billing')
  const { body, status } = await call('GET', `/stats/blocks/cost?${range}`, billing)
  t.equal(status, 200)
  t.equal(body.byCategory[0].href, null)
  t.equal((await call('GET', `/stats/blocks/templates?${range}`, billing)).status, 403)
  t.equal((await call('GET', `/stats/messages?${range}`, billing)).status, 403)
  for (const role of ['member', 'developer', 'viewer']) {
    const member = await as(role)
    t.equal((await call('GET', `/stats/blocks/cost?${range}`, member)).status, 403, role)
    t.equal((await call('GET', `/stats/blocks/cost/report?${range}`, member)).status, 403, role)
    t.equal((await call('GET', `/stats/summary?${range}`, member)).body.figures.cost, null, role)
  }
  const stranger = await aMember({ databases })
  t.equal((await call('GET', `/stats/blocks/cost?${range}`, { cookie: stranger.cookie })).body.total.delivered, 0)
  t.equal((await call('GET', `/stats/messages?${range}`, { cookie: stranger.cookie })).body.total, 0)
})

t.test('bad input is refused by its field', async t => {
  for (const path of ['/stats/blocks/cost', '/stats/blocks/cost/report', '/stats/messages', '/stats/blocks/templates'])
    for (const [query, field] of [
      ['from=2026-03-11&to=2026-03-10', 'to'],
      ['from=2015-01-01&to=2026-01-01', 'to'],
      ['from=2999-01-01', 'from'],
    ] as const) {
      const { status, body } = await call('GET', `${path}?${query}`)
      t.equal(status, 400, path)
      t.match(JSON.stringify(body), `query.${field}`)
    }
  t.equal((await call('GET', '/stats/messages?country=Uruguay')).status, 400)
  t.equal((await call('GET', '/stats/messages?outcome=lost')).status, 400)
})

t.test('before the free replies of a month end, people who see costs are notified once for each step', async t => {
  const { parts } = backend
  const notices = createReplyNotices({
    ...parts,
    clock: handClock('2026-11-20T15:00:00.000Z'),
    notifyRoles: parts.notifications.notifyRoles,
    readTimeZone: org => parts.orgSettings.read(org, 'timeZone'),
    findPhone: async () => phone,
  })
  const admin = await aMember({ databases, org: owner.org, role: 'admin' })
  const member = await aMember({ databases, org: owner.org, role: 'member' })
  await databases.write
    .insertInto('reply_month')
    .values({ connection_id: connectionId, month: '2026-11', org_id: orgId, count: 0, notified: 0 })
    .onConflict(conflict => conflict.columns(['connection_id', 'month']).doUpdateSet({ notified: 0 }))
    .execute()
  for (const count of [799, 800, 801, 999, freeReplies, freeReplies + 1])
    await notices.tell({ connectionId, orgId, month: '2026-11', count, notified: 0 })
  await notices.tell({ connectionId, orgId, month: '2026-10', count: 5_000, notified: 0 })
  const notified = async ({ member }: typeof admin) =>
    (await parts.services.notifications.list(member, { query: {} }))
      .map(({ message }) => message)
      .filter(message => message.includes('respuestas gratis'))
  const messages = await notified(admin)
  t.match(messages, [/ usó las 1000 /, / usó 800 de las 1000 /])
  t.equal(messages.length, 2)
  t.same(await notified(owner), messages)
  t.same(await notified(member), [], 'who sees no costs is not notified')
})

testOnSqlite('sums and lists are found by their indexes', async t => {
  const planOf = (query: { compile(): { sql: string; parameters: readonly unknown[] } }) => {
    const { sql, parameters } = query.compile()
    return databases.raw.read
      .prepare(`explain query plan ${sql}`)
      .all(...(parameters as (string | number)[]))
      .map(row => (row as { detail: string }).detail)
      .join('\n')
  }
  const days = { from: '2026-03-01', to: '2026-03-31' }
  t.match(
    planOf(selectBilled(databases.read, 'x', days)),
    /SEARCH sent_day USING INDEX .*\(org_id=\? AND day>\? AND day<\?\)/,
  )
  const viewer = { orgId: 'x', scope: seesAll }
  const page = { offset: 0, limit: 51 }
  const listed = planOf(selectSelected(databases.read, viewer, { ...days, template: 'promo', outcome: 'failed' }, page))
  t.match(listed, 'sent_message_template')
  t.notMatch(listed, 'TEMP B-TREE')
  const all = planOf(
    selectSelected(databases.read, viewer, { ...days, category: 'service', outcome: 'delivered' }, page),
  )
  t.match(all, 'sent_message_time')
  t.notMatch(all, 'TEMP B-TREE')
  const templates = { ...days, template: anyTemplate, outcome: 'sent' } as const
  t.match(planOf(selectSelected(databases.read, viewer, templates, page)), 'sent_message_t')
})
