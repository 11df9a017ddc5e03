import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { dispositionOf, filePolicy } from '#server/messaging/media/kind.ts'
import { admit, isIdentified } from '#server/platform/http/access.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { organizationOf } from '#server/platform/http/http.ts'
import { leaveBodiesUnread, refuseForm, unreadBody } from '#server/platform/http/unread-body.ts'
import { endpointReader } from '#server/platform/http/validate.ts'
import { headerMedia } from '#shared/templates/components.ts'
import { templateMediaFile, uploadTemplateMedia } from '#shared/templates/media-api.ts'
import { templateErrors } from './errors.ts'
import { presentFile, type TemplateFiles } from './files/files.ts'

/** Described separately on the API page, because its body is not JSON. */
const uploadCall: DescribedCall = {
  service: 'templates',
  name: 'uploadTemplateMedia',
  method: uploadTemplateMedia.method,
  url: `/api${uploadTemplateMedia.path}`,
  summary: uploadTemplateMedia.summary,
  access: uploadTemplateMedia.access,
  query: uploadTemplateMedia.query,
  body: { type: 'string', format: 'binary' },
  bodyType: 'application/octet-stream',
  reply: uploadTemplateMedia.reply,
  status: uploadTemplateMedia.status,
  takesOrganization: true,
  takesKeys: true,
  refuses: [400, 401, 403, 413, 415],
}

/** Header files: upload as a byte stream, download for members of the organization. */
export function mountTemplateFiles(
  app: FastifyInstance,
  { templateFiles: files }: { templateFiles: TemplateFiles },
): void {
  const upload = endpointReader({ ...uploadTemplateMedia, body: Type.Unknown() })
  const download = endpointReader(templateMediaFile)

  app.register(async scope => {
    leaveBodiesUnread(scope)
    scope.route({
      method: 'POST',
      url: `/api${uploadTemplateMedia.path}`,
      bodyLimit: headerMedia.DOCUMENT.maxBytes,
      config: { describeCalls: () => ({ calls: [uploadCall] }) },
      onRequest: async request => {
        request.actor = await admit(uploadTemplateMedia, request.caller, organizationOf(request))
      },
      handler: async (request, reply) => {
        const { query } = upload.read({ query: request.query }) as { query: { name?: string } }
        refuseForm(request)
        if (Number(request.headers['content-length'] ?? 0) > headerMedia.DOCUMENT.maxBytes) throw appErrors.TOO_LARGE()
        const caller = request.actor as OrgCaller
        const { orgId } = caller
        const broughtBy = callerId(caller)
        const name = query.name?.trim() || null
        const file = await files.store(orgId, { name, body: unreadBody(request), broughtBy }, 'body')
        return reply.status(201).send(presentFile(file))
      },
    })
  })

  app.route({
    method: 'GET',
    url: `/api${templateMediaFile.path}`,
    exposeHeadRoute: false,
    config: { endpoint: templateMediaFile, service: 'templates', name: 'templateMediaFile' },
    handler: async (request, reply) => {
      const { caller } = request
      if (!isIdentified(caller)) await admit(templateMediaFile, caller, undefined)
      const { params } = download.read({ params: request.params, query: request.query }) as { params: { id: string } }
      const file = await files.find(params.id)
      const named = organizationOf(request)
      const isNamed = named === undefined || (await caller.member(named))?.orgId === file?.orgId
      if (!file || !isNamed || !(await caller.member(file.orgId))) {
        await admit(templateMediaFile, caller, named)
        throw templateErrors.FILE_NOT_FOUND()
      }
      request.actor = await admit(templateMediaFile, caller, file.orgId)
      const etag = `"${file.sha256}"`
      const headers = {
        'content-security-policy': filePolicy,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, max-age=31536000, immutable',
        etag,
      }
      if (request.headers['if-none-match'] === etag) return reply.status(304).headers(headers).send()
      const bytes = await files.read(file)
      if (!bytes) {
        app.log.error({ fileId: file.id }, 'the file of a template is missing where files are kept')
        throw templateErrors.FILE_NOT_FOUND()
      }
      reply.headers(headers).type(file.mime)
      return reply.headers({ 'content-disposition': dispositionOf(file), 'content-length': file.size }).send(bytes)
    },
  })
}
