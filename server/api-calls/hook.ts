import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hashKeyText, isKeyText } from '../auth/api-key-text.ts'
import type { CallRecorder, EndedCall } from './recorder.ts'

/** Whose key came; one that opens nothing may still be somebody's, expired or left behind. */
const keyOf = ({ caller, headers }: FastifyRequest): EndedCall['key'] | undefined => {
  const key = caller?.key
  if (typeof key === 'object') return { id: key.keyId }
  const text = headers['x-api-key']
  if (key !== 'invalid' || typeof text !== 'string' || !isKeyText(text.trim())) return undefined
  return { hash: hashKeyText(text.trim()) }
}

/** Notes every call that came with an API key, once it is answered. */
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
