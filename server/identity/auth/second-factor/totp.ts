import { Secret, TOTP } from 'otpauth'
import { randomBytes } from '#server/platform/crypto/random.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'

/** A code for every half minute. The step before and the step after are accepted too, for clocks that are off. */
const stepSeconds = 30
const drift = 1
const digits = 6
const secretBytes = 20

/** RFC 6238 with SHA-1, which every app supports. */
const totpOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits, period: stepSeconds })

/** 160 bits, the size that authenticator apps expect, as base32. */
export const createTotpSecret = (): string =>
  new Secret({ buffer: Uint8Array.from(randomBytes(secretBytes)).buffer }).base32

/** The content of the QR code for the app. */
export const totpAddress = (secret: string, email: string): string => {
  const label = encodeURIComponent(`${PRODUCT_NAME}:${email}`)
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer: PRODUCT_NAME })}`
}

export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / stepSeconds)

/** The time step of this code; undefined: not valid now. */
export function findStep(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const distance = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: drift })
  return distance === null ? undefined : stepAt(now) + distance
}
