import { createHmac } from 'node:crypto'
import { backupCodeCount } from '#shared/second-factor.ts'
import { randomInt } from '../random.ts'
import { deriveKey } from './secret.ts'

/** Without letters and digits that are taken for one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const halfLength = 5

const half = (): string => Array.from({ length: halfLength }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Ten codes of 49 bits each, as they are shown: `k7dm2-x9hqa`. */
export const createBackupCodes = (): string[] => Array.from({ length: backupCodeCount }, () => `${half()}-${half()}`)

/** Under a key that is not in the database; capitals, spaces and the dash do not matter. */
export const createBackupCodeHash = (secret: string): ((userId: string, code: string) => string) => {
  const key = deriveKey(secret, 'backup codes')
  const plain = (code: string) => code.toLowerCase().replace(/[\s-]/g, '')
  return (userId, code) =>
    createHmac('sha256', key)
      .update(`${userId} ${plain(code)}`)
      .digest('base64url')
}
