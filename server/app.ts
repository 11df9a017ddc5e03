import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { installCallRecord } from '#server/identity/api-calls/hook.ts'
import { installSession } from '#server/identity/auth/sessions/session-plugin.ts'
import { intakeRoutes } from '#server/messaging/intake/routes.ts'
import { randomUUID } from '#server/platform/crypto/random.ts'
import { type AnyService, mount } from '#server/platform/http/http.ts'
import { endIdleConnections } from '#server/platform/http/idle-connections.ts'
import { createLargeAnswers } from '#server/platform/http/large-answers.ts'
import {
  frameworkErrors,
  installErrorReply,
  refuseOddTargets,
  socketRefusal,
} from '#server/platform/http/plugins/error-reply.ts'
import { createHeaders } from '#server/platform/http/plugins/headers.ts'
import { installHealth } from '#server/platform/http/plugins/health.ts'
import { installLoopTurn } from '#server/platform/http/plugins/loop-turn.ts'
import { installMetrics } from '#server/platform/http/plugins/metrics.ts'
import { collectCalls, mountApiDocument } from '#server/platform/http/plugins/openapi.ts'
import { installParsers } from '#server/platform/http/plugins/parsers.ts'
import { installRateLimit } from '#server/platform/http/plugins/rate-limit.ts'
import { installTrace } from '#server/platform/http/plugins/trace.ts'
import { requestIdIn } from '#server/platform/log/trace.ts'
import { createInProcessApi, type Services } from '#server/web/in-process-api.ts'
import { mountManual } from '#server/web/manual/routes.ts'
import { tagsBy } from '#server/web/reference/groups.ts'
import { mountReference } from '#server/web/reference/routes.ts'
import { bodyLimitBytes } from '#shared/kernel/limits.ts'
import type { Backend } from './wiring.ts'

/** Mounts the built client. It is passed in by `web/`, so that tests of the calls need no build. */
export type InstallWeb = (
  app: FastifyInstance,
  backend: Backend,
  api: ReturnType<typeof createInProcessApi>,
) => Promise<void>

/** A film of sixteen megabytes over a poor line, half a megabit a second, takes four minutes. */
const requestTimeoutMs = 300_000

/** The app: what runs before every call, the routes of features in order, the pages last. Listens to nothing by itself. */
export async function buildApp(
  backend: Backend,
  options: { logger?: FastifyServerOptions['loggerInstance']; web?: InstallWeb } = {},
): Promise<FastifyInstance> {
  const { config, translate } = backend
  const app = Fastify({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    bodyLimit: bodyLimitBytes,
    // From the first byte to the last of a request. With Fastify's default, a slow client could hold its socket without end.
    requestTimeout: requestTimeoutMs,
    trustProxy: config.trustProxy.length ? [...config.trustProxy] : false,
    genReqId: ({ headers }) => requestIdIn(headers) ?? randomUUID(),
    // Fastify would take any text.
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    frameworkErrors: frameworkErrors({ translate }),
    // Refused below instead, in our shape.
    http: { requireHostHeader: false },
    clientErrorHandler: socketRefusal({ translate }),
    routerOptions: { maxParamLength: 300 },
    // What happened is logged where it happens; a line per request would only tell addresses of customers.
    logController: new LogController({ disableRequestLogging: true }),
  }) as unknown as FastifyInstance

  endIdleConnections(app)
  // Before everything else: it lists what is mounted after it.
  const calls = collectCalls(app)
  installErrorReply(app, { translate })
  installCallRecord(app, backend)
  refuseOddTargets(app)
  installHealth(app, backend)
  await installMetrics(app, backend)

  // Webhooks first and apart: no session, no headers for browsers, no log line of their own on the hot path.
  await app.register(
    intakeRoutes({
      journal: backend.journal,
      keysOf: id => backend.numbers.findByConnectionId(id),
      meta: config.meta,
      wake: () => backend.derive.wake(),
    }),
  )
  if (config.sandbox) await app.register(backend.sandbox.graph, { prefix: '/sandbox/graph' })

  await app.register(async site => {
    installTrace(site)
    installLoopTurn(site, backend.databases.turn)
    await site.register(createHeaders(config.publicUrl))
    await site.register(cookie)
    installParsers(site)
    installSession(site, backend)
    installRateLimit(site, backend)
    mountApiDocument(site, calls, { ...backend, tagOf: tagsBy(backend.translate) })
    mountReference(site, calls, backend)
    mountManual(site, backend)
    const largeAnswers = createLargeAnswers()
    for (const [serviceName, endpoints] of Object.entries(backend.contracts)) {
      const service = backend.services[serviceName as keyof typeof backend.services]
      mount(site, serviceName, endpoints, service as unknown as AnyService, backend.once, { ...backend, largeAnswers })
    }
    for (const mountRoutes of backend.routes) mountRoutes(site)
    const services = backend.services as unknown as Services
    await options.web?.(site, backend, createInProcessApi(services, backend.memo, backend.contracts, largeAnswers))
  })
  return app
}
