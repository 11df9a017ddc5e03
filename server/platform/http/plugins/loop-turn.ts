import type { FastifyInstance } from 'fastify'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'

/**
 * Spreads requests that arrive together over several event-loop turns, and gives reads priority over long work. Call it
 * before other hooks that cost time.
 */
export function installLoopTurn(app: FastifyInstance, turn: LoopTurn): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'GET') reply.raw.once('close', turn.read())
    const next = turn.waitForNewTurn()
    if (next) void next.then(() => done())
    else done()
  })
}
