/** The same events through better-sse as its guide shows: a session per request, one channel for all. */
import type { AddressInfo } from 'node:net'
import { createChannel, createSession } from 'better-sse'
import Fastify from 'fastify'
import { type Bell, eventOf, ring } from '../parts/bell.ts'
import { answer } from '../parts/child.ts'

const app = Fastify()
const channel = createChannel()
app.get('/api/sse', async (request, reply) => {
  reply.hijack()
  channel.register(await createSession(request.raw, reply.raw))
})
let seq = 0
answer('ring', (bell: Bell) =>
  ring(bell, padding => {
    seq += 1
    channel.broadcast({ event: 'message', data: eventOf(padding) }, undefined, { eventId: String(seq) })
  }),
)
answer('streams', () => channel.sessionCount)
await app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
console.log(`ready: http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
