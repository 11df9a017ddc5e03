import { Migrator } from 'kysely/migration'
import t from 'tap'
import { migrate } from '#server/platform/db/migrate.ts'
import { openSnapshot } from '#server/platform/db/sqlite/open.ts'
import { anOrg } from './stage.ts'

const at = '2026-11-20T12:00:00.000Z'

t.test(
  'what had to leave before sends were jobs still leaves, once and in order, and what is in doubt stays so',
  async t => {
    const databases = openSnapshot()
    t.teardown(() => databases.close())
    const { readdir } = await import('node:fs/promises')
    const folder = new URL('../../../../migrations/', import.meta.url)
    const names = (await readdir(folder)).filter(name => name.endsWith('.ts') && name < '20261122T0230').sort()
    const getMigrations = async () =>
      Object.fromEntries(
        await Promise.all(
          names.map(async name => [name.slice(0, -3), await import(new URL(name, folder).href)] as const),
        ),
      )
    const { error } = await new Migrator({ db: databases.write, provider: { getMigrations } }).migrateToLatest()
    t.equal(error, undefined)
    const orgId = await anOrg(databases)
    const chat = 'chat'
    const rows = [
      ['m1', 'inFlight'],
      ['m2', 'queued'],
      ['m3', 'unknown'],
      ['m4', 'done'],
      ['m5', 'queued'],
      ['m5', 'queued'],
    ] as const
    const insert = (table: string, row: Record<string, unknown>) => {
      const columns = Object.keys(row)
      databases.raw.write
        .prepare(`insert or ignore into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)
        .run(Object.values(row))
    }
    insert('contact', { id: 'contact', org_id: orgId, created_at: at, updated_at: at })
    const times = { last_activity_at: at, created_at: at }
    insert('conversation', { id: chat, org_id: orgId, contact_id: 'contact', control: 'human', ...times })
    for (const [id, state] of rows) {
      insert('message', {
        id,
        org_id: orgId,
        conversation_id: chat,
        direction: 'out',
        type: 'text',
        text: id,
        at,
        status: 'queued',
        author_kind: id === 'm5' ? 'api' : 'person',
      })
      insert('outbox', {
        org_id: orgId,
        conversation_id: chat,
        message_id: id,
        kind: 'message',
        state,
        attempts: 0,
        due_at: at,
        updated_at: at,
      })
    }
    await migrate(databases.write)
    const jobs = await databases.read
      .selectFrom('job')
      .select(['unique_key', 'kind', 'state', 'order_key', 'queue', 'payload'])
      .orderBy('seq')
      .execute()
    const key = `conversation ${chat}`
    t.match(jobs, [
      { unique_key: 'm1', kind: 'outbox.message', state: 'running', order_key: null },
      { unique_key: 'm2', state: 'retrying', order_key: key, queue: `outbox.message/0/${orgId}/number` },
      { unique_key: 'm5', state: 'retrying', order_key: key, queue: `outbox.message/1/${orgId}/number` },
      { unique_key: 'm3', kind: 'outbox.unconfirmed', state: 'scheduled', payload: '{"messageId":"m3"}' },
    ])
    t.equal(jobs.length, 4)
  },
)
