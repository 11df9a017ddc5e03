import { createHash } from 'node:crypto'
import { randomToken } from '#server/platform/crypto/random.ts'
import { cookieAttributes, cookieName, cookieValue } from '../sessions/cookie.ts'

const tokenBytes = 32
/** Several people may trust one browser. Each has a cookie whose name does not reveal the person. */
const nameOf = (publicUrl: string, userId: string): string => {
  const whose = createHash('sha256').update(userId).digest('hex').slice(0, 12)
  return cookieName(publicUrl, `trusted_${whose}`)
}

/** Only the hash is stored. */
export const hashDeviceToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

export const createDeviceToken = (): string => randomToken(tokenBytes)

/** The trusted-browser token for this person; undefined: none. */
export const readDeviceToken = (publicUrl: string, userId: string, cookie: string | undefined): string | undefined =>
  (cookie && cookieValue(cookie, nameOf(publicUrl, userId))) || undefined

/** A complete `set-cookie` header. */
export const deviceCookie = (publicUrl: string, device: { userId: string; token: string; seconds: number }): string =>
  `${nameOf(publicUrl, device.userId)}=${device.token}; ${cookieAttributes(publicUrl, device.seconds)}`
