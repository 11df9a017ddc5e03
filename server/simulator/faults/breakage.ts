import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Breakage } from '../graph/accept.ts'

const hangMs = 30_000

/** Hanging requests, so that stopping need not wait for them. */
export type Hanging = Set<() => void>

const cutOff = (request: FastifyRequest, reply: FastifyReply) => {
  reply.hijack()
  const { socket } = request.raw
  if (typeof socket.resetAndDestroy === 'function') socket.resetAndDestroy()
  reply.raw.destroy()
}

/** Fails as configured. `cut` and `reset` look the same to the client on purpose. */
export function breakReply(
  request: FastifyRequest,
  reply: FastifyReply,
  how: Breakage,
  hanging: Hanging,
): FastifyReply {
  if (how === '500') return reply.status(500).type('text/plain').send('Internal Server Error')
  if (how === 'html')
    return reply
      .status(502)
      .type('text/html; charset=utf-8')
      .send('<!DOCTYPE html><html><head><title>502</title></head><body>Sorry, something went wrong.</body></html>')
  if (how !== 'hang') {
    cutOff(request, reply)
    return reply
  }
  const end = () => {
    clearTimeout(timer)
    hanging.delete(end)
    cutOff(request, reply)
  }
  const timer = setTimeout(end, hangMs)
  hanging.add(end)
  // The reply's event, because the request closes as soon as its body was read.
  reply.raw.once('close', () => {
    clearTimeout(timer)
    hanging.delete(end)
  })
  reply.hijack()
  return reply
}
