import { asObject, type Json } from '../scalars.ts'
import { codeError, type GraphError, paramError } from './graph-error.ts'

/** Meta does not say what it counts; code points are what people see. */
const lengthOf = (text: string): number => [...text].length

export const missing = (name: string): GraphError => codeError(131008, `Parameter '${name}' is mandatory.`)
export const invalid = (details: string): GraphError => codeError(131009, details)

const lengthFault = (what: string, min: number, max: number): GraphError =>
  invalid(`${what} length invalid. Min length: ${min}, Max length: ${max}`)

/** A required object, by its path in the request. @throws GraphError 131008, 131009 */
export const objectAt = (parent: Json, key: string, path: string): Json => {
  const value = parent[key]
  if (value === undefined || value === null) throw missing(path)
  const object = asObject(value)
  if (object === undefined) throw invalid(`Parameter '${path}' must be an object.`)
  return object
}

/** A required list within a size range. @throws GraphError 131008, 131009 */
export const listAt = (
  parent: Json,
  key: string,
  path: string,
  what: string,
  min: number,
  max: number,
): readonly Json[] => {
  const value = parent[key]
  if (value === undefined || value === null) throw missing(path)
  if (!Array.isArray(value) || value.length < min || value.length > max)
    throw invalid(`Invalid ${what} count. Min allowed ${what}: ${min}, Max allowed ${what}: ${max}`)
  return value.map((entry, i) => {
    const object = asObject(entry)
    if (object === undefined) throw invalid(`Parameter '${path}[${i}]' must be an object.`)
    return object
  })
}

/** A required text within a length range; `what` names it in Meta's error texts. @throws GraphError 131008, 131009 */
export const textAt = (parent: Json, key: string, path: string, what: string, max: number, min = 1): string => {
  const value = parent[key]
  if (value === undefined || value === null) throw missing(path)
  if (typeof value !== 'string') throw invalid(`Parameter '${path}' must be a string.`)
  const length = lengthOf(value)
  if (length < min || length > max) throw lengthFault(what, min, max)
  return value
}

export const optionalTextAt = (
  parent: Json,
  key: string,
  path: string,
  what: string,
  max: number,
): string | undefined =>
  parent[key] === undefined || parent[key] === null ? undefined : textAt(parent, key, path, what, max, 0)

/** A text for which Meta answers code 100 when it is too long. @throws GraphError 100 */
export const plainTextAt = (parent: Json, key: string, path: string, max: number): string => {
  const value = parent[key]
  if (value === undefined || value === null || value === '') throw paramError(`The parameter ${path} is required.`)
  if (typeof value !== 'string') throw paramError(`Param ${path} must be a string.`)
  if (lengthOf(value) > max)
    throw paramError(
      `Param ${path} must be at most ${max} characters long.`,
      `${path} is ${lengthOf(value)} characters long, at most ${max} are allowed.`,
    )
  return value
}

export const webAddressAt = (parent: Json, key: string, path: string): URL => {
  const text = textAt(parent, key, path, 'Url', 2000)
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw invalid(`Parameter '${path}' must be a valid http or https URL.`)
  return new URL(text)
}

export const unique = (values: readonly string[], what: string): void => {
  if (new Set(values).size !== values.length) throw invalid(`Duplicated ${what}. Each ${what} must be unique.`)
}
