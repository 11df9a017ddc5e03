import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { PRODUCT_KEY } from '#shared/kernel/product.ts'

/** A session ends after this however much it is used; the cookie lives as long. */
export const sessionLifetimeMs = 90 * 86_400_000

/** better-auth's `cookiePrefix`. */
export const cookiePrefix = PRODUCT_KEY

export const isSecureUrl = (publicUrl: string): boolean => publicUrl.startsWith('https://')

/**
 * A cookie's whole name. On https browsers take one with this prefix only over TLS, from this very host, for all of it:
 * no neighbour under the same domain can plant one.
 */
export const cookieName = (publicUrl: string, name: string): string =>
  `${isSecureUrl(publicUrl) ? '__Host-' : ''}${cookiePrefix}.${name}`

/** What `__Host-` asks for, and nothing that a script could read. */
export const cookieAttributes = (publicUrl: string, seconds: number): string =>
  `Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${isSecureUrl(publicUrl) ? '; Secure' : ''}`

/** Name of the session cookie of an installation reached at `publicUrl`. */
export const sessionCookieName = (publicUrl: string): string => cookieName(publicUrl, 'session_token')

export const cookieKey = (secret: string): KeyObject => createSecretKey(Buffer.from(secret, 'utf8'))

const sign = (token: string, key: KeyObject): Buffer => createHmac('sha256', key).update(token, 'utf8').digest()

/** The value better-auth would set: token, dot, base64 HMAC-SHA256; percent-encoded. */
export const signedCookieValue = (token: string, key: KeyObject): string =>
  encodeURIComponent(`${token}.${sign(token, key).toString('base64')}`)

export interface SessionCookie {
  readonly name: string
  /** As it stands in a `cookie` header. */
  readonly value: string
  /** `name=value`. */
  readonly cookie: string
  /** A whole `set-cookie` header. */
  readonly setCookie: string
}

/** The cookie of a session, as better-auth sets it. It lives as long as any session may; the row decides. */
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
    // A malformed escape is taken as it stands, as better-call does; its signature then cannot fit.
    return value
  }
}

/** The first cookie of that name, read exactly as better-call's `parseCookies` reads it. */
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

/** 32 bytes in padded standard base64; better-auth takes nothing else for a signature. */
const signatureForm = /^[A-Za-z0-9+/]{43}=$/

/** What signs session cookies. `previous`: keys of before, whose cookies are read and signed anew. */
export interface CookieKeys {
  readonly current: KeyObject
  readonly previous: readonly KeyObject[]
}

export const cookieKeys = (secret: string, previous: readonly string[] = []): CookieKeys => ({
  current: cookieKey(secret),
  previous: previous.map(cookieKey),
})

/** The token of a cookie header whose signature is of a secret of before; undefined: of today's, or of none of ours. */
export const readFormerToken = (header: string | undefined, name: string, keys: CookieKeys): string | undefined => {
  if (!keys.previous.length || readSessionToken(header, name, keys.current) !== undefined) return undefined
  for (const key of keys.previous) {
    const token = readSessionToken(header, name, key)
    if (token !== undefined) return token
  }
  return undefined
}

/** The header as the library reads it, which knows the secret of today alone. */
export const withCurrentSignature = (header: string, name: string, keys: CookieKeys): string => {
  const token = readFormerToken(header, name, keys)
  if (token === undefined) return header
  const others = header.split(';').filter(pair => pair.split('=')[0]?.trim() !== name)
  return [...others, `${name}=${signedCookieValue(token, keys.current)}`].map(pair => pair.trim()).join('; ')
}

/** The session token of a cookie header, if its signature is ours; compared in constant time. */
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
