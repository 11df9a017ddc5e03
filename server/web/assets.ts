import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the server writes around React's markup so that the browser gets styles and scripts early. */
export interface PageAssets {
  /** For the head: styles and preloads of the entry and of the matched pages' files. */
  head(modules: readonly string[], nonce: string): string
  /** After the first markup and its data: the script that hydrates. */
  entry(nonce: string): string
}

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

const nonceMark = '%nonce%'

/** Scripts and styles of modules with all they import, each once, importers last. */
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
 * Reads the build's manifest. Heads are made once per set of pages.
 * @throws when there is no build.
 */
export function openAssets(clientDir: string): PageAssets {
  const file = join(clientDir, '.vite/manifest.json')
  if (!existsSync(file)) throw new Error(`There is no client build in ${clientDir}: run npm run build`)
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  const [entryModule, entry] = Object.entries(manifest).find(([, chunk]) => chunk.isEntry) ?? []
  if (!entryModule || !entry) throw new Error(`${file} names no entry`)
  const heads = new Map<string, string>()
  // What is drawn comes with the markup: on a slow line no script may stand before it and its styles.
  const makeHead = (modules: readonly string[]) => {
    const { scripts, styles } = filesOf(manifest, [entryModule, ...modules])
    return [
      ...styles.map(name => `<link rel="stylesheet" href="/${name}">`),
      ...scripts.map(name => `<link rel="modulepreload" fetchpriority="low" href="/${name}" nonce="${nonceMark}">`),
    ].join('')
  }
  return {
    head(modules, nonce) {
      const key = modules.join()
      const known = heads.get(key) ?? makeHead(modules)
      heads.set(key, known)
      return known.replaceAll(nonceMark, nonce)
    },
    entry: nonce => `<script type="module" async fetchpriority="low" src="/${entry.file}" nonce="${nonce}"></script>`,
  }
}
