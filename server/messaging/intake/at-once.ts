import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'

/** Of what comes in one piece or two; whatever is larger, or does not say how large it is, goes the long way. */
const atOnceBytes = 64 * 1024

const okHeaders = { 'content-type': 'text/plain; charset=utf-8', 'content-length': '2' }

const readBody = ({ raw }: FastifyRequest, onBody: (body: Buffer) => void, onError: (error: Error) => void) => {
  const pieces: Buffer[] = []
  raw.on('data', (piece: Buffer) => pieces.push(piece))
  raw.on('error', onError)
  raw.on('end', () => {
    raw.removeListener('error', onError)
    onBody(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces))
  })
}

/** @see intakeRoutes, which answers the same */
const answerOk = (reply: FastifyReply) => {
  reply.hijack()
  reply.raw.writeHead(200, okHeaders).end('ok')
}

/**
 * For `onRequest` of a route of webhooks: a webhook as Meta sends it is taken and answered here, as what Fastify does to a
 * body and to a reply costs more than to check its signature. A refusal goes the way of every other.
 */
export const takeAtOnce =
  (take: (request: FastifyRequest, body: Buffer) => Promise<unknown>): onRequestHookHandler =>
  (request, reply, done) => {
    const bytes = Number(request.headers['content-length'])
    if (!(bytes > 0 && bytes <= atOnceBytes)) return done()
    readBody(request, body => take(request, body).then(() => answerOk(reply), done), done)
  }
