import type { FastifyInstance } from 'fastify'
import { appErrors } from '#server/platform/http/errors.ts'
import { organizationOf } from '#server/platform/http/http.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'
import type { Auth } from '../auth.ts'
import { authPath } from '../better-auth.ts'
import { describeAuthCalls } from './api-document.ts'

/**
 * Mounts better-auth. Requests are passed on with PUBLIC_URL's address, so that a Host header cannot change links or
 * cookies.
 */
export function mountAuth(app: FastifyInstance, { auth, turn }: { auth: Auth; turn: LoopTurn }): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${authPath}/*`,
    bodyLimit: 64 * 1024,
    config: { describeCalls: () => describeAuthCalls(auth.betterAuth) },
    handler: async (request, reply) => {
      // Many bodies can arrive in one event-loop turn, and each call takes about a millisecond from here.
      await turn.waitForNewTurn()
      // A key acts for its organization. It may not use a person's sign-in calls or manage keys.
      if (request.headers['x-api-key'] !== undefined) throw appErrors.PEOPLE_ONLY()
      const headers = new Headers()
      for (const [name, value] of Object.entries(request.headers))
        for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one)
      const [address = '', query] = request.url.split('?', 2)
      const { language, person, member } = request.caller
      const answer = await auth.handle({
        method: request.method === 'POST' ? 'POST' : 'GET',
        path: address.slice(authPath.length),
        search: query === undefined ? '' : `?${query}`,
        headers,
        body: request.body,
        ip: request.ip,
        language,
        person,
        member,
        organization: organizationOf(request),
      })
      reply.status(answer.status)
      for (const [name, value] of answer.headers) if (name !== 'set-cookie') reply.header(name, value)
      for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
      return reply.send(answer.body === null ? null : Buffer.from(await answer.arrayBuffer()))
    },
  })
}
