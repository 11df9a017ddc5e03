import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'

const token = 'scraper-of-the-operator'
const valueIn = (text: string, line: string): number | undefined => {
  const found = text.split('\n').find(one => one.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

t.test('without METRICS_TOKEN there is no such address', async t => {
  const { inject } = await startBackend(t)
  const reply = await inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
  t.same([reply.statusCode, reply.json().code], [404, 'APP_NOT_FOUND'])
})

t.test('the metrics are answered with their token only', async t => {
  const { inject, databases } = await startBackend(t, { env: { METRICS_TOKEN: token } })
  const { cookie } = await aMember({ databases })
  for (const authorization of ['', token, `Basic ${token}`, 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`]) {
    const reply = await inject({ url: '/metrics', headers: { authorization, cookie } })
    t.same([reply.statusCode, reply.json().code], [401, 'APP_METRICS_TOKEN_REQUIRED'], authorization)
    t.equal(reply.headers['www-authenticate'], 'Bearer')
  }
  const reply = await inject({ url: '/metrics', headers: { authorization: `bearer ${token}` } })
  t.equal(reply.statusCode, 200)
  t.match(reply.headers['content-type'], /^text\/plain/)
})

t.test('it counts requests, queues, the process and the database, and names nobody', async t => {
  const { inject, databases, clock, settle } = await startBackend(t, { env: { METRICS_TOKEN: token } })
  const { cookie, org, user } = await aMember({ databases, orgName: 'Panadería Rosa' })
  await inject({ method: 'POST', url: '/api/whatsapp/connection/sandbox', headers: { cookie } })
  await inject({
    method: 'POST',
    url: '/api/sandbox/inbound',
    headers: { cookie, 'content-type': 'application/json' },
    payload: JSON.stringify({ from: '5491155550101', name: 'Ana', type: 'text', text: 'hola' }),
  })
  await settle()
  await inject({ url: '/api/whatsapp/chats/5491155550101', headers: { cookie } })
  await inject({ url: '/api/whatsapp/chats/5491155550101' })
  await inject({ url: '/5491155550101' })
  const scrape = async () => {
    clock.advance(1000)
    const { body } = await inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
    return body
  }
  const job = { org_id: org.id, lane: 1, queue: 'q', pace_key: '', payload: '{}', blocked: 0, attempts: 0 }
  const at = new Date(clock.now().getTime() - 60_000).toISOString()
  await databases.write
    .insertInto('job')
    .values({ ...job, kind: 'outgoing.delivery', state: 'waiting', due_at: at, added_at: at })
    .execute()
  const text = await scrape()

  const chats = 'method="GET",route="/api/whatsapp/chats/:phone"'
  t.equal(valueIn(text, `recado_http_requests_total{${chats},status="2xx"}`), 1)
  t.equal(valueIn(text, `recado_http_requests_total{${chats},status="4xx"}`), 1)
  t.ok(Number(valueIn(text, `recado_http_request_seconds_total{${chats}}`)) > 0)
  t.equal(valueIn(text, 'recado_http_requests_total{method="GET",route="none",status="4xx"}'), 1)
  t.equal(valueIn(text, 'recado_jobs{kind="outgoing.delivery",state="waiting"}'), 1)
  t.equal(valueIn(text, 'recado_job_oldest_seconds{kind="outgoing.delivery"}'), 61)
  t.equal(valueIn(text, 'recado_job_oldest_seconds{kind="outbox.message"}'), 0)
  for (const name of ['recado_database_bytes', 'recado_disk_free_bytes', 'process_resident_memory_bytes'])
    t.ok(Number(valueIn(text, name)) > 1000, name)
  for (const name of ['recado_webhooks_oldest_seconds', 'recado_event_streams', 'nodejs_eventloop_lag_p99_seconds'])
    t.type(valueIn(text, name), 'number', name)
  for (const word of ['5491155550101', 'Ana', 'Rosa', org.id, org.slug, user.id, user.email])
    t.notOk(text.includes(word), word)
})
