import cookie from '@fastify/cookie'
import fastify, { type FastifyInstance } from 'fastify'
import type { Site } from '#client/app/facts.ts'
import type { Pages } from '#client/app/pages.tsx'
import { seesAll } from '#server/identity/visibility/scope.ts'
import type { Caller } from '#server/platform/http/access.ts'
import type { Member, Person } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { AnyService } from '#server/platform/http/http.ts'
import { createHeaders } from '#server/platform/http/plugins/headers.ts'
import { languageOf } from '#server/platform/text/i18n.ts'
import { openAssets } from '#server/web/assets.ts'
import { createInProcessApi, type Services } from '#server/web/in-process-api.ts'
import { createWeb } from '#server/web/plugin.ts'
import { type ApiServices, api } from '#shared/api.ts'
import type { Viewer } from '#shared/orgs/api.ts'
import { handClock } from './clock.ts'
import { i18n } from './i18n.ts'

/** Ana, owner of two organizations. */
export const ana = {
  kind: 'person' as const,
  userId: 'u-ana',
  name: 'Ana Rossi',
  email: 'ana@example.com',
  image: null,
  siteRole: 'user',
  sessionId: 's-1',
  activeOrgId: 'org-luis',
} as const
export const organizations = [
  { id: 'org-luis', name: 'Panadería Don Luis', slug: 'don-luis', logo: null, role: 'owner' },
  { id: 'org-norte', name: 'Estudio Norte', slug: 'norte', logo: null, role: 'viewer' },
]
export const anasView: Viewer = {
  user: { id: ana.userId, name: ana.name, email: ana.email, image: null, signature: '', role: 'user' },
  organizations,
  active: organizations[0] ?? null,
}

const waba = {
  phone: '5491155550000',
  displayPhone: '+54 9 11 5555-0000',
  verifiedName: 'Don Luis',
  kind: 'sandbox',
  status: 'connected',
}

type Fakes = { [R in keyof ApiServices]?: AnyService }

/** Services with the calls that a test gives. Any other call throws. */
const servicesOf = (fakes: Fakes): Services =>
  Object.fromEntries(
    Object.entries(api).map(([service, endpoints]) => [
      service,
      Object.fromEntries(
        Object.keys(endpoints).map(name => [
          name,
          (caller: unknown, input: unknown) => {
            const run = fakes[service as keyof Fakes]?.[name]
            if (!run) throw new Error(`The test has no fake for ${service}.${name}: add it to the services`)
            return run(caller, input)
          },
        ]),
      ),
    ]),
  ) as unknown as Services

export interface WebOptions {
  readonly pages: Pages
  readonly clientDir: string
  readonly fakes?: Fakes
  readonly site?: Site | (() => Site)
  readonly publicUrl?: string
  readonly timeoutMs?: number
  /** Receives the log lines of level `debug` and above. */
  readonly onLog?: (line: Record<string, unknown>) => void
}

/**
 * The web plugin in a small app of its own. A request with the cookie `who=ana` is signed in as Ana.
 */
export async function webApp(options: WebOptions): Promise<FastifyInstance> {
  const { onLog } = options
  const app = fastify({
    logger: onLog ? { level: 'debug', stream: { write: (line: string) => onLog(JSON.parse(line)) } } : false,
    forceCloseConnections: true,
  })
  await app.register(cookie)
  await app.register(createHeaders(options.publicUrl ?? 'http://localhost'))
  app.decorateRequest('caller')
  app.addHook('onRequest', async request => {
    const language = languageOf(request)
    const person: Person | null = request.cookies.who === 'ana' ? { ...ana, language } : null
    const member = async (org?: string): Promise<Member | undefined> => {
      const found = organizations.find(one => one.id === (org ?? ana.activeOrgId) || one.slug === org)
      return person && found
        ? {
            ...person,
            orgId: found.id,
            orgSlug: found.slug,
            orgName: found.name,
            role: found.role as Member['role'],
            scope: seesAll,
          }
        : undefined
    }
    request.caller = { language, person, member } satisfies Caller
  })
  app.setErrorHandler((error, request, reply) => {
    const status = error instanceof AppError ? error.status : 500
    if (status === 500) request.log.error({ err: error }, 'failed')
    reply.status(status).send({
      statusCode: status,
      code: error instanceof AppError ? error.code : 'APP_INTERNAL',
      message: '',
      requestId: request.id,
    })
  })
  const fakes: Fakes = {
    orgs: { getViewer: () => anasView },
    numbers: { getWaba: () => waba },
    live: { place: () => ({ id: '0' }) },
    notifications: { summary: () => ({ unread: 0, any: false }) },
    ...options.fakes,
  }
  await app.register(
    createWeb({
      publicUrl: options.publicUrl ?? 'http://localhost',
      clock: handClock(),
      api: createInProcessApi(servicesOf(fakes)),
      i18n,
      pages: () => options.pages,
      assets: openAssets(options.clientDir),
      clientDir: options.clientDir,
      site: () =>
        (typeof options.site === 'function' ? options.site() : options.site) ?? {
          empty: false,
          signup: 'first',
          sandbox: true,
          facebook: null,
        },
      timeoutMs: options.timeoutMs,
    }),
  )
  return app
}
