import type { FastifyInstance, FastifyRequest } from 'fastify'
import { admit } from '#server/platform/http/access.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { organizationOf } from '#server/platform/http/http.ts'
import { endpointReader } from '#server/platform/http/validate.ts'
import { liveStream } from '#shared/live/log.ts'
import type { Live } from './hub.ts'
import { openStream } from './stream.ts'

const fromOtherSite = (request: FastifyRequest) => {
  const site = request.headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** An invalid header becomes -1, a position that no event follows, so that the reader gets `resync`. */
const lastEventId = (request: FastifyRequest): number | undefined => {
  const header = request.headers['last-event-id']
  if (typeof header !== 'string' || header === '') return undefined
  return /^\d{1,15}$/.test(header) ? Number(header) : -1
}

/** Changes within this time are checked together. */
const sweepAfterMs = 300

export function mountLive(app: FastifyInstance, { live }: { readonly live: Live }): void {
  const reader = endpointReader(liveStream)
  app.route({
    method: 'GET',
    url: `/api${liveStream.path}`,
    exposeHeadRoute: false,
    config: { endpoint: liveStream, service: 'live', name: 'stream' },
    onRequest: async request => {
      if (fromOtherSite(request)) throw appErrors.CROSS_ORIGIN()
      const organization = (request.query as { organization?: unknown }).organization
      const named = organizationOf(request) ?? (typeof organization === 'string' ? organization : undefined)
      request.actor = await admit(liveStream, request.caller, named)
    },
    handler: (request, reply) => {
      const caller = request.actor as OrgCaller
      const { orgId, role } = caller
      const userId = callerId(caller)
      const who =
        caller.kind === 'key' ? { sessionId: null, creatorId: caller.creatorId } : { sessionId: caller.sessionId }
      if (!live.mayOpenStream(userId)) throw appErrors.TOO_MANY_REQUESTS({ retryAfterSeconds: 30 })
      const query = reader.read({ query: request.query }).query as { since?: number }
      const since = lastEventId(request) ?? query.since
      let stop = () => {}
      const sink = openStream(reply, () => stop())
      const { close } = live.subscribe({ orgId, userId, role, ...who }, sink, since)
      stop = close
    },
  })
  // A change of session, membership or role ends streams within a second, not at the next sweep.
  let looking = false
  app.addHook('onResponse', async (request, reply) => {
    if (looking || request.method !== 'POST' || reply.statusCode >= 400 || !request.url.startsWith('/api/auth/')) return
    looking = true
    setTimeout(() => {
      looking = false
      live.sweep().catch(error => app.log.error({ err: error }, 'live streams could not be checked'))
    }, sweepAfterMs).unref()
  })
  // `onClose` would be too late: the server waits for its connections before it.
  app.addHook('preClose', () => live.close())
}
