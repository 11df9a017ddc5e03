import type { SealedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import {
  type ConnectionKey,
  findConnectionBy,
  hasConnections,
  type SealedKeys,
  type StoredConnection,
} from './store.ts'

/** What is known of a connection without its secrets. */
export type ConnectionFacts = Omit<StoredConnection, 'sealed'>

/** A connection with its secrets open: stays inside the server, is never logged and never sent. */
export interface OpenConnection extends ConnectionFacts {
  accessToken: string
  appSecret: string
  verifyToken: string
}

/** `opened` is missing when the secrets do not open: sealed under another secret, moved or damaged. */
export interface FoundConnection {
  readonly facts: ConnectionFacts
  readonly opened: OpenConnection | undefined
}

/**
 * Open connections kept in memory, so that a webhook costs neither a query nor a decryption. What this process
 * changes it forgets at once; what another process changed when it hears of it, after `freshMs` at the latest.
 */
export interface Keyring {
  find(key: ConnectionKey): Promise<FoundConnection | undefined>
  /** Undefined: its secrets do not open. That is the trouble of this connection alone, so it is never thrown. */
  open(stored: StoredConnection): OpenConnection | undefined
  seal(id: string, keys: SealedKeys): SealedKeys
  forget(): void
}

const freshMs = 5000
const maxKept = 2000

const places = (id: string) => ({
  accessToken: `wa_connection.access_token:${id}`,
  appSecret: `wa_connection.app_secret:${id}`,
  verifyToken: `wa_connection.verify_token:${id}`,
})

const columns = {
  accessToken: 'access_token_sealed',
  appSecret: 'app_secret_sealed',
  verifyToken: 'verify_token_sealed',
} as const

export const sealedConnectionKeys: readonly SealedColumn[] = (
  Object.entries(columns) as [keyof typeof columns, string][]
).map(([name, column]) => ({ table: 'wa_connection', key: ['id'], column, placeOf: (id = '') => places(id)[name] }))

const nameOf = (key: ConnectionKey) =>
  'id' in key ? `id:${key.id}` : 'phoneNumberId' in key ? `phone:${key.phoneNumberId}` : `account:${key.wabaId}`

/** Whether any connection's keys are stored here, sealed with the installation's secret. */
export const hasSealedKeys = (db: Db): Promise<boolean> => hasConnections(db)

const foundOf = ({ sealed: _sealed, ...facts }: StoredConnection, opened: OpenConnection | undefined) => ({
  facts,
  opened,
})

export function createKeyring(parts: { databases: Databases; clock: Clock; vault: Vault }): Keyring {
  const { databases, clock, vault } = parts
  const lookups = new Map<string, { connection: FoundConnection | undefined; at: number }>()
  const opened = new Map<string, OpenConnection>()
  let generation = 0

  const keep = <V>(map: Map<string, V>, key: string, value: V) => {
    if (map.size >= maxKept) map.clear()
    map.set(key, value)
    return value
  }

  const openSealed = (sealed: SealedKeys, id: string): SealedKeys | undefined => {
    const place = places(id)
    try {
      return {
        accessToken: vault.open(sealed.accessToken, place.accessToken),
        appSecret: vault.open(sealed.appSecret, place.appSecret),
        verifyToken: vault.open(sealed.verifyToken, place.verifyToken),
      }
    } catch {
      // Whatever is wrong with them, only connecting again (or the right secret) mends it.
      return undefined
    }
  }

  const open = ({ sealed, ...facts }: StoredConnection): OpenConnection | undefined => {
    const known = opened.get(facts.id)
    // `updatedAt` moves with the secrets only, so the rest is taken from the row.
    if (known?.updatedAt === facts.updatedAt) return { ...known, ...facts }
    const keys = openSealed(sealed, facts.id)
    return keys && keep(opened, facts.id, { ...facts, ...keys })
  }

  const forget = () => {
    generation += 1
    lookups.clear()
    opened.clear()
  }
  databases.signals.hear('numbers', detail => {
    if (detail !== undefined) forget()
  })

  return {
    open,
    seal(id, keys) {
      const place = places(id)
      return {
        accessToken: vault.seal(keys.accessToken, place.accessToken),
        appSecret: vault.seal(keys.appSecret, place.appSecret),
        verifyToken: vault.seal(keys.verifyToken, place.verifyToken),
      }
    },
    async find(key) {
      const name = nameOf(key)
      const now = clock.now().getTime()
      const known = lookups.get(name)
      if (known && Math.abs(now - known.at) < freshMs) return known.connection
      const asked = generation
      const stored = await findConnectionBy(databases.read, key)
      const connection = stored && foundOf(stored, open(stored))
      // A stranger can invent ids without end; only a signed webhook makes a missing number worth remembering.
      const isWorthKeeping = connection !== undefined || !('id' in key)
      if (isWorthKeeping && asked === generation) keep(lookups, name, { connection, at: now })
      return connection
    },
    forget() {
      forget()
      databases.signals.send('numbers', 'changed')
    },
  }
}
