import type { FastifyInstance } from 'fastify'
import { runWithTrace, traceparentIn } from '#server/platform/log/trace.ts'

/**
 * Answers with the request's id, and passes it on to the calls that answering makes. Call it before other hooks and
 * routes.
 */
export function installTrace(app: FastifyInstance): void {
  app.addHook('onRequest', ({ id, headers }, reply, done) => {
    reply.header('x-request-id', id)
    runWithTrace({ requestId: id, traceparent: traceparentIn(headers) }, done)
  })
}
