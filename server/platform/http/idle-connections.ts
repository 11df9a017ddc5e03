import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Ends each connection as soon as it carries no request, once the app closes. Node itself waits up to a minute for two
 * kinds: connections that have not carried a request yet, which browsers open ahead of time, and connections whose
 * response ends after the close began.
 */
export function endIdleConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  let isClosing = false
  app.server.on('connection', socket => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', (request, response: ServerResponse) => {
    unused.delete(request.socket)
    response.once('close', () => {
      if (isClosing) app.server.closeIdleConnections()
    })
  })
  app.addHook('preClose', async () => {
    isClosing = true
    for (const socket of unused) socket.destroy()
  })
}
