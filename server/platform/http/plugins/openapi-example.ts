import type { DescribedCall } from '../described-calls.ts'

/** The JSON Schema keywords that examples and the reference read. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly nullable?: boolean
  readonly description?: string
}
type Schemas = Readonly<Record<string, unknown>>

const moment = '2026-11-20T13:05:00.000Z'
const id = '1m8939wza4dgtamnkaft4hey'
const number = '5491155550100'

/** Plausible values by field name. */
const byName: Readonly<Record<string, unknown>> = {
  name: 'Ana Pérez',
  message: 'Hola, ¿en qué te ayudo?',
  text: 'Hola, ¿en qué te ayudo?',
  label: 'Cliente',
  title: 'Pedidos',
  description: 'Lo que hay que saber',
  email: 'ana@example.com',
  slug: 'panaderia-don-luis',
  phone: number,
  numberTel: number,
  number,
  language: 'es',
  timeZone: 'America/Argentina/Buenos_Aires',
  country: 'AR',
  currency: 'USD',
  domain: 'example.com',
  issuer: 'https://id.example.com',
  url: 'https://example.com/aviso',
  mime: 'image/jpeg',
  wamid: 'wamid.HBgNNTQ5MTE1NTU1MDEwMBUCABEYEjdB',
  emoji: '👍',
  role: 'member',
  organizationId: id,
  userId: id,
  shortcut: 'hola',
  address: '203.0.113.7',
  method: 'GET',
  route: '/api/whatsapp/conversations',
  otp: '123456',
  file: `media:${id}`,
  template: id,
  into: id,
  phoneNumber: number,
  phoneNumberId: '106540352242922',
  wabaId: '102290129340398',
  accessToken: 'EAAGm0PX4ZCpsBAK',
  nameWaba: 'Panadería Don Luis',
  host: 'api.example.com',
  dataBase64: 'iVBORw0KGgo=',
  username: 'ana.perez',
  signature: 'Ana, de Ventas',
  confirm: number,
  code: '123456',
  oldCode: '123456',
  newCode: '654321',
}

/** One sample for each pattern that texts may need. */
const forms: readonly string[] = [
  'Hola',
  id,
  'nombre',
  number,
  moment,
  '2026-11-20',
  '2026-11-20T10:00',
  '09:00',
  'USD',
  'AR',
  '7',
  '123456',
  'ana@example.com',
  'https://example.com/aviso',
  '/5491155550100',
  'v25.0',
  'recado-7k2mq',
  `media:${id}`,
  'a'.repeat(22),
  'a'.repeat(64),
  'a'.repeat(87),
]

const fits = (schema: Schema, text: unknown): text is string =>
  typeof text === 'string' &&
  text.length >= (schema.minLength ?? 0) &&
  text.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
  (schema.format === undefined || text === moment) &&
  (schema.pattern === undefined || new RegExp(schema.pattern).test(text))

const isMoment = /(?:^at|At|until|from|to|since)$/
const isId = /(?:^ids?|Ids?|Key|key|before|requestId)$/

const textOf = (schema: Schema, name: string): string => {
  const named = [byName[name], ...(isMoment.test(name) ? [moment] : []), ...(isId.test(name) ? [id] : [])]
  const candidates = [...named, ...forms]
  return candidates.find((one): one is string => fits(schema, one)) ?? 'a'.repeat(schema.minLength ?? 1)
}

const numberOf = ({ minimum, exclusiveMinimum, maximum }: Schema): number => {
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  return least ?? Math.min(1, maximum ?? 1)
}

interface Making {
  readonly named: Schemas
  /** A reply shows one item of each list; a request has the minimum. */
  readonly isReply: boolean
  readonly depth: number
}

/** Ends recursive schemas. */
const maxDepth = 8

/** The required fields; if there are none, the first. */
const fieldsOf = ({ properties = {}, required = [], minProperties = 1 }: Schema): readonly string[] =>
  required.length ? required : Object.keys(properties).slice(0, Math.max(1, minProperties))

const objectOf = (schema: Schema, making: Making): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf(schema).map(name => [name, exampleValue(schema.properties?.[name] ?? {}, name, deeper(making))]),
  )

const listOf = ({ items = {}, minItems = 0 }: Schema, name: string, making: Making): unknown[] => {
  const count = making.isReply && making.depth < maxDepth ? Math.max(1, minItems) : minItems
  return Array.from({ length: count }, () => exampleValue(items, name.replace(/s$/, ''), deeper(making)))
}

const deeper = (making: Making): Making => ({ ...making, depth: making.depth + 1 })

const namedBy = ($ref: string, named: Schemas): Schema => (named[$ref.split('/').at(-1) ?? ''] ?? {}) as Schema

const makers: Readonly<Record<string, (schema: Schema, name: string, making: Making) => unknown>> = {
  object: (schema, _name, making) => objectOf(schema, making),
  array: listOf,
  string: textOf,
  integer: numberOf,
  number: numberOf,
  boolean: () => true,
  null: () => null,
}

function exampleValue(schema: Schema, name: string, making: Making): unknown {
  if (schema.$ref !== undefined)
    return making.depth > maxDepth ? {} : exampleValue(namedBy(schema.$ref, making.named), name, deeper(making))
  if (schema.examples?.length) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return exampleValue(first, name, making)
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map(one => exampleValue(one, name, making) as Record<string, unknown>))
  const type = [schema.type ?? (schema.properties ? 'object' : undefined)].flat()[0]
  return type === undefined ? {} : makers[type]?.(schema, name, making)
}

export interface CallExample {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** Undefined: no body. */
  readonly body: unknown
  /** Undefined: not JSON. */
  readonly reply: unknown
}

/** JSON is the default of bodies and replies. */
export const isJson = (type: string | undefined) => type === undefined || type === 'application/json'

/** An example made from the contract. `named`: schemas that contracts reference. */
export function exampleOf(call: DescribedCall, named: Schemas = {}): CallExample {
  const making = { named, depth: 0 }
  const given = (schema: unknown, own: object | undefined) =>
    own ?? exampleValue(schema as Schema, '', { ...making, isReply: false })
  return {
    params: (call.params ? given(call.params, undefined) : {}) as CallExample['params'],
    query: (call.query ? given(call.query, call.example?.query) : {}) as CallExample['query'],
    body: call.body ? given(call.body, call.example?.body) : undefined,
    reply: isJson(call.replyType) ? exampleValue(call.reply as Schema, '', { ...making, isReply: true }) : undefined,
  }
}
