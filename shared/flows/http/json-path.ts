/** Keys of one path at most. */
export const maxPathKeys = 10
const step = /(?:\.?([^.[\]'"\s]+)|\[(\d{1,6})\]|\['([^'\]]+)'\]|\["([^"\]]+)"\])/y

/** `items[0].name`, `$.items[0]['full name']`; `$` alone is the whole document. Undefined: invalid path. */
export function readPath(path: string): readonly (string | number)[] | undefined {
  const text = path.trim().replace(/^\$(?=$|[.[])/, '')
  if (!path.trim() || text.startsWith('..')) return undefined
  const keys: (string | number)[] = []
  step.lastIndex = 0
  while (step.lastIndex < text.length) {
    const at = step.lastIndex
    const found = step.exec(text)
    // Two names are separated by a point.
    if (!found || (at > 0 && found[1] !== undefined && text[at] !== '.')) return undefined
    keys.push(found[2] === undefined ? ((found[1] ?? found[3] ?? found[4]) as string) : Number(found[2]))
    if (keys.length > maxPathKeys) return undefined
  }
  return keys
}

/** The value at a path; undefined if there is none. Only own properties are read. */
export function findAt(json: unknown, keys: readonly (string | number)[]): unknown {
  let at = json
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string | number, unknown>)[key]
  }
  return at
}

/** The found value as text. Empty if there is none. */
export function valueAt(json: unknown, keys: readonly (string | number)[]): string {
  const found = findAt(json, keys)
  if (found === null || found === undefined) return ''
  return typeof found === 'object' ? JSON.stringify(found) : String(found)
}
