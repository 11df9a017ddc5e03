import type { CallList, DescribedCall } from '#server/platform/http/described-calls.ts'
import { authPath, type BetterAuth } from '../better-auth.ts'
import { type AllowedPath, listAllowedRoutes } from './allowed-routes.ts'
import { callFacts } from './call-facts.ts'

type Json = Record<string, unknown>
interface Operation {
  readonly parameters?: readonly { name: string; in: string; schema?: Json; description?: string }[]
  readonly requestBody?: { readonly content?: { readonly 'application/json'?: { readonly schema?: Json } } }
  readonly responses?: Readonly<
    Record<string, { readonly content?: { readonly 'application/json'?: { readonly schema?: Json } } }>
  >
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, { properties?: Json; required?: string[] }>> }
}

/** The library's own OpenAPI document. Imported only here, because its module loads every plugin. */
const documentOf = async (betterAuth: BetterAuth): Promise<Document> => {
  const { openAPI } = await import('better-auth/plugins')
  const context = await betterAuth.$context
  const write = openAPI().endpoints.generateOpenAPISchema as unknown as (call: {
    context: typeof context
  }) => Promise<unknown>
  const text = JSON.stringify(await write({ context }))
  return JSON.parse(text.replaceAll('"#/components/schemas/', '"#/components/schemas/Auth'))
}

interface Field {
  readonly description?: string
}
/** The library's plugin omits a query whose schema is optional as a whole. */
const queryOf = (betterAuth: BetterAuth, path: string, { parameters = [] }: Operation): Json | undefined => {
  const endpoint = Object.values(betterAuth.api).find(one => (one as { path?: string }).path === path) as unknown as
    | undefined
    | {
        options: { query?: { shape?: Record<string, Field>; def?: { innerType?: { shape?: Record<string, Field> } } } }
      }
  const query = endpoint?.options.query
  const shape = query?.shape ?? query?.def?.innerType?.shape ?? {}
  const described = new Map(parameters.filter(one => one.in === 'query').map(one => [one.name, one]))
  const properties = Object.fromEntries(
    [...new Set([...Object.keys(shape), ...described.keys()])].map(name => {
      const description = described.get(name)?.description ?? shape[name]?.description
      return [name, { ...(described.get(name)?.schema ?? { type: 'string' }), ...(description ? { description } : {}) }]
    }),
  )
  return Object.keys(properties).length ? { type: 'object', properties } : undefined
}

const withoutToken = <S extends { properties?: Json; required?: string[] }>(schema: S): S => {
  if (!schema.properties || !('token' in schema.properties)) return schema
  const { token: _token, ...properties } = schema.properties
  return { ...schema, properties, ...(schema.required ? { required: schema.required.filter(n => n !== 'token') } : {}) }
}

/**
 * The library omits nullable fields from `required` and marks them with `nullable`, which OpenAPI 3.1 does not have.
 */
const withNulls = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withNulls)
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, properties, ...rest } = schema as Json & { properties?: Json; required?: string[] }
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withNulls(value)]))
  const kept = properties
    ? {
        ...inner,
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, value]) => {
            const typed = withNulls(value)
            return [name, rest.required?.includes(name) ? typed : orNull(typed)]
          }),
        ),
      }
    : inner
  return nullable === true ? orNull(kept) : kept
}

const orNull = (schema: unknown): unknown => {
  const { type, ...rest } = schema as Json
  if (typeof type === 'string' && !('$ref' in rest) && !('enum' in rest)) return { ...rest, type: [type, 'null'] }
  if (Array.isArray(type)) return type.includes('null') ? schema : { ...rest, type: [...type, 'null'] }
  return { anyOf: [schema, { type: 'null' }] }
}

const callOf = (
  betterAuth: BetterAuth,
  document: Document,
  method: 'GET' | 'POST',
  path: AllowedPath,
): DescribedCall => {
  const { access, summary, refuses = [], params, query, body, reply, status, mayBeNull } = callFacts[path]
  const operation = document.paths[path]?.[method.toLowerCase()] ?? {}
  const answer = operation.responses?.['200']?.content?.['application/json']?.schema ?? { type: 'object' }
  const typed = withNulls(reply ?? withoutToken(answer))
  const isOpen = access === 'anyone'
  return {
    service: 'auth',
    name: path.slice(1).replaceAll('/', '.'),
    method,
    url: `${authPath}${path}`,
    summary,
    access,
    ...(params === undefined ? {} : { params }),
    ...(status === undefined ? {} : { status }),
    query: query ?? queryOf(betterAuth, path, operation),
    body: method === 'POST' ? (body ?? operation.requestBody?.content?.['application/json']?.schema) : undefined,
    reply: mayBeNull ? orNull(typed) : typed,
    refuses: [
      ...new Set([400, 403, 429, 500, ...(isOpen ? [] : [401, 404]), ...(method === 'POST' ? [413, 415] : [])]),
      ...refuses,
    ],
  }
}

/** Schemas of rows that no call returns. */
const inner = new Set(['Account', 'Verification'])

/** Describes every reachable better-auth call, in the library's own words. */
export async function describeAuthCalls(betterAuth: BetterAuth): Promise<CallList> {
  const document = await documentOf(betterAuth)
  return {
    calls: listAllowedRoutes().map(({ method, path }) => callOf(betterAuth, document, method as 'GET' | 'POST', path)),
    schemas: Object.fromEntries(
      Object.entries(document.components.schemas).flatMap(([name, schema]) =>
        inner.has(name) ? [] : [[`Auth${name}`, withNulls(withoutToken(schema))]],
      ),
    ),
  }
}
