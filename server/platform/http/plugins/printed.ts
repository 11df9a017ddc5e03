import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An answer that is made once and sent to everybody who asks. */
export interface Printed {
  readonly body: Buffer
  readonly etag: string
}

export const print = (text: string): Printed => {
  const body = Buffer.from(text)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"` }
}

/** Answers 304 to who has it already. It may differ by language, which comes from the browser or the session. */
export const sendPrinted = (
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: Printed,
  type: string,
): FastifyReply => {
  reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-language, cookie' }).type(type)
  return request.headers['if-none-match'] === etag ? reply.status(304).send() : reply.send(body)
}
