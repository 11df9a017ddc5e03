import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { PRODUCT_KEY } from '#shared/kernel/product.ts'

/** A session ends after this, however much it is used. The cookie lives as long. */
export const sessionLifetimeMs = 90 * 86_400_000

/** better-auth's `cookiePrefix`. */
export const cookiePrefix = PRODUCT_KEY

export const isSecureUrl = (publicUrl: string): boolean => publicUrl.startsWith('https://')

/**
 * A cookie's full name. On https, browsers accept the `__Host-` prefix only over TLS, from this very host and for all
 * paths, so that no other host of the same domain can set one.
 */
export const cookieName = (publicUrl: string, name: string): string =>
  `${isSecureUrl(publicUrl) ? '__Host-' : ''}${cookiePrefix}.${name}`

/** The attributes that `__Host-` requires, and `HttpOnly`. */
export const cookieAttributes = (publicUrl: string, seconds: number): string =>
  `Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${isSecureUrl(publicUrl) ? '; Secure' : ''}`

export const sessionCookieName = (publicUrl: string): string => cookieName(publicUrl, 'session_token')

export const cookieKey = (secret: string): KeyObject => createSecretKey(Buffer.from(secret, 'utf8'))

const sign = (token: string, key: KeyObject): Buffer => createHmac('sha256', key).update(token, 'utf8').digest()

/** The value better-auth would set: token, dot, base64 HMAC-SHA256; percent-encoded. */
export const signedCookieValue = (token: string, key: KeyObject): string =>
  encodeURIComponent(`${token}.${sign(token, key).toString('base64')}`)

export interface SessionCookie {
  readonly name: string
  /** The value encoded as in a `cookie` header. */
  readonly value: string
  /** `name=value`. */
  readonly cookie: string
  /** A complete `set-cookie` header. */
  readonly setCookie: string
}

/**
 * The cookie of a session, as better-auth sets it. It lives as long as any session may; the row decides when the
 * session ends.
 */
export const sessionCookie = (publicUrl: string, token: string, key: KeyObject): SessionCookie => {
  const name = sessionCookieName(publicUrl)
  const value = signedCookieValue(token, key)
  const cookie = `${name}=${value}`
  return { name, value, cookie, setCookie: `${cookie}; ${cookieAttributes(publicUrl, sessionLifetimeMs / 1000)}` }
}

const decoded = (value: string): string => {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    // A malformed escape is kept as it is, like better-call does; the signature then cannot match.
    return value
  }
}

/** The first cookie of that name, read exactly as better-call's `parseCookies` does. */
export const cookieValue = (header: string, name: string): string | undefined => {
  let index = 0
  while (index < header.length) {
    const equals = header.indexOf('=', index)
    if (equals === -1) return undefined
    let end = header.indexOf(';', index)
    if (end === -1) end = header.length
    else if (end < equals) {
      index = header.lastIndexOf(';', equals - 1) + 1
      continue
    }
    if (header.slice(index, equals).trim() === name) {
      const value = header.slice(equals + 1, end).trim()
      return decoded(value.startsWith('"') ? value.slice(1, -1) : value)
    }
    index = end + 1
  }
  return undefined
}

/** 32 bytes in padded standard base64, the only form better-auth accepts. */
const signatureForm = /^[A-Za-z0-9+/]{43}=$/

/**
 * Keys that sign session cookies. Cookies signed with a `previous` key are accepted and signed again with the current
 * one.
 */
interface CookieKeys {
  readonly current: KeyObject
  readonly previous: readonly KeyObject[]
}

export const cookieKeys = (secret: string, previous: readonly string[] = []): CookieKeys => ({
  current: cookieKey(secret),
  previous: previous.map(cookieKey),
})

/** The token of a cookie signed with a previous key; undefined: signed with the current key, or not by us. */
export const readFormerToken = (header: string | undefined, name: string, keys: CookieKeys): string | undefined => {
  if (!keys.previous.length || readSessionToken(header, name, keys.current) !== undefined) return undefined
  for (const key of keys.previous) {
    const token = readSessionToken(header, name, key)
    if (token !== undefined) return token
  }
  return undefined
}

/** The header with a current signature, because the library knows only the current secret. */
export const withCurrentSignature = (header: string, name: string, keys: CookieKeys): string => {
  const token = readFormerToken(header, name, keys)
  if (token === undefined) return header
  const others = header.split(';').filter(pair => pair.split('=')[0]?.trim() !== name)
  return [...others, `${name}=${signedCookieValue(token, keys.current)}`].map(pair => pair.trim()).join('; ')
}

/** The session token of a cookie header, if its signature is ours. Compares in constant time. */
export const readSessionToken = (header: string | undefined, name: string, key: KeyObject): string | undefined => {
  if (!header) return undefined
  const value = cookieValue(header, name)
  if (!value) return undefined
  const dot = value.lastIndexOf('.')
  if (dot < 1) return undefined
  const token = value.slice(0, dot)
  const signature = value.slice(dot + 1)
  if (!signatureForm.test(signature)) return undefined
  return timingSafeEqual(Buffer.from(signature, 'base64'), sign(token, key)) ? token : undefined
}
