import t from 'tap'
import { aKey } from '#test/helpers/api-keys.ts'
import { flowPhone, flowStage, graphOf, onHello } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const says = (text: string) => graphOf([{ id: 'm', type: 'message', text }], [['s', 'next', 'm']])
const asks = graphOf(
  [{ id: 'q', type: 'question', text: '¿Qué?', expects: 'text', variable: 'x', attempts: 3, timeoutMs: 0 }],
  [['s', 'next', 'q']],
)

t.test('every flow call works the same with an API key as with a session, and is in the API document', async t => {
  const { backend, owner, say } = await flowStage(t, asks)
  const { key } = await aKey(backend.app, owner.cookie, { name: 'Mi CRM' })
  await say('hola')
  const { paths } = (await backend.inject({ method: 'GET', url: '/api/openapi.json' })).json()
  const documented = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map(method => `${method} ${path.replace(/\{\w+\}/g, '*')}`),
    ),
  )
  for (const headers of [{ cookie: owner.cookie }, { 'x-api-key': key }]) {
    const by = Object.keys(headers)[0]
    const call = async (
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      path: string,
      ...[body, stands = path]: [object?, string?]
    ) => {
      const url = `/api/whatsapp${path}`
      t.ok(documented.has(`${method.toLowerCase()} /api/whatsapp${stands}`), `${method} ${stands} is documented`)
      const reply = await backend.inject({ method, url, headers, ...(body ? { payload: body } : {}) })
      t.ok(reply.statusCode < 300, `${by}: ${method} ${path} ${reply.statusCode} ${reply.body.slice(0, 200)}`)
      await backend.settle()
      return reply.json()
    }
    const { id } = await call('POST', '/flows', { name: `Por ${by}`, graph: says('Hola'), triggers: onHello })
    const of = (what: string, stands = what) => [`/flows/${id}${what}`, `/flows/*${stands}`] as const
    const on = (method: Parameters<typeof call>[0], what: string, body?: object, stands?: string) => {
      const [path, shown] = of(what, stands)
      return call(method, path, body, shown)
    }
    t.ok((await call('GET', '/flows')).items.some((one: { id: string }) => one.id === id))
    t.match(await on('GET', ''), { name: `Por ${by}`, revision: 1, state: 'draft' })
    t.match(await on('PUT', '', { revision: 1, graph: says('Chau') }), { revision: 2 })
    t.match(await on('POST', '/publish', { note: 'La primera' }), { state: 'live', published: { version: 1 } })
    t.match(await on('GET', '/versions'), { items: [{ version: 1, note: 'La primera', by: /./ }] })
    t.match(await on('POST', '/versions/1/restore', { revision: 2 }, '/versions/*/restore'), { revision: 3 })
    t.match(await on('POST', '/simulate', { inputs: [] }), { state: 'finished' })
    t.match(await on('POST', '/pause', {}), { state: 'paused' })
    t.same((await on('GET', '/runs')).items, [])
    const control = `/conversations/${flowPhone}/control`
    const hand = (body: object) => call('POST', control, body, '/conversations/*/control')
    t.match(await hand({ owner: 'human', assigneeId: owner.user.id }), { control: 'human' })
    t.match(await hand({ owner: 'bot' }), { control: /none|bot/ })
    t.same(await on('DELETE', ''), { success: true })
  }
  t.same(backend.errors(), [])
})
