import pg from 'pg'
import { OnlyReads } from './faults.ts'

/** Missing in the package's types. */
interface Reports {
  on(
    event: 'parameterStatus',
    listener: (message: { readonly parameterName: string; readonly parameterValue: string }) => void,
  ): void
}

/** Clients that are connected to a replica. */
const onStandby = new WeakSet<pg.ClientBase>()

/** Reads what the server reports about itself at connection, before the first statement. */
export class ReportingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const { connection } = this as unknown as { readonly connection: Reports }
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName !== 'in_hot_standby') return
      if (parameterValue === 'on') onStandby.add(this)
      else onStandby.delete(this)
    })
  }
}

/**
 * Refuses a connection to a replica, which accepts reads of stale data and no writes. Refused, the address is tried
 * again each time, until it leads to a primary or this server becomes one.
 * @throws OnlyReads
 */
export const refuseStandby = (client: pg.ClientBase): void => {
  if (onStandby.has(client)) throw new OnlyReads()
}
