import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fallbackLanguage, type Language, toLanguage } from '#shared/language.ts'
import { errorCodes } from '../errors.ts'
import type { Translate } from './error-reply.ts'
import { type MountedEndpoint, openApiDocument } from './openapi-document.ts'
import { docsPage, docsPolicy } from './openapi-page.ts'

interface Printed {
  readonly body: Buffer
  readonly etag: string
}

const print = (text: string): Printed => {
  const body = Buffer.from(text)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"` }
}

const sendPrinted = (request: FastifyRequest, reply: FastifyReply, { body, etag }: Printed, type: string) => {
  reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-language, cookie' }).type(type)
  return request.headers['if-none-match'] === etag ? reply.status(304).send() : reply.send(body)
}

/**
 * `/api/openapi.json` and `/api/docs`: every call that is mounted after this, with schemas, refusals and who may. Both
 * are written when somebody first asks, so that they cost a start nothing.
 */
export function mountApiPages(app: FastifyInstance, { translate }: { translate: Translate }): void {
  const endpoints: MountedEndpoint[] = []
  app.addHook('onRoute', route => {
    const { endpoint, room, name } = route.config ?? {}
    const methods = [route.method].flat()
    if (endpoint && room && name && methods.includes(endpoint.method))
      endpoints.push({ room, name, url: route.url, endpoint })
  })

  let document: Printed | undefined
  const pages = new Map<Language, Printed>()

  app.get('/api/openapi.json', (request, reply) => {
    document ??= print(JSON.stringify(openApiDocument(endpoints)))
    return sendPrinted(request, reply, document, 'application/json; charset=utf-8')
  })
  app.get('/api/docs', (request, reply) => {
    const asked = toLanguage((request.query as { lng?: unknown }).lng)
    const language = asked ?? request.caller?.language ?? fallbackLanguage
    const page = pages.get(language) ?? print(docsPage(endpoints, errorCodes, language, translate))
    pages.set(language, page)
    reply.header('content-security-policy', docsPolicy)
    return sendPrinted(request, reply, page, 'text/html; charset=utf-8')
  })
}
