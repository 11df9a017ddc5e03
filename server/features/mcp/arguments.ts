import type { InjectOptions } from 'fastify'
import { toOpenApiSchema } from '#server/platform/http/plugins/openapi-document.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { EndpointShape } from '#shared/kernel/contract.ts'

type Json = Record<string, unknown>
type Part = 'params' | 'query' | 'body'

const parts = ['params', 'query', 'body'] as const

/** Faults that one answer names. */
const maxFaults = 10
/** The argument that becomes the header `idempotency-key`. */
const keyArgument = 'idempotencyKey'

const fieldsOf = (schema: unknown): { properties: Json; required: readonly string[] } => {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Json; required?: readonly string[] }
  return { properties, required }
}

/** Each argument belongs to one part of the request. @throws if two parts have a field of the same name */
const placesOf = (endpoint: EndpointShape): ReadonlyMap<string, Part> => {
  const places = new Map<string, Part>()
  for (const part of parts)
    for (const name of Object.keys(fieldsOf(endpoint[part]).properties)) {
      if (places.has(name) || name === keyArgument)
        throw new Error(`${endpoint.path} has "${name}" twice: it cannot be a tool`)
      places.set(name, part)
    }
  return places
}

const inputSchemaOf = (endpoint: EndpointShape): Json => {
  const fields = parts.map(part => fieldsOf(endpoint[part]))
  const once = endpoint.idempotent && {
    [keyArgument]: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description:
        'Chosen by the caller: the same key within 24 hours returns the first answer and does nothing again.',
    },
  }
  const properties = Object.assign({}, ...fields.map(one => one.properties), once)
  const required = fields.flatMap(one =>
    one.required.filter(name => (one.properties[name] as Json).default === undefined),
  )
  return {
    type: 'object',
    properties: toOpenApiSchema(properties),
    ...(required.length ? { required } : {}),
    additionalProperties: false,
  }
}

/** Fields of a query are text; what is not becomes JSON, which the contract refuses by its name. */
const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** A parameter of dots, which would lead to another call's address. */
const isDots = /^\.{1,2}$/

const addressOf = (path: string, params: Json): string =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === null || value === '')
      throw new InvalidInput([{ field: name, code: 'required', params: {} }])
    const text = asText(value).toWellFormed()
    if (isDots.test(text)) throw new InvalidInput([{ field: name, code: 'invalid', params: {} }])
    return encodeURIComponent(text)
  })

const queryOf = (query: Json): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, asText(one))
  return search.size ? `?${search}` : ''
}

/** The arguments of a tool: the fields of its call's address, query and body in one object. */
export interface Arguments {
  /** The input's schema, JSON Schema 2020-12. */
  readonly inputSchema: Json
  /** @throws InvalidInput naming an argument that the address needs, or that the tool does not have */
  requestOf(given: Json): InjectOptions & { headers: Record<string, string> }
}

/** @throws if two parts of the call have a field of the same name */
export function argumentsOf(endpoint: EndpointShape): Arguments {
  const { method, path, body, idempotent } = endpoint
  const places = placesOf(endpoint)
  return {
    inputSchema: inputSchemaOf(endpoint),
    requestOf(given) {
      const unknown = Object.keys(given).filter(name => !places.has(name) && !(idempotent && name === keyArgument))
      if (unknown.length)
        throw new InvalidInput(unknown.slice(0, maxFaults).map(field => ({ field, code: 'unknown', params: {} })))
      const of = (part: Part): Json =>
        Object.fromEntries(
          Object.entries(given).filter(([name, value]) => places.get(name) === part && value !== undefined),
        )
      const key = given[keyArgument]
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': asText(key) }
      return {
        method,
        url: `/api${addressOf(path, of('params'))}${queryOf(of('query'))}`,
        headers,
        ...(body ? { payload: of('body') } : {}),
      }
    },
  }
}
