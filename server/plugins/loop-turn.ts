import type { FastifyInstance } from 'fastify'
import type { LoopTurn } from '../loop-turn.ts'

/** Requests that come together are taken in over as many turns as they need. Call it before whatever costs time. */
export function installLoopTurn(app: FastifyInstance, turn: LoopTurn): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    const next = turn.giveWay()
    if (next) void next.then(() => done())
    else done()
  })
}
