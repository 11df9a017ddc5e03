import type { FastifyInstance } from 'fastify'
import { admit } from '#server/platform/http/access.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { organizationOf } from '#server/platform/http/http.ts'
import { endpointReader } from '#server/platform/http/validate.ts'
import type { Language } from '#shared/kernel/language.ts'
import { statsExportFile } from '#shared/stats/export.ts'
import type { StatsExports } from './exports.ts'

interface RouteParts {
  readonly exports: Pick<StatsExports, 'openFile'>
  translate(language: Language, key: string): string
}

/** `GET /api/stats/report/:id/file`, for who asked for it. */
export function mountStatsExports(app: FastifyInstance, { exports, translate }: RouteParts): void {
  const reader = endpointReader(statsExportFile)
  app.route({
    method: 'GET',
    url: `/api${statsExportFile.path}`,
    exposeHeadRoute: false,
    config: { endpoint: statsExportFile, service: 'statsExport', name: 'file' },
    handler: async (request, reply) => {
      const input = reader.read({ params: request.params, query: request.query })
      const { params, query } = input as { params: { id: string }; query: { organization?: string } }
      const org = organizationOf(request) ?? query.organization
      const caller = (await admit(statsExportFile, request.caller, org)) as OrgCaller
      request.actor = caller
      const { body, from, to } = await exports.openFile(caller, params.id)
      const name = [caller.orgSlug, translate(caller.language, 'stats:list.file'), from, to].filter(Boolean).join('-')
      return reply
        .headers({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'content-disposition': `attachment; filename="${name}.csv"`,
        })
        .type('text/csv; charset=utf-8')
        .send(body)
    },
  })
}
