import { createHash } from 'node:crypto'
import { randomToken } from '#server/platform/crypto/random.ts'
import { cookieAttributes, cookieName, cookieValue } from './cookie.ts'

const tokenBytes = 32
/** A browser may be trusted by several people: each has a cookie of their own, which does not name them. */
const nameOf = (publicUrl: string, userId: string): string => {
  const whose = createHash('sha256').update(userId).digest('hex').slice(0, 12)
  return cookieName(publicUrl, `trusted_${whose}`)
}

/** What of a token is stored. */
export const hashDeviceToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

export const createDeviceToken = (): string => randomToken(tokenBytes)

/** The token by which a browser shows that this person trusts it; undefined: it has none. */
export const readDeviceToken = (publicUrl: string, userId: string, cookie: string | undefined): string | undefined =>
  (cookie && cookieValue(cookie, nameOf(publicUrl, userId))) || undefined

/** A whole `set-cookie` header. */
export const deviceCookie = (publicUrl: string, device: { userId: string; token: string; seconds: number }): string =>
  `${nameOf(publicUrl, device.userId)}=${device.token}; ${cookieAttributes(publicUrl, device.seconds)}`
