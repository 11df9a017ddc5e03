import t from 'tap'
import { selectSendCosts } from '#server/features/bulk-sends/planning/cost-store.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'

const backend = await startBackend(t)
const { databases } = backend
const { owner, ids } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
const stranger = await aMember({ databases })
const ask = (path: string, cookie: string, language = 'es') =>
  backend.inject({ method: 'GET', url: `/api/stats${path}`, headers: { cookie, 'accept-language': language } })
await databases.write
  .updateTable('bulk_send')
  .set({
    cost: JSON.stringify({ amount: 1.25, unpriced: 2, currency: 'USD', validFrom: '2026-10-01' }),
    delivered: 3,
    read: 4,
    failed: 5,
    omitted: 6,
    planned: 0,
    queued: 0,
    sent: 0,
    replied: 0,
  })
  .where('id', '=', ids.bulkSend)
  .execute()

t.test('the billing role sees what bulk sends cost, and no conversations', async t => {
  const { cookie } = await aMember({ databases, org: owner.org, role: 'billing' })
  const reply = await ask('/costs', cookie)
  t.equal(reply.statusCode, 200, reply.body)
  const sends = await databases.read
    .selectFrom('bulk_send')
    .select('id')
    .where('org_id', '=', owner.org.id)
    .where('is_test', '=', 0)
    .execute()
  t.equal(reply.json().items.length, sends.length)
  const send = reply.json().items.find(({ id }: { id: string }) => id === ids.bulkSend)
  t.match(send, { people: 12, delivered: 7, cost: { amount: 1.25, unpriced: 2, currency: 'USD' } })
  t.equal((await ask('/overview', cookie)).statusCode, 403)
  const report = (await ask('/costs/report', cookie)).json()
  t.equal(report.next, null)
  t.match(report.csv, 'Fecha;Plantilla;Personas;Entregados;Costo estimado;Moneda;Sin precio\r\n')
  t.match(report.csv, /;12;7;"?1,25"?;USD;2\r\n/)
  t.match((await ask('/costs/report', cookie, 'en')).json().csv, /,12,7,1.25,USD,2\r\n/)
  const rest = await ask(`/costs/report?before=${ids.bulkSend}`, cookie)
  t.notMatch(rest.json().csv, 'Fecha')
  t.notMatch(rest.json().csv, '1,25')
})

t.test('owners and administrators see costs and overview; other members no costs; non-members nothing', async t => {
  for (const role of ['owner', 'admin']) {
    const { cookie } = await aMember({ databases, org: owner.org, role })
    t.equal((await ask('/costs', cookie)).statusCode, 200, role)
    t.equal((await ask('/overview', cookie)).statusCode, 200, role)
  }
  for (const role of ['member', 'developer', 'viewer']) {
    const { cookie } = await aMember({ databases, org: owner.org, role })
    t.equal((await ask('/costs', cookie)).statusCode, 403, role)
    t.equal((await ask('/costs/report', cookie)).statusCode, 403, role)
  }
  t.same((await ask('/costs', stranger.cookie)).json(), { items: [], hasMore: false })
})

testOnSqlite('the costs of the newest bulk sends are found by an index', async t => {
  const { sql, parameters } = selectSendCosts(databases.read, 'x', { before: 'y', limit: 51 }).compile()
  const plan = databases.raw.read
    .prepare(`explain query plan ${sql}`)
    .all(...(parameters as unknown[]))
    .map(row => (row as { detail: string }).detail)
    .join(' ')
  t.match(plan, 'bulk_send_newest')
  t.notMatch(plan, 'TEMP B-TREE')
})
