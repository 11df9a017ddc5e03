/** However much an organization has: between two turns of the event loop no call that changes something asks SQLite for more than so much. */
import t from 'tap'
import { listRoutes } from '#server/cli/route-list.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { addressOf, exampleOf, type Input } from '#test/helpers/examples.ts'
import { aHouse } from '#test/helpers/house.ts'
import { countedTurn } from '#test/helpers/loop-turn.ts'
import { rowsInto } from '#test/helpers/many-rows.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { mostWorkPerTurn } from '#test/helpers/sqlite-work.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** Some ten milliseconds each; done at once, as many as there are would be far more. */
const mostPerTurn = { statements: 1000, rows: 4500 }
const many = 3000

const house = await aHouse(t, { databases: await freshDatabases(countedTurn()) })
const customer = '5491155550101'
const { owner, ids } = await aNeighbour(house, { orgName: 'Panadería', customer })
const orgId = owner.org.id
const ofOrg = `org_id = '${orgId}'`
const { write } = house.databases.raw
const { copy } = rowsInto(write)
const theOne = (sql: string) => write.prepare(sql).pluck().get() as string

const connectionId = theOne(`select id from wa_connection where ${ofOrg}`)
const waId = (i: number) => `54911${60_000_000 + i}`
const colleague = theOne(`select "userId" from member where "organizationId" = '${orgId}'`)

copy('contact', ofOrg, many, i => ({ id: `c${i}`, wa_id: waId(i), bsuid: null, username: null }))
copy('conversation', ofOrg, many, i => ({ id: `v${i}`, contact_id: `c${i}`, unread: 1 }))
copy('contact_tag', ofOrg, many, i => ({ contact_id: `c${i}` }))
copy('message', `${ofOrg} and direction = 'in'`, many, i => ({ id: `in${i}`, wamid: `wamid.in${i}` }))
copy('message', `${ofOrg} and direction = 'out'`, many, i => ({
  id: `out${i}`,
  conversation_id: `v${i}`,
  wamid: null,
  client_key: null,
  status: 'queued',
  error_code: null,
}))
copy('job', "kind = 'outbox.message'", many, i => ({
  org_id: orgId,
  payload: JSON.stringify({ messageId: `out${i}` }),
  unique_key: `out${i}`,
  order_key: null,
  pace_key: `number ${connectionId}`,
  queue: `outbox.message/1/${orgId}/number ${connectionId}`,
  state: 'scheduled',
  due_at: '2100-01-01T00:00:00.000Z',
  finished_at: null,
}))
copy('notification', ofOrg, many, i => ({ id: `n${i}`, viewed_at: null, place: `p${i}`, conversation_id: `v${i}` }))
copy('sandbox_customer', ofOrg, many, i => ({ wa_id: waId(i), bsuid: `AR.${i}` }))
copy('sandbox_message', ofOrg, many, i => ({ wamid: `wamid.s${i}` }))

/** To everybody who carries the tag. */
const toMany = {
  template: ids.template,
  audience: { tags: { ids: [ids.tag], match: 'any' } },
  values: { image: 'https://example.com/x.png' },
  startIfPlanned: many + 1,
}

/** What the parameters and fields of an address mean there. */
const meant: Readonly<Record<string, Input>> = {
  '/api/notify/mutes/:id': { params: { id: ids.conversation } },
  '/api/sandbox/template/:id': { params: { id: ids.template } },
  '/api/verify/invitations/:id/renewal': { params: { id: ids.invitation } },
  '/api/whatsapp/media/:id/retry': { params: { id: ids.media } },
  '/api/whatsapp/messages/:id/cancel': { params: { id: 'out1' } },
  '/api/whatsapp/messages/:id/reaction': { params: { id: ids.message } },
  '/api/whatsapp/messages/:id/retry': { params: { id: ids.failed } },
  '/api/whatsapp/bulk-sends': { body: toMany },
  '/api/whatsapp/bulk-sends/plan': { body: toMany },
  ...Object.fromEntries(
    ['start', 'pause', 'resume', 'cancel'].map(name => [
      `/api/whatsapp/bulk-sends/:id/${name}`,
      { params: { id: ids.bulkSend } },
    ]),
  ),
  '/api/whatsapp/template/:id': { params: { id: ids.template } },
  '/api/whatsapp/template/:id/:name': { params: { id: ids.template, name: ids.templateName } },
  '/api/whatsapp/conversations/:phone/assignee': { params: { phone: customer }, body: { userId: colleague } },
  '/api/whatsapp/messages': { body: { to: customer } },
  '/api/whatsapp/chat/archive': { body: { phone: customer } },
  '/api/notify/viewed': { body: { ids: [] } },
}
const paramsOf = (url: string): Record<string, unknown> => ({
  phone: customer,
  tagId: ids.tag,
  ...(url.includes('/tags/:id') ? { id: ids.tag } : {}),
  ...meant[url]?.params,
})

/** They take away what the others need. */
const last = ['DELETE /api/whatsapp/tags/:id', 'DELETE /api/sandbox', 'DELETE /api/whatsapp/connection']

t.test('every call that changes something, of an organization that has much', async t => {
  const rank = (call: string) => last.indexOf(call)
  const routes = (await listRoutes())
    .filter(({ method, endpoint }) => method !== 'GET' && endpoint)
    .sort((a, b) => rank(`${a.method} ${a.url}`) - rank(`${b.method} ${b.url}`))
  const done: string[] = []
  for (const { method, url, endpoint } of routes) {
    if (!endpoint) continue
    const example = exampleOf(url, endpoint)
    const input: Input = {
      params: { ...example.params, ...paramsOf(url) },
      query: { ...example.query },
      ...(endpoint.body ? { body: { ...example.body, ...meant[url]?.body } } : {}),
    }
    const call = `${method} ${url}`
    const { statements, rows } = await mostWorkPerTurn(write, async () => {
      const reply = await house.inject({
        method: method as 'POST',
        url: addressOf(url, input),
        headers: { cookie: owner.cookie },
        ...(input.body ? { payload: input.body } : {}),
      })
      if (reply.statusCode < 300) done.push(call)
      // What follows from it counts as well.
      house.house.jobs.wake()
      await house.house.jobs.idle()
    })
    const said = `${call}: ${statements} statements, ${rows} rows in one turn`
    t.ok(statements <= mostPerTurn.statements && rows <= mostPerTurn.rows, said)
  }
  for (const call of last) t.ok(done.includes(call), `${call} was done`)
  t.ok(done.length > 20, `${done.length} were done: ${done.join(', ')}`)
})
