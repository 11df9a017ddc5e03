import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { randomBytes } from './random.ts'

/**
 * Seals secrets at rest: AES-256-GCM under a key derived from AUTH_SECRET. `place` (table, row and field) is bound
 * in, so that a sealed value moved to another row does not open.
 */
export interface Vault {
  seal(plain: string, place: string): string
  /** @throws when the value was moved, altered or sealed under another secret. */
  open(sealed: string, place: string): string
}

const scheme = 'v1'

export function createVault(authSecret: string): Vault {
  const key = Buffer.from(hkdfSync('sha256', authSecret, 'recado', 'sealed columns', 32))
  return {
    seal(plain, place) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${scheme}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, place) {
      const [version, data] = sealed.split('.')
      if (version !== scheme || !data) throw new Error('A sealed value has an unknown form')
      const bytes = Buffer.from(data, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}

/** The same for the same, and nothing to whoever has not the secret: what may be recognized and must not be read. */
export type KeyedHash = (value: string) => string

export function createKeyedHash(authSecret: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', authSecret, 'recado', 'recognized values', 32))
  return value => createHmac('sha256', key).update(value).digest('base64url')
}
