import pg from 'pg'
import { OnlyReads } from './faults.ts'

/** What the package has and its types do not tell. */
interface Reports {
  on(
    event: 'parameterStatus',
    listener: (message: { readonly parameterName: string; readonly parameterValue: string }) => void,
  ): void
}

/** Who opened a connection to a server that follows another one. */
const onStandby = new WeakSet<pg.ClientBase>()

/** Hears what the server tells of itself with a connection, before the first statement. */
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
 * A replica takes connections and reads, of what was some time ago; whoever kept one would read that and write nothing for as
 * long as it is used. Refused, it is asked for anew each time, until the address leads to who writes, or this one does.
 * @throws OnlyReads
 */
export const refuseStandby = (client: pg.ClientBase): void => {
  if (onStandby.has(client)) throw new OnlyReads()
}
