import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { dispositionOf } from '#server/messaging/media/kind.ts'
import { readRange } from '#server/messaging/media/range.ts'
import { admit } from '#server/platform/http/access.ts'
import type { Member, Person } from '#server/platform/http/actor.ts'
import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { organizationOf } from '#server/platform/http/http.ts'
import { endpointReader, readerOf } from '#server/platform/http/validate.ts'
import { orgArchiveFile } from '#shared/exports/api.ts'
import { chatExportApi } from '#shared/exports/chat.ts'
import { type ChatExports, chatExportPath } from './chat/chat-exports.ts'
import { pagePolicy } from './chat/chat-page.ts'
import { exportErrors } from './errors.ts'
import type { Exports } from './exports.ts'

const Query = Type.Object({ ticket: Type.String({ minLength: 1, maxLength: 2000 }) }, { additionalProperties: false })
const read = readerOf('query', Query)

const refuses = [400, 401, 403, 404, 409, 429, 500, 503]
const chatCall: DescribedCall = {
  service: 'chatExport',
  name: 'file',
  method: 'GET',
  url: chatExportPath,
  summary: 'Downloads one chat as text or as a page to print, at the address that was prepared.',
  access: 'person',
  query: Query,
  reply: { type: 'string' },
  replyType: 'text/plain',
  refuses,
}

/** The person, and the ticket of the address. */
const holderOf = ({ caller, query }: FastifyRequest): { person: Person; ticket: string } => {
  if (!caller.person) throw caller.key ? appErrors.PEOPLE_ONLY() : appErrors.SIGN_IN_REQUIRED()
  const { ticket } = read(query) as { ticket: string }
  return { person: caller.person, ticket }
}

const unkept = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

interface RouteParts {
  readonly exports: Exports
  readonly chats: ChatExports
}

/** The archive of an organization, and chats for the person who prepared them, while they have the right. */
export function mountExports(app: FastifyInstance, { exports, chats }: RouteParts): void {
  const mount = (call: DescribedCall, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    app.route({
      method: 'GET',
      url: call.url,
      exposeHeadRoute: false,
      config: { describeCalls: () => ({ calls: [call] }) },
      handler,
    })

  const archiveReader = endpointReader(orgArchiveFile)
  app.route({
    method: 'GET',
    url: `/api${orgArchiveFile.path}`,
    exposeHeadRoute: false,
    config: { endpoint: orgArchiveFile, service: 'orgExport', name: 'file' },
    handler: async (request, reply) => {
      const { query } = archiveReader.read({ query: request.query }) as { query: { organization?: string } }
      const org = organizationOf(request) ?? query.organization
      const member = (await admit(orgArchiveFile, request.caller, org)) as Member
      request.actor = member
      const archive = await exports.openArchive(member)
      const { size, etag, madeAt } = archive
      reply.headers({ ...unkept, 'accept-ranges': 'bytes', etag })
      const ifRange = request.headers['if-range']
      const range = ifRange === undefined || ifRange === etag ? readRange(request.headers.range, size) : 'whole'
      if (range === 'refused') {
        reply.header('content-range', `bytes */${size}`)
        throw exportErrors.RANGE_REFUSED()
      }
      const bytes = await archive.open(range === 'whole' ? undefined : range)
      const name = `${member.orgSlug}-${madeAt.slice(0, 10)}.zip`
      reply.type('application/zip').header('content-disposition', `attachment; filename="${name}"`)
      if (range === 'whole') return reply.header('content-length', size).send(bytes)
      const { start, end } = range
      return reply
        .status(206)
        .headers({ 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 })
        .send(bytes)
    },
  })

  mount(chatCall, async (request, reply) => {
    const { person, ticket } = holderOf(request)
    const wanted = chats.openTicket(ticket, person)
    const member = (await admit(chatExportApi.prepare, request.caller, wanted.orgId)) as Member
    const { format, name, body } = await chats.open(member, wanted)
    if (format === 'html')
      return reply
        .headers({ ...unkept, 'content-security-policy': pagePolicy })
        .type('text/html; charset=utf-8')
        .send(body)
    const disposition = dispositionOf({ id: wanted.chat, mime: 'text/plain', name: `${name}.txt` })
    return reply
      .headers({ ...unkept, 'content-disposition': disposition })
      .type('text/plain; charset=utf-8')
      .send(body)
  })
}
