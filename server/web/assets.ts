import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The tags around React's markup that load styles and scripts. */
export interface PageAssets {
  /** The tags for the head: styles of the entry and of the matched pages' files. */
  head(modules: readonly string[], nonce: string): string
  /** After the first markup and its data: the scripts that hydrate these pages, and in a wide window those of `wideModules`. */
  entry(modules: readonly string[], wideModules: readonly string[], nonce: string): string
}

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

const nonceMark = '%nonce%'

/** Scripts and styles of these modules and of everything they import, each once, importers last. */
const filesOf = (manifest: Manifest, modules: readonly string[]) => {
  const seen = new Set<string>()
  const scripts: string[] = []
  const styles = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || seen.has(name)) return
    seen.add(name)
    for (const imported of chunk.imports ?? []) visit(imported)
    scripts.push(chunk.file)
    for (const style of chunk.css ?? []) styles.add(style)
  }
  for (const name of modules) visit(name)
  return { scripts, styles: [...styles] }
}

/**
 * Runs in the page. It fetches the scripts after the first paint; on a slow phone they would delay it otherwise. A page
 * in a background tab is never painted, so it begins at once. The first `run` scripts, the entry last, run one by one: in
 * a single task they would block a phone for too long. The scripts of `wide` are fetched last, and only in a wide window.
 */
const loadOncePainted = (files: readonly string[], wide: readonly string[], run: number) => {
  const nonce = (document.currentScript as HTMLScriptElement | null)?.nonce ?? ''
  let hasBegun = false
  const begin = () => {
    if (hasBegun) return
    hasBegun = true
    document.removeEventListener('visibilitychange', begin)
    for (const file of matchMedia('(min-width: 1024px)').matches ? [...files, ...wide] : files)
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: file, nonce }))
    for (const src of files.slice(0, run))
      document.head.append(
        Object.assign(document.createElement('script'), { type: 'module', src, nonce, async: false }),
      )
  }
  if (document.hidden) return begin()
  document.addEventListener('visibilitychange', begin)
  requestAnimationFrame(() => setTimeout(begin))
}

/**
 * Reads the build's manifest. The answer is cached for each set of pages.
 * @throws when there is no build.
 */
export function openAssets(clientDir: string): PageAssets {
  const file = join(clientDir, '.vite/manifest.json')
  if (!existsSync(file)) throw new Error(`There is no client build in ${clientDir}: run npm run build`)
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  const [entryModule, entry] = Object.entries(manifest).find(([, chunk]) => chunk.isEntry) ?? []
  if (!entryModule || !entry) throw new Error(`${file} names no entry`)
  const loader = `<script nonce="${nonceMark}">(${loadOncePainted.toString()})(`
  const made = new Map<string, string>()
  /** Makes the tags once for each set of pages. */
  const once = (key: string, make: () => string) => {
    const known = made.get(key) ?? make()
    made.set(key, known)
    return known
  }
  const headOf = (modules: readonly string[]) =>
    filesOf(manifest, [entryModule, ...modules])
      .styles.map(name => `<link rel="stylesheet" href="/${name}">`)
      .join('')
  const entryOf = (modules: readonly string[], wideModules: readonly string[]) => {
    const listed = (some: readonly string[]) => JSON.stringify(some.map(file => `/${file}`))
    const { scripts } = filesOf(manifest, [entryModule, ...modules])
    const wide = filesOf(manifest, wideModules).scripts.filter(file => !scripts.includes(file))
    return `${loader}${listed(scripts)},${listed(wide)},${scripts.indexOf(entry.file) + 1})</script>`
  }
  return {
    head: modules => once(`head ${modules}`, () => headOf(modules)),
    entry: (modules, wideModules, nonce) =>
      once(`entry ${modules} ${wideModules}`, () => entryOf(modules, wideModules)).replaceAll(nonceMark, nonce),
  }
}
