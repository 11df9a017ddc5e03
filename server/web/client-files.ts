import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { headersOfDocuments } from '../platform/http/plugins/headers.ts'

const isNoDocument = /^\/assets\/[^?]*\.(?:js|css|woff2)$/

/**
 * The build's files. Names below `/assets/` change with their content, so nobody ever asks whether they are still the
 * same; and a first visit takes some sixty scripts and styles of them, so each goes without the headers that speak to
 * documents only.
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
    // A file of a customer's opened in a tab of its own names no icon, so a browser asks by the old name; and it is in a
    // sandbox, of no origin, to which anything of ours would be foreign.
    for (const name of ['favicon.svg', 'favicon.ico'])
      app.get(`/${name}`, (_request, reply) =>
        reply.header('cross-origin-resource-policy', 'cross-origin').sendFile('favicon.svg', clientDir, asked),
      )
  }
