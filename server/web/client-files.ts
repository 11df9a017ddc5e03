import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { headersOfDocuments } from '../plugins/headers.ts'

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
    for (const name of ['favicon.svg', 'robots.txt'])
      app.get(`/${name}`, (_request, reply) => reply.sendFile(name, clientDir, asked))
  }
