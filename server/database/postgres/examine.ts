import { sql } from 'kysely'
import type { Db } from '../../db.ts'
import { InstallationFault } from '../../installation-fault.ts'
import { refuseNewerSchema } from '../../migrate.ts'
import { progressTable } from './copy-store.ts'
import { noRights, type Place, postgresFault } from './faults.ts'

/** The oldest server that is tested; as the server counts its versions. */
const oldestVersion = 150_000

export interface Facts {
  readonly version: number
  readonly version_text: string
  readonly encoding: string
  readonly is_replica: boolean
  readonly may_create: boolean
  /** Tables in the schema of ours. */
  readonly tables: number
  /** Of them, how many have names that only this product gives together. */
  readonly own: number
  /** A command is copying an installation into it, or was stopped while it did. */
  readonly is_filling: boolean
}

const readFacts = async (db: Db): Promise<Facts> => {
  const { rows } = await sql<Facts>`select current_setting('server_version_num')::int as version,
      current_setting('server_version') as version_text, current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as is_replica, has_schema_privilege('public', 'create') as may_create,
      count(tablename) as tables,
      count(*) filter (where tablename in ('kysely_migration', 'organization', 'webhook_journal')) as own,
      coalesce(bool_or(tablename = ${progressTable}), false) as is_filling
    from (select 1) as one left join pg_tables on schemaname = 'public'`.execute(db)
  return rows[0] as Facts
}

/** What keeps a server with these facts from being worked with, and the fix. */
export const refusalOf = (
  facts: Facts,
  { user, database }: Place,
): readonly [says: string, fix: string] | undefined => {
  const { version, version_text, encoding, is_replica, may_create, tables, own, is_filling } = facts
  if (version < oldestVersion)
    return [
      `PostgreSQL ${version_text} is too old`,
      `use ${oldestVersion / 10_000} or newer, and name it in DATABASE_URL`,
    ]
  if (encoding !== 'UTF8')
    return [`"${database}" is encoded in ${encoding}`, 'make it with: createdb --encoding UTF8 --template template0']
  if (is_replica) return [`"${database}" is a replica that only reads`, 'name the server that writes in DATABASE_URL']
  if (is_filling)
    return [
      `"${database}" is not filled yet: a move or restore into it was stopped, or is still at work`,
      'run that command again, to its end',
    ]
  if (tables > 0 && own < 3)
    return [
      `"${database}" has ${tables} tables that are not Recado's`,
      `make a database of its own: createdb --owner ${user} recado`,
    ]
  return may_create ? undefined : noRights(user, database)
}

/**
 * Whether a server and its database can be worked with: asked once, before anything is written.
 * @throws InstallationFault for what a person can mend; everything else as it came.
 */
export async function examinePostgres(db: Db, place: Place): Promise<void> {
  try {
    const refusal = refusalOf(await readFacts(db), place)
    if (refusal) throw new InstallationFault(...refusal)
    await refuseNewerSchema(db, `"${place.database}"`)
  } catch (error) {
    throw postgresFault(error, place) ?? error
  }
}

/**
 * Whether a server and its database can be filled with an installation: it is empty, or was being filled when that was
 * stopped. Asked before anything is written.
 * @throws InstallationFault for what a person can mend; everything else as it came.
 */
export async function examinePostgresTarget(db: Db, place: Place): Promise<void> {
  try {
    const facts = await readFacts(db)
    const refusal = refusalOf({ ...facts, tables: 0, own: 0, is_filling: false }, place)
    if (refusal) throw new InstallationFault(...refusal)
    if (facts.tables > 0 && !facts.is_filling)
      throw new InstallationFault(
        `"${place.database}" is not empty: it has ${facts.tables} tables`,
        `make an empty one and name that: createdb --owner ${place.user} recado`,
      )
  } catch (error) {
    throw postgresFault(error, place) ?? error
  }
}
