import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import { acceptRaw } from '#server/platform/http/plugins/parsers.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import { paths } from '#shared/kernel/paths.ts'
import { oneClickPath } from '#shared/stats/report.ts'
import type { StatsReports } from './reports.ts'

const Query = Type.Object({ token: Type.String({ minLength: 1, maxLength: 1_000 }) }, { additionalProperties: false })
const read = readerOf('query', Query)
/** `List-Unsubscribe=One-Click`, as a form. */
const mostBytes = 1_024

const call: DescribedCall = {
  service: 'statsReport',
  name: 'oneClick',
  method: 'POST',
  url: oneClickPath,
  summary: 'Unsubscribes the recipient of a report with one click in a mail program (RFC 8058). The body is not read.',
  access: 'address',
  query: Query,
  reply: { type: 'object', properties: {} },
  replyType: 'application/json',
  refuses: [400, 404, 429, 500, 503],
}

const questionCall: DescribedCall = {
  ...call,
  name: 'question',
  method: 'GET',
  summary: 'Redirects to the page that asks whether to unsubscribe from the report. Changes nothing.',
  reply: { type: 'string' },
  replyType: 'text/html',
}

/**
 * The address of `List-Unsubscribe`. Only a POST unsubscribes: programs that look at links in mails use GET, which leads
 * to the page with the question.
 */
export function mountStatsReports(
  app: FastifyInstance,
  { reports }: { reports: Pick<StatsReports, 'unsubscribe'> },
): void {
  app.register(async scope => {
    acceptRaw(scope, mostBytes)
    const tokenOf = (query: unknown) => (read(query) as { token: string }).token
    scope.route({
      method: 'POST',
      url: oneClickPath,
      config: { describeCalls: () => ({ calls: [call] }) },
      async handler(request) {
        await reports.unsubscribe(tokenOf(request.query))
        return {}
      },
    })
    scope.route({
      method: 'GET',
      url: oneClickPath,
      exposeHeadRoute: false,
      config: { describeCalls: () => ({ calls: [questionCall] }) },
      handler: async (request, reply) => reply.redirect(paths.statsUnsubscribe(tokenOf(request.query)), 303),
    })
  })
}
