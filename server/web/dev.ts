import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { ViteDevServer } from 'vite'
import type { Pages } from '#client/app/pages.tsx'
import type { InstallWeb } from '#server/app.ts'
import type { PageAssets } from './assets.ts'
import { createWeb } from './plugin.ts'

/** Addresses that Vite answers: sources, its own client, pre-bundled dependencies. */
const viteAddress = /^\/(?:@|client\/|shared\/|node_modules\/|favicon\.svg)/

const root = fileURLToPath(new URL('../../', import.meta.url))
const styles = () => [
  'client/ui/styles/tokens.css',
  'client/ui/styles/base.css',
  'client/ui/styles/primitives.css',
  'client/ui/styles/controls.css',
  ...globSync(['client/*/*.css', 'client/shell/*/*.css'], { cwd: root }),
]

/**
 * The tags that a page needs from Vite: its client, React's refresh preamble, and the styles before the first paint.
 */
const devAssets: PageAssets = {
  head: (_modules, nonce) =>
    styles()
      .map(name => `<link rel="stylesheet" href="/${name}?direct">`)
      .join('') +
    `<script type="module" nonce="${nonce}">import { injectIntoGlobalHook } from '/@react-refresh';injectIntoGlobalHook(window);` +
    'window.$RefreshReg$=()=>{};window.$RefreshSig$=()=>type=>type</script>' +
    `<script type="module" src="/@vite/client" nonce="${nonce}"></script>`,
  entry: (_modules, _wide, nonce) =>
    `<script type="module" src="/client/app/entry.client.tsx" nonce="${nonce}"></script>`,
}

const openVite = async (app: FastifyInstance): Promise<ViteDevServer> => {
  const { createServer } = await import('vite')
  return createServer({
    configFile: `${root}vite.config.ts`,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  })
}

/** Serves pages from the sources, with reload, for `npm run dev`. */
export const installDevWeb: InstallWeb = async (app, backend, api) => {
  const vite = await openVite(app)
  app.addHook('onClose', () => vite.close())
  app.addHook('onRequest', (request, reply, done) => {
    if (!viteAddress.test(request.url)) return done()
    reply.hijack()
    vite.middlewares(request.raw, reply.raw, () => {
      reply.raw.statusCode = 404
      reply.raw.end()
    })
  })
  const runner = vite.environments.ssr
  await app.register(
    createWeb({
      publicUrl: backend.config.publicUrl,
      clock: backend.clock,
      api,
      i18n: backend.i18n,
      pages: async () => {
        if (!('runner' in runner)) throw new Error('Vite cannot run the pages in this process')
        const entry = (await (runner.runner as { import(id: string): Promise<unknown> }).import(
          '/client/app/entry.server.tsx',
        )) as { pages: Pages }
        return entry.pages
      },
      assets: devAssets,
      site: () => backend.site(),
      readTimeZone: orgId => backend.orgSettings.read(orgId, 'timeZone'),
    }),
  )
}
