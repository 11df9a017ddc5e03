import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'

/** A rule that the input breaks, in JSON Schema's terms. */
interface SchemaFault {
  readonly keyword: string
  /** JSON pointer. */
  readonly instancePath: string
  readonly params: Record<string, unknown>
}

/** The keywords that are read here. */
interface Shape {
  readonly type?: string
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: Shape
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
const hasType = ({ type, properties }: Shape, value: unknown): boolean => {
  const wanted = type ?? (properties ? 'object' : undefined)
  if (wanted === undefined) return true
  return wanted === 'integer' ? typeof value === 'number' : wanted === typeOf(value)
}

/** The field whose constant distinguishes the branches of a union; undefined: there is none. */
const tagOf = (branches: readonly Shape[]): string | undefined =>
  Object.keys(branches[0]?.properties ?? {}).find(name =>
    branches.every(({ properties }) => properties?.[name]?.const !== undefined),
  )

/**
 * The known fields of the value minus the required fields that it lacks. The branch with the highest result fits best.
 */
const fitOf = ({ properties = {}, required = [] }: Shape, value: Readonly<Record<string, unknown>>): number =>
  Object.keys(value).filter(name => Object.hasOwn(properties, name)).length -
  required.filter(name => !Object.hasOwn(value, name)).length

/** Faults of the schema itself, without those of nested schemas. */
function* ownFaults(schema: Shape, value: unknown, path: string): Generator<SchemaFault> {
  for (const { keyword, instancePath, params } of Errors(schema as TSchema, value) as unknown as SchemaFault[])
    yield { keyword, instancePath: path + instancePath, params }
}

function* unionFaults(branches: readonly Shape[], value: unknown, path: string): Generator<SchemaFault> {
  const ofType = branches.filter(branch => hasType(branch, value))
  if (!ofType.length || !isObject(value)) {
    const [only] = ofType
    return yield* only && ofType.length === 1
      ? findFaults(only, value, path)
      : [{ keyword: 'anyOf', instancePath: path, params: {} }]
  }
  const tag = tagOf(ofType)
  if (tag === undefined) {
    const best = ofType.toSorted((a, b) => fitOf(b, value) - fitOf(a, value))[0] as Shape
    return yield* findFaults(best, value, path)
  }
  const named = ofType.find(({ properties }) => properties?.[tag]?.const === value[tag])
  if (named) return yield* findFaults(named, value, path)
  if (!Object.hasOwn(value, tag))
    return yield { keyword: 'required', instancePath: path, params: { requiredProperties: [tag] } }
  yield { keyword: 'enum', instancePath: `${path}/${tag}`, params: {} }
}

/**
 * Yields faults one by one, so that the caller can stop early: the size of a list before its items, and of a union the
 * distinguishing field, then only the branch it selects.
 */
export function* findFaults(schema: object, value: unknown, path = ''): Generator<SchemaFault> {
  const shape = schema as Shape
  if (shape.anyOf) return yield* unionFaults(shape.anyOf, value, path)
  if (!hasType(shape, value)) return yield* ownFaults({ ...shape, properties: {}, required: [] }, value, path)
  if (Array.isArray(value) && shape.items) {
    const { items, minItems, maxItems } = shape
    const size = { ...(minItems === undefined ? {} : { minItems }), ...(maxItems === undefined ? {} : { maxItems }) }
    let isSized = true
    for (const fault of ownFaults({ type: 'array', ...size }, value.slice(0, (maxItems ?? value.length) + 1), path)) {
      isSized = false
      yield fault
    }
    if (isSized) for (const [i, item] of value.entries()) yield* findFaults(items, item, `${path}/${i}`)
    return
  }
  if (!isObject(value) || !shape.properties) return yield* ownFaults(shape, value, path)
  const { properties, required = [], additionalProperties, minProperties, maxProperties } = shape
  const count = {
    ...(minProperties === undefined ? {} : { minProperties }),
    ...(maxProperties === undefined ? {} : { maxProperties }),
  }
  yield* ownFaults({ type: 'object', ...count }, value, path)
  const missing = required.filter(name => !Object.hasOwn(value, name))
  if (missing.length) yield { keyword: 'required', instancePath: path, params: { requiredProperties: missing } }
  if (additionalProperties === false) {
    const unknown = Object.keys(value).filter(name => !Object.hasOwn(properties, name))
    if (unknown.length)
      yield { keyword: 'additionalProperties', instancePath: path, params: { additionalProperties: unknown } }
  }
  for (const [name, inner] of Object.entries(properties))
    if (Object.hasOwn(value, name)) yield* findFaults(inner, value[name], `${path}/${name}`)
}

/** The default may be in any nested schema. */
export const usesDefault = (schema: object): boolean => {
  const shape = schema as Shape
  if (shape.default !== undefined) return true
  const inner = [
    ...(shape.anyOf ?? []),
    ...Object.values(shape.properties ?? {}),
    ...(shape.items ? [shape.items] : []),
  ]
  return inner.some(usesDefault)
}
