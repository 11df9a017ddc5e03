import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** Where chance enters the server: everything that must not be guessed, or must not meet another of its kind. */
export { randomBytes, randomInt, randomUUID }

/** @returns text safe in addresses and headers, four characters for three bytes */
export const randomToken = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** @returns two characters a byte */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')
