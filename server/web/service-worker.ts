import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

/** Its own policy counts for what it fetches: this site, and nothing else. */
const policy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"

/**
 * `/sw.js`, which shows push messages of closed tabs. Served as it is written, also in development; asked again each
 * time, so that a new one is not kept waiting.
 */
export function registerServiceWorker(app: FastifyInstance): void {
  const script = readFileSync(new URL('../../client/public/sw.js', import.meta.url))
  const etag = `"${createHash('sha256').update(script).digest('base64url').slice(0, 16)}"`
  app.get('/sw.js', (request, reply) => {
    reply.headers({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policy,
      'service-worker-allowed': '/',
      etag,
    })
    if (request.headers['if-none-match'] === etag) return reply.status(304).send()
    return reply.send(script)
  })
}
