import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeyHolder } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { drainRefusedBody } from '#server/platform/http/plugins/error-reply.ts'
import { acceptForms } from '#server/platform/http/plugins/forms.ts'
import { leaveBodiesUnread } from '#server/platform/http/unread-body.ts'
import { findBadText } from '#server/platform/http/validate.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { asObject } from '#server/whatsapp/scalars.ts'
import { metaCodes } from '#server/whatsapp/serving/codes.ts'
import { describeGraphCalls } from '#server/whatsapp/serving/described-calls.ts'
import { badToken, codeError, noToken, paramError } from '#server/whatsapp/serving/graph-error.ts'
import { defaultVersion, readBody, servedVersion, splitPath } from '#server/whatsapp/serving/graph-request.ts'
import { newTraceId } from '#server/whatsapp/serving/ids.ts'
import { asGraphError, sendJson, setHeaders } from '#server/whatsapp/serving/replies.ts'
import { bodyLimitBytes } from '#shared/kernel/limits.ts'
import type { createEdges } from './edges.ts'
import { metaRefusalOf } from './refusals.ts'

interface GatewayRouteParts {
  readonly callEdge: ReturnType<typeof createEdges>
  translate(language: 'en', key: string, params?: Record<string, string | number>): string
}

/** @throws GraphError 104 without a key, 190 */
const requireKey = ({ caller }: FastifyRequest): KeyHolder => {
  if (caller.key === undefined) throw noToken()
  if (caller.key === 'invalid') throw badToken()
  return caller.key
}

/** The described calls of Meta's API that the gateway does not serve. */
const notServed = ['renamePhone', 'controlThread', 'listCatalogues', 'getAppSubscriptions', 'exchangeCode']

const requireCaller = async (request: FastifyRequest) => {
  request.actor = requireKey(request)
}

/** `/graph/v{N}/…`: Meta's Graph API as this product answers it to programs with an API key. */
export function mountGateway(app: FastifyInstance, { callEdge, translate }: GatewayRouteParts): void {
  const answerAt = async (address: string, request: FastifyRequest, reply: FastifyReply) => {
    const { version, path } = splitPath(address)
    setHeaders(reply, servedVersion(version))
    const query = asObject(request.query) ?? {}
    const call = { request, reply, caller: requireKey(request), path, query, body: readBody(request) }
    const bad = findBadText(query, 'query') ?? findBadText(call.body, 'body')
    if (bad) throw paramError('Invalid parameter', `${bad} has characters that are not text.`)
    const answer = await callEdge(call)
    // A reply is thenable; returning it through `await` would wait for its own sending.
    return reply.sent ? reply : sendJson(reply, answer)
  }

  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    await acceptForms(scope)
    scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      const refusal = metaRefusalOf(error, (key, params) => translate('en', key, params))
      const said = refusal?.error ?? asGraphError(error)
      if (!said)
        request.log.error(
          { err: errorFacts(error), requestId: request.id, route: request.routeOptions.url },
          'a request failed',
        )
      const answer = said ?? codeError(metaCodes.apiUnknown)
      if (!request.raw.complete) drainRefusedBody(request, reply)
      request.refusedAs = refusal?.refusedAs ?? (said ? undefined : appErrors.INTERNAL())
      if (answer.status === 401)
        reply.header('www-authenticate', `OAuth "Facebook Platform" "invalid_token" "${answer.message}"`)
      if (refusal?.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds))
      setHeaders(reply, defaultVersion, reply.hasHeader('facebook-api-version'))
      return sendJson(reply.status(answer.status), answer.body(newTraceId()))
    })
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/graph/*',
      exposeHeadRoute: false,
      config: {
        describeCalls: () =>
          describeGraphCalls({
            mountedAt: '/graph',
            service: 'gateway',
            access: 'member',
            takesKeys: true,
            without: notServed,
          }),
      },
      bodyLimit: bodyLimitBytes,
      onRequest: requireCaller,
      handler: (request, reply) => answerAt((request.params as { '*': string })['*'], request, reply),
    })
    await scope.register(async uploads => {
      // Their bytes are passed to Meta as they arrive.
      leaveBodiesUnread(uploads)
      uploads.post<{ Params: { version: string; '*': string } }>(
        '/graph/:version/upload::*',
        { config: { describeCalls: () => ({ calls: [] }) }, onRequest: requireCaller },
        (request, reply) => answerAt(`${request.params.version}/upload:${request.params['*']}`, request, reply),
      )
    })
  })
}
