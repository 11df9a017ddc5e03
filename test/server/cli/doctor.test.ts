import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { examine, type Finding } from '#server/cli/examine.ts'
import { createKeyring } from '#server/identity/numbers/keyring.ts'
import { createVault } from '#server/platform/crypto/secrets.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { aMember } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { migratedPostgres, openUrl } from '#test/helpers/postgres-db.ts'
import { fakeS3 } from '#test/helpers/s3.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** Whether the pages are built is the machine's affair, not the test's. */
const findings = async (
  env: Record<string, string>,
  clock = handClock('2090-01-01T00:00:00.000Z'),
): Promise<Map<string, Finding>> => {
  const found = new Map<string, Finding>()
  for await (const finding of examine({ PORT: '0', ...env }, clock)) found.set(finding.name, finding)
  found.delete('Pages')
  return found
}
const ailing = (found: Map<string, Finding>) => [...found.values()].filter(({ fix }) => fix).map(({ name }) => name)

const aDataDir = (t: Test): string => {
  const dataDir = join(t.testdir({}), 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  return dataDir
}

const anInstallation = async (t: Test) => {
  const dataDir = aDataDir(t)
  const databases = openDatabase(join(dataDir, 'recado.db'))
  t.teardown(() => databases.close())
  await migrate(databases.write)
  return { dataDir, databases, env: { DATA_DIR: dataDir } }
}

const onPostgres = async (t: Test): Promise<Awaited<ReturnType<typeof anInstallation>>> => {
  const dataDir = aDataDir(t)
  const server = await postgresServer()
  const url = server.urlOf(await server.createDatabase(await migratedPostgres()))
  const databases = openUrl(url)
  t.teardown(() => databases.close())
  const env = { DATA_DIR: dataDir, DATABASE_URL: url }
  return { dataDir, databases, env }
}

/** What lies in a database is looked at alike on both engines. */
const onBoth = (title: string, run: (t: Test, make: typeof anInstallation) => Promise<void>) => {
  t.test(title, t => run(t, anInstallation))
  t.test(`${title}, on PostgreSQL`, t => run(t, onPostgres))
}

onBoth('a healthy installation has nothing to mend', async (t, make) => {
  const { env } = await make(t)
  const found = await findings(env)
  t.same(ailing(found), [])
  for (const name of [
    'Node',
    'Native module',
    'Texts',
    'Environment',
    'Data folder',
    'Disk',
    'Files',
    'Database',
    'Secret',
    'Migrations',
    'Webhooks',
    'Waiting',
    'Put aside',
    'Backups',
    'WhatsApp',
    'Address',
    'Mail',
    'Encryption',
    'Passwords',
    ...(make === anInstallation ? ['Durability'] : []),
  ])
    t.ok(found.get(name), name)
})

t.test('a place without an installation is fine too, and stays untouched', async t => {
  const dataDir = join(t.testdir({}), 'none')
  t.same(ailing(await findings({ DATA_DIR: dataDir })), [])
  t.notOk((await import('node:fs')).existsSync(dataDir))
})

t.test('every wrong variable is named', async t => {
  const found: Finding[] = []
  for await (const finding of examine({ PORT: '70000', SIGNUP: 'maybe', GRAPH_VERSION: '25' }, handClock()))
    found.push(finding)
  const text = found
    .filter(({ fix }) => fix)
    .map(({ says }) => says)
    .join('\n')
  t.match(text, /PORT="70000"/)
  t.match(text, /SIGNUP="maybe"/)
  t.match(text, /GRAPH_VERSION="25"/)
})

t.test('a bucket that refuses the key is reported with its fix', async t => {
  const { dataDir } = await anInstallation(t)
  const { env } = await fakeS3(t)
  t.same(ailing(await findings({ DATA_DIR: dataDir, ...env })), [])
  const found = await findings({ DATA_DIR: dataDir, ...env, AWS_SECRET_ACCESS_KEY: 'another' })
  t.match(found.get('Files'), { says: /refused the key/, fix: /AWS_SECRET_ACCESS_KEY/ })
})

t.test('files that other users can read are reported with the command that closes them', async t => {
  const { dataDir } = await anInstallation(t)
  chmodSync(dataDir, 0o755)
  t.equal((await findings({ DATA_DIR: dataDir })).get('Data folder')?.fix, `chmod 700 ${dataDir}`)
  chmodSync(dataDir, 0o700)
  writeFileSync(join(dataDir, 'secret'), 'x'.repeat(40))
  chmodSync(join(dataDir, 'secret'), 0o644)
  t.equal((await findings({ DATA_DIR: dataDir })).get('Data folder')?.fix, `chmod 600 ${join(dataDir, 'secret')}`)
})

t.test('a database that is none, and one that lacks migrations', async t => {
  const folder = t.testdir({
    broken: { 'recado.db': 'not a database, but long enough to be read as one'.repeat(40) },
    old: {},
  })
  chmodSync(join(folder, 'broken'), 0o700)
  t.ok((await findings({ DATA_DIR: join(folder, 'broken') })).get('Database')?.fix)
  chmodSync(join(folder, 'old'), 0o700)
  await openDatabase(join(folder, 'old', 'recado.db')).close()
  t.equal((await findings({ DATA_DIR: join(folder, 'old') })).get('Migrations')?.fix, 'npm start')
})

t.test('on PostgreSQL a database that is not there, and one that lacks migrations', async t => {
  const server = await postgresServer()
  const look = (DATABASE_URL: string) => findings({ DATA_DIR: aDataDir(t), DATABASE_URL })
  const none = await look(server.urlOf('nowhere'))
  t.match(none.get('Database'), { says: /no database "nowhere"/, fix: /createdb/ })
  t.notOk(none.has('Migrations'), 'nothing behind it is asked')
  t.match((await look(server.urlOf(await server.createDatabase()))).get('Migrations'), { fix: 'npm start' })
})

onBoth('a clock before this version, and webhooks from the future', async (t, make) => {
  const { databases, env } = await make(t)
  t.ok((await findings(env, handClock('2001-01-01T00:00:00.000Z'))).get('Clock')?.fix)
  const row = {
    connection_id: null,
    received_at: '2091-01-01T00:00:00.000Z',
    raw: Buffer.from('{}'),
    state: 1,
    note: null,
  }
  await databases.write.insertInto('webhook_journal').values(row).execute()
  t.ok((await findings(env)).get('Webhooks')?.fix)
})

onBoth('what waits is told with its age, and is to mend when it is late', async (t, make) => {
  const { databases, env } = await make(t)
  const at = '2090-01-01T00:00:00.000Z'
  const look = async (now: string) => (await findings(env, handClock(now))).get('Waiting')
  t.match(await look(at), { says: 'nothing', fix: undefined })
  await databases.write
    .insertInto('webhook_journal')
    .values({ connection_id: null, received_at: at, raw: Buffer.from('{}'), state: 0, note: null })
    .execute()
  const { org } = await aMember({ databases })
  const job = {
    org_id: org.id,
    kind: 'outbox.message',
    lane: 0,
    queue: 'q',
    pace_key: 'number',
    payload: '{}',
    state: 'waiting',
    blocked: 0,
    attempts: 0,
    due_at: '2090-01-01T00:00:30.000Z',
    added_at: at,
  }
  await databases.write
    .insertInto('job')
    .values(job as never)
    .execute()
  t.match(await look('2090-01-01T00:01:00.000Z'), { says: 'webhooks 60 s, outbox.message 30 s', fix: undefined })
  t.match(await look('2090-01-01T00:30:00.000Z'), { says: /^webhooks 1800 s/, fix: /npm start/ })
})

onBoth('what was put aside is told, and is to mend unless it only waits for a newer version', async (t, make) => {
  const { databases, env } = await make(t)
  const look = async () => (await findings(env)).get('Put aside')
  t.match(await look(), { says: 'nothing', fix: undefined })
  const { org } = await aMember({ databases })
  const at = '2026-11-22T10:00:00.000Z'
  await databases.write
    .insertInto('untaken_item')
    .values({ seq: 1, place: 0, org_id: org.id, name: 'calls', item: '{}', at })
    .execute()
  t.match(await look(), { says: 'webhooks kept for a newer version: calls 1', fix: undefined })
  await databases.write
    .insertInto('webhook_journal')
    .values([2, 3].map(state => ({ connection_id: null, received_at: at, raw: Buffer.from('{}'), state, note: null })))
    .execute()
  t.match(await look(), {
    says: /^webhooks that could not be applied: 1; webhooks of numbers that are not connected: 1; webhooks/,
    fix: /log/,
  })
})

t.test('a taken port: by another program, by Recado itself', async t => {
  let reply = 'hello'
  const server = createServer((_request, response) => response.end(reply))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  const port = String((server.address() as AddressInfo).port)
  const dataDir = join(t.testdir({}), 'none')
  t.match((await findings({ DATA_DIR: dataDir, PORT: port })).get('Address')?.fix, /^PORT=\d+ npm start$/)
  reply = '{"status":"ok"}'
  t.notOk((await findings({ DATA_DIR: dataDir, PORT: port })).get('Address')?.fix)
})

onBoth('a number whose app is not subscribed to what customers write is red', async (t, make) => {
  const { databases, env } = await make(t)
  const { org } = await aMember({ databases, slug: 'la-esquina' })
  const secret = 'un secreto de sobra, largo como hace falta'
  const keyring = createKeyring({ databases, clock: handClock(), vault: createVault(secret) })
  const keys = keyring.encrypt('c', { accessToken: 'EAAtoken', appSecret: 'shh', verifyToken: 'v' })
  const at = '2026-11-20T13:00:00.000Z'
  const row = {
    ...{ id: 'c', org_id: org.id, phone_number_id: '1', waba_id: '2', phone: '5491150000000', verified_name: null },
    ...{ kind: 'cloud' as const, status: 'connected' as const, status_reason: null, last_webhook_at: null },
    access_token_sealed: keys.accessToken,
    app_secret_sealed: keys.appSecret,
    verify_token_sealed: keys.verifyToken,
    created_at: at,
    updated_at: at,
  }
  await databases.write.insertInto('wa_connection').values(row).execute()
  let fields = ['messages', 'calls']
  const answerOf = (path: string) => {
    if (path.includes('/debug_token')) return { data: { app_id: '7', is_valid: true, scopes: [] } }
    if (path.includes('/7/subscriptions'))
      return { data: [{ object: 'whatsapp_business_account', fields: fields.map(name => ({ name })) }] }
    if (path.includes('/phone_numbers')) return { data: [{ id: '1' }] }
    return { id: '1', display_phone_number: '+54 9 11 5000 0000' }
  }
  const graph = createServer((request, reply) => {
    reply.setHeader('content-type', 'application/json')
    reply.end(JSON.stringify(answerOf(request.url ?? '')))
  })
  await new Promise<void>(resolve => graph.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void graph.close())
  const there = { ...env, AUTH_SECRET: secret, GRAPH_URL: `http://127.0.0.1:${(graph.address() as AddressInfo).port}` }
  const red = (await findings(there)).get('WhatsApp la-esquina')
  t.match(red, { says: /not subscribed to standby, messaging_handovers, history/, fix: /Webhook fields/ })
  fields = ['messages', 'calls', 'standby', 'messaging_handovers', 'history']
  t.notOk((await findings(there)).get('WhatsApp la-esquina')?.fix)
})

onBoth('a number whose secret is gone can be told from one that works', async (t, make) => {
  const { databases, env } = await make(t)
  const { org } = await aMember({ databases, slug: 'la-esquina' })
  const at = '2026-11-20T13:00:00.000Z'
  const sealed = { access_token_sealed: 'v1.x', app_secret_sealed: 'v1.x', verify_token_sealed: 'v1.x' }
  const number = {
    phone_number_id: '1',
    waba_id: '2',
    phone: '5491150000000',
    verified_name: null,
    kind: 'cloud' as const,
    status: 'connected' as const,
  }
  const row = {
    id: 'c',
    org_id: org.id,
    ...number,
    ...sealed,
    status_reason: null,
    last_webhook_at: null,
    created_at: at,
    updated_at: at,
  }
  await databases.write.insertInto('wa_connection').values(row).execute()
  t.match((await findings(env)).get('WhatsApp la-esquina')?.fix, /DATA_DIR\/secret/)
})

onBoth('what a clock that ran ahead has left is told, and nothing else is', async (t, make) => {
  const { env, databases } = await make(t)
  const clock = handClock('2026-11-20T13:00:00.000Z')
  const ahead = async () => (await findings(env, clock)).get('Far ahead')
  const pace = { org_id: 'a', pace_key: 'number', per_second: null }
  const worker = { id: 'living', place: null, pid: 1 }
  await databases.write
    .insertInto('job_pace')
    .values({ ...pace, free_at: '2026-11-20T13:05:00.000Z' })
    .execute()
  await databases.write
    .insertInto('job_worker')
    .values({ ...worker, seen_at: '2026-11-20T13:00:30.000Z' })
    .execute()
  t.match(await ahead(), { says: 'nothing lies further ahead than it may' }, 'a pause, and clocks that differ a little')
  await databases.write.updateTable('job_pace').set({ free_at: '2026-11-21T13:05:00.000Z' }).execute()
  await databases.write.updateTable('job_worker').set({ seen_at: '2026-11-21T13:00:00.000Z' }).execute()
  const said = await ahead()
  t.match(said?.says, /pauses of numbers: 1, processes last seen later than now: 1/)
  t.match(said?.fix, /clock|time/i)
})
