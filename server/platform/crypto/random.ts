import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** The only source of randomness of the server, for whatever must be unguessable or unique. */
export { randomBytes, randomInt, randomUUID }

/** @returns text safe in addresses and headers, four characters for three bytes */
export const randomToken = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** @returns two characters a byte */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')
