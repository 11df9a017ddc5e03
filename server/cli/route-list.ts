import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openSnapshot } from '#server/platform/db/sqlite/open.ts'
import type { Log } from '#server/platform/log/log.ts'
import { compose } from '#server/wiring.ts'
import type { EndpointShape } from '#shared/kernel/contract.ts'

export interface ListedRoute {
  readonly method: string
  readonly url: string
  /** `service.name` as in `shared/`; `by hand` for what no contract can say: streams, files, webhooks. */
  readonly name: string
  readonly access: string
  /** The call's contract. Undefined: the route has none. */
  readonly endpoint?: EndpointShape | undefined
}

const order = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const byAddress = (a: ListedRoute, b: ListedRoute) =>
  a.url < b.url ? -1 : a.url > b.url ? 1 : order.indexOf(a.method) - order.indexOf(b.method)

const listed = ({ method, url, config }: RouteOptions): ListedRoute[] =>
  [method]
    .flat()
    .filter(one => order.includes(one))
    .map(one => ({
      method: one,
      url,
      name: config?.service && config.name ? `${config.service}.${config.name}` : 'by hand',
      access: config?.endpoint?.access ?? '',
      endpoint: config?.endpoint,
    }))

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silent as never }
/** Building the app needs a secret; nothing is signed with this one. */
const secret = 'only to list the routes, never to sign'

/** Every route of the app except the pages, collected from the app itself. Opens no files and no connections. */
export async function listRoutes(): Promise<ListedRoute[]> {
  const found: ListedRoute[] = []
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', route => void found.push(...listed(route)))
  const databases = openSnapshot()
  subscribe('fastify.initialization', listen)
  try {
    await migrate(databases.write)
    const config = readConfig({ AUTH_SECRET: secret })
    const app = await buildApp(compose({ config, databases, log: silent, selfUrl: () => config.publicUrl }))
    await app.ready()
    await app.close()
  } finally {
    unsubscribe('fastify.initialization', listen)
    await databases.close()
  }
  return found.sort(byAddress)
}

/** One line per route, in columns. */
export const printRoutes = (routes: readonly ListedRoute[]): string => {
  const width = (key: 'method' | 'url' | 'name') => Math.max(...routes.map(route => route[key].length)) + 2
  const [method, url, name] = [width('method'), width('url'), width('name')]
  const line = (one: ListedRoute) =>
    one.method.padEnd(method) +
    one.url.padEnd(url) +
    one.name.padEnd(name) +
    (one.endpoint?.siteAdmin ? 'siteAdmin' : one.access)
  return `${routes
    .map(line)
    .map(text => text.trimEnd())
    .join('\n')}\n`
}
