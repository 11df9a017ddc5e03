import { createHash } from 'node:crypto'
import { randomBytes, randomHex, randomInt, randomToken } from '../platform/crypto/random.ts'

/** Graph's ids are decimal, 15 to 17 digits, always text. */
export const newGraphId = (digits: 15 | 16 | 17 = 15): string => {
  let id = String(randomInt(1, 10))
  while (id.length < digits) id += String(randomInt(0, 1000)).padStart(3, '0')
  return id.slice(0, digits)
}

/** `A` and 22 characters, like the trace ids of Graph's errors. */
export const newTraceId = (): string => `A${randomToken(17).slice(0, 22)}`

/** Tokens begin with `EAA` and have about two hundred characters. */
export const newAccessToken = (): string =>
  `EAA${randomBytes(160).toString('base64').replace(/[+/=]/g, '').slice(0, 190)}`

/** An app secret is 32 hex digits. */
export const newAppSecret = (): string => randomHex(16)

/** Only the hash of a token is stored. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

const directions = { out: 0x11, in: 0x12 } as const

const lengthAnd = (text: string): number[] => [0x18, text.length, ...Buffer.from(text, 'latin1')]

/** A wamid around an inner id, in the structure observed at Meta, padded. */
export const wamidOf = (customer: string, direction: keyof typeof directions, inner: string): string =>
  `wamid.${Buffer.from([0x1c, ...lengthAnd(customer), 0x15, 0x02, 0x00, directions[direction], ...lengthAnd(inner), 0x00]).toString('base64')}`

const upperHex = (bytes: number) => randomBytes(bytes).toString('hex').toUpperCase()

/** Inner ids of the business have 18 hex digits; those of customers' phones 32 (Android) or `3A` and 18 (iOS). */
export const newWamid = (customer: string, direction: keyof typeof directions): string =>
  wamidOf(customer, direction, direction === 'out' ? upperHex(9) : `3A${upperHex(9)}`)

export const newBsuid = (country: string): string => `${country}.${newGraphId(17)}${randomInt(100, 1000)}`

/** 32 hex digits, always the same for one message. */
export const conversationIdOf = (text: string): string => createHash('md5').update(text).digest('hex')
