import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { Check } from 'typebox/value'
import { listRoutes } from '#server/cli/route-list.ts'
import { listAllowedRoutes } from '#server/identity/auth/calls/allowed-routes.ts'
import { type AnyService, mount } from '#server/platform/http/http.ts'
import { collectCalls, mountApiDocument } from '#server/platform/http/plugins/openapi.ts'
import { createServerI18n } from '#server/platform/text/i18n.ts'
import { registerLocales } from '#server/web/locales.ts'
import { api } from '#shared/api.ts'
import type { EndpointMap } from '#shared/kernel/contract.ts'
import { startBackend } from '#test/helpers/backend.ts'

const i18n = createServerI18n()

const aServer = async (t: Test) => {
  const app = Fastify()
  app.decorateRequest('caller')
  app.decorateRequest('actor')
  mountApiDocument(app, collectCalls(app), {})
  const anything = new Proxy({}, { get: () => () => ({}) }) as AnyService
  for (const [service, endpoints] of Object.entries(api as Record<string, EndpointMap>))
    mount(app, service, endpoints, anything, (_request, _reply, run) => run())
  t.teardown(() => app.close())
  return app
}

const declared = Object.entries(api as Record<string, EndpointMap>).flatMap(([service, endpoints]) =>
  Object.entries(endpoints).map(([name, endpoint]) => ({ service, name, endpoint })),
)

type Operation = Record<string, unknown> & { parameters: Record<string, unknown>[]; responses: Record<string, unknown> }

/** Every reference resolves, and the keywords are of OpenAPI 3.1. */
const noLooseEnds = (t: Test, body: string) => {
  t.notMatch(body, '"nullable"', 'the 3.0 keyword is translated')
  const references = [...body.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path as string)
  for (const path of new Set(references)) {
    let found: unknown = JSON.parse(body)
    for (const part of path.split('/')) found = (found as Record<string, unknown>)?.[part]
    t.ok(found, path)
  }
}

t.test('the document has every mounted call, with schemas, errors and access', async t => {
  const app = await aServer(t)
  const answer = await app.inject('/api/openapi.json')
  t.equal(answer.statusCode, 200)
  const document = answer.json() as { openapi: string; paths: Record<string, Record<string, Operation>> }
  t.equal(document.openapi, '3.1.0')
  for (const { service, name, endpoint } of declared) {
    const path = `/api${endpoint.path}`.replace(/:(\w+)/g, '{$1}')
    const operation = document.paths[path]?.[endpoint.method.toLowerCase()] as Operation
    t.equal(operation?.operationId, `${service}.${name}`)
    t.equal(operation['x-access'], endpoint.siteAdmin ? 'siteAdmin' : endpoint.access)
    t.ok(operation.responses[endpoint.status ?? 200])
    t.equal(Boolean(operation.requestBody), Boolean(endpoint.body))
    for (const [, param] of endpoint.path.matchAll(/:(\w+)/g))
      t.ok(
        operation.parameters.some(one => one.in === 'path' && one.name === param && one.required === true),
        `${name} ${param}`,
      )
    const bound = endpoint.access !== 'anyone' && endpoint.access !== 'person'
    t.equal(
      operation.parameters.some(one => String(one.$ref).endsWith('/Organization')),
      bound,
    )
    t.equal(Boolean(operation.responses[401]), endpoint.access !== 'anyone')
    for (const status of endpoint.refuses ?? []) t.ok(operation.responses[status], `${name} ${status}`)
  }
  noLooseEnds(t, answer.body)
})

t.test('the document says where a key is accepted', async t => {
  const app = await aServer(t)
  const { paths, components } = (await app.inject('/api/openapi.json')).json() as {
    paths: Record<string, Record<string, Operation>>
    components: { securitySchemes: Record<string, { name?: string }> }
  }
  const takersOf = (path: string, method: string) => JSON.stringify(paths[path]?.[method]?.security)
  t.equal(components.securitySchemes.key?.name, 'x-api-key')
  t.match(takersOf('/api/whatsapp/conversations', 'get'), '"key"')
  t.notMatch(takersOf('/api/notify', 'get') ?? '', '"key"', 'notifications belong to a person')
  t.notMatch(takersOf('/api/organizations', 'get') ?? '', '"key"', "as does the list of one's organizations")
})

t.test('every address of the backend is in it, also those that no contract describes', async t => {
  const { inject } = await startBackend(t, { env: { META_APP_SECRET: 'secret', META_VERIFY_TOKEN: 'token' } })
  const answer = await inject({ url: '/api/openapi.json' })
  const { paths } = answer.json() as { paths: Record<string, Record<string, Operation>> }
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  for (const { method, url } of await listRoutes()) {
    const path = url.replace(/:(\w+)/g, '{$1}').replace('::', ':')
    const isDescribed = (one: { method: string; path: string }) =>
      one.method === method && (path.endsWith('*') ? one.path.startsWith(path.slice(0, -1)) : one.path === path)
    t.ok(described.some(isDescribed), `${method} ${url}`)
  }
  for (const { method, path } of listAllowedRoutes()) {
    const operation = paths[`/api/auth${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()] as Operation
    t.ok(operation?.summary && operation['x-access'], path)
    t.notSame(operation.responses[200] ?? operation.responses[302], undefined)
  }
  t.equal(
    described.filter(({ path }) => path.startsWith('/api/auth/')).length,
    listAllowedRoutes().length,
    'no route that is switched off',
  )
  for (const { operation, path } of described) {
    t.ok(operation['x-access'], path)
    for (const [, name] of path.matchAll(/\{(\w+)\}/g))
      t.ok(
        operation.parameters.some(one => one.in === 'path' && one.name === name),
        `${path} ${name}`,
      )
  }
  const ids = described.map(({ operation }) => operation.operationId)
  t.equal(new Set(ids).size, ids.length, 'each name belongs to one call')
  const answers = described
    .filter(({ path }) => path.startsWith('/api/auth/'))
    .map(({ operation }) => operation.responses)
  const { schemas } = (answer.json() as { components: { schemas: unknown } }).components
  t.notMatch(JSON.stringify([answers, schemas]), /"(token|password)"/, 'no session token is documented')
  noLooseEnds(t, answer.body)
})

t.test('calls without a contract accept and return what is documented', async t => {
  const { inject } = await startBackend(t)
  const { paths } = (await inject({ url: '/api/openapi.json' })).json()
  const send = paths['/api/auth/email-otp/send-verification-otp'].post
  t.same(send.security, [])
  t.same(Object.keys(send.requestBody.content['application/json'].schema.properties), ['email', 'type'])
  const members = paths['/api/auth/organization/list-members'].get
  t.ok(members.parameters.some(({ name }: { name: string }) => name === 'organizationId'))
  t.same(paths['/api/auth/organization/delete'].post['x-roles'], ['owner'])
  for (const { method, path } of listAllowedRoutes()) {
    const { responses } = paths[`/api/auth${path.replace(/:(\w+)/g, '{$1}')}`][method.toLowerCase()]
    const headers = { 'content-type': 'application/json' }
    const { statusCode } = await inject({
      method: method as 'GET' | 'POST',
      url: `/api/auth${path}`,
      headers: method === 'POST' ? headers : {},
      ...(method === 'POST' ? { payload: '{}' } : {}),
    })
    t.ok(responses[statusCode], `${path} answers a stranger ${statusCode}`)
  }
})

t.test('texts and webhooks are documented at their paths', async t => {
  const app = Fastify()
  const calls = collectCalls(app)
  registerLocales(app, i18n)
  t.match(await calls(), { calls: [{ url: '/locales/:language/:file', access: 'anyone' }] })
  await app.close()
  const alone = await startBackend(t, { env: { SANDBOX: 'off' } })
  const { paths } = (await alone.inject({ url: '/api/openapi.json' })).json()
  t.ok(paths['/webhooks/whatsapp/{connectionId}'])
  t.notOk(paths['/webhooks/whatsapp'], 'not without an app of the installation')
  t.notOk(Object.keys(paths).some(path => path.startsWith('/sandbox/')))
})

t.test('a client that has it gets 304', async t => {
  const app = await aServer(t)
  const first = await app.inject('/api/openapi.json')
  const again = await app.inject({ url: '/api/openapi.json', headers: { 'if-none-match': first.headers.etag } })
  t.equal(again.statusCode, 304)
  t.equal(again.body, '')
})

/** The schema with its references inlined. */
const resolved = (schema: unknown, document: { components: { schemas: Record<string, unknown> } }): unknown => {
  if (Array.isArray(schema)) return schema.map(one => resolved(one, document))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref } = schema as { $ref?: string }
  if ($ref) return resolved(document.components.schemas[$ref.split('/').at(-1) as string], document)
  return Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, resolved(inner, document)]))
}

t.test('every call has an example that fits its contract', async t => {
  const { inject } = await startBackend(t, { env: { META_APP_SECRET: 'secret', META_VERIFY_TOKEN: 'token' } })
  const document = (await inject({ url: '/api/openapi.json' })).json()
  const faults: string[] = []
  const expect = (holds: boolean, fault: string) => void (holds || faults.push(fault))
  let bodies = 0
  for (const [path, operations] of Object.entries(document.paths as Record<string, Record<string, Operation>>))
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method} ${path}`
      const holds = (schema: unknown, example: unknown, what: string) =>
        expect(Check(resolved(schema, document) as never, example), `${name} ${what}: ${JSON.stringify(example)}`)
      for (const parameter of operation.parameters)
        if (parameter.in === 'path' || parameter.required)
          holds(parameter.schema, parameter.example, String(parameter.name))
      const body = (operation.requestBody as { content: Record<string, { schema: unknown; example: unknown }> })
        ?.content
      const taken = body?.['application/json']
      if (taken) {
        bodies += 1
        holds(taken.schema, taken.example, 'body')
        const without = Object.keys((taken.example ?? {}) as object)[0]
        const { required = [] } = taken.schema as { required?: string[] }
        if (without && required.includes(without)) {
          const { [without]: _gone, ...rest } = taken.example as Record<string, unknown>
          expect(!Check(resolved(taken.schema, document) as never, rest), `${name} needs ${without}`)
        }
      }
      const success = Object.entries(operation.responses).find(([status]) =>
        status.startsWith('2'),
      )?.[1] as typeof operation
      const reply = (success?.content as typeof body)?.['application/json']
      if (reply) holds(reply.schema, reply.example, 'reply')
    }
  t.same(faults, [])
  t.ok(bodies > 100)
})
