import t, { type Test } from 'tap'
import type { NodeOf } from '#shared/flows/graph.ts'
import { aMember } from '#test/helpers/actors.ts'
import { type Drawn, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { rowsOfOrg } from '#test/helpers/rows.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const plain = 'clave-muy-secreta-4711'
const asks: Drawn = {
  ...{ id: 'q', type: 'question', text: '¿Qué pedido?', expects: 'text', variable: 'pedido' },
  ...{ attempts: 2, timeoutMs: 0 },
}
const http = (part: Partial<NodeOf<'http'>> = {}): Drawn =>
  ({
    ...{ id: 'h', type: 'http', method: 'GET', url: 'https://tienda.example/pedidos/{{flujo.pedido}}' },
    ...{ headers: [], send: 'nothing', body: '', form: [], timeoutMs: 2000 },
    ...{ map: [{ variable: 'estado', path: 'pedido.estado' }], mock: { status: 200, body: '' }, ends: [] },
    ...part,
  }) as Drawn
const looksUp = (part: Partial<NodeOf<'http'>> = {}) =>
  graphOf(
    [
      asks,
      http(part),
      { id: 'm', type: 'message', text: 'Está {{flujo.estado}}' },
      { id: 'x', type: 'message', text: 'No pude mirar.' },
    ],
    [
      ['s', 'next', 'q'],
      ['q', 'next', 'h'],
      ['h', 'next', 'm'],
      ['h', 'error', 'x'],
    ],
  )

interface Asked {
  readonly url: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
}
const nothing = graphOf([{ id: 'e', type: 'end' }], [['s', 'next', 'e']])

/** With a fake shop that responds as the test says. */
const stage = async (t: Test) => {
  const asked: Asked[] = []
  const shop = { answer: async (_asked: Asked): Promise<Response> => Response.json({ pedido: { estado: 'listo' } }) }
  const pushFetch = (async (url: string, { method, headers, body }: RequestInit) => {
    const one = {
      ...{ url, method: method ?? '', headers: headers as Record<string, string> },
      body: typeof body === 'string' ? body : undefined,
    }
    asked.push(one)
    return shop.answer(one)
  }) as typeof fetch
  const staged = await flowStage(t, nothing, undefined, { pushFetch })
  const { call, flow, backend, owner } = staged
  let revision = 1
  const draw = async (graph: object) => {
    await call('PUT', `/whatsapp/flows/${flow}`, { revision, graph })
    revision += 1
    const { status, body } = await call('POST', `/whatsapp/flows/${flow}/publish`, { revision })
    return { status, problems: body.details?.map(({ field }: { field: string }) => field) }
  }
  const run = async () => {
    const { items } = (await call('GET', `/whatsapp/flows/${flow}/runs`)).body
    return (await call('GET', `/whatsapp/flow-runs/${items[0].id}`)).body
  }
  const keep = (name = 'llave', host = 'tienda.example') =>
    call('POST', '/whatsapp/flow-secrets', { name, host, value: plain })
  const everything = async () => JSON.stringify([await rowsOfOrg(staged.databases, owner.org.id), backend.lines])
  return { ...staged, asked, shop, draw, run, keep, everything }
}

t.test('a service is called after the advance, and its response continues the session', async t => {
  const { draw, say, said, asked, run, sessions } = await stage(t)
  t.match(await draw(looksUp()), { status: 200 })
  await say('hola')
  await say('A 1/2')
  t.same(
    asked.map(({ url, method }) => `${method} ${url}`),
    ['GET https://tienda.example/pedidos/A%201%2F2'],
  )
  t.same(await said(), ['¿Qué pedido?', 'Está listo'])
  t.same(await sessions(), ['finished'])
  const { timeline } = await run()
  t.match(
    timeline.filter(({ nodeId }: { nodeId: string }) => nodeId === 'h'),
    [
      { why: 'calls', call: null },
      { why: 'callAnswered', output: 'next', call: { status: 200, tries: 1 }, changes: { estado: { after: 'listo' } } },
    ],
  )
})

t.test('a safe call is tried three times, any other once', async t => {
  const { draw, say, later, said, asked, shop, run } = await stage(t)
  shop.answer = async () => new Response('', { status: 503 })
  await draw(looksUp())
  await say('hola')
  await say('1')
  await later(2000)
  await later(4000)
  t.equal(asked.length, 3)
  t.same(await said(), ['¿Qué pedido?', 'No pude mirar.'])
  t.match((await run()).timeline.at(-2), { why: 'callRejected', output: 'error', call: { status: 503, tries: 3 } })

  asked.length = 0
  const order = { method: 'POST', send: 'json', body: '{"id":"{{flujo.pedido}}"}' } as const
  await draw(looksUp(order))
  await say('hola')
  await say('"2"')
  await later(10_000)
  t.same(
    asked.map(({ body }) => JSON.parse(body ?? '')),
    [{ id: '"2"' }],
  )

  asked.length = 0
  await draw(looksUp({ ...order, idempotencyKey: true }))
  await say('hola')
  await say('3')
  await later(2000)
  await later(4000)
  t.equal(asked.length, 3)
  t.equal(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size, 1, 'a repetition is known as such')
})

t.test('a failure without a connected output hands over to a person with the reason', async t => {
  const { draw, say, said, shop, sessions, control, databases, owner } = await stage(t)
  shop.answer = async () => new Response('no', { status: 404 })
  const graph = graphOf(
    [http({ url: 'https://tienda.example/x' }), { id: 'e', type: 'end' }],
    [
      ['s', 'next', 'h'],
      ['h', 'next', 'e'],
    ],
  )
  t.match(await draw(graph), { status: 200 })
  await say('hola')
  t.same(await said(), [])
  t.same(await sessions(), ['handedOff: callFailed'])
  t.equal(await control(), 'needsHuman')
  const { text } = await databases.read
    .selectFrom('message')
    .select('text')
    .where('org_id', '=', owner.org.id)
    .where('type', '=', 'note')
    .executeTakeFirstOrThrow()
  t.match(text, /el servicio que consulta no contestó bien/)
})

t.test('a secret is sent to its host only and stored nowhere else', async t => {
  const { draw, say, said, keep, asked, shop, everything, call, run } = await stage(t)
  const withKey = looksUp({
    url: 'https://tienda.example/p?k={{secret.llave}}',
    headers: [{ name: 'Authorization', value: 'Bearer {{secret.llave}}' }],
    map: [{ variable: 'estado', path: '$' }],
  })
  t.match(await draw(withKey), { status: 422, problems: ['graph.nodes.h.secrets'] })
  const kept = await keep()
  t.equal(kept.status, 201)
  t.notMatch(JSON.stringify(kept.body), plain)
  t.match(await draw(withKey), { status: 200 })
  shop.answer = async ({ headers }) => new Response(`vino ${headers.authorization}`)
  await say('hola')
  await say('{{secret.llave}}')
  t.equal(asked[0]?.headers.authorization, `Bearer ${plain}`)
  t.equal(asked[0]?.url, `https://tienda.example/p?k=${plain}`)
  t.same(await said(), ['¿Qué pedido?', 'Está vino Bearer •••'])
  t.match((await run()).timeline.at(-2), { why: 'callAnswered' })

  // The network's error message contains it; it must not be repeated.
  shop.answer = async ({ url }) => {
    throw new Error(`no way to ${url}`)
  }
  const tried = await call('POST', `/whatsapp/flows/${(await call('GET', '/whatsapp/flows')).body.items[0].id}/call`, {
    nodeId: 'h',
  })
  t.match(tried.body, { why: 'callNoAnswer', output: 'error', text: null })
  t.notMatch(JSON.stringify(tried.body), plain)
  t.notMatch(await everything(), plain)
})

t.test('secrets need a permission, are checked where they are used, and cannot be deleted while in use', async t => {
  const { draw, keep, call, backend, databases, owner, everything } = await stage(t)
  t.equal((await keep('llave', 'https://tienda.example/')).status, 400)
  t.equal((await keep('llave', '127.0.0.1')).status, 400)
  t.equal((await keep('llave', 'TIENDA.example')).body.host, 'tienda.example')
  t.match(await keep(), { status: 409, body: { code: 'FLOWS_SECRET_TAKEN' } })
  await draw(looksUp({ headers: [{ name: 'X-Key', value: '{{secret.llave}}' }] }))
  t.match((await call('GET', '/whatsapp/flow-secrets')).body.items, [
    { name: 'llave', host: 'tienda.example', usedBy: [{ name: 'Bienvenida', isPublished: true }] },
  ])
  t.match(await call('DELETE', '/whatsapp/flow-secrets/llave'), { status: 409, body: { code: 'FLOWS_SECRET_IN_USE' } })
  const replaced = { host: 'otra.example', value: 'otra-clave' }
  t.equal((await call('PUT', '/whatsapp/flow-secrets/llave', replaced)).body.host, 'otra.example')
  t.equal((await call('PUT', '/whatsapp/flow-secrets/nada', replaced)).status, 404)
  t.match(await draw(looksUp({ headers: [{ name: 'X-Key', value: '{{secret.llave}}' }] })), { status: 422 })
  await draw(looksUp())
  t.equal((await call('DELETE', '/whatsapp/flow-secrets/llave')).status, 200)
  t.same((await call('GET', '/whatsapp/flow-secrets')).body.items, [])
  const { items } = (await call('GET', '/organization/audit?kind=flows')).body
  const written = items.map(({ action, subject }: { action: string; subject: string }) => `${action} ${subject}`)
  t.same(written.filter((one: string) => one.startsWith('secret')).slice(0, 3), [
    'secretDeleted llave',
    'secretReplaced llave',
    'secretCreated llave',
  ])
  t.notMatch(await everything(), 'otra-clave')

  const as = async (role: 'developer' | 'member') => {
    const { cookie } = await aMember({ databases, org: owner.org, role })
    return (method: 'GET' | 'POST', payload?: object) =>
      backend.inject({
        method,
        url: '/api/whatsapp/flow-secrets',
        headers: { cookie },
        ...(payload ? { payload } : {}),
      })
  }
  const another = { name: 'b', host: 'b.example', value: plain }
  const asMember = await as('member')
  t.equal((await asMember('GET')).statusCode, 403)
  t.equal((await asMember('POST', another)).statusCode, 403)
  const asDeveloper = await as('developer')
  t.equal((await asDeveloper('POST', another)).statusCode, 201, 'integrations are theirs')
  const shown = await asDeveloper('GET')
  t.equal(shown.statusCode, 200)
  t.notMatch(shown.body, plain)
})

t.test('during a call the flow words work, and a takeover ends the session', async t => {
  const { draw, say, said, shop, sessions, asked, control } = await stage(t)
  let answer: (response: Response) => void = () => undefined
  let isAsked: () => void = () => undefined
  const reached = new Promise<void>(resolve => {
    isAsked = resolve
  })
  shop.answer = () =>
    new Promise(resolve => {
      answer = resolve
      isAsked()
    })
  await draw(looksUp())
  await say('hola')
  const wrote = say('7')
  await reached
  t.same(await sessions(), ['waitingCall'])
  const wanted = say('agente')
  while ((await control()) !== 'needsHuman') await new Promise(setImmediate)
  answer(Response.json({ pedido: { estado: 'tarde' } }))
  await Promise.all([wrote, wanted])
  t.same(await said(), ['¿Qué pedido?'])
  t.same(await sessions(), ['handedOff: wanted'])
  t.equal(asked.length, 1)
})

t.test('a simulation makes no call unless the author asks for one', async t => {
  const { draw, call, flow, asked, run, say, backend } = await stage(t)
  await draw(looksUp({ mock: { status: 200, body: '{"pedido":{"estado":"de mentira"}}' } }))
  const inputs = [{ kind: 'text', text: '1' }]
  const { body } = await call('POST', `/whatsapp/flows/${flow}/simulate`, { inputs })
  t.same(
    body.transcript.filter(({ by }: { by: string }) => by === 'flow').map(({ text }: { text: string }) => text),
    ['¿Qué pedido?', 'Está de mentira'],
  )
  t.equal(asked.length, 0)
  const real = await call('POST', `/whatsapp/flows/${flow}/call`, { nodeId: 'h', variables: { pedido: '9' } })
  t.match(real.body, { why: 'callAnswered', output: 'next', call: { status: 200 }, values: { estado: 'listo' } })
  t.same(
    asked.map(({ url }) => url),
    ['https://tienda.example/pedidos/9'],
  )
  t.equal((await call('POST', `/whatsapp/flows/${flow}/call`, { nodeId: 'q' })).status, 422)
  asked.length = 0
  await say('hola')
  await say('1')
  t.equal((await run()).state, 'finished')
  t.equal(asked.length, 1)
  t.equal((await call('POST', `/whatsapp/flows/${flow}/replay`, { days: 1 })).status, 202)
  await backend.settle()
  const again = await call('GET', `/whatsapp/flows/${flow}/replay/sessions`)
  t.match(again.body.items[0], { verdict: 'same' })
  t.equal(asked.length, 1, 'a replay calls nobody')
})

for (const [method, tries, end] of [
  ['POST', 1, 'No pude mirar.'],
  ['GET', 2, 'Está listo'],
] as const)
  t.test(`if the process dies during a call, ${method} is made ${tries} times`, async t => {
    const { draw, say, said, shop, asked, databases, backend, run } = await stage(t)
    const held: ((response: Response) => void)[] = []
    let isAsked: () => void = () => undefined
    const reached = new Promise<void>(resolve => {
      isAsked = resolve
    })
    shop.answer = () =>
      new Promise(resolve => {
        held.push(resolve)
        isAsked()
      })
    await draw(looksUp({ method, ...(method === 'POST' ? { send: 'json' as const, body: '{}' } : {}) }))
    await say('hola')
    const wrote = say('7')
    await reached
    shop.answer = async () => Response.json({ pedido: { estado: 'listo' } })
    // The state a killed process leaves: claimed by an owner that no longer runs.
    await databases.write.updateTable('job').set({ owner: 'killed' }).where('kind', '=', 'flows.call').execute()
    await backend.parts.jobs.beat()
    for (const answer of held) answer(Response.json({ pedido: { estado: 'de antes' } }))
    await wrote
    backend.clock.advance(5000)
    await backend.settle()
    t.same(await said(), ['¿Qué pedido?', end])
    t.equal(asked.length, tries)
    const step = method === 'POST' ? { why: 'callUnconfirmed', output: 'error' } : { why: 'callAnswered' }
    t.match((await run()).timeline.at(-2), step)
  })
