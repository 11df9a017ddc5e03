import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createBuilder } from 'vite'
import type { Pages } from '#client/app/pages.tsx'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface BuiltPages {
  readonly pages: Pages
  readonly clientDir: string
  remove(): Promise<void>
}

/** Builds the entries of a folder by the product's own configuration into a folder of their own. */
const buildPages = async (from: string): Promise<BuiltPages> => {
  const folder = await mkdtemp(join(tmpdir(), 'recado-pages-'))
  const builder = await createBuilder({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    environments: {
      client: {
        build: { outDir: join(folder, 'client'), rolldownOptions: { input: join(root, from, 'entry.client.tsx') } },
      },
      ssr: {
        build: { outDir: join(folder, 'server'), rolldownOptions: { input: join(root, from, 'entry.server.tsx') } },
      },
    },
  })
  await builder.buildApp()
  const { pages } = (await import(pathToFileURL(join(folder, 'server/entry.server.js')).href)) as { pages: Pages }
  return { pages, clientDir: join(folder, 'client'), remove: () => rm(folder, { recursive: true, force: true }) }
}

/** The product's pages. */
export const buildProductPages = (): Promise<BuiltPages> => buildPages('client/app')
/** Pages with every end a stream can have. */
export const buildFixturePages = (): Promise<BuiltPages> => buildPages('test/fixtures/web')
