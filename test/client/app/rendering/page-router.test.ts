/** Our server-side router of a page, next to the package's. */
import { createStaticHandler, createStaticRouter, type RouteObject, type StaticHandlerContext } from 'react-router'
import t from 'tap'
import { createPageRouters } from '#client/app/rendering/page-router.ts'

const routes: RouteObject[] = [
  {
    path: '/',
    id: 'root',
    children: [
      { index: true },
      {
        path: 'org/:org',
        loader: ({ params }) => params.org ?? null,
        children: [{ path: 'c/:phone', lazy: async () => ({ loader: () => 'chat', handle: 'lazily' }) }],
      },
    ],
  },
]

const open = async (path: string) => {
  const handler = createStaticHandler(routes)
  const context = (await handler.query(new Request(`http://localhost${path}`))) as StaticHandlerContext
  return { handler, context }
}

t.test('it returns the same as the package, including loaded data', async t => {
  const { handler, context } = await open('/org/don-luis/c/5491155550100?a=1')
  const [own, other] = [createPageRouters(handler)(context), createStaticRouter(handler.dataRoutes, context)]
  const facts = ({ state, basename, future }: typeof other) => ({
    ...state,
    basename,
    future,
    matches: state.matches.map(({ route, params, pathname }) => ({
      id: route.id,
      handle: route.handle,
      params,
      pathname,
    })),
  })
  t.same(facts(own), facts(other))
  t.equal(own.state.matches.at(-1)?.route.handle, 'lazily')
  t.same(
    own.match({ pathname: '/org/otra', search: '', hash: '', state: null, key: 'x' })?.map(({ route }) => route.id),
    other.match({ pathname: '/org/otra', search: '', hash: '', state: null, key: 'x' })?.map(({ route }) => route.id),
  )
  t.equal(own.createHref(context.location), other.createHref(context.location))
})

t.test('two pages share nothing, and have no accessors, which would keep a page in memory', async t => {
  const { handler, context } = await open('/org/don-luis')
  const routerOf = createPageRouters(handler)
  const first = routerOf(context)
  const second = routerOf((await handler.query(new Request('http://localhost/org/otra'))) as StaticHandlerContext)
  t.same(Object.values(first.state.loaderData), ['don-luis'])
  t.same(Object.values(second.state.loaderData), ['otra'])
  t.not(first.state.fetchers, second.state.fetchers)
  for (const one of [first, second])
    t.same(
      Object.values(Object.getOwnPropertyDescriptors(one)).filter(({ get }) => get),
      [],
    )
  t.ok(
    Object.values(Object.getOwnPropertyDescriptors(createStaticRouter(handler.dataRoutes, context))).some(
      one => one.get,
    ),
  )
})
