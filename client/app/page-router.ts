import { createStaticRouter, type StaticHandler, type StaticHandlerContext } from 'react-router'

type StaticRouter = ReturnType<typeof createStaticRouter>

const nobodys = ({ match }: Pick<StaticHandler, 'match'>): StaticHandlerContext => ({
  basename: '/',
  location: { pathname: '/', search: '', hash: '', state: null, key: 'default', mask: undefined },
  matches: [],
  loaderData: {},
  actionData: null,
  errors: null,
  statusCode: 200,
  loaderHeaders: {},
  actionHeaders: {},
  _match: match,
})

/**
 * The package's router for each page of the server, of which only the state is a page's own. The package makes all routes
 * anew for each, and an object with accessors: V8 gives every such object a shape of its own in the old generation, and
 * until the next full collection that keeps whatever the accessors see, here the page.
 */
export function createPageRouters(handler: Pick<StaticHandler, 'match'>) {
  // Copied, it has plain properties. Given no routes it takes them from the matches, as far as they are loaded by then.
  const shared: StaticRouter = { ...createStaticRouter([], nobodys(handler)) }
  return ({ location, matches, loaderData, actionData, errors }: StaticHandlerContext): StaticRouter => ({
    ...shared,
    state: {
      ...shared.state,
      ...{ location, matches, loaderData, actionData, errors },
      fetchers: new Map(),
      blockers: new Map(),
    },
  })
}
