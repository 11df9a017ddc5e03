import type { FastifyInstance } from 'fastify'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'

/**
 * Requests that come together are taken in over as many turns as they need; those that read go before what is worked
 * through meanwhile. Call it before whatever costs time.
 */
export function installLoopTurn(app: FastifyInstance, turn: LoopTurn): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'GET') reply.raw.once('close', turn.read())
    const next = turn.comeIn()
    if (next) void next.then(() => done())
    else done()
  })
}
