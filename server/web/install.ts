import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Pages } from '#client/app/pages.tsx'
import type { InstallWeb } from '#server/app.ts'
import { openAssets } from './assets.ts'
import { createWeb } from './plugin.ts'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))

/** The built client: `npm start` builds it when its sources changed. */
export const installBuiltWeb: InstallWeb = async (app, backend, api) => {
  const clientDir = join(dist, 'client')
  const entry = join(dist, 'server/entry.server.js')
  if (!existsSync(entry)) throw new Error('The pages are not built. Run `npm start`, which builds them.')
  const { pages } = (await import(pathToFileURL(entry).href)) as { pages: Pages }
  await app.register(
    createWeb({
      publicUrl: backend.config.publicUrl,
      clock: backend.clock,
      api,
      i18n: backend.i18n,
      pages: () => pages,
      assets: openAssets(clientDir),
      clientDir,
      site: () => backend.site(),
      readTimeZone: orgId => backend.orgSettings.read(orgId, 'timeZone'),
    }),
  )
}
