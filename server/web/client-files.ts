import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { headersOfDocuments } from '#server/platform/http/plugins/headers.ts'

const isNoDocument = /^\/assets\/[^?]*\.(?:js|css|woff2)$/

/**
 * The build's files. Names below `/assets/` change with their content, so they are immutable. A first visit loads some
 * sixty of them, so they are sent without the headers that only matter for documents.
 */
export const createClientFiles =
  (clientDir: string): FastifyPluginAsync =>
  async app => {
    app.addHook('onRequest', async (request, reply) => {
      if (isNoDocument.test(request.url)) for (const name of headersOfDocuments) reply.removeHeader(name)
    })
    await app.register(fastifyStatic, {
      root: join(clientDir, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
      etag: false,
      lastModified: false,
      acceptRanges: false,
      index: false,
      allowedPath: path => !path.endsWith('/'),
    })
    const asked = { maxAge: '1d', immutable: false, etag: true, lastModified: true }
    app.get('/robots.txt', (_request, reply) => reply.sendFile('robots.txt', clientDir, asked))
    // A customer's file opened in its own tab names no icon, so the browser asks for this old name. The file has a
    // sandboxed origin, so the icon must be readable for other origins.
    for (const name of ['favicon.svg', 'favicon.ico'])
      app.get(`/${name}`, (_request, reply) =>
        reply.header('cross-origin-resource-policy', 'cross-origin').sendFile('favicon.svg', clientDir, asked),
      )
  }
