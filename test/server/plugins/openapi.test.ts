import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { errorCodes } from '#server/errors.ts'
import { type AnyService, mount } from '#server/http.ts'
import { createServerI18n } from '#server/i18n.ts'
import { mountApiPages } from '#server/plugins/openapi.ts'
import { api } from '#shared/api.ts'
import type { EndpointMap } from '#shared/contract.ts'
import { toLanguage } from '#shared/language.ts'

const i18n = createServerI18n()

const aServer = async (t: Test) => {
  const app = Fastify()
  app.decorateRequest('caller')
  app.decorateRequest('actor')
  app.addHook('onRequest', async request => {
    const language = toLanguage(request.headers['accept-language']) ?? 'es'
    request.caller = { language, person: null, member: async () => undefined }
  })
  mountApiPages(app, { translate: (language, key, params) => i18n.translator(language)(key, params) })
  const anything = new Proxy({}, { get: () => () => ({}) }) as AnyService
  for (const [room, endpoints] of Object.entries(api as Record<string, EndpointMap>))
    mount(app, room, endpoints, anything, (_request, _reply, run) => run())
  t.teardown(() => app.close())
  return app
}

const declared = Object.entries(api as Record<string, EndpointMap>).flatMap(([room, endpoints]) =>
  Object.entries(endpoints).map(([name, endpoint]) => ({ room, name, endpoint })),
)

type Operation = Record<string, unknown> & { parameters: Record<string, unknown>[]; responses: Record<string, unknown> }

t.test('the document has every call that is mounted, with its schemas, refusals and who may', async t => {
  const app = await aServer(t)
  const answer = await app.inject('/api/openapi.json')
  t.equal(answer.statusCode, 200)
  const document = answer.json() as { openapi: string; paths: Record<string, Record<string, Operation>> }
  t.equal(document.openapi, '3.1.0')
  for (const { room, name, endpoint } of declared) {
    const path = `/api${endpoint.path}`.replace(/:(\w+)/g, '{$1}')
    const operation = document.paths[path]?.[endpoint.method.toLowerCase()] as Operation
    t.equal(operation?.operationId, `${room}.${name}`)
    t.equal(operation['x-access'], endpoint.access)
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
  t.notMatch(answer.body, '"nullable"', "3.0's word is translated")
  const references = [...answer.body.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path as string)
  for (const path of new Set(references)) {
    let found: unknown = document
    for (const part of path.split('/')) found = (found as Record<string, unknown>)?.[part]
    t.ok(found, path)
  }
})

t.test('the page lists every call and every code in the language of the reader, and runs nothing', async t => {
  const app = await aServer(t)
  const es = await app.inject('/api/docs')
  const en = await app.inject({ url: '/api/docs', headers: { 'accept-language': 'en' } })
  const chosen = await app.inject('/api/docs?lng=en')
  t.match(es.body, '<html lang="es">')
  t.match(es.body, 'API de Recado')
  t.match(en.body, '<html lang="en">')
  t.equal(chosen.body, en.body)
  t.match(es.headers['content-type'], 'text/html')
  for (const { room, name, endpoint } of declared) {
    t.match(es.body, `id="${room}.${name}"`)
    t.match(es.body, `<code>/api${endpoint.path}</code>`)
  }
  for (const code of errorCodes.keys()) t.match(en.body, `<code>${code}</code>`)
  t.notMatch(es.body, /<script|(?:href|src)="https?:|docs:|errors:APP/)
  const style = /<style>([\s\S]*)<\/style>/.exec(es.body)?.[1] as string
  t.match(es.headers['content-security-policy'], `'sha256-${createHash('sha256').update(style).digest('base64')}'`)
  t.match(es.headers['content-security-policy'], "default-src 'none'")
})

t.test('who has it already is told so', async t => {
  const app = await aServer(t)
  const first = await app.inject('/api/openapi.json')
  const again = await app.inject({ url: '/api/openapi.json', headers: { 'if-none-match': first.headers.etag } })
  t.equal(again.statusCode, 304)
  t.equal(again.body, '')
})
