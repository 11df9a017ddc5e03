import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import type { ServerI18n } from '#server/platform/text/i18n.ts'
import { languages } from '#shared/kernel/language.ts'

const pack = promisify(brotliCompress)
const longLife = 'public, max-age=31536000, immutable'
const shortLife = 'public, max-age=300'

const text = { type: 'string' }
const call: DescribedCall = {
  service: 'locales',
  name: 'texts',
  method: 'GET',
  url: '/locales/:language/:file',
  summary: 'The texts of one feature in one language.',
  access: 'anyone',
  params: {
    type: 'object',
    properties: {
      language: { enum: [...languages] },
      file: { ...text, description: 'The name of the feature, and `.json`.' },
    },
    required: ['language', 'file'],
  },
  query: { type: 'object', properties: { v: { ...text, description: 'Version of all texts.' } } },
  reply: { type: 'object', additionalProperties: true },
  refuses: [404, 429, 500],
}

/** `/locales/{language}/{namespace}.json?v={version}`: cached forever under the current version, five minutes without a version. */
export function registerLocales(app: FastifyInstance, i18n: ServerI18n): void {
  const packed = new Map<string, Promise<Buffer>>()
  app.get<{ Params: { language: string; file: string }; Querystring: { v?: string } }>(
    '/locales/:language/:file',
    { config: { describeCalls: () => ({ calls: [call] }) } },
    async (request, reply) => {
      const { language, file } = request.params
      const json = file.endsWith('.json') ? i18n.json(language, file.slice(0, -5)) : undefined
      if (json === undefined) throw appErrors.NOT_FOUND()
      const key = `${language}/${file}`
      reply.headers({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': request.query.v === i18n.version ? longLife : shortLife,
        etag: `"${createHash('sha256').update(json).digest('base64url').slice(0, 16)}"`,
        vary: 'Accept-Encoding',
      })
      if (request.headers['if-none-match'] === reply.getHeader('etag')) return reply.status(304).send()
      if (!/\bbr\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(json)
      const body = packed.get(key) ?? pack(json)
      packed.set(key, body)
      return reply.header('content-encoding', 'br').send(await body)
    },
  )
}
