import { createHmac } from 'node:crypto'
import { deriveKey } from '#server/platform/crypto/installation-secret.ts'

/** Where better-auth keeps the codes of an address. */
export const codePrefix = 'sign-in-otp-'

/** The same for one flow: a stranger who asks for codes or guesses them touches nobody else's. No address has a space. */
export const codeIdentifier = (address: string, flowId: string): string => `${codePrefix}${address} ${flowId}`

/** Six digits under a plain hash are a table lookup; under a key that is not in the database they are not. */
export const createCodeHash = (secret: string): ((code: string) => string) => {
  const key = deriveKey(secret, 'sign-in codes')
  return code => createHmac('sha256', key).update(code).digest('base64url')
}
