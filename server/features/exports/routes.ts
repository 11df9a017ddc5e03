import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { dispositionOf } from '#server/messaging/media/kind.ts'
import { admit } from '#server/platform/http/access.ts'
import type { Member, Person } from '#server/platform/http/actor.ts'
import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { orgExportApi } from '#shared/exports/api.ts'
import { chatExportApi } from '#shared/exports/chat.ts'
import { type ChatExports, chatExportPath } from './chat/chat-exports.ts'
import { pagePolicy } from './chat/chat-page.ts'
import { type Exports, exportPath } from './exports.ts'

const Query = Type.Object({ ticket: Type.String({ minLength: 1, maxLength: 2000 }) }, { additionalProperties: false })
const read = readerOf('query', Query)

const refuses = [400, 401, 403, 404, 409, 429, 500, 503]
const archiveCall: DescribedCall = {
  service: 'orgExport',
  name: 'file',
  method: 'GET',
  url: exportPath,
  summary: 'Everything the organization has, as a zip; at the address that was prepared.',
  access: 'person',
  query: Query,
  reply: { type: 'string', format: 'binary' },
  replyType: 'application/zip',
  refuses,
}
const chatCall: DescribedCall = {
  service: 'chatExport',
  name: 'file',
  method: 'GET',
  url: chatExportPath,
  summary: 'One chat, as text or as a page to print; at the address that was prepared.',
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
  readonly clock: Clock
}

/** What was prepared, for the person who prepared it, while they have the right. */
export function mountExports(app: FastifyInstance, { exports, chats, clock }: RouteParts): void {
  const mount = (call: DescribedCall, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    app.route({
      method: 'GET',
      url: call.url,
      exposeHeadRoute: false,
      config: { describeCalls: () => ({ calls: [call] }) },
      handler,
    })

  mount(archiveCall, async (request, reply) => {
    const { person, ticket } = holderOf(request)
    const orgId = exports.orgOfTicket(ticket, person)
    const member = (await admit(orgExportApi.prepare, request.caller, orgId)) as Member
    const at = isoNow(clock)
    const archive = exports.open({ orgId, language: member.language, at: clock.now() })
    const name = `${member.orgSlug}-${at.slice(0, 10)}.zip`
    return reply
      .headers({ ...unkept, 'content-disposition': `attachment; filename="${name}"` })
      .type('application/zip')
      .send(archive)
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
