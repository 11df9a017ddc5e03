import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { randomInt } from '#server/platform/crypto/random.ts'
import { keyPrefix } from '#shared/auth/api-keys.ts'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 32 of 62 characters: 190 bits. */
const secretChars = 32
const checksumChars = 6
const keyForm = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${secretChars + checksumChars}}$`)

const checksumOf = (text: string): string => {
  let rest = crc32(text)
  let sum = ''
  for (let i = 0; i < checksumChars; i += 1) {
    sum = letters[rest % 62] + sum
    rest = Math.floor(rest / 62)
  }
  return sum
}

/** Creates a key: prefix, secret, and a checksum, by which scanners recognize a leaked key without asking us. */
export const createKeyText = (): string => {
  const secret = Array.from({ length: secretChars }, () => letters[randomInt(62)]).join('')
  return `${keyPrefix}${secret}${checksumOf(keyPrefix + secret)}`
}

/** Checks form and checksum only: the key may not exist. */
export const isKeyText = (text: string): boolean =>
  keyForm.test(text) && text.endsWith(checksumOf(text.slice(0, -checksumChars)))

/** The hash that better-auth stores; a test compares it with `defaultKeyHasher`. */
export const hashKeyText = (text: string): string => createHash('sha256').update(text).digest('base64url')
