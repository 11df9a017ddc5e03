import cookie from '@fastify/cookie'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Site } from '#client/app/facts.ts'
import type { Pages } from '#client/app/pages.tsx'
import { installSession } from '#server/identity/auth/sessions/session-plugin.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { AnyService } from '#server/platform/http/http.ts'
import { installErrorReply } from '#server/platform/http/plugins/error-reply.ts'
import { createHeaders } from '#server/platform/http/plugins/headers.ts'
import { openAssets } from '#server/web/assets.ts'
import { createInProcessApi, type Services } from '#server/web/in-process-api.ts'
import { createWeb } from '#server/web/plugin.ts'
import type { ApiServices } from '#shared/api.ts'
import { aMember } from './actors.ts'
import { anInbox } from './inbox.ts'
import { aMessage } from './items.ts'

/** The number of the customer who has written to `don-luis`. */
export const siteCustomer = '5491155551234'

/** The inbox of the organization `don-luis`, whose owner Ana is also a viewer of the organization `norte`. */
export async function aSite(customerName = 'Martín Torres') {
  const stage = await anInbox()
  const { databases, ana } = stage
  await databases.write.updateTable('organization').set({ slug: 'don-luis' }).where('id', '=', stage.orgId).execute()
  const { org: norte } = await aMember({ databases, orgName: 'Estudio Norte', slug: 'norte' })
  await databases.write
    .insertInto('member')
    .values({ id: newId(), organizationId: norte.id, userId: ana.user.id, role: 'viewer', createdAt: '' })
    .execute()
  await stage.connect()
  await stage.apply(aMessage({ sender: { waId: siteCustomer, profileName: customerName } }))
  return { ...stage, cookie: ana.cookie, norteId: norte.id }
}

export type ASite = Awaited<ReturnType<typeof aSite>>

export interface WebOptions {
  readonly on: Pick<ASite, 'parts'>
  readonly pages: Pages
  readonly clientDir: string
  /** Calls that the test answers itself: those that must fail, wait, or be recorded. */
  readonly replaced?: { [R in keyof ApiServices]?: AnyService }
  /** Public facts of the installation, which depend on its environment. Absent: those of the composed server. */
  readonly facts?: Site | (() => Site)
  readonly publicUrl?: string
  readonly timeoutMs?: number
  /** Receives the log lines of level `debug` and above. */
  readonly onLog?: (line: Record<string, unknown>) => void
}

/** The composed server's pages, in an app without its API. */
export async function webApp(options: WebOptions): Promise<FastifyInstance> {
  const { onLog, facts, replaced = {}, publicUrl = 'http://localhost' } = options
  const { parts } = options.on
  const app = fastify({
    logger: onLog ? { level: 'debug', stream: { write: (line: string) => onLog(JSON.parse(line)) } } : false,
    // Writing a line for each request would read the address of its connection, which the server does not.
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  })
  installErrorReply(app, parts)
  await app.register(createHeaders(publicUrl))
  await app.register(cookie)
  installSession(app, parts)
  const services = Object.fromEntries(
    Object.entries(parts.services).map(([name, calls]) => [name, { ...calls, ...replaced[name as keyof ApiServices] }]),
  ) as unknown as Services
  await app.register(
    createWeb({
      publicUrl,
      clock: parts.clock,
      // Without a memo, so that a replaced call is asked for each page.
      api: createInProcessApi(services, undefined, parts.contracts),
      i18n: parts.i18n,
      pages: () => options.pages,
      assets: openAssets(options.clientDir),
      clientDir: options.clientDir,
      site: () => (typeof facts === 'function' ? facts() : (facts ?? parts.site())),
      readTimeZone: orgId => parts.orgSettings.read(orgId, 'timeZone'),
      timeoutMs: options.timeoutMs,
    }),
  )
  return app
}
