import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * When the app closes, ends connections that have not carried a request yet. Browsers open such connections ahead of
 * time; Node does not count them as idle and would wait for their first request until its timeout, a minute or more.
 */
export function closeUnusedSockets(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', socket => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', request => unused.delete(request.socket))
  app.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy()
  })
}
