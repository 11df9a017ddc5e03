import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A reply that is built once and sent to every caller. */
export interface Printed {
  readonly body: Buffer
  readonly etag: string
}

export const print = (text: string): Printed => {
  const body = Buffer.from(text)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"` }
}

/** Answers 304 to clients that have it. Varies by language, which comes from browser or session. */
export const sendPrinted = (
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: Printed,
  type: string,
): FastifyReply => {
  reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-language, cookie' }).type(type)
  return request.headers['if-none-match'] === etag ? reply.status(304).send() : reply.send(body)
}
