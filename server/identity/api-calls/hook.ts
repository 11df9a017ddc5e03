import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isCall } from '#server/platform/http/access.ts'
import { hashKeyText, isKeyText } from '../auth/api-key-text.ts'
import type { CallRecorder, EndedCall } from './recorder.ts'

/**
 * Whose key came. Where nobody asked, as for an address that does not exist, and where it opens nothing, it may still be
 * somebody's, expired or left behind.
 */
const keyOf = ({ caller, headers, routeOptions, url }: FastifyRequest): EndedCall['key'] | undefined => {
  if (!isCall(routeOptions.url, url)) return undefined
  const key = caller?.key
  if (typeof key === 'object') return { id: key.keyId }
  const text = headers['x-api-key']
  return typeof text === 'string' && isKeyText(text.trim()) ? { hash: hashKeyText(text.trim()) } : undefined
}

/** Notes every call that came with an API key, once it is answered. Call it on the outermost instance, before routes. */
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
