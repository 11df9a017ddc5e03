import pg from 'pg'
import { InstallationFault } from '#server/platform/process/installation-fault.ts'
import type { PostgresAddress } from './address.ts'
import { asConnectionLost } from './faults.ts'
import { connectionOptions } from './open.ts'

/** This many other connections are opened before the first is asked again which backend serves it. */
const beside = 3

const client = async (address: PostgresAddress): Promise<pg.Client> => {
  const next = new pg.Client({
    ...connectionOptions(address, { isReadOnly: true }),
    // A pooler with fewer connections lets the next one wait.
    query_timeout: address.connectTimeoutMs,
  })
  next.on('error', () => undefined)
  await next.connect()
  return next
}

interface Behind {
  readonly pid: number
  readonly path: string
  readonly reads_only: string
}

const behind = async (one: pg.Client): Promise<Behind> =>
  (
    await one.query<Behind>(`select pg_backend_pid() as pid, current_setting('search_path') as path,
      current_setting('default_transaction_read_only') as reads_only`)
  ).rows[0] as Behind

/**
 * True if another connection, held in a transaction, gets the backend of the first one, or the first one gets another
 * backend.
 */
const isSharedOut = async (address: PostgresAddress, first: pg.Client, pid: number): Promise<boolean> => {
  const others: pg.Client[] = []
  try {
    for (let i = 0; i < beside; i += 1) {
      const other = await client(address)
      others.push(other)
      await other.query('begin')
      if ((await behind(other)).pid === pid) return true
    }
    return (await behind(first)).pid !== pid
  } finally {
    await Promise.all(others.map(other => other.end()))
  }
}

const fix = 'name PostgreSQL itself in DATABASE_URL, or a pool of whole sessions'

/**
 * Checks that a pooler between this process and PostgreSQL gives each connection its own session, because settings are
 * sent with the connection, and signals of other processes arrive on it. A pooler in transaction mode would silently
 * lose both.
 * @throws InstallationFault for such a pooler; connection errors unchanged
 */
export async function examinePooler(address: PostgresAddress): Promise<void> {
  const what = `What answers at ${address.host}:${address.port}`
  let first: pg.Client | undefined
  try {
    first = await client(address)
    const { pid, path, reads_only } = await behind(first)
    if (path !== address.schema || reads_only !== 'on')
      throw new InstallationFault(`${what} drops the settings of a connection, as PgBouncer may`, fix)
    // PostgreSQL sends its process id at the start; a pooler without a session of its own cannot know it.
    const { processID } = first as pg.Client & { readonly processID: number }
    if (pid !== processID && (await isSharedOut(address, first, pid)))
      throw new InstallationFault(
        `${what} shares connections out by transactions, as PgBouncer does in that mode, and no word of other processes is heard there`,
        fix,
      )
  } catch (error) {
    throw error instanceof InstallationFault ? error : asConnectionLost(error)
  } finally {
    await first?.end().catch(() => undefined)
  }
}
