import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

/** The policy of the service worker itself: it may only fetch from this site. */
const policy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"

/**
 * `/sw.js` shows push messages when no tab is open. It is served unbuilt, in development too, and revalidated each time,
 * so that a new version is picked up at once.
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
