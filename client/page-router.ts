import {
  createStaticRouter,
  matchRoutes,
  type RouteObject,
  type StaticHandler,
  type StaticHandlerContext,
} from 'react-router'

type StaticRouter = ReturnType<typeof createStaticRouter>
type DataRoute = StaticHandler['dataRoutes'][number]

const byId = (routes: readonly DataRoute[]): Record<string, DataRoute> =>
  Object.fromEntries(
    routes.flatMap(route => [[route.id, route], ...Object.entries(byId((route.children ?? []) as DataRoute[]))]),
  )

/**
 * The package's router for each page of the server, of which only the state is a page's own. The package makes all routes
 * anew for each, and an object with accessors: V8 gives every such object a shape of its own in the old generation, and
 * until the next full collection that keeps whatever the accessors see, here the page.
 */
export function createPageRouters({ dataRoutes }: Pick<StaticHandler, 'dataRoutes'>) {
  const manifest = byId(dataRoutes)
  let shared: StaticRouter | undefined
  return (context: StaticHandlerContext): StaticRouter => {
    // Copied, it has plain properties. What the first page knows is not kept for the others.
    shared ??= { ...createStaticRouter(dataRoutes, { ...context, matches: [], loaderData: {}, errors: null }) }
    const { location, loaderData, actionData, errors } = context
    const matches = context.matches as StaticRouter['state']['matches']
    const fetchers = new Map()
    return {
      ...shared,
      routes: dataRoutes,
      manifest,
      match: at => matchRoutes(dataRoutes as RouteObject[], at) as ReturnType<StaticRouter['match']>,
      state: { ...shared.state, location, matches, loaderData, actionData, errors, fetchers, blockers: new Map() },
    }
  }
}
