/** Values taken from a program's JSON: a text in which `{{path}}` stands for the field at that path. */
import { findAt, readPath } from '#shared/flows/http/json-path.ts'

const place = /\{\{([^{}]*)\}\}/g

/** Why a text cannot be filled: the path is unreadable, leads to nothing, to a list or an object, or to nothing visible. */
type FillFault = 'pathInvalid' | 'pathMissing' | 'pathNotText' | 'pathEmpty'

/** `path`: the field to blame; of a text without fields it is undefined. */
type Filled =
  | { readonly text: string; readonly path: string | undefined }
  | { readonly fault: FillFault; readonly path: string }

/** The paths that a text mentions, each once. */
const pathsIn = (text: string): string[] => [...new Set([...text.matchAll(place)].map(([, path = '']) => path.trim()))]

const textOf = (value: unknown): string | undefined => {
  if (value === null) return ''
  return typeof value === 'object' ? undefined : String(value)
}

const faultAt = (json: unknown, path: string): FillFault | undefined => {
  const keys = readPath(path)
  if (!keys) return 'pathInvalid'
  const value = findAt(json, keys)
  if (value === undefined) return 'pathMissing'
  return textOf(value) === undefined ? 'pathNotText' : undefined
}

/** The text with the fields of `json`. A null counts as empty. */
export function fillFrom(text: string, json: unknown): Filled {
  const paths = pathsIn(text)
  for (const path of paths) {
    const fault = faultAt(json, path)
    if (fault) return { fault, path }
  }
  const filled = text
    .replace(place, (_all, path: string) => textOf(findAt(json, readPath(path.trim()) ?? [])) ?? '')
    .trim()
  const [path] = paths
  return filled === '' && path !== undefined ? { fault: 'pathEmpty', path } : { text: filled, path }
}
