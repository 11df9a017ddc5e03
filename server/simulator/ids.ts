import { createHash } from 'node:crypto'
import { randomBytes, randomHex, randomInt } from '#server/platform/crypto/random.ts'
import { type Direction, newGraphId, wamidOf } from '#server/whatsapp/serving/ids.ts'

/** Tokens begin with `EAA` and have about two hundred characters. */
export const newAccessToken = (): string =>
  `EAA${randomBytes(160).toString('base64').replace(/[+/=]/g, '').slice(0, 190)}`

/** An app secret is 32 hex digits. */
export const newAppSecret = (): string => randomHex(16)

/** Only the hash of a token is stored. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

const upperHex = (bytes: number) => randomBytes(bytes).toString('hex').toUpperCase()

/** Inner ids of the business have 18 hex digits; those of customers' phones 32 (Android) or `3A` and 18 (iOS). */
export const newWamid = (customer: string, direction: Direction): string =>
  wamidOf(customer, direction, direction === 'out' ? upperHex(9) : `3A${upperHex(9)}`)

export const newBsuid = (country: string): string => `${country}.${newGraphId(17)}${randomInt(100, 1000)}`

/** 32 hex digits, always the same for one message. */
export const conversationIdOf = (text: string): string => createHash('md5').update(text).digest('hex')
