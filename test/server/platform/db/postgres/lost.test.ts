import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { migratedPostgres, openUrl } from '#test/helpers/postgres-db.ts'
import { postgresWay } from '#test/helpers/postgres-way.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** A database whose connection can fail. */
const databasesBehind = async (t: Test, query = '') => {
  const server = await postgresServer()
  const way = await postgresWay(t, server.port)
  const url = new URL(server.urlOf(await server.createDatabase(await migratedPostgres()), { query }))
  url.port = String(way.port)
  return { way, databases: openUrl(url.href) }
}

const startBackendBehind = async (t: Test, query = '') => {
  const { way, databases } = await databasesBehind(t, query)
  return { way, databases, backend: await startBackend(t, { databases }) }
}

t.test('an unreachable database answers 503, and is used again when it is back', async t => {
  const { way, databases, backend } = await startBackendBehind(t)
  const { cookie } = await aMember({ databases })
  const headers = { cookie, origin: 'http://localhost:3000' }
  const calls = [
    { method: 'GET', url: '/api/whatsapp/conversations', headers },
    { method: 'POST', url: '/api/whatsapp/tags', headers, payload: { label: 'Mayorista' } },
    { method: 'POST', url: '/webhooks/whatsapp/nobody', payload: {} },
    { method: 'GET', url: '/api/auth/get-session', headers },
  ] as const
  const list = () => backend.inject(calls[0])
  t.equal((await list()).statusCode, 200)
  while ((await backend.inject({ url: '/readyz' })).statusCode !== 200) backend.clock.advance(1_000)

  way.cut()
  for (const call of calls) {
    const { statusCode, headers: said } = await backend.inject(call)
    t.equal(statusCode, 503, `${call.method} ${call.url}`)
    t.match(said['retry-after'], /^\d+$/)
  }
  backend.clock.advance(5_000)
  t.equal((await backend.inject({ url: '/readyz' })).statusCode, 503)
  t.equal((await backend.inject({ url: '/healthz' })).statusCode, 200, 'the process itself answers')

  way.mend()
  t.equal((await list()).statusCode, 200, 'from the next call on')
  t.equal((await backend.inject(calls[1])).statusCode, 201)
  backend.clock.advance(5_000)
  t.equal((await backend.inject({ url: '/readyz' })).statusCode, 200)
  await backend.close()
  await databases.close()
})

t.test('a connection that stays open without answering is dropped and replaced', async t => {
  const { way, databases, backend } = await startBackendBehind(t, 'statement_timeout=1&connect_timeout=1')
  const { cookie } = await aMember({ databases })
  const add = (label: string) =>
    backend.inject({ method: 'POST', url: '/api/whatsapp/tags', headers: { cookie }, payload: { label } })
  t.equal((await add('Mayorista')).statusCode, 201)
  way.swallow()
  t.equal((await add('Minorista')).statusCode, 503)
  way.mend()
  // A job may hold the writing connection and gives it up by itself.
  let { statusCode } = await add('Minorista')
  while (statusCode === 503) statusCode = (await add('Minorista')).statusCode
  t.equal(statusCode, 201)
  await backend.close()
  await databases.close()
})

t.test('an exhausted pool refuses, and answers again when a connection is free', async t => {
  const { databases, backend } = await startBackendBehind(t, 'pool=3&connect_timeout=1')
  const { cookie } = await aMember({ databases })
  const list = () => backend.inject({ url: '/api/whatsapp/conversations', headers: { cookie } })
  t.equal((await list()).statusCode, 200)
  let leave = () => {}
  const held = databases.read.connection().execute(async () => {
    await new Promise<void>(resolve => {
      leave = resolve
    })
  })
  const refused = await list()
  t.equal(refused.statusCode, 503)
  t.match(refused.headers['retry-after'], /^\d+$/)
  leave()
  await held
  t.equal((await list()).statusCode, 200)
  await backend.close()
  await databases.close()
})

t.test('whichever COMMIT of a send is unanswered, repeated with its key it is stored once', async t => {
  const { way, databases } = await databasesBehind(t)
  const { backend, owner, call } = await chatStage(t, { databases })
  await call('POST', '/sandbox/inbound', { from: '5491150000001', name: 'Ana', type: 'text', text: 'Hola' })
  await backend.settle()
  let heardOfAll = false
  for (let which = 1; which <= 10 && !heardOfAll; which += 1) {
    const text = `Número ${which}`
    const send = () =>
      backend.inject({
        method: 'POST',
        url: '/api/whatsapp/messages',
        headers: { cookie: owner.cookie, 'idempotency-key': `send ${which}` },
        payload: { type: 'text', message: text, numberTel: '5491150000001' },
      })
    way.loseAnswerOfCommit(which)
    const first = await send()
    heardOfAll = way.commits() < which
    t.ok(first.statusCode === 202 || (!heardOfAll && first.statusCode === 503), `${which}: ${first.body}`)
    way.loseAnswerOfCommit(0)
    // The key of an unanswered call is free again after a minute.
    backend.clock.advance(61_000)
    const again = await send()
    t.equal(again.statusCode, 202, `${which}, again: ${again.body}`)
    await backend.settle()
    const { rows } = await sql`select id from message where text = ${text}`.execute(databases.read)
    t.equal(rows.length, 1, text)
  }
  t.ok(heardOfAll, 'every COMMIT reported lost really was unanswered')
  await backend.close()
  await databases.close()
})

for (const [what, code] of [
  ['a serialization failure', '40001'],
  ['a deadlock', '40P01'],
] as const)
  t.test(`${what} at the COMMIT: what stands behind calls is done again, once, and nobody is asked to`, async t => {
    const { databases } = await databasesBehind(t)
    const { backend, call } = await chatStage(t, { databases })
    const times = 3
    for (const statement of [
      'create sequence refusal',
      `create function refuse() returns trigger language plpgsql as $$ begin
        if nextval('refusal') <= ${times} then raise exception 'as the server says it' using errcode = '${code}'; end if;
        return null;
      end $$`,
      'create constraint trigger refuses after insert on message deferrable initially deferred for each row execute function refuse()',
    ])
      await sql.raw(statement).execute(databases.write)
    const inbound = { from: '5491150000001', name: 'Ana', type: 'text', text: 'Hola' }
    t.ok((await call('POST', '/sandbox/inbound', inbound)).status < 300)
    const refused = async () =>
      (await sql<{ n: number }>`select last_value as n from refusal`.execute(databases.read)).rows[0]?.n ?? 0
    while ((await refused()) <= times) {
      backend.clock.advance(1_000)
      await backend.settle()
    }
    await backend.settle()
    t.same(await databases.read.selectFrom('message').select('text').execute(), [{ text: 'Hola' }])
    const rows = await databases.read.selectFrom('webhook_journal').select(['attempts', 'note']).execute()
    t.same(rows, [{ attempts: 0, note: null }], 'it does not count as an attempt of a webhook')
    await backend.close()
    await databases.close()
  })

t.test('a full disk of the server is reported by readyz, until it has had space for a minute', async t => {
  const { databases, backend } = await startBackendBehind(t)
  const { cookie } = await aMember({ databases })
  const add = (label: string) =>
    backend.inject({ method: 'POST', url: '/api/whatsapp/tags', headers: { cookie }, payload: { label } })
  const readyAfter = async (ms: number) => {
    backend.clock.advance(ms)
    const reply = await backend.inject({ url: '/readyz' })
    return [reply.statusCode, reply.json().status]
  }
  while ((await readyAfter(1_000))[0] !== 200);
  // As if the server had no space for another page of this table.
  for (const statement of [
    `create function no_room() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file' using errcode = '53100';
    end $$`,
    'create trigger no_room before insert on tag for each row execute function no_room()',
  ])
    await sql.raw(statement).execute(databases.write)
  const refused = await add('Mayorista')
  t.equal(refused.statusCode, 503)
  t.match(refused.headers['retry-after'], /^\d+$/)
  t.same(await readyAfter(1_000), [503, 'diskFull'])
  await sql`drop trigger no_room on tag`.execute(databases.write)
  t.equal((await add('Mayorista')).statusCode, 201)
  t.same(await readyAfter(30_000), [503, 'diskFull'])
  t.same(await readyAfter(31_000), [200, 'ready'])
  await backend.close()
  await databases.close()
})
