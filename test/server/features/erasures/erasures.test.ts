import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { sweptTables } from '#server/features/erasures/sweep-store.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { aBulkDraft } from '#test/helpers/bulk-drafts.ts'
import { aBulkStage, phones } from '#test/helpers/bulk-stage.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { isOnSqlite, testOnSqlite } from '#test/helpers/engine.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const customer = '5491155550101'
const other = '5491155550202'
/** Names, texts and numbers that occur nowhere else. */
const words = {
  number: '1155550101',
  name: 'Zenaida',
  ours: 'Zenobia',
  said: 'xilofonista',
  answer: 'yataganes',
  note: 'wolframio',
  noted: 'vermiculita',
  file: 'ukelele',
}

/** Every text and every byte of every table, including future ones. */
const everything = async ({ read }: Databases): Promise<Map<string, string>> => {
  const tables = isOnSqlite
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
    : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`
  const found = new Map<string, string>()
  for (const { name } of (await tables.execute(read)).rows) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(read)
    const text = rows.map(row =>
      Object.values(row)
        .map(value => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
        .join('\n'),
    )
    found.set(name, text.join('\n'))
  }
  return found
}

const whereStands = async (databases: Databases): Promise<string[]> =>
  [...(await everything(databases))].flatMap(([table, text]) =>
    Object.values(words)
      .filter(word => text.toLowerCase().includes(word.toLowerCase()))
      .map(word => `${table}: ${word}`),
  )

/** Tables erased by a step of their own instead of by `sweptTables`. */
const ownSteps = [
  ...[
    'contact',
    'contact_merge',
    'contact_merge_message',
    'message',
    'scheduled_message',
    'chat_draft',
    'flow_session',
    'bulk_recipient',
    'job',
    'webhook_journal',
    'stats_export',
    'stats_export_part',
    'org_archive',
    'chat_import_chat',
    'chat_import_made',
  ],
  ...['sandbox_customer', 'sandbox_message', 'sandbox_media'],
]
/** Tables of an organization or the installation, without customer data. */
const ofNobody = [
  // A count: its conversation goes, and what is left names nobody.
  ...['conversation_segment', 'conversation_segment_pack', 'conversation_segment_read'],
  // Likewise; ids of messages that are gone say nothing.
  ...['sent_day', 'sent_message', 'sent_message_due', 'sent_message_read', 'reply_month', 'past_rate_card'],
  ...['meta_price', 'meta_price_reading', 'bulk_send_curve'],
  // An upload of a program, kept for thirty days: it does not say to whom it was sent.
  'gateway_file',
  // Who gets a report by mail.
  ...['stats_report', 'stats_report_recipient', 'stats_report_asked'],
  ...['assignment_rule', 'availability'],
  ...['account', 'apikey', 'backup_code', 'content_access', 'content_access_setting', 'contact_field', 'erasure'],
  ...[
    'flow',
    'flow_day',
    'flow_hook',
    'flow_presence',
    'flow_replay',
    'flow_replayed',
    'flow_secret',
    'flow_settings',
    'flow_test',
    'flow_version',
    'outgoing_webhook',
    'former_slug',
    'installation',
    'invitation',
  ],
  ...[
    'invitation_renewal',
    'job_lease',
    'job_pace',
    'job_worker',
    'member',
    'notification_mute',
    'opt_out_mark',
    'block_mark',
  ],
  ...[
    'file_use',
    'row_use',
    'notification_setting',
    'opt_out_settings',
    'org_counter',
    'org_deletion',
    'org_settings',
    'organization',
  ],
  ...[
    'push_key',
    'upstream_event',
    'upstream_key',
    'upstream_stream',
    'push_subscription',
    'rate_card',
    'ready_answer',
    'ready_answer_file',
    'sandbox_fault',
    'sandbox_number',
  ],
  ...[
    'number_standing',
    'snapshot',
    'sandbox_template',
    'sandbox_upload',
    'search_org',
    'search_outline',
    'search_pending',
    'search_place',
    'second_factor',
    'session',
  ],
  ...['second_factor_setup', 'sign_in_budget', 'sign_in_flow', 'site_audit_entry', 'sso_attempt', 'sso_demand'],
  ...[
    'saved_view',
    'sso_identity',
    'sso_provider',
    'tag',
    'team',
    'teamMember',
    'template',
    'template_media',
    'template_sync',
  ],
  ...['oauth_code', 'oauth_program', 'oauth_token'],
  ...['trusted_device', 'user', 'verification', 'wa_connection'],
  // Hashes, paths and Meta's file ids, not linked to a recipient; deleted within a day and a month.
  ...['received_file', 'uploaded_file'],
  // The request of a plan is deleted once the plan is written, for which an erasure waits.
  'bulk_send',
  'bulk_send_text',
  // Records which calls were made, not their content.
  'api_call',
  'bulk_pace',
]

const stage = async (t: Test, databases?: Databases) => {
  const clock = handClock('2026-11-20T13:00:00.000Z')
  const backend = await startBackend(t, { clock, ...(databases ? { databases } : {}) })
  const owner = await aMember({ databases: backend.databases, orgName: 'Panadería' })
  const orgId = owner.org.id
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    who: AMember = owner,
    headers: Record<string, string> = {},
  ) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: who.cookie, ...headers },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call('POST', '/whatsapp/connection/sandbox')
  const say = async (text: string, from = customer, name = words.name) => {
    await call('POST', '/sandbox/inbound', { from, name, text })
    await backend.settle()
  }
  const chat = `/whatsapp/conversations/${customer}`
  const erase = (body: object = {}, who?: AMember) =>
    call('POST', `${chat}/erasure`, { reason: 'asked', confirm: '+54 9 11 5555-0101', ...body }, who)
  /** Creates data of one person in every feature that can hold any. */
  const live = async () => {
    await say(`${words.said} uno`)
    await say('hola', other, 'Bruno')
    const picture = { from: customer, type: 'image', caption: words.file, dataBase64: pixel }
    await call('POST', '/sandbox/inbound', picture)
    await backend.settle()
    const answer = { type: 'text', message: words.answer, numberTel: customer }
    await call('POST', '/whatsapp/messages', answer, owner, { 'idempotency-key': 'k1' })
    await call('PATCH', `${chat}/contact`, { name: words.ours, note: words.noted })
    await call('POST', `${chat}/notes`, { text: words.note }, owner, { 'idempotency-key': 'k2' })
    await call('POST', '/whatsapp/bulk-drafts', { steps: aBulkDraft({ numbers: '11 5555-0101' }) })
    await backend.databases.write
      .insertInto('webhook_event')
      .values({
        ...{ id: 'told', org_id: orgId, type: 'action.tapped', line: null },
        ...{ body: JSON.stringify({ data: { contact: { phone: customer } } }), created_at: '2026-11-20T12:00:00.000Z' },
      })
      .execute()
    await backend.databases.write
      .insertInto('webhook_delivery')
      .values({
        ...{ id: 'told', org_id: orgId, webhook: 'orders', event_id: 'told', type: 'action.tapped', state: 'failed' },
        ...{ attempts: 1, created_at: '2026-11-20T12:00:00.000Z', answer: `thanks, ${customer}` },
        ...{ attempted_at: null, status: null, failure: null, took_ms: null },
      })
      .execute()
    await call('POST', '/whatsapp/incoming-hooks', {
      ...{ name: 'Pedidos', action: { kind: 'note', number: '{{phone}}', text: 'Llamó' } },
      sample: JSON.stringify({ phone: customer }),
    })
    const hook = await backend.databases.read.selectFrom('incoming_hook').select('id').executeTakeFirstOrThrow()
    await backend.databases.write
      .insertInto('incoming_call')
      .values({
        ...{ id: 'asked', org_id: orgId, hook_id: hook.id, at: '2026-11-20T12:00:00.000Z', state: 'done' },
        ...{ outcome: '{}', number: customer, body: '{"phone":"011 15 5555-0101"}', bytes: 2, took_ms: 1 },
        ...{ client_key: null, replay_of: null },
      })
      .execute()
    await call('POST', `${chat}/block`)
    clock.advance(10_000)
    await backend.settle()
  }
  const settle = async () => {
    for (let i = 0; i < 5; i += 1) {
      clock.advance(1_000)
      await backend.settle()
    }
  }
  return { clock, backend, databases: backend.databases, owner, orgId, call, say, chat, erase, live, settle }
}

t.test('no table has data of an erased person, and a record says who erased them, when and why', async t => {
  const { backend, databases, call, erase, live, settle, chat } = await stage(t)
  await live()
  const stood = await whereStands(databases)
  for (const table of [
    'message',
    'contact',
    'event',
    'webhook_journal',
    'sandbox_message',
    'audit_entry',
    'bulk_draft',
    'webhook_event',
    'webhook_delivery',
    'incoming_call',
    'incoming_hook',
  ])
    t.ok(
      stood.some(place => place.startsWith(`${table}:`)),
      `it was in ${table}`,
    )
  const paths = await databases.read.selectFrom('media').select('path').execute()
  const files = paths.map(({ path }) => join(backend.dataDir, 'media', path as string))
  t.ok(files.length && files.every(file => existsSync(file)))

  const begun = await erase()
  t.match(begun, { status: 200, body: { reason: 'asked', finishedAt: null, requestedBy: 'Ana Prueba' } })
  await settle()
  t.same(await whereStands(databases), [])
  t.notOk(files.some(file => existsSync(file)))
  t.equal((await call('GET', chat)).status, 404)
  const { items } = (await call('GET', '/organization/erasures')).body
  t.match(items, [{ reason: 'asked', percent: 100, requestedBy: 'Ana Prueba' }])
  t.ok(items[0].messages >= 4 && items[0].finishedAt)
  t.equal((await call('GET', '/organization/erasures?phone=%2B54%2011%205555-0101')).body.items.length, 1)
  t.equal((await call('GET', `/organization/erasures?phone=${other}`)).body.items.length, 0)
  const entries = (await call('GET', '/organization/audit')).body.items
  t.match(entries[0], { action: 'contactErased', subject: null, changes: [] })
  t.match(entries[1], { action: 'contactBlocked', subject: null })
  t.match((await call('GET', '/whatsapp/conversations')).body.items, [{ name: 'Bruno', lastMessage: { text: 'hola' } }])
  t.same(backend.errors(), [])
})

testOnSqlite('every table is erased with the person, swept, or listed with the reason why it names nobody', async t => {
  const { raw } = await freshDatabases()
  const tables = raw.read
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all() as string[]
  const goes = new Set([...ownSteps, ...sweptTables.map(({ name }) => name)] as string[])
  const follows = (table: string) =>
    (raw.read.pragma(`foreign_key_list("${table}")`) as { table: string; on_delete: string }[]).some(
      key => key.on_delete === 'CASCADE' && goes.has(key.table),
    )
  for (let before = 0; before < goes.size; ) {
    before = goes.size
    for (const table of tables) if (follows(table)) goes.add(table)
  }
  const known = new Set([...goes, ...ofNobody])
  t.same(
    tables.filter(table => !known.has(table) && !/^(kysely_|message_index|contact_index)/.test(table)),
    [],
    'say in server/features/erasures how a person goes out of it, or here why nobody is in it',
  )
  t.same(
    [...known].filter(table => !tables.includes(table)),
    [],
    'no table is named that is none any more',
  )
})

testOnSqlite('after an erasure the database file and its log contain no byte of the person', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-erasure-'))
  const path = join(folder, 'recado.db')
  const databases = openDatabase(path)
  t.teardown(async () => {
    await databases.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await migrate(databases.write)
  const { live, erase, settle, backend } = await stage(t, databases)
  await live()
  // As after some time: messages are indexed, and the write-ahead log is merged into the database file.
  await settle()
  const bytes = () =>
    ['', '-wal'].map(end => (existsSync(path + end) ? readFileSync(path + end, 'latin1') : '')).join('')
  const found = () => Object.values(words).filter(word => bytes().toLowerCase().includes(word.toLowerCase()))
  t.same(found(), Object.values(words), 'it was there')
  await erase()
  await settle()
  t.same(found(), [])
  t.same(backend.errors(), [])
})

t.test('an erasure needs confirmation, an owner or administrator, and an existing conversation', async t => {
  const { databases, call, erase, say, owner } = await stage(t)
  await say('hola')
  const member = await aMember({ databases, org: owner.org, role: 'member' })
  const admin = await aMember({ databases, org: owner.org, role: 'admin' })
  t.equal((await erase({}, member)).status, 403)
  t.equal((await call('GET', '/organization/erasures', undefined, member)).status, 403)
  for (const confirm of [other, 'Lucía', ''])
    t.match(await erase({ confirm }), { status: 400, body: { details: [{ field: 'body.confirm' }] } }, confirm)
  t.match(await erase({ reason: 'porque sí' }), { status: 400, body: { details: [{ field: 'body.reason' }] } })
  t.match(await call('POST', `/whatsapp/conversations/${other}/erasure`, { reason: 'asked', confirm: other }), {
    status: 404,
  })
  t.match(await call('GET', '/organization/erasures?phone=abc'), {
    status: 400,
    body: { details: [{ field: 'query.phone' }] },
  })
  const first = await erase({ confirm: '541155550101' }, admin)
  t.equal(first.status, 200)
})

t.test('an erased person who returns is a new contact, and their opt-out is remembered', async t => {
  const { databases, call, chat, erase, say, settle } = await stage(t)
  await say('BAJA')
  t.ok((await call('GET', chat)).body.optOut)
  const before = await databases.read.selectFrom('contact').select('id').execute()
  await erase()
  await settle()
  t.equal((await databases.read.selectFrom('opt_out_mark').selectAll().execute()).length > 0, true)
  t.same(await whereStands(databases), [])
  await say('hola de nuevo')
  const after = await databases.read.selectFrom('contact').select(['id', 'opt_out']).execute()
  t.equal(after.length, 1)
  t.not(after[0]?.id, before[0]?.id)
  t.match((await call('GET', chat)).body, { name: words.name, optOut: { source: 'keyword', note: null } })
  const { items } = (await call('GET', `/whatsapp/chats/${customer}`)).body
  t.same(
    items.map((message: { text: string }) => message.text),
    ['hola de nuevo'],
  )
  t.same(await databases.read.selectFrom('opt_out_mark').selectAll().execute(), [], 'it is the contact’s again')
})

t.test('a blocked person who returns after an erasure is still blocked: not listed, notifying nobody', async t => {
  const { databases, call, chat, erase, say, settle } = await stage(t)
  await say('hola')
  await call('POST', `${chat}/block`)
  await settle()
  await erase()
  await settle()
  t.equal((await databases.read.selectFrom('contact').select('id').execute()).length, 0)
  t.same(await whereStands(databases), [])
  const notices = await databases.read.selectFrom('notification').select(['id', 'count']).execute()
  // The simulator has forgotten the block too and delivers, like a number that WhatsApp could not block.
  await say('hola de nuevo')
  t.same((await call('GET', '/whatsapp/conversations?archived=false')).body.items, [])
  t.match((await call('GET', '/whatsapp/conversations?archived=true')).body.items, [
    { lastMessage: { text: 'hola de nuevo' }, unread: 0 },
  ])
  t.match((await call('GET', `${chat}/contact`)).body.block, { at: '2026-11-20T13:00:00.000Z', by: 'Ana Prueba' })
  t.same(await databases.read.selectFrom('notification').select(['id', 'count']).execute(), notices)
  t.same(await databases.read.selectFrom('block_mark').selectAll().execute(), [], 'it is the contact’s again')
  await call('DELETE', `${chat}/block`)
  await erase()
  await settle()
  await say('y otra vez')
  t.equal((await call('GET', `${chat}/contact`)).body.block, null, 'who was let in again before is')
})

t.test('messages in flight finish first, and queued ones are not sent', async t => {
  const { databases, call, erase, say, settle, orgId } = await stage(t)
  await say('hola')
  const { id } = await databases.read.selectFrom('conversation').select('id').executeTakeFirstOrThrow()
  const place = { org_id: orgId, kind: 'elsewhere', lane: 0, queue: 'elsewhere/0//', order_key: `conversation ${id}` }
  const at = '2026-11-20T13:00:00.000Z'
  const running = { ...place, pace_key: '', payload: '{}', state: 'running', blocked: 0, attempts: 1, due_at: at }
  await databases.write
    .insertInto('job')
    .values({ ...running, owner: 'another', added_at: at } as never)
    .execute()
  const answer = { type: 'text', message: words.answer, numberTel: customer }
  t.equal((await call('POST', '/whatsapp/messages', answer)).status, 202)
  await erase()
  await settle()
  t.match((await call('GET', '/organization/erasures')).body.items, [{ percent: 0, finishedAt: null }])
  t.same((await call('GET', '/whatsapp/contacts')).body.items, [], 'nobody is listed while it goes on')
  t.ok((await databases.read.selectFrom('message').select('id').execute()).length)
  await databases.write.deleteFrom('job').where('kind', '=', 'elsewhere').execute()
  await settle()
  t.match((await call('GET', '/organization/erasures')).body.items, [{ percent: 100 }])
  t.same(await whereStands(databases), [])
  const sent = await databases.read.selectFrom('sandbox_message').select('body').execute()
  t.same(
    sent.filter(({ body }) => body.includes(words.answer)),
    [],
  )
})

t.test('an interrupted erasure continues where it was, and a second call finds the first', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const { backend, erase, live, call, clock } = await stage(t, databases)
  await live()
  const conversation = await databases.read
    .selectFrom('message')
    .select('conversation_id as id')
    .where('text', 'like', `%${words.answer}%`)
    .executeTakeFirst()
  const first = (await erase()).body
  const again = await call('POST', `/whatsapp/conversations/${conversation?.id}/erasure`, {
    reason: 'mistake',
    confirm: customer,
  })
  t.match(again, { status: 200, body: { id: first.id, reason: 'asked' } })
  await backend.close()
  t.match(await databases.read.selectFrom('erasure').select('finished_at').execute(), [{ finished_at: null }])
  const next = await startBackend(t, { clock, databases })
  for (let i = 0; i < 5; i += 1) {
    clock.advance(1_000)
    await next.settle()
  }
  t.same(await whereStands(databases), [])
  const rows = await databases.read.selectFrom('erasure').selectAll().execute()
  t.match(rows, [{ target: null, contact_id: null, finished_at: /./ }])
  t.same(next.errors(), [])
})

t.test('a bulk recipient’s rows are anonymized and its counts stay; a pending recipient gets nothing', async t => {
  const { backend, ask, later, create, report, recipients, template } = await aBulkStage(t)
  const [one, two, three] = phones(3) as [string, string, string]
  const erase = (phone: string) =>
    ask('POST', `/whatsapp/conversations/${phone}/erasure`, { reason: 'asked', confirm: phone })
  const sent = await create({ audience: { numbers: `${one}\n${two}` }, startIfPlanned: 2 })
  await backend.settle()
  for (let i = 0; i < 3; i += 1) await later(20_000)
  const planned = await create({ audience: { numbers: `${one}\n${three}` } })
  await backend.settle()
  await ask('POST', '/sandbox/inbound', { from: one, text: 'BAJA' })
  await backend.settle()
  t.match(await report(planned), { state: 'ready', counts: { planned: 2 } })
  const before = (await report(sent)).counts
  await erase(one)
  for (let i = 0; i < 3; i += 1) await later(1_000)
  t.same((await report(sent)).counts, before)
  t.same(
    (await recipients(sent)).map(({ given }) => given),
    ['', two],
  )
  t.match(await report(planned), { state: 'ready', counts: { planned: 1, omitted: 1 } })
  const offer = await template('Esta semana todas las medialunas a mitad de precio.', 'MARKETING')
  const plan = await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', {
    template: offer,
    audience: { numbers: `${one}\n${two}` },
  })
  t.match(plan.json, { planned: 1, omitted: [{ reason: 'optedOut', count: 1 }] })
  const again = await create({ audience: { unanswered: { send: sent.id } } })
  await backend.settle()
  t.match(await report(again), { counts: { planned: 1, omitted: 0 } }, 'nobody is no audience')
  await ask('POST', `/whatsapp/conversations/${two}/block`)
  await erase(two)
  for (let i = 0; i < 3; i += 1) await later(1_000)
  const without = await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', {
    template: offer,
    audience: { numbers: `${two}\n${three}` },
  })
  t.match(without.json, { planned: 1, omitted: [{ reason: 'blocked', count: 1 }] }, 'who was blocked stays so')
  t.same(backend.errors(), [])
})
