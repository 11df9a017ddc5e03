import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Check, Convert } from 'typebox/value'
import type { EndpointShape } from '#shared/kernel/contract.ts'

export type InputPart = 'params' | 'query' | 'body'
export type Input = Partial<Record<InputPart, Record<string, unknown>>>

/** The parts of typebox's JSON Schema that our contracts use. */
export interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly pattern?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly items?: Schema
  readonly minItems?: number
}

/** Values for fields whose schema is not enough. Add one here if a call needs a meaningful value. */
const byName: Readonly<Record<string, unknown>> = {
  message: 'Hola',
  text: 'Hola',
  from: '5491155551234',
  code: '131026',
  emoji: '👍',
  email: 'ana@example.com',
  domain: 'trigal.example',
  host: 'api.trigal.example',
  currency: 'USD',
  validFrom: '2026-10-01',
  // Later than the tests' clock.
  startAt: '2027-06-01T12:00:00.000Z',
  at: '2027-06-01T12:00:00.000Z',
  since: '2026-01-01T00:00:00.000Z',
}

/** A provider that is not configured yet. */
export const ssoTestExample = {
  issuer: 'https://id.trigal.example',
  clientId: 'recado',
  clientSecret: 'secreto',
  tokenEndpoint: 'https://id.trigal.example/token',
  jwksEndpoint: 'https://id.trigal.example/jwks',
}

/** Fields that a call requires because of another field, which its schema does not express. */
export const alsoNeeded: Readonly<Record<string, Record<string, unknown>>> = {
  'inbox.sendMessage': { message: 'Hola' },
  'snoozes.snoozeChat': { until: new Date(Date.now() + 86_400_000).toISOString() },
}

/** Matching texts by pattern. Creating one takes milliseconds, and thousands of calls need the same. */
const matching = new Map<string, string>()
const wordsMatching = (pattern: string): string => {
  const known = matching.get(pattern)
  if (known !== undefined) return known
  const [made = ''] = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 7 })
  matching.set(pattern, made)
  return made
}

const words = ({ pattern, minLength = 1 }: Schema): string =>
  pattern ? wordsMatching(pattern) : 'a'.repeat(Math.max(1, minLength))

/** The required fields. If only a number of fields is required, the first ones. */
const fieldsOfExample = ({ required = [], properties = {}, minProperties = 0 }: Schema): readonly string[] =>
  required.length >= minProperties ? required : Object.keys(properties).slice(0, minProperties)

/** A small value that matches a schema. */
export const exampleValue = (schema: Schema, name = ''): unknown => {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleValue(schema.anyOf[0] as Schema, name)
  if (schema.type === 'object')
    return Object.fromEntries(
      fieldsOfExample(schema).map(key => [key, exampleValue(schema.properties?.[key] as Schema, key)]),
    )
  if (schema.type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, () => exampleValue(schema.items as Schema, name))
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  const named = byName[name]
  return typeof named === 'string' && Check(schema as TSchema, named) ? named : words(schema)
}

/** Fields of an object's schema, whether required or not. */
export const fieldsOf = (schema: TSchema | undefined): [name: string, schema: Schema][] =>
  Object.entries((schema as Schema | undefined)?.properties ?? {})

/**
 * An input for an endpoint, made from its schemas alone.
 * @throws if they require a value that cannot be derived
 */
export const exampleOf = (name: string, endpoint: EndpointShape): Input => {
  const input: Input = {}
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint[part]
    if (!schema) continue
    const also = part === 'body' ? alsoNeeded[name] : {}
    const value = { ...(exampleValue(schema as Schema) as Record<string, unknown>), ...also }
    if (!Check(schema, value))
      throw new Error(`No ${part} of ${name} can be made from its schema: name its fields in test/helpers/examples.ts`)
    input[part] = value
  }
  return input
}

/** Whether an input matches the schemas. Addresses and queries are text and are converted first. */
export const fits = (endpoint: EndpointShape, part: InputPart, value: unknown): boolean => {
  const schema = endpoint[part]
  if (!schema) return true
  return Check(schema, part === 'body' ? value : Convert(schema, structuredClone(value)))
}

/** The address of a call with its parameters and its query. */
export const addressOf = (url: string, input: Input): string => {
  const path = url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input.params?.[name] ?? '')))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {}))
    for (const one of [value].flat()) query.append(name, String(one))
  return query.size ? `${path}?${query}` : path
}
