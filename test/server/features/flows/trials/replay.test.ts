import t, { type Test } from 'tap'
import { replayLimits, sessionsKeptDays } from '#shared/flows/testing/replay.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const hourMs = 3_600_000
const question = (text: string, more: object = {}) => ({
  id: 'name',
  type: 'question',
  data: { text, variable: 'nombre', ends: ['invalid'], ...more },
})
const thanks = { id: 'thanks', type: 'message', data: { text: 'Gracias, {{flujo.nombre}}.', ends: ['next'] } }
const graphOf = (nodes: object[], wires: string[][]) => ({
  nodes: [{ id: 's', type: 'start', data: {} }, ...nodes],
  edges: wires.map(([source, sourceHandle, target]) => ({ source, sourceHandle, target })),
})
const asked = graphOf(
  [question('¿Tu nombre?'), thanks],
  [
    ['s', 'next', 'name'],
    ['name', 'next', 'thanks'],
  ],
)

const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const { databases } = backend
  const owner = await aMember({ databases, name: 'Ana' })
  const call = async (method: 'POST' | 'PUT' | 'GET', path: string, body?: object, by = owner) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: by.cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call('POST', '/whatsapp/connection/sandbox')
  const triggers = [{ id: 'hello', kind: 'keyword', match: 'equals', words: ['hola'] }]
  const { body: flow } = await call('POST', '/whatsapp/flows', { name: 'Bienvenida', graph: asked, triggers })
  t.equal((await call('POST', `/whatsapp/flows/${flow.id}/publish`, {})).status, 200)
  const says = async (n: number, name: string, ...texts: string[]) => {
    for (const text of texts) {
      backend.clock.advance(1000)
      await call('POST', '/sandbox/inbound', { from: `54911555504${10 + n}`, text, name })
      await backend.settle()
    }
  }
  const draw = async (graph: object) => {
    const { revision } = (await call('GET', `/whatsapp/flows/${flow.id}`)).body
    t.equal((await call('PUT', `/whatsapp/flows/${flow.id}`, { revision, graph })).status, 200)
  }
  const begun = async (body: object = { days: 7 }) => {
    const reply = await call('POST', `/whatsapp/flows/${flow.id}/replay`, body)
    t.equal(reply.status, 202, JSON.stringify(reply.body))
    return reply.body
  }
  const read = async (query = '') => (await call('GET', `/whatsapp/flows/${flow.id}/replay/sessions${query}`)).body
  const last = async () => (await call('GET', `/whatsapp/flows/${flow.id}/replay`)).body.replay
  const replayed = async (body?: object) => {
    await begun(body)
    await backend.settle()
    t.match(await last(), { state: 'done' })
    return read()
  }
  return { backend, owner, databases, call, flow: flow.id as string, says, draw, begun, replayed, read, last }
}

t.test('an unchanged draft replays every session as it was, whatever ended it', async t => {
  const { backend, says, replayed } = await stage(t)
  await says(1, 'Lucía', 'hola', 'Lucía')
  await says(2, 'Pedro', 'hola', 'salir')
  await says(3, 'Eva', 'hola', 'asesor')
  await says(4, 'Juan', 'hola')
  backend.clock.advance(5 * hourMs)
  await backend.settle()
  await says(5, 'Sol', 'hola')
  const { items, next } = await replayed()
  t.equal(next, null)
  t.same(
    items.map((one: Record<string, unknown> & { contact: { name: string } }) => [
      one.contact.name,
      one.state,
      one.verdict,
      one.parting,
    ]),
    [
      ['Sol', 'waitingAnswer', 'same', null],
      ['Juan', 'expired', 'same', null],
      ['Eva', 'handedOff', 'same', null],
      ['Pedro', 'left', 'same', null],
      ['Lucía', 'finished', 'same', null],
    ],
  )
})

t.test('a draft with another path or end lists for whom, where, and what it would have sent', async t => {
  const { says, draw, replayed, databases, call } = await stage(t)
  await says(1, 'Lucía', 'hola', 'Lucía')
  await says(2, 'Pedro', 'hola', '1155550000')
  const messages = async () => (await databases.read.selectFrom('message').select('id').execute()).length
  const before = await messages()
  await draw(
    graphOf(
      [
        question('¿Tu teléfono?', { expects: 'phone', attempts: 1, ends: [] }),
        { ...thanks, id: 'bye', data: { text: 'Anotado: {{flujo.nombre}}', ends: ['next'] } },
        { id: 'person', type: 'handoff', data: {} },
      ],
      [
        ['s', 'next', 'name'],
        ['name', 'next', 'bye'],
        ['name', 'invalid', 'person'],
      ],
    ),
  )
  const { items } = await replayed()
  t.match(items, [
    {
      contact: { name: 'Pedro' },
      state: 'finished',
      verdict: 'way',
      parting: { was: 'thanks', would: 'bye' },
      would: { state: 'finished' },
    },
    {
      contact: { name: 'Lucía' },
      verdict: 'end',
      parting: { was: 'thanks', would: 'person' },
      would: { state: 'handedOff' },
    },
  ])
  t.same(
    items[0].would.transcript.map(({ text }: { text: string }) => text),
    ['hola', '¿Tu teléfono?', '1155550000', 'Anotado: 1155550000'],
  )
  t.equal(await messages(), before, 'nobody was written to')
  const stranger = await aMember({ databases, name: 'Otro' })
  t.equal((await call('POST', '/whatsapp/flows/nothing/replay', { days: 7 })).status, 404)
  t.equal((await call('POST', `/whatsapp/flows/${items[0].flowId}/replay`, { days: 7 }, stranger)).status, 404)
})

t.test('the same option is chosen again, even if it was renamed', async t => {
  const { call, flow, says, draw, replayed } = await stage(t)
  const offer = (title: string, options = ['a', 'b']) =>
    graphOf(
      [
        {
          id: 'choose',
          type: 'buttons',
          data: {
            text: '¿Qué querés?',
            options: options.map(id => ({ id, title: id === 'a' ? title : 'Otra cosa' })),
            ends: ['b', 'other'],
          },
        },
        { ...thanks, data: { text: 'Gracias.', ends: ['next'] } },
      ],
      [['s', 'next', 'choose'], ...(options.includes('a') ? [['choose', 'a', 'thanks']] : [])],
    )
  await draw(offer('Comprar'))
  t.equal((await call('POST', `/whatsapp/flows/${flow}/publish`, {})).status, 200)
  await says(1, 'Lucía', 'hola', 'comprar')
  await draw(offer('Encargar'))
  t.match(await replayed(), {
    items: [
      {
        state: 'finished',
        verdict: 'words',
        parting: null,
        was: ['¿Qué querés?\nComprar\nOtra cosa', 'Gracias.'],
        would: {
          transcript: [{}, { options: [{ title: 'Encargar' }, { title: 'Otra cosa' }] }, {}, { text: 'Gracias.' }],
        },
      },
    ],
  })
  await draw(offer('', ['b']))
  t.match(await replayed(), { items: [{ verdict: 'way', parting: { was: 'thanks', would: null } }] })
})

t.test('changed texts are listed with the former ones; texts nobody reached are not', async t => {
  const { says, draw, replayed, last, read, call, flow } = await stage(t)
  await says(1, 'Lucía', 'hola', 'Lucía')
  await says(2, 'Pedro', 'hola')
  const drawn = (first: string, second: string) =>
    graphOf(
      [question(first), { ...thanks, data: { text: second, ends: ['next'] } }],
      [
        ['s', 'next', 'name'],
        ['name', 'next', 'thanks'],
      ],
    )
  await draw(drawn('¿Tu nombre?', 'Listo, {{flujo.nombre}}.'))
  t.match((await replayed()).items, [
    { contact: { name: 'Pedro' }, verdict: 'same', was: [] },
    { contact: { name: 'Lucía' }, verdict: 'words', was: ['¿Tu nombre?', 'Gracias, Lucía.'] },
  ])
  t.match(await last(), { counts: { same: 1, words: 1, way: 0, end: 0 } })
  t.equal((await read('?differs=true')).items.length, 1)
  await draw(drawn('¿Tu nombre?', 'Gracias, {{flujo.nombre}}.'))
  t.match(await replayed(), { items: [{ verdict: 'same' }, { verdict: 'same' }] })
  // Another version; sessions are then compared with the version each was on.
  await draw(drawn('¿Cómo te llamás?', 'Gracias, {{flujo.nombre}}.'))
  t.equal((await call('POST', `/whatsapp/flows/${flow}/publish`, {})).status, 200)
  await says(3, 'Eva', 'hola')
  t.match((await replayed()).items, [
    { contact: { name: 'Eva' }, verdict: 'same' },
    { contact: { name: 'Pedro' }, verdict: 'words', was: ['¿Tu nombre?'] },
    { contact: { name: 'Lucía' }, verdict: 'words' },
  ])
})

t.test('hundreds of sessions are replayed in the background, no older than requested, and are paged', async t => {
  const { backend, says, draw, replayed, read, last, call, flow } = await stage(t)
  await says(0, 'Antes', 'hola', 'Yo')
  backend.clock.advance(8 * 24 * hourMs)
  const many = replayLimits.atOnce + 2
  for (let n = 1; n <= many; n += 1) await says(n, `Cliente ${n}`, 'hola')
  const first = await replayed()
  t.equal(first.items.length, replayLimits.atOnce)
  const second = await read(`?after=${first.next}`)
  t.equal(second.items.length, 2)
  t.equal(second.next, null, 'what is older was not asked for')
  t.match(await last(), { total: many, done: many, counts: { same: many, words: 0, way: 0, end: 0 }, startedBy: 'Ana' })
  t.same(await read('?differs=true'), { items: [], next: null })
  await draw(graphOf([{ ...thanks, data: { text: 'Hola.', ends: ['next'] } }], [['s', 'next', 'thanks']]))
  t.equal((await read()).items[0].verdict, 'same', 'what was drawn when it began is what is played')
  await replayed({ days: 30 })
  t.match(await last(), { total: many + 1, done: many + 1, counts: { same: 0 } })
  t.equal((await read('?differs=true')).items.length, replayLimits.atOnce)
  for (const body of [{}, { days: 0 }, { days: sessionsKeptDays + 1 }]) {
    const reply = await call('POST', `/whatsapp/flows/${flow}/replay`, body)
    t.equal(reply.status, 400)
    t.equal(reply.body.details[0].field, 'body.days')
  }
})

t.test('a replay is stopped by a member or by the next one', async t => {
  const { backend, says, begun, last, call, flow, databases, owner } = await stage(t)
  t.equal((await call('GET', `/whatsapp/flows/${flow}/replay`)).body.replay, null)
  await says(1, 'Lucía', 'hola', 'Lucía')
  await backend.parts.jobs.stop()
  const first = await begun()
  t.match(first, { state: 'running', total: 1, done: 0 })
  t.equal((await call('POST', `/whatsapp/flows/${flow}/replay/stop`)).status, 200)
  t.match(await last(), { state: 'stopped', done: 0 })
  const second = await begun()
  const third = await begun()
  const states = await databases.read
    .selectFrom('flow_replay')
    .select(['id', 'state'])
    .where('org_id', '=', owner.org.id)
    .orderBy('id')
    .execute()
  t.same(states.map(({ state }) => state).sort(), ['running', 'stopped', 'stopped'])
  t.not(second.id, third.id)
  const { cookie } = await aMember({ databases, org: owner.org, role: 'viewer' })
  const asViewer = (method: 'GET' | 'POST', path = '') =>
    backend.inject({
      ...{ method, url: `/api/whatsapp/flows/${flow}/replay${path}`, headers: { cookie } },
      ...(method === 'POST' ? { payload: { days: 7 } } : {}),
    })
  t.equal((await asViewer('GET')).statusCode, 200)
  t.equal((await asViewer('POST')).statusCode, 403)
  t.equal((await asViewer('POST', '/stop')).statusCode, 403)
})

t.test('only sessions started by the chosen trigger are replayed', async t => {
  const { says, replayed, last, call, flow } = await stage(t)
  const { revision } = (await call('GET', `/whatsapp/flows/${flow}`)).body
  const triggers = [
    { id: 'hello', kind: 'keyword', match: 'equals', words: ['hola'] },
    { id: 'night', kind: 'keyword', match: 'equals', words: ['buenas noches'] },
  ]
  await call('PUT', `/whatsapp/flows/${flow}`, { revision, triggers })
  t.equal((await call('POST', `/whatsapp/flows/${flow}/publish`, {})).status, 200)
  await says(1, 'Lucía', 'hola', 'Lucía')
  await says(2, 'Pedro', 'buenas noches', 'Pedro')
  await says(3, 'Ana', 'hola', 'Ana')
  const { items } = await replayed({ days: 7, trigger: 'night' })
  t.match(items, [{ trigger: 'night', contact: { name: 'Pedro' }, verdict: 'same' }])
  t.match(await last(), { trigger: 'night', total: 1, done: 1 })
  t.equal((await replayed({ days: 7, trigger: 'none' })).items.length, 0)
  t.equal((await replayed()).items.length, 3)
  t.equal((await last()).trigger, null)
  t.equal(
    (await call('POST', `/whatsapp/flows/${flow}/replay`, { days: 7, trigger: '' })).body.details[0].field,
    'body.trigger',
  )
})
