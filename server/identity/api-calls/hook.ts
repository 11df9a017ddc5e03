import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hashKeyText, isKeyText } from '#server/identity/auth/keys/api-key-text.ts'
import { isForAgents, keyTextOf } from '#server/platform/http/access.ts'
import type { CallRecorder, EndedCall } from './recorder.ts'

/**
 * The key a request came with: the caller's, if it was accepted; otherwise the hash of the text sent, since a rejected
 * key may exist but be expired or disabled.
 */
const keyOf = (request: FastifyRequest): EndedCall['key'] | undefined => {
  const key = request.caller?.key
  // What an agent asks for is recorded as the calls that its tools make.
  if (typeof key === 'object') return isForAgents(request.routeOptions.url, request.url) ? undefined : { id: key.keyId }
  const text = keyTextOf(request)
  return typeof text === 'string' && isKeyText(text.trim()) ? { hash: hashKeyText(text.trim()) } : undefined
}

/**
 * Records every call made with an API key, after its response. Call it on the outermost instance, before routes are
 * added.
 */
export function installCallRecord(app: FastifyInstance, { callRecorder }: { callRecorder: CallRecorder }): void {
  app.addHook('onResponse', (request, reply, done) => {
    const key = keyOf(request)
    if (key)
      callRecorder.note({
        key,
        method: request.method,
        route: request.routeOptions.url ?? '',
        status: reply.statusCode,
        refusal: request.refusedAs,
        tookMs: reply.elapsedTime,
        address: request.ip,
        requestId: request.id,
      })
    done()
  })
}
