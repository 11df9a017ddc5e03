import type { Databases } from '#server/db.ts'

type Row = Record<string, unknown>

/** Tables that belong to no organization: the installation's own and the library's. */
const shared = new Set([
  'user',
  'account',
  'session',
  'verification',
  'installation',
  'sign_in_budget',
  'sign_in_flow',
  'second_factor',
  'second_factor_setup',
  'backup_code',
  'trusted_device',
  'event_listener',
  'notification_setting',
  'job_lease',
  'job_worker',
  'job_lease',
  'search_place',
  'search_pending',
  'event_listener',
  'push_key',
  'push_subscription',
])

/** How a table tells whose its rows are; `?` is the organization's id. */
const ownedBy: Readonly<Record<string, string>> = {
  organization: 'id = ?',
  apikey: 'referenceId = ?',
  invitation_renewal: 'invitation_id in (select id from invitation where organizationId = ?)',
  teamMember: 'teamId in (select id from team where organizationId = ?)',
  webhook_journal: 'connection_id in (select id from wa_connection where org_id = ?)',
}

const plain = (value: unknown) => (Buffer.isBuffer(value) ? value.toString('base64') : value)

/** Tables of an index that the engine keeps: what is in them follows other rows by triggers. */
const isIndex = (name: string) => name.startsWith('message_index')

const tablesOf = ({ raw }: Databases): { table: string; columns: string[] }[] => {
  const names = raw.read
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'",
    )
    .pluck()
    .all() as string[]
  return names
    .filter(name => !isIndex(name))
    .sort()
    .map(table => ({
      table,
      columns: raw.read.prepare(`select name from pragma_table_info(?)`).pluck().all(table) as string[],
    }))
}

const rowsOf = ({ raw }: Databases, table: string, where: string, values: unknown[]): Row[] =>
  (raw.read.prepare(`select * from "${table}" where ${where}`).all(...values) as Row[])
    .map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
    .map(row => ({ row, text: JSON.stringify(row) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row)

/**
 * Every row of an organization in every table, for "nothing changed" and "nothing of it is told".
 * @throws for a table that does not say whose its rows are.
 */
export const rowsOfOrg = (databases: Databases, orgId: string): Record<string, Row[]> => {
  const found: Record<string, Row[]> = {}
  for (const { table, columns } of tablesOf(databases)) {
    if (shared.has(table)) continue
    const column = ['org_id', 'organizationId'].find(name => columns.includes(name))
    const where = ownedBy[table] ?? (column && `"${column}" = ?`)
    if (!where) throw new Error(`Whose are the rows of ${table}? Say it in test/helpers/rows.ts`)
    found[table] = rowsOf(databases, table, where, [orgId])
  }
  return found
}

/** What a process writes by the clock, whoever asks it for anything. */
const signsOfLife = new Set(['job_worker', 'job_lease'])

/** Every row of every table but those named and the signs of life. */
export const allRows = (databases: Databases, except: readonly string[] = []): Record<string, Row[]> =>
  Object.fromEntries(
    tablesOf(databases)
      .filter(({ table }) => !except.includes(table) && !signsOfLife.has(table))
      .map(({ table }) => [table, rowsOf(databases, table, '1', [])]),
  )

/** The tables in which two readings of `allRows` differ: what an assertion shows instead of a megabyte of rows. */
export const changedTables = (before: Record<string, Row[]>, after: Record<string, Row[]>): string[] =>
  Object.keys({ ...before, ...after }).filter(table => JSON.stringify(before[table]) !== JSON.stringify(after[table]))
