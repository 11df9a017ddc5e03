import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Import {
  readonly line: number
  /** The specifier as written. */
  readonly specifier: string
  /** The imported file's path from the root (`server/messaging/store.ts`); undefined for packages. */
  readonly target: string | undefined
  readonly typeOnly: boolean
}

export interface Source {
  /** Path from the root, with forward slashes. */
  readonly path: string
  readonly text: string
  /** The text with comments blanked out; lines keep their numbers. */
  readonly code: string
  readonly imports: readonly Import[]
}

/** Files below these folders whose names match `ending`, sorted; paths from the root. */
export const listFiles = (folders: readonly string[], ending: RegExp): string[] =>
  folders
    .flatMap(folder =>
      readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
        .filter(entry => entry.isFile() && ending.test(entry.name))
        .map(entry => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/')),
    )
    .sort()

const blank = (text: string) => text.replace(/[^\n]/g, ' ')

/** Matches strings too, so that `//` inside one is not taken for a comment. */
const token = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g
const withoutComments = (text: string) => text.replace(token, found => (/^\/[/*]/.test(found) ? blank(found) : found))

const statement = /^[ \t]*(import|export)\s+(type\s+)?(?:[\w*\s{},$]*?\sfrom\s*)?'([^']+)'/gm
const dynamic = /\bimport\(\s*'([^']+)'/g

export const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length

const targetOf = (path: string, specifier: string): string | undefined => {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(path), specifier))
  return undefined
}

/** Imports and re-exports of a module, static and dynamic. */
export const readImports = (path: string, code: string): Import[] => {
  const found = [
    ...[...code.matchAll(statement)].map(match => ({ match, specifier: match[3] as string, typeOnly: !!match[2] })),
    ...[...code.matchAll(dynamic)].map(match => ({ match, specifier: match[1] as string, typeOnly: false })),
  ]
  return found.map(({ match, specifier, typeOnly }) => ({
    line: lineOf(code, match.index + match[0].indexOf(specifier)),
    specifier,
    target: targetOf(path, specifier),
    typeOnly,
  }))
}

/** A module made from a text; the file need not exist. */
export const sourceOf = (path: string, text: string): Source => {
  const code = withoutComments(text)
  return { path, text, code, imports: readImports(path, code) }
}

export const readSource = (path: string): Source => sourceOf(path, readFileSync(join(root, path), 'utf8'))
