import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { randomBytes } from './random.ts'

/**
 * Seals secrets at rest: AES-256-GCM under a key derived from AUTH_SECRET. `place` (table, row and field) is bound
 * in, so that a sealed value moved to another row does not open.
 */
export interface Vault {
  seal(plain: string, place: string): string
  /** @throws when the value was moved, altered or sealed under a secret that is not known any more. */
  open(sealed: string, place: string): string
  /** What every value begins with that is sealed under the secret of today. */
  readonly currentPrefix: string
}

/** A column whose values are sealed, for the start that seals them again under a new secret. */
export interface SealedColumn {
  readonly table: string
  /** Columns that name one row. */
  readonly key: readonly string[]
  readonly column: string
  /** @param key the values of `key`, in its order */
  placeOf(...key: string[]): string
}

const derive = (secret: string, purpose: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'recado', purpose, bytes))

/** `v1` was sealed before values named their key: each known secret is tried. */
const nameless = 'v1'
const scheme = 'v2'
const nonceBytes = 12
const tagBytes = 16

/** @param previous secrets of before, by which values are read and nothing is sealed any more */
export function createVault(authSecret: string, previous: readonly string[] = []): Vault {
  const keys = [authSecret, ...previous].map(secret => ({
    id: derive(secret, 'name of the key of sealed columns', 4).toString('hex'),
    key: derive(secret, 'sealed columns'),
  }))
  const [current] = keys as [(typeof keys)[number]]
  const currentPrefix = `${scheme}.${current.id}.`

  const openWith = (key: Buffer, data: string, place: string): string => {
    const bytes = Buffer.from(data, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  }

  const openNameless = (data: string, place: string): string => {
    for (const { key } of keys.slice(0, -1))
      try {
        return openWith(key, data, place)
      } catch {
        // Sealed under another of them, or under none.
      }
    return openWith((keys.at(-1) as (typeof keys)[number]).key, data, place)
  }

  return {
    currentPrefix,
    seal(plain, place) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${currentPrefix}${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, place) {
      const [version, first, second] = sealed.split('.')
      if (version === nameless && first && second === undefined) return openNameless(first, place)
      if (version !== scheme || !second) throw new Error('A sealed value has an unknown form')
      const named = keys.find(({ id }) => id === first)
      if (!named) throw new Error('A value is sealed under a secret that is not known')
      return openWith(named.key, second, place)
    },
  }
}

/** The same for the same, and nothing to whoever has not the secret: what may be recognized and must not be read. */
export type KeyedHash = (value: string) => string

export function createKeyedHash(authSecret: string): KeyedHash {
  const key = derive(authSecret, 'recognized values')
  return value => createHmac('sha256', key).update(value).digest('base64url')
}
