import type { EncryptedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import {
  type ConnectionKey,
  type EncryptedKeys,
  findConnectionBy,
  hasConnections,
  type StoredConnection,
} from './store.ts'

/** A connection without its secrets. */
export type ConnectionFacts = Omit<StoredConnection, 'sealed'>

/** A connection with decrypted secrets. Never log it, never send it. */
export interface OpenConnection extends ConnectionFacts {
  accessToken: string
  appSecret: string
  verifyToken: string
}

/** `opened` is missing if the secrets cannot be decrypted: another key, or a damaged row. */
export interface FoundConnection {
  readonly facts: ConnectionFacts
  readonly opened: OpenConnection | undefined
}

/**
 * Caches decrypted connections, so that a webhook costs neither a query nor a decryption. A change in this process
 * clears the cache at once, one in another process when its signal arrives, after `freshMs` at the latest.
 */
export interface Keyring {
  find(key: ConnectionKey): Promise<FoundConnection | undefined>
  /** Undefined: the secrets cannot be decrypted. Never throws, because only this connection is affected. */
  open(stored: StoredConnection): OpenConnection | undefined
  encrypt(id: string, keys: EncryptedKeys): EncryptedKeys
  forget(): void
}

const freshMs = 5000
const maxKept = 2000

const contextsOf = (id: string) => ({
  accessToken: `wa_connection.access_token:${id}`,
  appSecret: `wa_connection.app_secret:${id}`,
  verifyToken: `wa_connection.verify_token:${id}`,
})

const columns = {
  accessToken: 'access_token_sealed',
  appSecret: 'app_secret_sealed',
  verifyToken: 'verify_token_sealed',
} as const

export const sealedConnectionKeys: readonly EncryptedColumn[] = (
  Object.entries(columns) as [keyof typeof columns, string][]
).map(([name, column]) => ({
  table: 'wa_connection',
  key: ['id'],
  column,
  contextOf: (id = '') => contextsOf(id)[name],
}))

const nameOf = (key: ConnectionKey) =>
  'id' in key ? `id:${key.id}` : 'phoneNumberId' in key ? `phone:${key.phoneNumberId}` : `account:${key.wabaId}`

/** Each connection has secrets that are encrypted with the installation's secret. */
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

  const openSealed = (sealed: EncryptedKeys, id: string): EncryptedKeys | undefined => {
    const context = contextsOf(id)
    try {
      return {
        accessToken: vault.decrypt(sealed.accessToken, context.accessToken),
        appSecret: vault.decrypt(sealed.appSecret, context.appSecret),
        verifyToken: vault.decrypt(sealed.verifyToken, context.verifyToken),
      }
    } catch {
      // Whatever the reason, connecting again (or the right secret) fixes it.
      return undefined
    }
  }

  const open = ({ sealed, ...facts }: StoredConnection): OpenConnection | undefined => {
    const known = opened.get(facts.id)
    // `updatedAt` changes only with the secrets, so the other columns are taken from the row.
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
    encrypt(id, keys) {
      const context = contextsOf(id)
      return {
        accessToken: vault.encrypt(keys.accessToken, context.accessToken),
        appSecret: vault.encrypt(keys.appSecret, context.appSecret),
        verifyToken: vault.encrypt(keys.verifyToken, context.verifyToken),
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
      // Strangers can invent ids without limit, so missing ids are not cached. Missing numbers and accounts come from
      // signed webhooks.
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
