import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { admit, isIdentified } from '#server/platform/http/access.ts'
import { organizationOf } from '#server/platform/http/http.ts'
import { endpointReader } from '#server/platform/http/validate.ts'
import type { ByteRange } from '#server/platform/storage/storage.ts'
import { mediaFile } from '#shared/media/api.ts'
import { mediaErrors } from './errors.ts'
import type { MediaService } from './fetcher.ts'
import { dispositionOf, filePolicy } from './kind.ts'
import { readRange } from './range.ts'
import type { MediaFacts } from './store.ts'

/**
 * Browsers refuse to show PDFs in a sandbox, because their viewer is a page. Only our pages may frame it. Its bytes
 * were checked, so it cannot be read as a page.
 */
const pdfHeaders = {
  'content-security-policy':
    "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
  'x-frame-options': 'SAMEORIGIN',
}

/** A file never changes under its id, so the browser may keep it. */
const cacheControl = 'private, max-age=31536000, immutable'

/** `GET /api/whatsapp/media/:id` for members of the file's organization. */
export function mountMedia(app: FastifyInstance, { media }: { readonly media: MediaService }): void {
  const reader = endpointReader(mediaFile)

  /** Other organizations get the answer for a missing file. */
  const admitted = async (request: FastifyRequest): Promise<MediaFacts> => {
    const { caller } = request
    const { params } = reader.read({ params: request.params }) as { params: { id: string } }
    const orgId = isIdentified(caller) ? await media.organizationOf(params.id) : undefined
    const named = organizationOf(request)
    const isNamed = named === undefined || (await caller.member(named))?.orgId === orgId
    const member = orgId !== undefined && isNamed ? await caller.member(orgId) : undefined
    if (!member) {
      await admit(mediaFile, caller, named)
      throw mediaErrors.NOT_FOUND()
    }
    request.actor = await admit(mediaFile, caller, orgId)
    const file = await media.find(member, params.id)
    if (!file) throw mediaErrors.NOT_FOUND()
    return file
  }

  const open = async (file: MediaFacts, range?: ByteRange) => {
    const bytes = await media.read(file.path as string, range)
    if (bytes) return bytes
    app.log.error({ mediaId: file.id }, 'a stored file is missing where files are kept')
    throw mediaErrors.NOT_FOUND()
  }

  const send = async (request: FastifyRequest, reply: FastifyReply, file: MediaFacts) => {
    const { size } = file
    if (file.state !== 'stored' || file.path === null || size === null) throw mediaErrors.NOT_READY()
    const etag = `"${file.sha256 ?? file.id}"`
    const headers = {
      ...(file.mime === 'application/pdf' ? pdfHeaders : { 'content-security-policy': filePolicy }),
      'x-content-type-options': 'nosniff',
      'cache-control': cacheControl,
      'accept-ranges': 'bytes',
      etag,
    }
    if (request.headers['if-none-match'] === etag) return reply.status(304).headers(headers).send()
    const ifRange = request.headers['if-range']
    const range = ifRange === undefined || ifRange === etag ? readRange(request.headers.range, size) : 'whole'
    if (range === 'refused') {
      reply.headers({ ...headers, 'content-range': `bytes */${size}`, 'cache-control': 'no-store' })
      throw mediaErrors.RANGE_REFUSED()
    }
    // Read before headers are set, because an error must not be cached for a year.
    const bytes = await open(file, range === 'whole' ? undefined : range)
    reply.headers(headers).type(file.mime).header('content-disposition', dispositionOf(file))
    if (range === 'whole') return reply.header('content-length', size).send(bytes)
    const { start, end } = range
    reply.status(206).headers({ 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 })
    return reply.send(bytes)
  }

  app.route({
    method: 'GET',
    url: `/api${mediaFile.path}`,
    exposeHeadRoute: false,
    config: { endpoint: mediaFile, service: 'media', name: 'mediaFile' },
    handler: async (request, reply) => send(request, reply, await admitted(request)),
  })
}
