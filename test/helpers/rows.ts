import { type RawBuilder, sql } from 'kysely'
import type { Databases } from '#server/platform/db/db.ts'

type Row = Record<string, unknown>

/** Tables without an organization: the installation's and the auth library's. */
const shared = new Set([
  'user',
  'account',
  'session',
  'verification',
  'installation',
  'site_audit_entry',
  'sign_in_budget',
  'sign_in_flow',
  'second_factor',
  'second_factor_setup',
  'backup_code',
  'trusted_device',
  'notification_setting',
  'job_lease',
  'job_worker',
  'job_lease',
  'search_place',
  'search_pending',
  'search_outline',
  'conversation_segment_read',
  'sent_message_read',
  'push_key',
  'upstream_key',
  'upstream_stream',
  'snapshot',
  'push_subscription',
])

/** The condition by which a table's rows belong to an organization; `?` is its id. */
const ownedBy: Readonly<Record<string, string>> = {
  sso_identity: 'provider_id in (select id from sso_provider where org_id = ?)',
  sso_attempt: 'provider_id in (select id from sso_provider where org_id = ?)',
  organization: 'id = ?',
  apikey: '"referenceId" = ?',
  invitation_renewal: 'invitation_id in (select id from invitation where "organizationId" = ?)',
  teamMember: '"teamId" in (select id from team where "organizationId" = ?)',
  webhook_journal: 'connection_id in (select id from wa_connection where org_id = ?)',
  webhook_place:
    'seq in (select seq from webhook_journal where connection_id in (select id from wa_connection where org_id = ?))',
}

const plain = (value: unknown) => (Buffer.isBuffer(value) ? value.toString('base64') : value)

/** Tables of one engine only, whose rows follow other rows by triggers. */
const isOfEngine = (name: string) => /^(?:message|contact)_index/.test(name)

interface Table {
  readonly table: string
  readonly columns: readonly string[]
}

const readTables = async ({ read }: Databases): Promise<Table[]> =>
  (await read.introspection.getTables())
    .filter(({ name }) => !isOfEngine(name) && !/^(?:sqlite|kysely)_/.test(name))
    .map(({ name, columns }) => ({ table: name, columns: columns.map(column => column.name) }))
    .sort((a, b) => (a.table < b.table ? -1 : 1))

const known = new WeakMap<Databases, Promise<Table[]>>()

/** Queried once per database, because its tables do not change while a test runs. */
const tablesOf = (databases: Databases): Promise<Table[]> => {
  const tables = known.get(databases) ?? readTables(databases)
  known.set(databases, tables)
  return tables
}

const rowsOf = async ({ read }: Databases, table: string, where: RawBuilder<unknown>): Promise<Row[]> =>
  (await sql<Row>`select * from ${sql.table(table)} where ${where}`.execute(read)).rows
    .map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
    .map(row => ({ row, text: JSON.stringify(row) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row)

const withOrg = (condition: string, orgId: string): RawBuilder<unknown> => {
  const [before = '', after = ''] = condition.split('?')
  return sql`${sql.raw(before)}${orgId}${sql.raw(after)}`
}

/**
 * Every row of an organization in every table, to assert that nothing changed.
 * @throws if it is unknown how a table's rows belong to an organization
 */
export const rowsOfOrg = async (databases: Databases, orgId: string): Promise<Record<string, Row[]>> => {
  const found: Record<string, Row[]> = {}
  for (const { table, columns } of await tablesOf(databases)) {
    if (shared.has(table)) continue
    const column = ['org_id', 'organizationId'].find(name => columns.includes(name))
    const where = ownedBy[table] ?? (column && `"${column}" = ?`)
    if (!where)
      throw new Error(
        `It is unknown how rows of ${table} belong to an organization: add the table to ownedBy or shared in test/helpers/rows.ts`,
      )
    found[table] = await rowsOf(databases, table, withOrg(where, orgId))
  }
  return found
}

/** Tables that a process writes regularly, without any request. */
const signsOfLife = new Set(['job_worker', 'job_lease'])

/** Every row of every table, except the named ones and the heartbeats. */
export const allRows = async (databases: Databases, except: readonly string[] = []): Promise<Record<string, Row[]>> => {
  const found: Record<string, Row[]> = {}
  for (const { table } of await tablesOf(databases))
    if (!except.includes(table) && !signsOfLife.has(table)) found[table] = await rowsOf(databases, table, sql`1 = 1`)
  return found
}

/**
 * `allRows` of an idle backend, to compare two readings. Otherwise, on a slow machine, work that began before, or
 * that is written some seconds after a call, could fall between the two.
 */
export const rowsAtRest = async (
  backend: { settle(): Promise<void>; readonly databases: Databases },
  except: readonly string[] = [],
): Promise<Record<string, Row[]>> => {
  await backend.settle()
  return allRows(backend.databases, except)
}

/** The tables in which two readings differ, so that an assertion does not print a megabyte of rows. */
export const changedTables = (before: Record<string, Row[]>, after: Record<string, Row[]>): string[] =>
  Object.keys({ ...before, ...after }).filter(table => JSON.stringify(before[table]) !== JSON.stringify(after[table]))
