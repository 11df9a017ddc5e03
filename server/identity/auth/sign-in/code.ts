import { createHmac } from 'node:crypto'
import { deriveKey } from '#server/platform/crypto/installation-secret.ts'

/** Prefix of better-auth's identifier for the codes of an address. */
export const codePrefix = 'sign-in-otp-'

/**
 * Identifier of the codes of one flow, so that strangers who request or guess codes do not affect anybody else's. No
 * address contains a space.
 */
export const codeIdentifier = (address: string, flowId: string): string => `${codePrefix}${address} ${flowId}`

/** A plain hash of six digits can be reversed with a table; one with a key that is not in the database cannot. */
export const createCodeHash = (secret: string): ((code: string) => string) => {
  const key = deriveKey(secret, 'sign-in codes')
  return code => createHmac('sha256', key).update(code).digest('base64url')
}
