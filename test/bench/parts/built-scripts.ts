import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
}

const clientDir = fileURLToPath(new URL('../../../dist/client/', import.meta.url))

/** Compressed bytes of scripts that `modules` need beyond those that `without` need. */
export const scriptsBeyond = (modules: readonly string[], without: readonly string[]): number => {
  const manifest = JSON.parse(readFileSync(`${clientDir}.vite/manifest.json`, 'utf8')) as Record<string, Chunk>
  const entry = Object.keys(manifest).filter(key => manifest[key]?.isEntry)
  const filesOf = (names: readonly string[], found = new Set<string>()): Set<string> => {
    for (const key of names) {
      const chunk = manifest[key]
      if (!chunk) throw new Error(`The build has no ${key}`)
      if (found.has(chunk.file)) continue
      found.add(chunk.file)
      filesOf(chunk.imports ?? [], found)
    }
    return found
  }
  const known = filesOf([...entry, ...without])
  const sizeOf = (file: string) => {
    const packed = statSync(`${clientDir}${file}.br`, { throwIfNoEntry: false })
    return (packed ?? statSync(`${clientDir}${file}`)).size
  }
  return [...filesOf([...entry, ...modules])]
    .filter(file => !known.has(file))
    .reduce((sum, file) => sum + sizeOf(file), 0)
}

/** The frame of every page. */
export const frameModule = 'client/shell/org-page.tsx'
