import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const path = (name: string) => join(root, name)

/** The browser must never get a line of the server, nor the page bundle a second copy of it. */
const refuseServer = (): Plugin => ({
  name: 'recado:refuse-server',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!importer || !/server/.test(source)) return null
    const resolved = await this.resolve(source, importer, { skipSelf: true })
    if (resolved?.id.startsWith(path('server/')))
      this.error(`${importer} imports ${source}: nothing in client/ or shared/ may import the server`)
    return null
  },
})

/**
 * Contracts without their schemas: the page only needs method, path and idempotency of each endpoint. The real ones
 * stay with the server, which imports them itself.
 */
const contractsWithoutSchemas = (): Plugin => ({
  name: 'recado:contracts-without-schemas',
  apply: 'build',
  enforce: 'pre',
  async load(id) {
    if (id !== path('shared/api.ts')) return null
    const { api } = await import('./shared/api.ts')
    const described = Object.entries(api).map(([service, endpoints]) => [
      service,
      Object.fromEntries(
        Object.entries(endpoints).map(
          ([name, { method, path, idempotent }]: [string, { method: string; path: string; idempotent?: boolean }]) => [
            name,
            { method, path, idempotent },
          ],
        ),
      ),
    ])
    return `export const api = ${JSON.stringify(Object.fromEntries(described))}`
  },
})

interface EmojibaseEmoji {
  emoji: string
  label: string
  tags?: string[]
  group?: number
  version: number
  skins?: { emoji: string; tone: number | number[] }[]
}
/** What the systems people have can draw by now. */
const newestEmojis = 15.1

/** `virtual:emojis/es`: of Emojibase what the picker shows and finds by, a fifth of its bytes. */
const emojis = (): Plugin => {
  const ours = /^\0?virtual:emojis\/(es|en)$/
  return {
    name: 'recado:emojis',
    resolveId: id => (ours.test(id) ? `\0${id.replace('\0', '')}` : null),
    async load(id) {
      const language = ours.exec(id)?.[1]
      if (!language) return null
      const read = async (name: string) =>
        JSON.parse(await readFile(path(`node_modules/emojibase-data/${language}/${name}.json`), 'utf8'))
      const all: EmojibaseEmoji[] = await read('data')
      const { groups } = (await read('messages')) as { groups: { key: string; message: string; order: number }[] }
      const shown = groups.filter(({ key }) => key !== 'component')
      const data = {
        categories: shown.map(({ order, message }) => ({ index: order, label: message })),
        emojis: all
          .filter(({ group, version }) => shown.some(({ order }) => order === group) && version <= newestEmojis)
          .map(({ emoji, group, label, tags = [], skins = [] }) => {
            const tones = skins.filter(({ tone }) => typeof tone === 'number').map(skin => skin.emoji)
            return [emoji, group, label, tags.join('|'), ...(tones.length === 5 ? [tones.join('|')] : [])]
          }),
      }
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(data))})`
    },
  }
}

/** Most of what these hold is run while a page comes to life. */
const ranWhole = new Set(['react', 'libraries', 'frame', 'organization', 'flow-parts', 'flow-page', 'canvas'])

/**
 * They say that all of their functions will be called: V8 compiles them beside the page while they come, and not one by one
 * in the turns that first call them.
 */
const compileAside = (): Plugin => ({
  name: 'recado:compile-aside',
  apply: 'build',
  applyToEnvironment: environment => environment.name === 'client',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const missing = new Set(ranWhole)
      let isProduct = false
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        isProduct ||= file.facadeModuleId === path('client/app/entry.client.tsx')
        // It is heard before any code alone.
        if (missing.delete(file.name)) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
      }
      // Tests build pages of their own, with fewer files.
      if (isProduct && missing.size)
        this.error(`no file is named ${[...missing].join(', ')}: look at recado:compile-aside`)
    },
  },
})

const packers = {
  br: (data: Buffer) =>
    promisify(brotliCompress)(data, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: data.length },
    }),
  gz: (data: Buffer) => promisify(gzip)(data, { level: 9 }),
}

/** Assets are compressed once, here, as well as it can be done, and served as they lie. */
const precompress = (): Plugin => ({
  name: 'recado:precompress',
  apply: 'build',
  applyToEnvironment: environment => environment.name === 'client',
  async writeBundle({ dir }) {
    if (!dir) return
    const folder = join(dir, 'assets')
    const names = (await readdir(folder)).filter(name => /\.(js|css|svg|json)$/.test(name))
    await Promise.all(
      names.map(async name => {
        const data = await readFile(join(folder, name))
        for (const [ending, pack] of Object.entries(packers)) {
          const packed = await pack(data)
          if (packed.length < data.length) await writeFile(join(folder, `${name}.${ending}`), packed)
        }
      }),
    )
  },
})

interface Whole {
  readonly name: string
  readonly pages: readonly string[]
  readonly also?: readonly string[]
  /** Of what the pages need, what goes into this one. */
  readonly only?: RegExp
}

/** Pages whose parts come in one file each: on a slow line every request costs a way there and back. */
const wholes: readonly Whole[] = [
  // What every page needs is run in three turns: a telephone's processor takes long for each.
  {
    name: 'react',
    pages: ['client/app/entry.client.tsx'],
    only: /\/(node_modules\/(react|react-dom|scheduler)\/|react-first)/,
  },
  { name: 'libraries', pages: ['client/app/entry.client.tsx'], only: /\/node_modules\// },
  {
    name: 'frame',
    pages: ['client/app/entry.client.tsx'],
    also: ['client/app/calls/use-api.ts', 'client/ui/pictures/avatar.tsx', 'client/ui/controls/field.tsx'],
  },
  // Small parts of several pages. Else nearly every page would bring along the chats or the editor of flows, which need
  // them too, for one of them; `test/e2e/page-scripts.spec.ts` tells when one is missing here.
  {
    name: 'organization',
    pages: ['client/shell/org-page.tsx'],
    also: [
      ...[
        'client/app/queries/use-paged-list.ts',
        'client/app/queries/paged-list.ts',
        'client/app/queries/attached.ts',
        'client/app/hydration/as-rendered.ts',
        'client/app/calls/use-in-parts.ts',
        'client/ui/feedback/parts-progress.tsx',
      ],
      ...['client/tags/queries.ts', 'shared/tags/api.ts', 'shared/media/sent-files.ts', 'client/app/calls/upload.ts'],
      ...['use-address-change.ts', 'use-followed-search.ts'].map(name => `client/app/address/${name}`),
      ...['client/palette/page-commands.ts', 'client/app/number-name.ts'],
      ...['moment.tsx', 'own-time-zone.ts', 'wa-blocks.ts', 'wa-marks.ts'].map(name => `client/ui/text/${name}`),
      ...['is-alive.ts', 'is-elsewhere.ts', 'steady.ts'].map(name => `client/ui/page/${name}`),
      ...['row-menu.tsx', 'lazy-confirm.tsx', 'open-popover.ts'].map(name => `client/ui/overlays/${name}`),
      ...['client/ui/controls/composing.ts', 'client/ui/controls/field-edits.ts', 'shared/inbox/answer-due.ts'],
      ...['client/shell/org-clock.tsx', 'client/ui/page/single-keys.ts', 'client/ui/page/undo-send.ts'],
      ...[
        'auth/profile',
        'bulk-sends/limits',
        'contacts/api',
        'contacts/chat-contact',
        'contacts/fields',
        'flows/runs/limits',
        'inbox/chat-changes',
        'inbox/inbox',
      ].map(name => `shared/${name}.ts`),
      ...['media/pictures', 'media/use', 'outgoing-webhooks/api'].map(name => `shared/${name}.ts`),
    ],
  },
  {
    name: 'chats',
    pages: ['client/inbox/page.tsx', 'client/inbox/index-page.tsx', 'client/inbox/thread/chat-page.tsx'],
  },
  // Settings of an organization and of its flows.
  { name: 'setting-parts', pages: [], also: ['shared/orgs/business-hours.ts', 'shared/orgs/setting-fields.ts'] },
  {
    name: 'template-shapes',
    pages: [],
    also: [
      ...['components', 'fault', 'sending', 'variables', 'words'].map(name => `shared/templates/${name}.ts`),
      'shared/flows/templates.ts',
    ],
  },
  // What the editor of flows shares with other pages: else a dozen files of some hundred bytes, each of which takes a
  // slow processor longer to fetch than to run.
  {
    name: 'flow-parts',
    pages: [],
    also: [
      ...['exchange', 'graph', 'http/http', 'http/json-path', 'subflows', 'variables'].map(
        name => `shared/flows/${name}.ts`,
      ),
      ...['editor/draft/draft.ts', 'import/exchange.ts', 'canvas/mark.tsx', 'editor/draft/operations.ts'].map(
        name => `client/flows/${name}`,
      ),
      ...['outline/outline-tree.ts', 'editor/draft/part-id.ts', 'queries.ts', 'status-chip.tsx', 'words.ts'].map(
        name => `client/flows/${name}`,
      ),
      'client/flows/forms/variable-name.ts',
    ],
  },
]

/** What the bundler knows; to be asked as a method. */
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** One group for each whole, the first taking first: all that its pages always need. What is loaded later keeps its own file. */
const groups = wholes.map(({ name, pages, also = [], only }, at) => {
  let needed: Set<string> | undefined
  const reach = (modules: Modules) => {
    const found = new Set(also.map(path))
    const visit = (module: string) => {
      for (const next of modules.getModuleInfo(module)?.importedIds ?? []) {
        if (found.has(next)) continue
        found.add(next)
        visit(next)
      }
    }
    for (const page of pages) visit(path(page))
    return found
  }
  return {
    debugName: name,
    priority: wholes.length - at,
    name(id: string, modules: Modules) {
      needed ??= reach(modules)
      return needed.has(id) && (only?.test(id) ?? true) ? name : null
    },
  }
})

export default defineConfig(({ command }) => ({
  root,
  publicDir: path('client/public'),
  appType: 'custom',
  plugins: [refuseServer(), contractsWithoutSchemas(), emojis(), react(), compileAside(), precompress()],
  resolve: {
    alias: { typebox: path('client/app/calls/typebox-stub.ts') },
    dedupe: ['react', 'react-dom', '@emotion/react', '@emotion/cache'],
  },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: path('dist/client'),
        emptyOutDir: true,
        manifest: true,
        target: 'es2023',
        cssMinify: true,
        rolldownOptions: {
          input: path('client/app/entry.client.tsx'),
          // Contracts read each other's parts: without this, who needs one limit of a contract carries all of it.
          treeshake: {
            manualPureFunctions: ['Type', 'endpoint', 'pageOf', 'Nullable'],
            propertyReadSideEffects: false,
          },
          output: { codeSplitting: { groups } },
        },
      },
    },
    ssr: {
      // Everything inside: one React, one Emotion, and production code whatever the process's environment says.
      ...(command === 'build'
        ? { resolve: { noExternal: true }, define: { 'process.env.NODE_ENV': '"production"' } }
        : {}),
      build: {
        outDir: path('dist/server'),
        emptyOutDir: true,
        ssr: true,
        target: 'node24',
        copyPublicDir: false,
        rolldownOptions: { input: path('client/app/entry.server.tsx') },
      },
    },
  },
}))
