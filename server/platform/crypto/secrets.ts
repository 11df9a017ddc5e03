import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { randomBytes } from './random.ts'

/**
 * Encrypts secrets at rest: AES-256-GCM with a key derived from AUTH_SECRET. `context` (table, row and field) is bound in,
 * so that a value moved to another row cannot be decrypted.
 */
export interface Vault {
  encrypt(plain: string, context: string): string
  /** @throws if the value was moved or altered, or its secret is no longer known. */
  decrypt(encrypted: string, context: string): string
  /** Prefix of every value that is encrypted with the current secret. */
  readonly currentPrefix: string
}

/** An encrypted column, to be encrypted again when the secret changes. */
export interface EncryptedColumn {
  readonly table: string
  /** Columns that identify a row. */
  readonly key: readonly string[]
  readonly column: string
  /** @param key the values of `key`, in its order */
  contextOf(...key: string[]): string
}

const derive = (secret: string, purpose: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'recado', purpose, bytes))

/** `v1` is from before values named their key: each known secret is tried. */
const nameless = 'v1'
const scheme = 'v2'
const nonceBytes = 12
const tagBytes = 16

/** @param previous earlier secrets, used only to decrypt */
export function createVault(authSecret: string, previous: readonly string[] = []): Vault {
  const keys = [authSecret, ...previous].map(secret => ({
    id: derive(secret, 'name of the key of sealed columns', 4).toString('hex'),
    key: derive(secret, 'sealed columns'),
  }))
  const [current] = keys as [(typeof keys)[number]]
  const currentPrefix = `${scheme}.${current.id}.`

  const decryptWith = (key: Buffer, data: string, context: string): string => {
    const bytes = Buffer.from(data, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  }

  const decryptNameless = (data: string, context: string): string => {
    for (const { key } of keys.slice(0, -1))
      try {
        return decryptWith(key, data, context)
      } catch {
        // Try the next secret.
      }
    return decryptWith((keys.at(-1) as (typeof keys)[number]).key, data, context)
  }

  return {
    currentPrefix,
    encrypt(plain, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${currentPrefix}${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    decrypt(encrypted, context) {
      const [version, first, second] = encrypted.split('.')
      if (version === nameless && first && second === undefined) return decryptNameless(first, context)
      if (version !== scheme || !second) throw new Error('An encrypted value has an unknown form')
      const named = keys.find(({ id }) => id === first)
      if (!named) throw new Error('A value is encrypted with an unknown secret')
      return decryptWith(named.key, second, context)
    },
  }
}

/** A keyed hash: equal inputs give equal outputs, and without the secret it tells nothing. For values that must be found again and not read. */
export type KeyedHash = (value: string) => string

export function createKeyedHash(authSecret: string): KeyedHash {
  const key = derive(authSecret, 'recognized values')
  return value => createHmac('sha256', key).update(value).digest('base64url')
}
