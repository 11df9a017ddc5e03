import type { TSchema } from 'typebox'
import type { Access, EndpointShape } from '#shared/contract.ts'
import { WireError } from '#shared/error.ts'
import { type OrgRole, orgRoles, rolesWith } from '#shared/permissions.ts'
import { PRODUCT_KEY, PRODUCT_NAME } from '#shared/product.ts'
import { errorCodes } from '../errors.ts'

/** A call as it was mounted. */
export interface MountedEndpoint {
  readonly room: string
  readonly name: string
  readonly url: string
  readonly endpoint: EndpointShape
}

type Json = Record<string, unknown>

/** A schema in OpenAPI's 3.1 words: `nullable`, which our serializer reads, is 3.0's. */
export const toOpenApiSchema = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(toOpenApiSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, ...rest } = schema as Json
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toOpenApiSchema(value)]))
  if (nullable !== true) return plain
  if (typeof plain.type === 'string' && !plain.enum) return { ...plain, type: [plain.type, 'null'] }
  return { anyOf: [plain, { type: 'null' }] }
}

/** Roles that may call; undefined: no role is asked for. */
export const rolesFor = (access: Access): readonly OrgRole[] | undefined => {
  if (access === 'anyone' || access === 'person') return undefined
  return access === 'member' ? orgRoles : rolesWith(access)
}

const isInOrganization = (access: Access) => access !== 'anyone' && access !== 'person'

const parametersOf = (place: 'path' | 'query', schema: TSchema | undefined): Json[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...inner }]) => ({
    name,
    in: place,
    required: place === 'path' || (required.includes(name) && inner.default === undefined),
    ...(description === undefined ? {} : { description }),
    schema: toOpenApiSchema(inner),
  }))
}

const headerParameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })
const refusal = (name: string) => ({ $ref: `#/components/responses/${name}` })

const refusalNames = {
  400: 'Shape',
  401: 'Nobody',
  403: 'NotAllowed',
  404: 'NotThere',
  409: 'Conflict',
  413: 'TooLarge',
  415: 'NotJson',
  416: 'NotSatisfiable',
  429: 'SlowDown',
  500: 'Failure',
  502: 'Upstream',
  503: 'NotNow',
} as const

/** Every status with which a call may be refused. */
export const refusalStatusesOf = (endpoint: EndpointShape): Set<number> => {
  const { access, params, idempotent, method, refuses = [] } = endpoint
  const writes = method !== 'GET'
  const when: [boolean, readonly number[]][] = [
    [access !== 'anyone', [401]],
    // Writing is refused to other sites, whoever asks.
    [isInOrganization(access) || writes, [403]],
    [Boolean(params), [404]],
    [Boolean(idempotent), [409]],
    [writes, [413, 415]],
    // A query or a body that nobody asked for is refused, too.
    [true, [400, 429, 500, ...refuses]],
  ]
  return new Set(when.flatMap(([applies, statuses]) => (applies ? statuses : [])))
}

const refusalsOf = (endpoint: EndpointShape): Json => {
  const statuses = refusalStatusesOf(endpoint)
  const named = Object.entries(refusalNames).filter(([status]) => statuses.has(Number(status)))
  return Object.fromEntries(named.map(([status, name]) => [status, refusal(name)]))
}

const operationOf = ({ room, name, endpoint }: MountedEndpoint): Json => {
  const roles = rolesFor(endpoint.access)
  const media = (endpoint.reply as Json).description?.toString().startsWith('text/event-stream')
    ? 'text/event-stream'
    : 'application/json'
  return {
    operationId: `${room}.${name}`,
    tags: [room],
    summary: endpoint.summary,
    'x-access': endpoint.access,
    ...(roles ? { 'x-roles': roles } : {}),
    ...(endpoint.access === 'anyone' ? { security: [] } : {}),
    parameters: [
      ...parametersOf('path', endpoint.params),
      ...parametersOf('query', endpoint.query),
      ...(isInOrganization(endpoint.access) ? [headerParameter('Organization')] : []),
      ...(endpoint.idempotent ? [headerParameter('IdempotencyKey')] : []),
    ],
    ...(endpoint.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: toOpenApiSchema(endpoint.body) } } } }
      : {}),
    responses: {
      [endpoint.status ?? 200]: {
        description: endpoint.summary,
        content: { [media]: { schema: toOpenApiSchema(endpoint.reply) } },
      },
      ...refusalsOf(endpoint),
    },
  }
}

const refused = (description: string, headers?: Json) => ({
  description,
  ...(headers ? { headers } : {}),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/WireError' } } },
})

/** The whole API as an OpenAPI 3.1 document, from the calls as they are mounted. */
export function openApiDocument(endpoints: readonly MountedEndpoint[]): Json {
  const paths: Record<string, Json> = {}
  for (const mounted of endpoints) {
    const path = mounted.url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [mounted.endpoint.method.toLowerCase()]: operationOf(mounted) }
  }
  const text = { type: 'string' }
  return {
    openapi: '3.1.0',
    info: {
      title: `${PRODUCT_NAME} API`,
      version: '1',
      description: 'Times are ISO 8601 UTC; phone numbers are digits, country code first.',
    },
    servers: [{ url: '/' }],
    security: [{ session: [] }],
    tags: [...new Set(endpoints.map(({ room }) => room))].map(name => ({ name })),
    paths,
    components: {
      schemas: { WireError: toOpenApiSchema(WireError) },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: `${PRODUCT_KEY}.session_token`,
          description: 'Set by signing in under /api/auth; `__Secure-` before the name on https.',
        },
      },
      parameters: {
        Organization: {
          name: 'x-organization',
          in: 'header',
          schema: text,
          description: 'Id or slug; absent: the active organization of the session.',
        },
        IdempotencyKey: {
          name: 'idempotency-key',
          in: 'header',
          schema: { ...text, minLength: 1, maxLength: 200 },
          description: 'The same key within 24 h returns the first answer, marked with `idempotency-replayed: true`.',
        },
      },
      responses: {
        Shape: refused('Something does not fit; `details` names each field.'),
        Nobody: refused('Nobody is signed in.'),
        NotAllowed: refused('Not a member, or the role may not.'),
        NotThere: refused('Not there for you.'),
        Conflict: refused('In the way of something else.'),
        TooLarge: refused('The body is too large.'),
        NotJson: refused('The body is not JSON.'),
        NotSatisfiable: refused('The file does not have that range.'),
        SlowDown: refused('Slow down.', { 'retry-after': { schema: { type: 'integer' }, description: 'Seconds' } }),
        Failure: refused('Something failed here.'),
        Upstream: refused('WhatsApp said no, or what answered is not WhatsApp.'),
        NotNow: refused('Not now; again later.'),
      },
    },
    'x-error-codes': Object.fromEntries([...errorCodes].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
