import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JSONWebKeySet, type JWK } from 'jose'
import type { EncryptedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { deleteKey, deleteKeysBefore, insertKey, listKeys, type StoredKey } from './key-store.ts'

const dayMs = 24 * 60 * 60 * 1000
/** A key that is older signs no more; a new one is made. */
const keyAgeMs = 90 * dayMs
/** The key set has a key that signs no more for this long. Tokens live a minute, and key sets are cached for hours. */
const publishedAfterMs = dayMs
/** A process uses what it read for this long, before it sees a key that another process made. */
const keptMs = 60_000

export const algorithm = 'ES256'

const contextOf = (id: string) => `upstream_key.private_key:${id}`

export const sealedUpstreamKeys: EncryptedColumn = {
  table: 'upstream_key',
  key: ['id'],
  column: 'private_key',
  contextOf: (id = '') => contextOf(id),
}

export const hasUpstreamKeys = async (db: Db): Promise<boolean> => (await listKeys(db)).length > 0

interface SigningKey {
  readonly id: string
  readonly privateKey: CryptoKey | Uint8Array
}

interface KeysParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: () => string
  readonly log: Log
  readonly vault: Vault
}

/** The key pairs of the installation: made when needed, stored encrypted, replaced every ninety days. */
export function createUpstreamKeys({ databases, clock, ids, log, vault }: KeysParts) {
  let kept: { until: number; key: Promise<SigningKey> } | undefined

  const isFresh = (key: StoredKey) => clock.now().getTime() - Date.parse(key.createdAt) < keyAgeMs

  /** Undefined: the installation's secret was changed without its predecessor. */
  const open = async (key: StoredKey): Promise<SigningKey | undefined> => {
    let jwk: JWK
    try {
      jwk = JSON.parse(vault.decrypt(key.privateKey, contextOf(key.id))) as JWK
    } catch (error) {
      log.warn({ err: error }, 'a key for the upstream cannot be read any more; a new one is made')
      return undefined
    }
    return { id: key.id, privateKey: await importJWK(jwk, algorithm) }
  }

  const make = async (): Promise<StoredKey> => {
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
    const id = ids()
    return {
      id,
      publicKey: JSON.stringify(await exportJWK(publicKey)),
      privateKey: vault.encrypt(JSON.stringify(await exportJWK(privateKey)), contextOf(id)),
      createdAt: isoNow(clock),
    }
  }

  const find = async (): Promise<SigningKey> => {
    const [newest] = await listKeys(databases.read)
    const known = newest && isFresh(newest) ? await open(newest) : undefined
    if (known) return known
    const made = await make()
    const stored = await inTransaction(databases, async trx => {
      const [latest] = await listKeys(trx)
      // Another process may have been first. What cannot be opened is useless to everybody.
      if (latest && latest.id !== newest?.id) return latest
      if (latest && isFresh(latest)) await deleteKey(trx, latest.id)
      await insertKey(trx, made)
      return made
    })
    const opened = await open(stored)
    if (!opened) throw new Error('The key for the upstream cannot be read')
    return opened
  }

  return {
    signing(): Promise<SigningKey> {
      const now = clock.now().getTime()
      if (kept && now < kept.until) return kept.key
      const key = find()
      kept = { until: now + keptMs, key }
      key.catch(() => {
        kept = undefined
      })
      return key
    },
    /** The key set that `/.well-known/jwks.json` serves. */
    async published(): Promise<JSONWebKeySet> {
      await this.signing()
      const keys = await listKeys(databases.read)
      return {
        keys: keys.map(key => ({
          ...(JSON.parse(key.publicKey) as JWK),
          kid: key.id,
          alg: algorithm,
          use: 'sig',
        })) as JSONWebKeySet['keys'],
      }
    },
    /** Deletes keys that no token needs any more. */
    prune: (now: Date) =>
      deleteKeysBefore(databases.write, new Date(now.getTime() - keyAgeMs - publishedAfterMs).toISOString()),
  }
}

export type UpstreamKeys = ReturnType<typeof createUpstreamKeys>
