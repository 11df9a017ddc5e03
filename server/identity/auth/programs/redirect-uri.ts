const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
const redirectMaxChars = 1000
/**
 * An address without spaces, control characters, backslashes, fragments and non-ASCII letters that look like others.
 */
const plainAddress = /^https?:\/\/[!-"$-[\]-~]+$/
/**
 * Addresses that open an app: of a scheme that has a domain's name in reverse, or those that Cursor has for it, as others
 * of its scheme install things. `javascript:` and what else means something to a browser has no dot. @see RFC 8252 §7.1
 */
const appAddress =
  /^(?:[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:\/|cursor:\/\/anysphere\.cursor-(?:mcp|retrieval)\/oauth\/)[!-"$-[\]-~]+$/

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && loopbackHosts.has(hostname)

/** A program may get its code at an https address, or on the person's own computer by http or in an app. */
export function isRedirectUri(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > redirectMaxChars) return false
  if (appAddress.test(text)) return URL.canParse(text)
  if (!plainAddress.test(text) || !URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || isLoopback(url)
}

/** The same address; on the own computer with any port, because programs take a free one. @see RFC 8252 §7.3 */
export function matchesRedirectUri(registered: string, asked: string): boolean {
  if (registered === asked) return true
  if (!isRedirectUri(asked)) return false
  const [own, other] = [new URL(registered), new URL(asked)]
  if (!isLoopback(own) || !isLoopback(other)) return false
  return own.hostname === other.hostname && own.pathname === other.pathname && own.search === other.search
}

/** The host for people to read; `localhost` for all names of the own computer, `com.example.app:` for an app. */
export function hostOfRedirectUri(uri: string): string {
  const url = new URL(uri)
  if (isLoopback(url)) return 'localhost'
  return appAddress.test(uri) ? url.protocol : url.host
}

/** The address with the answer to the request added. */
export const withAnswer = (uri: string, answer: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}
