import type { FastifyPluginAsync } from 'fastify'

/** Headers of every reply, also of those written past Fastify (event streams, pages). */
export const securityHeaders = (publicUrl: string): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), payment=(), usb=(), microphone=(self)',
  'x-frame-options': 'DENY',
  ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})

/** Of what is no page: nothing in it may run or be framed. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/**
 * Of pages. Scripts and style elements need the nonce of this very reply; `strict-dynamic` lets the entry import its
 * chunks. No style attribute passes: pages are written without any.
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
 * Of the one page that opens Meta's dialog: its script may speak with Facebook, and the dialog with the page that
 * opened it. What it loads still comes by a script of this very reply.
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

/** Those of all that mean nothing on a script, a style or a font. */
export const headersOfDocuments = [
  'referrer-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'x-frame-options',
  'content-security-policy',
] as const

/** Sets the headers on every reply before its route runs, so that a route can say otherwise. Register it unencapsulated. */
export const createHeaders = (publicUrl: string): FastifyPluginAsync => {
  const headers = {
    ...securityHeaders(publicUrl),
    'content-security-policy': dataPolicy,
    // What is for everybody, or of a name that never means anything else, says so itself.
    'cache-control': 'no-store',
  }
  const plugin: FastifyPluginAsync = async app => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers(headers)
    })
  }
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}
