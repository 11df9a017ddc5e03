import { maxPathKeys } from '#shared/flows/http/json-path.ts'

/** A field of a sample that a value can be taken from. */
export interface SampleField {
  readonly path: string
  readonly value: string
}

const isPlainKey = (key: string) => /^[^.[\]'"\s{}]+$/.test(key)

/** Undefined: a path cannot name the key. */
const below = (path: string, key: string): string | undefined => {
  if (isPlainKey(key)) return path === '' ? key : `${path}.${key}`
  if (/[{}\]]/.test(key)) return undefined
  if (!key.includes("'")) return `${path}['${key}']`
  return key.includes('"') ? undefined : `${path}["${key}"]`
}

/** The fields of a sample in their order, `most` at most. Lists and objects are opened, not listed. */
export function listFields(json: unknown, most: number): SampleField[] {
  const fields: SampleField[] = []
  const visit = (value: unknown, path: string | undefined, depth: number): void => {
    if (path === undefined || fields.length >= most || depth > maxPathKeys) return
    if (Array.isArray(value)) {
      for (const [i, one] of value.entries()) visit(one, `${path}[${i}]`, depth + 1)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) visit(one, below(path, key), depth + 1)
    } else if (path !== '') fields.push({ path, value: value === null ? '' : String(value) })
  }
  visit(json, '', 0)
  return fields
}

/** The field of a sample that is most likely a phone number; undefined: none looks like one. */
export const guessNumber = (fields: readonly SampleField[]): string | undefined => {
  const looksLikeOne = ({ value }: SampleField) => /^\+?[\d\s().-]{8,20}$/.test(value)
  const isNamedSo = ({ path }: SampleField) => /phone|tel|cel|m[oó]vil|mobile|whatsapp|n[uú]mero|wa_?id/i.test(path)
  return fields.find(one => isNamedSo(one) && looksLikeOne(one))?.path
}

/** The sample as JSON; undefined: it is none. */
export const readSample = (sample: string): unknown => {
  try {
    return JSON.parse(sample) as unknown
  } catch {
    return undefined
  }
}
