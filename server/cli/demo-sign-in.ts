import type { FastifyInstance } from 'fastify'
import { paths } from '#shared/kernel/paths.ts'
import { randomToken } from '../platform/crypto/random.ts'
import type { House } from '../wiring.ts'

/** The only address of the demonstration that a normal start does not have. */
export const demoSignInPath = '/demo/sign-in'

/** Sign-in links that work once; they live in this process only. */
export interface DemoSignIn {
  /** Below the server's address. */
  linkFor(userId: string): string
  mount(app: FastifyInstance): void
}

/**
 * Signs in whoever opens one of the printed links, without a code. It is mounted by `npm run demo` alone; what was
 * used or never was leads to the ordinary sign-in.
 */
export function createDemoSignIn(house: Pick<House, 'auth'>): DemoSignIn {
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
        // A look ahead must not use it up.
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          const { token } = request.query as { token?: unknown }
          const userId = typeof token === 'string' ? open.get(token) : undefined
          reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
          if (typeof token !== 'string' || userId === undefined) return reply.redirect(paths.login(), 303)
          open.delete(token)
          const { setCookie } = await house.auth.issueSession(userId)
          return reply.header('set-cookie', setCookie).redirect(paths.home(), 303)
        },
      })
    },
  }
}
