import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Convert, Default } from 'typebox/value'
import { isGoodText } from '#server/platform/text/good-text.ts'
import type { EndpointShape } from '#shared/kernel/contract.ts'
import { isSeen } from '#shared/kernel/plain-name.ts'
import { AppError } from './errors.ts'
import { findFaults, usesDefault } from './find-faults.ts'

export type InputPart = 'params' | 'query' | 'body'

export interface FieldFault {
  field: string
  /** Key of `errors:field.*`, unless `text` names another. */
  code: string
  text?: string
  params: Record<string, string | number>
}

/** An input that does not fit its schema; `faults` are sent as `details[]`. */
export class InvalidInput extends AppError {
  readonly faults: readonly FieldFault[]
  constructor(
    faults: readonly FieldFault[],
    code = 'APP_VALIDATION',
    status = 400,
    params: Record<string, string | number> = {},
  ) {
    super(code, status, { fields: faults.map(fault => fault.field), params })
    this.faults = faults
  }
}

/** Visible text, trimmed. @throws InvalidInput naming the field if nothing is visible */
export const visibleText = (typed: string, field: string): string => {
  if (!isSeen(typed)) throw new InvalidInput([{ field, code: 'required', params: {} }])
  return typed.trim()
}

const at = (part: InputPart, pointer: string, leaf?: string) =>
  [part, ...pointer.split('/').filter(Boolean), ...(leaf ? [leaf] : [])].join('.')

const plain = (params: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(params).filter((entry): entry is [string, string | number] =>
      ['string', 'number'].includes(typeof entry[1]),
    ),
  )

/** Enough to fix an input; further faults appear at the next attempt. */
const maxFaults = 10

/** One fault per field, because several rules of one field would repeat it. */
const faultsOf = (part: InputPart, schema: TSchema, input: unknown): FieldFault[] => {
  const faults = new Map<string, FieldFault>()
  const add = (field: string, code: string, params: Record<string, unknown> = {}) => {
    if (!faults.has(field) && faults.size < maxFaults) faults.set(field, { field, code, params: plain(params) })
  }
  for (const error of findFaults(schema, input)) {
    if (faults.size >= maxFaults) break
    if (error.keyword === 'required')
      for (const name of (error.params.requiredProperties ?? []) as string[])
        add(at(part, error.instancePath, name), 'required')
    else if (error.keyword === 'additionalProperties')
      for (const name of (error.params.additionalProperties ?? []) as string[])
        add(at(part, error.instancePath, name), 'unknown')
    else if (error.keyword !== 'boolean') add(at(part, error.instancePath), error.keyword, error.params)
  }
  // A keyword without handling here still refuses.
  return faults.size ? [...faults.values()] : [{ field: part, code: 'invalid', params: {} }]
}

/** The path of a text that cannot be stored; undefined: there is none. */
export const findBadText = (value: unknown, path: string): string | undefined => {
  if (typeof value === 'string') return isGoodText(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (!isGoodText(key)) return path
    const found = findBadText(inner, `${path}.${key}`)
    if (found) return found
  }
  return undefined
}

/** Copies without copying strings: megabytes would take milliseconds each. */
const copyOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copyOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner)]))
}

/** Removes empty values of the query, such as `?archived=`, unless the field is a text. Only a text can be empty. */
const dropEmpty = (schema: TSchema, query: Record<string, unknown>): void => {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, { type?: string }>> }
  for (const [name, { type }] of Object.entries(properties))
    if (query[name] === '' && (type === 'boolean' || type === 'integer' || type === 'number')) delete query[name]
}

export type ReadPart = (value: unknown) => unknown

/**
 * Reads one part of a request by its schema. Paths and queries are text, so they are converted; a body is JSON and must
 * have the right types, unless it came as form fields (`isText`). Unknown fields are faults. Compiled on first use.
 * @throws InvalidInput naming each field
 */
export function readerOf(part: InputPart, schema: TSchema, { isText = part !== 'body' } = {}): ReadPart {
  let compiled: ReturnType<typeof Compile> | undefined
  let hasDefault: boolean | undefined
  return value => {
    compiled ??= Compile(schema)
    let input: unknown = value ?? {}
    const bad = findBadText(input, part)
    if (bad) throw new InvalidInput([{ field: bad, code: 'text', params: {} }], 'APP_BAD_TEXT')
    input = copyOf(input)
    if (part === 'query') dropEmpty(schema, input as Record<string, unknown>)
    if (isText) input = Convert(schema, input)
    // Applied only if the schema has defaults: it tries every branch of a union for each item of a list.
    hasDefault ??= usesDefault(schema)
    if (hasDefault) input = Default(schema, input)
    if (compiled.Check(input)) return input
    throw new InvalidInput(faultsOf(part, schema, input))
  }
}

export interface EndpointReader {
  read(raw: { params?: unknown; query?: unknown; body?: unknown }): {
    params?: unknown
    query?: unknown
    body?: unknown
  }
}

const Nothing = Type.Object({}, { additionalProperties: false })
const isNothing = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'object' && !Array.isArray(value) && !Object.keys(value).length)

/** Reads a whole input. A body or query that is not declared must be empty. A form's body is text and is converted. */
export function endpointReader(endpoint: EndpointShape, { isForm = false } = {}): EndpointReader {
  const parts = (['params', 'query', 'body'] as const).flatMap(part => {
    const schema = endpoint[part]
    return schema ? [{ part, read: readerOf(part, schema, { isText: part !== 'body' || isForm }) }] : []
  })
  const empty = (['query', 'body'] as const)
    .filter(part => !endpoint[part])
    .map(part => ({ part, read: readerOf(part, Nothing) }))
  return {
    read: raw => {
      for (const { part, read } of empty) if (!isNothing(raw[part])) read(raw[part])
      return Object.fromEntries(parts.map(({ part, read }) => [part, read(raw[part])]))
    },
  }
}
