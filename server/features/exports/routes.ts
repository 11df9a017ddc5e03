import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { admit } from '#server/platform/http/access.ts'
import type { Member } from '#server/platform/http/actor.ts'
import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { orgExportApi } from '#shared/exports/api.ts'
import { type Exports, exportPath } from './exports.ts'

const Query = Type.Object({ ticket: Type.String({ minLength: 1, maxLength: 2000 }) }, { additionalProperties: false })
const read = readerOf('query', Query)

const call: DescribedCall = {
  service: 'orgExport',
  name: 'file',
  method: 'GET',
  url: exportPath,
  summary: 'Everything the organization has, as a zip; at the address that was prepared.',
  access: 'person',
  query: Query,
  reply: { type: 'string', format: 'binary' },
  replyType: 'application/zip',
  refuses: [400, 401, 403, 404, 409, 429, 500, 503],
}

/** `GET /api/organization/export/file?ticket=…`, for the person who prepared it, while they have the right. */
export function mountExports(app: FastifyInstance, { exports, clock }: { exports: Exports; clock: Clock }): void {
  app.route({
    method: 'GET',
    url: exportPath,
    exposeHeadRoute: false,
    config: { describeCalls: () => ({ calls: [call] }) },
    handler: async (request, reply) => {
      const { caller } = request
      if (!caller.person) throw caller.key ? appErrors.PEOPLE_ONLY() : appErrors.SIGN_IN_REQUIRED()
      const { ticket } = read(request.query) as { ticket: string }
      const orgId = exports.orgOfTicket(ticket, caller.person)
      const member = (await admit(orgExportApi.prepare, caller, orgId)) as Member
      const at = isoNow(clock)
      const archive = exports.open({ orgId, language: member.language, at: clock.now() })
      return reply
        .headers({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'content-disposition': `attachment; filename="${member.orgSlug}-${at.slice(0, 10)}.zip"`,
        })
        .type('application/zip')
        .send(archive)
    },
  })
}
