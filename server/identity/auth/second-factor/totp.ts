import { createHmac, timingSafeEqual } from 'node:crypto'
import { randomBytes } from '#server/platform/crypto/random.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'

/** A code for every half minute. The step before and the step after are accepted too, for clocks that are off. */
const stepSeconds = 30
const drift = 1
const digits = 6
const secretBytes = 20
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 base32 without padding. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    for (; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31]
  }
  return bits ? text + alphabet[(value << (5 - bits)) & 31] : text
}

/** @throws for a character outside base32 */
export function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const letter of text) {
    const index = alphabet.indexOf(letter)
    if (index < 0) throw new Error('Not base32')
    value = ((value << 5) | index) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >>> bits) & 255)
  }
  return Buffer.from(bytes)
}

/** 160 bits, the size that authenticator apps expect. */
export const createTotpSecret = (): string => base32(randomBytes(secretBytes))

/** The content of the QR code for the app. */
export const totpAddress = (secret: string, email: string): string => {
  const label = encodeURIComponent(`${PRODUCT_NAME}:${email}`)
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer: PRODUCT_NAME })}`
}

export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / stepSeconds)

/** The code of a time step, by RFC 6238 with SHA-1, which every app supports. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) as number) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/** The time step of this code; undefined: not valid now. */
export function findStep(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const given = Buffer.from(code)
  const around = stepAt(now)
  for (let step = around - drift; step <= around + drift; step += 1)
    if (timingSafeEqual(given, Buffer.from(totpCode(secret, step)))) return step
  return undefined
}
