import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'

/** Such a body arrives in one or two chunks. Larger bodies, and those without a length, go through Fastify's parser. */
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

/** @see intakeRoutes, which gives the same answer */
const answerOk = (reply: FastifyReply) => {
  reply.hijack()
  reply.raw.writeHead(200, okHeaders).end('ok')
}

/**
 * An `onRequest` hook that handles a webhook and answers it. Fastify's body parsing and reply cost more than checking
 * the signature. Errors go through Fastify as usual.
 */
export const takeAtOnce =
  (take: (request: FastifyRequest, body: Buffer) => Promise<unknown>): onRequestHookHandler =>
  (request, reply, done) => {
    const bytes = Number(request.headers['content-length'])
    if (!(bytes > 0 && bytes <= atOnceBytes)) return done()
    readBody(request, body => take(request, body).then(() => answerOk(reply), done), done)
  }
