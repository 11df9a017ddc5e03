import { sql } from 'kysely'
import { InstallationFault } from '#server/platform/process/installation-fault.ts'
import type { Db } from '../database.ts'
import { refuseUnknownMigrations } from '../migrate.ts'
import { defaultSchema, type PostgresAddress } from './address.ts'
import { progressTable } from './copy-store.ts'
import { type DatabaseAddress, noRights, noSchema, postgresFault } from './faults.ts'
import { examinePooler } from './pooler.ts'

/** The oldest tested server version, in the server's own numbering. */
const oldestVersion = 150_000

export interface ServerFacts {
  readonly version: number
  readonly version_text: string
  readonly encoding: string
  readonly has_schema: boolean
  readonly may_make_schema: boolean
  /** The account may create tables in the schema, if it exists. */
  readonly may_create: boolean
  /** Tables in our schema. */
  readonly tables: number
  /** The number of tables that Kysely does not create. Kysely creates its own first. */
  readonly others: number
  /** The number of tables whose names only Recado uses together. */
  readonly own: number
  /** Owner of tables that belong to another account and cannot be used. */
  readonly foreign_owner: string | null
  /** A command is copying an installation into it, or was interrupted. */
  readonly is_filling: boolean
}

const readFacts = async (db: Db, { schema }: DatabaseAddress): Promise<ServerFacts> => {
  const { rows } = await sql<ServerFacts>`select current_setting('server_version_num')::int as version,
      current_setting('server_version') as version_text, current_setting('server_encoding') as encoding,
      space.oid is not null as has_schema,
      has_database_privilege(current_database(), 'create') as may_make_schema,
      coalesce(has_schema_privilege(space.oid, 'create') and has_schema_privilege(space.oid, 'usage'), false) as may_create,
      count(tablename) as tables,
      count(*) filter (where tablename not in ('kysely_migration', 'kysely_migration_lock')) as others,
      count(*) filter (where tablename in ('kysely_migration', 'organization', 'webhook_journal')) as own,
      min(tableowner) filter (where not pg_has_role(tableowner, 'usage')) as foreign_owner,
      coalesce(bool_or(tablename = ${progressTable}), false) as is_filling
    from (select 1) as one left join pg_namespace as space on nspname = ${schema}
      left join pg_tables on schemaname = nspname
    group by space.oid`.execute(db)
  return rows[0] as ServerFacts
}

/** Names the part of a database that belongs to this installation. */
const whole = ({ database, schema }: DatabaseAddress) =>
  schema === defaultSchema ? `"${database}"` : `The schema ${schema} of "${database}"`

/** The fix if the database or schema belongs to somebody else. */
const otherAddress = ({ user, schema }: DatabaseAddress, fix: string) =>
  schema === defaultSchema ? `${fix}: createdb --owner ${user} recado` : 'name another schema in DATABASE_URL'

/** Why this server cannot be used, with the fix. */
export const serverRefusalOf = (
  facts: ServerFacts,
  address: DatabaseAddress,
): readonly [says: string, fix: string] | undefined => {
  const { version, version_text, encoding, has_schema, may_make_schema, may_create } = facts
  const { tables, others, own, foreign_owner, is_filling } = facts
  const { database, user } = address
  if (version < oldestVersion)
    return [
      `PostgreSQL ${version_text} is too old`,
      `use ${oldestVersion / 10_000} or newer, and name it in DATABASE_URL`,
    ]
  if (encoding !== 'UTF8')
    return [`"${database}" is encoded in ${encoding}`, 'make it with: createdb --encoding UTF8 --template template0']
  if (is_filling)
    return [
      `${whole(address)} is not filled yet: a move or restore into it was stopped, or is still at work`,
      'run that command again, to its end',
    ]
  if (others > 0 && own < 3)
    return [
      `${whole(address)} has ${tables} tables that are not Recado's`,
      otherAddress(address, 'make a database of its own'),
    ]
  if (foreign_owner !== null)
    return [
      `${whole(address)} has tables that belong to "${foreign_owner}", not to "${user}"`,
      `name "${foreign_owner}" in DATABASE_URL`,
    ]
  if (!has_schema) return may_make_schema ? undefined : noSchema(address)
  return may_create ? undefined : noRights(address)
}

/**
 * Checks whether server and database can be used, before anything is written.
 * @throws InstallationFault for what a person can fix; other errors unchanged
 */
export async function examinePostgres(db: Db, address: PostgresAddress): Promise<void> {
  try {
    await examinePooler(address)
    const refusal = serverRefusalOf(await readFacts(db, address), address)
    if (refusal) throw new InstallationFault(...refusal)
    await refuseUnknownMigrations(db, whole(address))
  } catch (error) {
    throw postgresFault(error, address) ?? error
  }
}

/**
 * Checks whether the database can be filled with an installation: it is empty, or an earlier copy was interrupted.
 * Before anything is written.
 * @throws InstallationFault for what a person can fix; other errors unchanged
 */
export async function examinePostgresTarget(db: Db, address: PostgresAddress): Promise<void> {
  try {
    await examinePooler(address)
    const facts = await readFacts(db, address)
    const refusal = serverRefusalOf({ ...facts, others: 0, is_filling: false }, address)
    if (refusal) throw new InstallationFault(...refusal)
    if (facts.tables > 0 && !facts.is_filling)
      throw new InstallationFault(
        `${whole(address)} is not empty: it has ${facts.tables} tables`,
        otherAddress(address, 'make an empty one and name that'),
      )
  } catch (error) {
    throw postgresFault(error, address) ?? error
  }
}
