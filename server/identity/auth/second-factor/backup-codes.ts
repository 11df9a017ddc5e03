import { createHmac } from 'node:crypto'
import { deriveKey } from '#server/platform/crypto/installation-secret.ts'
import { randomInt } from '#server/platform/crypto/random.ts'
import { backupCodeCount } from '#shared/auth/second-factor.ts'

/** Letters and digits without those that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const halfLength = 5

const half = (): string => Array.from({ length: halfLength }, () => alphabet[randomInt(alphabet.length)]).join('')

/** 49 bits, shown as `k7dm2-x9hqa`. */
export const createLongCode = (): string => `${half()}-${half()}`

/** The form in which codes are compared: lower case, without spaces and dash. */
export const plainCode = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '')

export const createBackupCodes = (): string[] => Array.from({ length: backupCodeCount }, createLongCode)

/** Hashes with a key that is not in the database. */
export const createBackupCodeHash = (secret: string): ((userId: string, code: string) => string) => {
  const key = deriveKey(secret, 'backup codes')
  return (userId, code) =>
    createHmac('sha256', key)
      .update(`${userId} ${plainCode(code)}`)
      .digest('base64url')
}
