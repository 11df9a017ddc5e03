import type { FastifyPluginAsync } from 'fastify'

/** Headers of every reply, including those written without Fastify (event streams, pages). */
export const securityHeaders = (publicUrl: string): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), payment=(), usb=(), microphone=(self)',
  'x-frame-options': 'DENY',
  ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})

/** The content policy of everything except pages: nothing may run or be framed. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/**
 * The content policy of pages. Scripts and style elements need this reply's nonce; `strict-dynamic` lets the entry
 * script import its chunks. Style attributes are not allowed.
 */
export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ')

/**
 * The headers of the page that opens Meta's dialog: its script may connect to Facebook, and the dialog to the page that
 * opened it. Scripts still need this reply's nonce.
 */
export const facebookHeaders = (nonce: string): Readonly<Record<string, string>> => {
  const hosts = 'https://*.facebook.com'
  return {
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'content-security-policy': [
      pagePolicy(nonce)
        .replace("connect-src 'self'", `connect-src 'self' ${hosts}`)
        .replace("img-src 'self'", `img-src 'self' ${hosts}`),
      `frame-src ${hosts}`,
    ].join('; '),
  }
}

/** Headers without meaning for scripts, styles and fonts. */
export const headersOfDocuments = [
  'referrer-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'x-frame-options',
  'content-security-policy',
] as const

/**
 * Sets the headers on every reply before its route runs, so that a route can override them. Register it unencapsulated.
 */
export const createHeaders = (publicUrl: string): FastifyPluginAsync => {
  const headers = {
    ...securityHeaders(publicUrl),
    'content-security-policy': dataPolicy,
    // Public or immutable replies override this.
    'cache-control': 'no-store',
  }
  const plugin: FastifyPluginAsync = async app => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers(headers)
    })
  }
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}
