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
 * Makes a static router for each server-rendered page; pages share everything but its state. React Router creates all
 * routes and an object with accessors per page. V8 gives each such object its own shape in the old generation, which
 * keeps the page in memory until the next full collection.
 */
export function createPageRouters(handler: Pick<StaticHandler, 'match'>) {
  // A copy has plain properties. Without routes, they are taken from the matches, as far as they are loaded.
  const shared: StaticRouter = { ...createStaticRouter([], nobodys(handler)) }
  return ({ location, matches, loaderData, actionData, errors }: StaticHandlerContext): StaticRouter => ({
    ...shared,
    state: {
      ...shared.state,
      location,
      matches,
      loaderData,
      actionData,
      errors,
      fetchers: new Map(),
      blockers: new Map(),
    },
  })
}
