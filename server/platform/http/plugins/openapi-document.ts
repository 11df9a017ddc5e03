import type { Access, EndpointShape } from '#shared/kernel/contract.ts'
import { WireError } from '#shared/kernel/error.ts'
import { type Capability, type OrgRole, orgRoles, rolesWith } from '#shared/kernel/permissions.ts'
import { PRODUCT_KEY, PRODUCT_NAME } from '#shared/kernel/product.ts'
import type { DescribedCall, DescribedWebhook, Gate } from '../described-calls.ts'
import { errorCodes } from '../errors.ts'
import { exampleOf } from './openapi-example.ts'

export interface MountedEndpoint {
  readonly service: string
  readonly name: string
  readonly url: string
  readonly endpoint: EndpointShape
}

type Json = Record<string, unknown>

/** Converts a schema to OpenAPI 3.1; `nullable`, which our serializer reads, is OpenAPI 3.0. */
export const toOpenApiSchema = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(toOpenApiSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, ...rest } = schema as Json
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toOpenApiSchema(value)]))
  if (nullable !== true) return plain
  if (typeof plain.type === 'string' && !plain.enum) return { ...plain, type: [plain.type, 'null'] }
  return { anyOf: [plain, { type: 'null' }] }
}

const withoutRole = new Set<Gate>([
  'anyone',
  'person',
  'siteAdmin',
  'signature',
  'verifyToken',
  'graphToken',
  'address',
])
const asksForRole = (access: Gate): access is 'member' | Capability => !withoutRole.has(access)

/** Roles that may call; undefined: no role is required. */
export const rolesFor = (access: Gate): readonly OrgRole[] | undefined => {
  if (!asksForRole(access)) return undefined
  return access === 'member' ? orgRoles : rolesWith(access)
}

const isInOrganization = (access: Access) => access !== 'anyone' && access !== 'person'

const parametersOf = (place: 'path' | 'query', schema: unknown, example: Readonly<Json>): Json[] => {
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
    ...(name in example ? { example: example[name] } : {}),
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
  422: 'Unfinished',
  429: 'SlowDown',
  500: 'Failure',
  502: 'Upstream',
  503: 'NotNow',
} as const

/** Every status with which a call may fail. */
export const refusalStatusesOf = (endpoint: EndpointShape): Set<number> => {
  const { access, params, idempotent, method, refuses = [] } = endpoint
  const writes = method !== 'GET'
  const when: [boolean, readonly number[]][] = [
    // Writes are refused to other sites' pages, for every caller; calls about a person are refused to keys.
    [access !== 'anyone', [401, 403]],
    [writes, [403]],
    [Boolean(params), [404]],
    [Boolean(idempotent), [409]],
    [writes, [413, 415]],
    // An undeclared query or body is refused, and any call may meet an unavailable database.
    [true, [400, 429, 500, 503, ...refuses]],
  ]
  return new Set(when.flatMap(([applies, statuses]) => (applies ? statuses : [])))
}

export const callOf = ({ service, name, url, endpoint }: MountedEndpoint): DescribedCall => {
  const { method, summary, access, params, query, body, reply, status, idempotent } = endpoint
  const isStream = (reply as Json).description?.toString().startsWith('text/event-stream')
  return {
    service,
    name,
    method,
    url,
    summary,
    access: endpoint.siteAdmin ? 'siteAdmin' : access,
    params,
    query,
    body,
    reply,
    ...(endpoint.example ? { example: endpoint.example } : {}),
    status,
    idempotent,
    ...(endpoint.fileLimit === undefined ? {} : { takesFile: true }),
    ...(isStream ? { replyType: 'text/event-stream' } : {}),
    takesOrganization: isInOrganization(access),
    takesKeys: isInOrganization(access) && !endpoint.peopleOnly,
    refuses: [...refusalStatusesOf(endpoint)],
  }
}

const contentOf = (type: string | undefined, schema: unknown, example?: unknown) => ({
  [type ?? 'application/json']: {
    schema: toOpenApiSchema(schema),
    ...(example === undefined ? {} : { example }),
  },
})

const refusalsOf = ({ refuses, refusal: shape }: DescribedCall): Json =>
  Object.fromEntries(
    Object.entries(refusalNames)
      .filter(([status]) => refuses.includes(Number(status)))
      .map(([status, name]) => [
        status,
        shape === undefined ? refusal(name) : { description: refusalTexts[name], content: contentOf(undefined, shape) },
      ]),
  )

/** Calls that are authorized by something other than session or key. */
const securityOf: { readonly [G in Gate]?: readonly Json[] } = {
  anyone: [],
  verifyToken: [],
  address: [],
  signature: [{ signature: [] }],
  graphToken: [{ graphToken: [] }],
}

/** The form's `file` part is bytes, which JSON cannot hold. */
const bodyOf = ({ body, bodyType, takesFile }: DescribedCall, example: unknown) => {
  const json = contentOf(bodyType, body, bodyType === undefined ? example : undefined)
  if (!takesFile) return json
  const { properties, ...rest } = body as { properties: Json }
  const { anyOf: _otherForms, ...said } = (properties.file ?? {}) as Json
  const file = { ...said, type: 'string', format: 'binary' }
  return { ...json, ...contentOf('multipart/form-data', { ...rest, properties: { ...properties, file } }) }
}

/** The part of the API in which a call is shown. */
export type TagOf = (call: DescribedCall) => { readonly name: string; readonly description?: string }

const byService: TagOf = ({ service }) => ({ name: service })

const operationOf = (call: DescribedCall, named: Readonly<Json>, tagOf: TagOf): Json => {
  const example = exampleOf(call, named)
  const roles = rolesFor(call.access)
  const security = securityOf[call.access] ?? (call.takesKeys ? [{ session: [] }, { key: [] }] : undefined)
  return {
    operationId: `${call.service}.${call.name}`,
    tags: [tagOf(call).name],
    summary: call.summary,
    'x-access': call.access,
    ...(roles ? { 'x-roles': roles } : {}),
    ...(security ? { security } : {}),
    parameters: [
      ...parametersOf('path', call.params, example.params),
      ...parametersOf('query', call.query, example.query),
      ...(call.takesOrganization ? [headerParameter('Organization')] : []),
      ...(call.idempotent ? [headerParameter('IdempotencyKey')] : []),
    ],
    ...(call.body ? { requestBody: { required: true, content: bodyOf(call, example.body) } } : {}),
    responses: {
      [call.status ?? 200]: {
        description: call.summary,
        content: contentOf(call.replyType, call.reply, example.reply),
      },
      ...refusalsOf(call),
    },
  }
}

const refusalTexts = {
  Shape: 'A field is missing or invalid. `details` names each one.',
  Nobody: 'No valid session or API key.',
  NotAllowed: 'The caller is not a member, or lacks the right.',
  NotThere: 'It does not exist, or the caller may not see it.',
  Conflict: 'The current state does not allow it, such as a name that is taken.',
  TooLarge: 'The body is too large.',
  NotJson: 'The body has a content type that this call does not take.',
  NotSatisfiable: 'The file does not have that range.',
  Unfinished: 'The content still has errors. `details` says where.',
  SlowDown: 'Too many calls. Wait as many seconds as `retry-after` says.',
  Failure: 'An error on the server.',
  Upstream: 'WhatsApp refused the request, or gave no valid answer.',
  NotNow: 'Temporarily not available. Try again later.',
} as const
const refusalHeaders: Readonly<Record<string, Json>> = {
  SlowDown: { 'retry-after': { schema: { type: 'integer' }, description: 'Seconds' } },
}

const refused = (description: string, headers?: Json) => ({
  description,
  ...(headers ? { headers } : {}),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/WireError' } } },
})

const text = { type: 'string' }
const webhookHeaders: readonly Json[] = [
  { name: 'webhook-id', description: 'The same when the delivery is repeated.' },
  { name: 'webhook-timestamp', description: 'Unix time of the attempt, in seconds.' },
  { name: 'webhook-signature', description: 'Standard Webhooks 1.0: `v1,` and the signature; two after a new secret.' },
].map(header => ({ ...header, in: 'header', required: true, schema: text }))

const webhookOf = ({ summary, body, example }: DescribedWebhook): Json => ({
  post: {
    summary,
    security: [],
    parameters: webhookHeaders,
    requestBody: { required: true, content: contentOf(undefined, body, example) },
    responses: { '2XX': { description: 'Received. After any other answer the delivery is tried again, for a day.' } },
  },
})

/** The whole API as an OpenAPI 3.1 document. `schemas`: those that calls and webhooks reference. */
export function openApiDocument(
  calls: readonly DescribedCall[],
  schemas: Readonly<Json> = {},
  webhooks: readonly DescribedWebhook[] = [],
  tagOf: TagOf = byService,
): Json {
  const paths: Record<string, Json> = {}
  for (const call of calls) {
    const path = call.url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call, schemas, tagOf) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${PRODUCT_NAME} API`,
      version: '1',
      description:
        'Times are ISO 8601 in UTC. Phone numbers are digits only, country code first. The same reference to read and try: /api/docs.',
    },
    servers: [{ url: '/' }],
    security: [{ session: [] }],
    tags: [...new Map(calls.map(tagOf).map(tag => [tag.name, tag])).values()],
    paths,
    ...(webhooks.length ? { webhooks: Object.fromEntries(webhooks.map(one => [one.type, webhookOf(one)])) } : {}),
    components: {
      schemas: { WireError: toOpenApiSchema(WireError), ...(toOpenApiSchema(schemas) as Json) },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: `${PRODUCT_KEY}.session_token`,
          description: 'Set by signing in under /api/auth; `__Host-` before the name on https.',
        },
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'Acts for the organization it was created in, with at most the permissions of its creator.',
        },
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'x-hub-signature-256',
          description:
            '`sha256=` and the HMAC of the bytes of the body, in hex, with the app secret of the connection.',
        },
        graphToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The access token of a simulated number.',
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
      responses: Object.fromEntries(
        Object.entries(refusalTexts).map(([name, text]) => [name, refused(text, refusalHeaders[name])]),
      ),
    },
    'x-error-codes': Object.fromEntries([...errorCodes].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
