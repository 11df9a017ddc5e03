import type { FastifyInstance } from 'fastify'
import type { WireError } from '#shared/error.ts'
import type { Auth } from './auth.ts'
import { tellDoors } from './door-calls.ts'
import { authPath } from './library.ts'

/** The library says what and why; a refusal of this house also says which status and which request. */
const wholeRefusal = (statusCode: number, said: string, requestId: string): WireError => ({
  ...JSON.parse(said),
  statusCode,
  requestId,
})

/** Mounts better-auth. The address handed on is PUBLIC_URL's: a Host header can change neither links nor cookies. */
export function mountAuth(app: FastifyInstance, { auth, publicUrl }: { auth: Auth; publicUrl: string }): void {
  const { origin } = new URL(publicUrl)
  app.route({
    method: ['GET', 'POST'],
    url: `${authPath}/*`,
    bodyLimit: 64 * 1024,
    config: { told: () => tellDoors(auth.library) },
    handler: async (request, reply) => {
      const headers = new Headers()
      for (const [name, value] of Object.entries(request.headers))
        for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one)
      const body = request.method === 'GET' || request.body === undefined ? undefined : JSON.stringify(request.body)
      const answer = await auth.handler(
        new Request(`${origin}${request.url}`, { method: request.method, headers, body }),
        {
          ip: request.ip,
          language: request.caller.language,
        },
      )
      reply.status(answer.status)
      for (const [name, value] of answer.headers) if (name !== 'set-cookie') reply.header(name, value)
      for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
      if (answer.status >= 400) return reply.send(wholeRefusal(answer.status, await answer.text(), request.id))
      return reply.send(answer.body === null ? null : Buffer.from(await answer.arrayBuffer()))
    },
  })
}
