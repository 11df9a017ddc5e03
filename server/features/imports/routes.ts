import type { FastifyInstance, FastifyRequest } from 'fastify'
import { admit } from '#server/platform/http/access.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { organizationOf } from '#server/platform/http/http.ts'
import { leaveBodiesUnread, refuseForm, unreadBody } from '#server/platform/http/unread-body.ts'
import { endpointReader, InvalidInput } from '#server/platform/http/validate.ts'
import { csvLine } from '#server/platform/text/csv-line.ts'
import { importFile, importRefused } from '#shared/imports/api.ts'
import { importMaxBytes, importPieceMaxBytes, leastPieceBytes } from '#shared/imports/limits.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { PieceRange, Pieces } from './creating/pieces.ts'
import { importErrors } from './errors.ts'
import type { Imports } from './imports.ts'

/** Described separately on the API page, because its body is not JSON. */
const uploadCall: DescribedCall = {
  service: 'imports',
  name: 'file',
  method: importFile.method,
  url: `/api${importFile.path}`,
  summary: importFile.summary,
  access: importFile.access,
  params: importFile.params,
  body: { type: 'string', format: 'binary' },
  bodyType: 'application/octet-stream',
  reply: importFile.reply,
  takesOrganization: true,
  takesKeys: true,
  refuses: [400, 401, 403, 404, 409, 413, 415],
}

interface RouteParts {
  readonly imports: Imports
  readonly pieces: Pieces
  translate(language: Language, key: string): string
}

const invalidHeader = (field: string) => new InvalidInput([{ field, code: 'invalid', params: {} }])

/**
 * Returns the place of the body in the file; without `content-range` it is the whole file. @throws InvalidInput,
 * APP_TOO_LARGE, IMPORTS_PIECE_TOO_SMALL
 */
const rangeOf = ({ headers }: FastifyRequest, maxBytes: number): PieceRange => {
  const given = headers['content-range']
  const length = Number(headers['content-length'] ?? Number.NaN)
  const match = given === undefined ? undefined : /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(given)
  if (match === null) throw invalidHeader('headers.content-range')
  const [start, end, total] = match ? match.slice(1).map(Number) : [0, length - 1, length]
  const range = { start: start ?? 0, end: end ?? 0, total: total ?? 0 }
  if (!Number.isSafeInteger(range.total)) throw invalidHeader('headers.content-length')
  if (range.end < range.start || range.end >= range.total) throw invalidHeader('headers.content-range')
  if (range.total > maxBytes || range.end - range.start + 1 > importPieceMaxBytes) throw appErrors.TOO_LARGE()
  const least = leastPieceBytes(range.total)
  if (range.end < range.total - 1 && range.end - range.start + 1 < least)
    throw importErrors.PIECE_TOO_SMALL({ params: { least }, fields: ['headers.content-range'] })
  return range
}

/** Makes spreadsheets read UTF-8. */
const byteOrderMark = '\ufeff'

/** `PUT /api/imports/:id/file` and `GET /api/imports/:id/refused`. */
export function mountImports(app: FastifyInstance, { imports, pieces, translate }: RouteParts): void {
  const upload = endpointReader(importFile)
  const download = endpointReader(importRefused)

  app.register(async scope => {
    leaveBodiesUnread(scope)
    scope.route({
      method: 'PUT',
      url: `/api${importFile.path}`,
      bodyLimit: importPieceMaxBytes,
      config: { describeCalls: () => ({ calls: [uploadCall] }) },
      onRequest: async request => {
        request.actor = await admit(importFile, request.caller, organizationOf(request))
      },
      handler: async request => {
        const { params } = upload.read({ params: request.params }) as { params: { id: string } }
        refuseForm(request)
        const caller = request.actor as OrgCaller
        const { source } = await imports.getStored(caller.orgId, params.id)
        const range = rangeOf(request, importMaxBytes[source])
        await pieces.add(caller.orgId, params.id, { range, body: unreadBody(request), broughtBy: callerId(caller) })
        return imports.present(await imports.getStored(caller.orgId, params.id))
      },
    })
  })

  app.route({
    method: 'GET',
    url: `/api${importRefused.path}`,
    exposeHeadRoute: false,
    config: { endpoint: importRefused, service: 'imports', name: 'refused' },
    handler: async (request, reply) => {
      const input = download.read({ params: request.params, query: request.query })
      const { params, query } = input as { params: { id: string }; query: { organization?: string } }
      const org = organizationOf(request) ?? query.organization
      const caller = (await admit(importRefused, request.caller, org)) as OrgCaller
      request.actor = caller
      const { refused } = await imports.getStored(caller.orgId, params.id)
      const { language } = caller
      const say = (key: string) => translate(language, `imports:${key}`)
      const lines = [
        ['line', 'why', 'text'].map(name => say(`column.${name}`)),
        ...refused.first.map(({ line, why, text }) => [String(line), say(`refusal.${why}`), text]),
      ]
      return reply
        .headers({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'content-disposition': `attachment; filename="${caller.orgSlug}-${say('refusedFile')}.csv"`,
        })
        .type('text/csv; charset=utf-8')
        .send(byteOrderMark + lines.map(cells => csvLine(cells, language)).join(''))
    },
  })
}
