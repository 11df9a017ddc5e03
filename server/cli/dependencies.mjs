/**
 * Bundles the dependencies that the server loads at each start into a few files instead of 1,400: finding, reading and
 * linking each module was a third of a start and of nearly every test file. One bundle for a lockfile, with nothing left
 * out or changed. Without a bundle they are loaded from node_modules.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const modules = join(root, 'node_modules')
const cache = join(modules, '.cache')
const self = fileURLToPath(import.meta.url)

/**
 * Every entry point of these packages that sources and tests import: one that is missing here would load a second copy.
 * CommonJS packages load no faster from a bundle, and native ones cannot be bundled.
 */
export const bundled = [
  '@better-auth/api-key',
  '@better-auth/core/utils/ip',
  'better-auth',
  'better-auth/api',
  'better-auth/crypto',
  'better-auth/db/migration',
  'better-auth/node',
  'better-auth/plugins',
  'better-auth/plugins/access',
  'better-auth/plugins/admin',
  'better-auth/plugins/email-otp',
  'better-auth/plugins/organization',
  'better-auth/plugins/username',
  'jose',
  'kysely',
  'kysely/migration',
  'libphonenumber-js/max',
  'libphonenumber-js/min',
  'nodemailer',
  'typebox',
  'typebox/compile',
  'typebox/schema',
  'typebox/value',
]

const fileOf = specifier => `${specifier.replace('@', '').replaceAll('/', '_')}.mjs`

/** Named by a hash of its inputs, so that no start loads the bundle of another lockfile or list. */
const folder = () => {
  const hash = createHash('sha256')
  for (const path of [join(root, 'package-lock.json'), self]) hash.update(readFileSync(path))
  return join(cache, `dependencies-${hash.digest('hex').slice(0, 16)}`)
}

/** The bundle of this lockfile and list exists. */
export const isBundled = () => existsSync(folder())

/** Bundles them unless they are. Takes two seconds; to be run by the pinned Node. */
export async function bundleDependencies() {
  const place = folder()
  if (existsSync(place)) return
  const { createRequire } = module
  const ofVite = createRequire(createRequire(join(root, 'package.json')).resolve('vite'))
  const { rolldown } = await import(pathToFileURL(ofVite.resolve('rolldown')).href)
  const bundle = await rolldown({
    input: Object.fromEntries(bundled.map(specifier => [fileOf(specifier).slice(0, -'.mjs'.length), specifier])),
    cwd: root,
    platform: 'node',
    external: [/^better-sqlite3/, /^pg/, /^pino/],
    treeshake: false,
    preserveEntrySignatures: 'exports-only',
    logLevel: 'warn',
  })
  // Renamed at the end, so that another process finds a complete bundle or none.
  const draft = `${place}.${process.pid}`
  await bundle.write({
    dir: draft,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    keepNames: true,
  })
  await bundle.close()
  try {
    renameSync(draft, place)
  } catch (error) {
    rmSync(draft, { recursive: true })
    if (!existsSync(place)) throw error
  }
}

/** Makes this process load the bundle, if there is one. */
export function loadBundledDependencies() {
  const place = folder()
  if (!existsSync(place)) return
  const urls = new Map(bundled.map(specifier => [specifier, pathToFileURL(join(place, fileOf(specifier))).href]))
  const packages = pathToFileURL(`${modules}/`).href
  module.registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier)
      if (!url || context.parentURL?.startsWith(packages)) return next(specifier, context)
      return { url, format: 'module', shortCircuit: true }
    },
  })
}

if (process.argv[1] === self) await bundleDependencies()
