import { type CompiledQuery, type DatabaseConnection, PostgresDriver, type QueryResult } from 'kysely'
import { asConnectionLost, ConnectionLost } from './faults.ts'

/** Connections whose errors are already told apart; the driver answers the same object for the same connection. */
const watched = new WeakSet<DatabaseConnection>()

const watch = <Connection extends DatabaseConnection>(connection: Connection): Connection => {
  if (watched.has(connection)) return connection
  watched.add(connection)
  const run = connection.executeQuery.bind(connection) as (query: CompiledQuery) => Promise<QueryResult<never>>
  connection.executeQuery = async (query: CompiledQuery) => {
    try {
      return await run(query)
    } catch (error) {
      throw asConnectionLost(error)
    }
  }
  return connection
}

/** PostgreSQL's driver that says when it was the way to the server that failed: such errors have codes of the network's. */
export class LossTellingDriver extends PostgresDriver {
  override async acquireConnection(...options: Parameters<PostgresDriver['acquireConnection']>): Promise<never> {
    try {
      return watch(await super.acquireConnection(...options)) as never
    } catch (error) {
      throw asConnectionLost(error)
    }
  }
  /** A connection that is lost has nothing to roll back; that it cannot must not hide why. */
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
    }
  }
}
