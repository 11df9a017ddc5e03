import type { FastifyInstance } from 'fastify'
import { randomToken } from '#server/platform/crypto/random.ts'
import type { Backend } from '#server/wiring.ts'
import { paths } from '#shared/kernel/paths.ts'

/** The only address that the demo has and a normal start does not. */
export const demoSignInPath = '/demo/sign-in'

/** Sign-in links that work once, kept in memory. */
interface DemoSignIn {
  /** Below the server's address. */
  linkFor(userId: string): string
  mount(app: FastifyInstance): void
}

/**
 * Signs in the person of a printed link without a code. Only `npm run demo` mounts it. A used or unknown link leads to
 * the ordinary sign-in.
 */
export function createDemoSignIn(backend: Pick<Backend, 'auth'>): DemoSignIn {
  const open = new Map<string, string>()
  return {
    linkFor(userId) {
      const token = randomToken(18)
      open.set(token, userId)
      return `${demoSignInPath}?token=${token}`
    },
    mount(app) {
      app.route({
        method: 'GET',
        url: demoSignInPath,
        // A HEAD request must not use up the link.
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          const { token } = request.query as { token?: unknown }
          const userId = typeof token === 'string' ? open.get(token) : undefined
          reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
          if (typeof token !== 'string' || userId === undefined) return reply.redirect(paths.login(), 303)
          open.delete(token)
          const { setCookie } = await backend.auth.issueSession(userId)
          return reply.header('set-cookie', setCookie).redirect(paths.home(), 303)
        },
      })
    },
  }
}
