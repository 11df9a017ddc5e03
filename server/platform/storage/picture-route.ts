import type { FastifyInstance } from 'fastify'
import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import type { AppError } from '#server/platform/http/errors.ts'
import type { Pictures } from './pictures.ts'

/** A picture that is opened as a page must not run or load anything. */
const picturePolicy =
  "default-src 'none'; img-src 'self'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

interface PictureRoute {
  readonly pictures: Pick<Pictures, 'prefix' | 'read'>
  /** Feature in the API document. */
  readonly service: string
  readonly name: string
  readonly summary: string
  missing(): AppError
}

/** `GET {prefix}:name`, public. */
export function mountPictures(app: FastifyInstance, { pictures, service, name, summary, missing }: PictureRoute): void {
  const url = `${pictures.prefix}:name`
  const call: DescribedCall = {
    service,
    name,
    method: 'GET',
    url,
    summary,
    access: 'anyone',
    params: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    reply: { type: 'string', format: 'binary' },
    replyType: 'image/*',
    refuses: [404, 429, 500],
  }
  app.route({
    method: 'GET',
    url,
    config: { describeCalls: () => ({ calls: [call] }) },
    handler: async (request, reply) => {
      const params = request.params as { name: string }
      const picture = await pictures.read(params.name)
      if (!picture) throw missing()
      const etag = `"${params.name}"`
      reply.headers({
        'content-security-policy': picturePolicy,
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
        etag,
      })
      if (request.headers['if-none-match'] === etag) return reply.status(304).send()
      return reply.type(picture.type).send(picture.bytes)
    },
  })
}
