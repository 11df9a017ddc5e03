import { readdir } from 'node:fs/promises'
import { Migrator } from 'kysely/migration'
import t from 'tap'
import type { Databases } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openSnapshot } from '#server/platform/db/sqlite/open.ts'
import { up } from '../../../../migrations/20261122T0525-several-numbers.ts'

const folder = new URL('../../../../migrations/', import.meta.url)
const day = (date: number, hour = 12) => `2026-11-${String(date).padStart(2, '0')}T${hour}:00:00.000Z`
const ms = (at: string) => Date.parse(at)

/** A database as it was when an organization had one number, with a hand to fill it. */
const before = async () => {
  const databases = openSnapshot()
  const names = (await readdir(folder)).filter(name => name.endsWith('.ts') && name < '20261122T0525').sort()
  const getMigrations = async () =>
    Object.fromEntries(
      await Promise.all(
        names.map(async name => [name.slice(0, -3), await import(new URL(name, folder).href)] as const),
      ),
    )
  const { error } = await new Migrator({ db: databases.write, provider: { getMigrations } }).migrateToLatest()
  if (error) throw error
  const insert = (table: string, row: Record<string, unknown>) => {
    const columns = Object.keys(row)
    databases.raw.write
      .prepare(
        `insert into "${table}" (${columns.map(column => `"${column}"`).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      )
      .run(Object.values(row))
  }
  const all = (sql: string, ...values: unknown[]) =>
    databases.raw.write.prepare(sql).all(...values) as Record<string, unknown>[]
  return { databases, insert, all }
}

type Old = Awaited<ReturnType<typeof before>>

const anOrg = ({ insert }: Old, id: string) =>
  insert('organization', { id, name: id, slug: id, createdAt: day(1), metadata: null, logo: null })

const aConnection = ({ insert }: Old, orgId: string, kind: string, createdAt = day(10)) =>
  insert('wa_connection', {
    id: `connection of ${orgId}`,
    org_id: orgId,
    kind,
    phone_number_id: kind === 'sandbox' ? `1 ${orgId}` : `9 ${orgId}`,
    waba_id: `2 ${orgId}`,
    phone: '5491150000000',
    access_token_sealed: 'token',
    app_secret_sealed: 'secret',
    verify_token_sealed: 'verify',
    created_at: createdAt,
    updated_at: createdAt,
  })

const aSimulator = ({ insert }: Old, orgId: string, agedMs = 0) =>
  insert('sandbox_number', {
    org_id: orgId,
    phone_number_id: `1 ${orgId}`,
    waba_id: `2 ${orgId}`,
    app_id: `3 ${orgId}`,
    phone: `549115${orgId}`,
    verified_name: 'Simulador',
    token_hash: orgId,
    app_secret_sealed: '',
    connection_id: null,
    subscribed: 1,
    behaviour: '{}',
    aged_ms: agedMs,
  })

let people = 0

/** A conversation with a message for each wamid, everything that hangs on it, and what the simulator knows of it. */
const aChat = (
  { insert }: Old,
  orgId: string,
  id: string,
  facts: {
    at?: string
    came?: readonly string[]
    simulated?: readonly string[]
    isCustomer?: boolean
    assignee?: string
  } = {},
) => {
  const { at = day(12), came = [], simulated = [], isCustomer = false, assignee = null } = facts
  people += 1
  const phone = `54911555${String(people).padStart(5, '0')}`
  const times = { created_at: at, updated_at: at }
  insert('contact', { id: `contact of ${id}`, org_id: orgId, wa_id: phone, ...times })
  const identity = { kind: 'phone', match_key: phone, value: phone, seen_at: at }
  insert('contact_identity', { org_id: orgId, contact_id: `contact of ${id}`, ...identity })
  insert('conversation', {
    id,
    org_id: orgId,
    contact_id: `contact of ${id}`,
    control: 'human',
    assignee_id: assignee,
    archived: 1,
    unread: 3,
    window_closes_at: at,
    last_activity_at: at,
    last_message_seq: 7,
    last_message_at: at,
    last_message_text: 'Hola',
    last_message_type: 'text',
    last_message_direction: 'in',
    last_message_status: 'received',
    last_inbound_wamid: 'wamid.last',
    last_human_event_at: at,
    created_at: at,
  })
  for (const wamid of came)
    insert('message', {
      id: `message ${wamid}`,
      org_id: orgId,
      conversation_id: id,
      wamid,
      direction: 'in',
      type: 'text',
      text: wamid,
      at,
      status: 'received',
    })
  if (isCustomer)
    insert('sandbox_customer', {
      org_id: orgId,
      wa_id: phone,
      bsuid: `AR.${phone}`,
      name: phone,
      online: 1,
      blocks_us: 0,
      blocked_by_us: 0,
      seen_ms: ms(at),
    })
  for (const wamid of simulated)
    insert('sandbox_message', {
      org_id: orgId,
      wamid,
      direction: 'in',
      wa_id: phone,
      type: 'text',
      body: '{}',
      status: 'sent',
      at_ms: ms(at),
    })
}

const placesOf = ({ all }: Old, orgId: string) =>
  Object.fromEntries(
    all(
      `select c.id, c.kind, w.id as connection, w.kind as of, w.disconnected_at is null as connected, w.is_listed
       from conversation c left join wa_connection w on w.id = c.connection_id and w.org_id = c.org_id
       where c.org_id = ? order by c.id`,
      orgId,
    ).map(row => [row.id, row]),
  )

const closed = async (t: Tap, databases: Databases) => {
  t.same(databases.raw.write.prepare('pragma foreign_key_check').all(), [], 'nothing refers to nothing')
  t.same(databases.raw.write.pragma('foreign_keys'), [{ foreign_keys: 1 }], 'and that is watched again')
  await databases.close()
}
type Tap = Pick<typeof t, 'same'>

t.test('every conversation comes to a number of its organization, and keeps all it had', async t => {
  const old = await before()
  anOrg(old, 'cloud')
  aConnection(old, 'cloud', 'cloud')
  old.insert('user', {
    id: 'ana',
    name: 'Ana',
    email: 'ana@a.com',
    emailVerified: 1,
    createdAt: day(1),
    updatedAt: day(1),
  })
  for (const [id, role] of [
    ['ana', 'owner'],
    ['beto', 'member'],
  ] as const) {
    if (id === 'beto')
      old.insert('user', { id, name: id, email: 'b@a.com', emailVerified: 1, createdAt: day(1), updatedAt: day(1) })
    old.insert('member', { id: `member ${id}`, organizationId: 'cloud', userId: id, role, createdAt: day(1) })
  }
  aChat(old, 'cloud', 'a', { came: ['wamid.a1', 'wamid.a2'], assignee: 'beto' })
  aChat(old, 'cloud', 'b')
  old.insert('reaction', { message_id: 'message wamid.a1', org_id: 'cloud', by: 'us', emoji: '👍', at: day(12) })
  old.insert('tag', { id: 'tag', org_id: 'cloud', label: 'Torta', created_at: day(1) })
  old.insert('contact_tag', { contact_id: 'contact of a', tag_id: 'tag', org_id: 'cloud' })
  old.insert('conversation_mute', { org_id: 'cloud', user_id: 'ana', conversation_id: 'a', created_at: day(2) })
  old.insert('media', {
    id: 'file',
    org_id: 'cloud',
    message_id: 'message wamid.a2',
    provider_id: '1',
    mime: 'image/png',
    state: 'pending',
    created_at: day(12),
  })
  const job = (uniqueKey: string, more: Record<string, unknown> = {}) =>
    old.insert('job', {
      org_id: 'cloud',
      kind: 'outbox.message',
      lane: 0,
      queue: 'outbox.message/0/cloud/number',
      pace_key: 'number',
      unique_key: uniqueKey,
      payload: '{}',
      state: 'waiting',
      blocked: 0,
      attempts: 0,
      due_at: day(12),
      added_at: day(12),
      ...more,
    })
  job('m1')
  job('m2', { state: 'done', finished_at: day(12) })
  old.insert('job_pace', { org_id: 'cloud', pace_key: 'number', per_second: 20, free_at: day(13) })
  const counted = ['contact', 'conversation', 'message', 'reaction', 'contact_tag', 'conversation_mute', 'media', 'job']
  const counts = () => counted.map(table => [table, old.all(`select count(*) as n from ${table}`)[0]?.n])
  const [countsBefore, rowsBefore] = [counts(), old.all('select * from conversation order by id')]

  await up(old.databases.write)

  t.same(counts(), countsBefore, 'nothing went with the tables that were made anew')
  const added = { connection_id: 'connection of cloud', kind: 'cloud' }
  t.match(
    old.all('select * from conversation order by id'),
    rowsBefore.map(row => ({ ...row, ...added })),
  )
  t.match(old.all('select * from wa_connection'), [
    {
      id: 'connection of cloud',
      access_token_sealed: 'token',
      app_secret_sealed: 'secret',
      verify_token_sealed: 'verify',
      disconnected_at: null,
      is_listed: 1,
      shown_phone: null,
    },
  ])
  t.match(old.all('select unique_key, pace_key, queue from job order by seq'), [
    { pace_key: 'number connection of cloud', queue: 'outbox.message/0/cloud/number connection of cloud' },
    { pace_key: 'number' },
  ])
  t.match(old.all('select * from job_pace'), [{ pace_key: 'number connection of cloud', per_second: 20 }])
  old.databases.raw.write.prepare("delete from contact where id = 'contact of a'").run()
  t.same(old.all("select id from message where org_id = 'cloud'"), [], 'and what belongs together still goes together')
  await closed(t, old.databases)
})

t.test('conversations of an organization whose number was removed stay readable, under no number', async t => {
  const old = await before()
  anOrg(old, 'removed')
  aChat(old, 'removed', 'a', { came: ['wamid.a'] })
  anOrg(old, 'empty')
  await up(old.databases.write)
  t.match(placesOf(old, 'removed'), { a: { kind: 'cloud', of: 'cloud', connected: 0, is_listed: 1 } })
  t.match(old.all("select phone, access_token_sealed from wa_connection where org_id = 'removed'"), [
    { phone: '', access_token_sealed: '' },
  ])
  t.same(old.all("select id from wa_connection where org_id = 'empty'"), [], 'who had nothing, has nothing')
  await closed(t, old.databases)
})

t.test('simulated and real conversations part, whichever number the organization has now', async t => {
  const old = await before()
  anOrg(old, 'plays')
  aConnection(old, 'plays', 'sandbox')
  aSimulator(old, 'plays', 3 * 86_400_000)
  const sim = (wamid: string) => ({ came: [wamid], simulated: [wamid], isCustomer: true })
  aChat(old, 'plays', 'before the clock was moved', { at: day(8), came: ['wamid.p0'], isCustomer: true })
  aChat(old, 'plays', 'known', { ...sim('wamid.p1'), at: day(9) })
  aChat(old, 'plays', 'of a customer it forgot', { at: day(8), came: ['wamid.p9'] })
  aChat(old, 'plays', 'real and recent', { came: ['wamid.p2'] })
  aChat(old, 'plays', 'real and long ago', { at: day(5), came: ['wamid.p3'] })
  aChat(old, 'plays', 'empty', { isCustomer: true })

  anOrg(old, 'works')
  aConnection(old, 'works', 'cloud')
  aSimulator(old, 'works')
  aChat(old, 'works', 'played', sim('wamid.w1'))
  aChat(old, 'works', 'both', { came: ['wamid.w2', 'wamid.w3'], simulated: ['wamid.w2'], isCustomer: true })
  aChat(old, 'works', 'worked', { came: ['wamid.w4'] })

  anOrg(old, 'rests')
  aSimulator(old, 'rests')
  aChat(old, 'rests', 'played long ago', sim('wamid.r1'))
  aChat(old, 'rests', 'worked long ago', { came: ['wamid.r2'] })

  await up(old.databases.write)

  const present = { kind: 'sandbox', connection: 'connection of plays', connected: 1, is_listed: 1 }
  const former = { kind: 'cloud', of: 'cloud', connected: 0, is_listed: 0 }
  t.match(placesOf(old, 'plays'), {
    'before the clock was moved': present,
    known: present,
    'of a customer it forgot': present,
    empty: present,
    'real and recent': former,
    'real and long ago': former,
  })
  t.match(placesOf(old, 'works'), {
    played: { kind: 'sandbox', of: 'sandbox', connected: 0, is_listed: 0 },
    both: { kind: 'cloud', connection: 'connection of works', is_listed: 1 },
    worked: { kind: 'cloud', connection: 'connection of works' },
  })
  t.match(placesOf(old, 'rests'), {
    'played long ago': { kind: 'sandbox', connected: 0, is_listed: 0 },
    'worked long ago': { kind: 'cloud', connected: 0, is_listed: 1 },
  })
  await closed(t, old.databases)
})

t.test('stopped between its commit and its note, it finds itself done', async t => {
  const old = await before()
  anOrg(old, 'removed')
  aChat(old, 'removed', 'a', { came: ['wamid.a'] })
  await up(old.databases.write)
  const conversations = `select id, contact_id, connection_id, kind, control, assignee_id, archived, unread,
    last_activity_at, last_message_seq, last_inbound_wamid from conversation`
  const rows = () => [old.all('select id, kind, is_listed from wa_connection'), old.all(conversations)]
  const once = rows()
  await migrate(old.databases.write)
  t.same(rows(), once)
  await closed(t, old.databases)
})
