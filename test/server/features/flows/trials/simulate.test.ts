import t, { type Test } from 'tap'
import type { WireGraph } from '#shared/flows/wire.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const hourMs = 3_600_000
const ends = ['next', 'invalid', 'other', 'yes', 'no', 'timeout', 'a', 'b']
const drawn = (
  nodes: readonly (readonly [id: string, type: string, data?: object])[],
  wires: readonly (readonly [from: string, handle: string, to: string])[],
): WireGraph =>
  ({
    nodes: [['s', 'start'] as const, ...nodes].map(([id, type, data = {}]) => {
      const used = wires.filter(([from]) => from === id).map(([, handle]) => handle)
      return { id, type, data: { ...data, ends: ends.filter(one => !used.includes(one)) } }
    }),
    edges: wires.map(([source, sourceHandle, target]) => ({ source, sourceHandle, target })),
  }) as unknown as WireGraph

/** Asks for a name, offers two buttons, hands over at one of them; without an answer it asks again. */
const menu = drawn(
  [
    ['name', 'question', { text: '¿Tu nombre?', variable: 'nombre', timeoutMs: hourMs }],
    [
      'choose',
      'buttons',
      {
        text: 'Hola {{flujo.nombre}}, ¿qué querés?',
        options: [
          { id: 'a', title: 'Comprar' },
          { id: 'b', title: 'Una persona' },
        ],
        variable: 'pedido',
      },
    ],
    ['thanks', 'message', { text: '¡Gracias, {{flujo.nombre}}!' }],
    ['person', 'handoff', { message: 'Ya te atienden.', note: 'Quiere: {{flujo.pedido}}' }],
    ['late', 'message', { text: '¿Seguís ahí?' }],
  ],
  [
    ['s', 'next', 'name'],
    ['name', 'next', 'choose'],
    ['name', 'timeout', 'late'],
    ['choose', 'a', 'thanks'],
    ['choose', 'b', 'person'],
  ],
)

const stage = async (t: Test, graph = menu) => {
  const backend = await startBackend(t)
  const { databases } = backend
  const owner = await aMember({ databases, name: 'Ana' })
  const call = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: owner.cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  const triggers = [{ id: 'hello', kind: 'keyword', match: 'equals', words: ['hola'] }]
  const { body: flow } = await call('POST', '/whatsapp/flows', { name: 'Bienvenida', graph, triggers })
  const play = async (inputs: object[], more: object = {}) => {
    const { status, body } = await call('POST', `/whatsapp/flows/${flow.id}/simulate`, { inputs, ...more })
    t.equal(status, 200, JSON.stringify(body))
    return body
  }
  return { backend, databases, call, flow, play }
}
const text = (text: string) => ({ kind: 'text', text })
const pass = (ms: number) => ({ kind: 'advance', ms })
const linesOf = ({ transcript }: { transcript: { by: string; text: string }[] }) =>
  transcript.map(line => `${line.by === 'flow' ? '<' : '>'} ${line.text}`)

t.test('a draft is simulated from start to handover, and nothing is stored', async t => {
  const { play, databases } = await stage(t)
  const count = async () => {
    const tables = ['flow_session', 'flow_step', 'flow_day', 'contact', 'conversation', 'message', 'job'] as const
    const counts: number[] = []
    for (const table of tables) counts.push((await databases.read.selectFrom(table).selectAll().execute()).length)
    return counts
  }
  const before = await count()
  const asked = await play([], { opening: 'hola' })
  t.match(asked, {
    version: null,
    revision: 1,
    state: 'waitingAnswer',
    nodeId: 'name',
    path: ['s', 'name'],
    isWindowOpen: true,
  })
  t.equal(Date.parse(asked.dueAt) - Date.parse(asked.from), hourMs)
  const chosen = await play([text('Lucía')])
  t.match(chosen.transcript.at(-1), {
    text: 'Hola Lucía, ¿qué querés?',
    nodeId: 'choose',
    options: [{ id: 'a', title: 'Comprar' }, { id: 'b' }],
    listLabel: null,
  })
  t.same(chosen.variables, { nombre: 'Lucía' })
  const over = await play([text('Lucía'), { kind: 'option', nodeId: 'choose', optionId: 'b' }, text('¿hola?')])
  t.same(linesOf(over), [
    '< ¿Tu nombre?',
    '> Lucía',
    '< Hola Lucía, ¿qué querés?',
    '> Una persona',
    '< Ya te atienden.',
    '> ¿hola?',
  ])
  t.equal(over.transcript.at(-1).isRead, false, 'nobody but people reads on')
  t.match(over, { state: 'handedOff', reason: 'asked', nodeId: null, dueAt: null })
  t.same(over.handoff, { teamId: null, memberId: null, note: 'Quiere: Una persona' })
  t.same(over.path, ['s', 'name', 'choose', 'person'])
  t.same(over.variables, { nombre: 'Lucía', pedido: 'Una persona', pedido_id: 'b' })
  t.same(await count(), before)
})

t.test('simulated time passes: timers fire at their time, and the window closes', async t => {
  const graph = drawn(
    [
      ['soon', 'wait', { ms: 2 * hourMs }],
      ['still', 'condition', { all: [{ window: 'open' }] }],
      ['later', 'wait', { ms: 30 * hourMs }],
      ['bye', 'message', { text: 'Chau' }],
    ],
    [
      ['s', 'next', 'soon'],
      ['soon', 'next', 'still'],
      ['still', 'yes', 'later'],
      ['later', 'next', 'bye'],
    ],
  )
  const { play } = await stage(t, graph)
  const from = '2026-11-20T12:00:00Z'
  const early = await play([pass(hourMs), text('¿hay alguien?')], { from })
  t.match(early, { state: 'waitingTime', dueAt: '2026-11-20T14:00:00.000Z', now: '2026-11-20T13:00:00.000Z' })
  t.equal(early.transcript[0].isRead, false)
  const later = await play([pass(3 * hourMs)], { from })
  t.match(later, { state: 'waitingTime', nodeId: 'later', now: '2026-11-20T15:00:00.000Z', isWindowOpen: true })
  t.equal(later.dueAt, '2026-11-21T20:00:00.000Z', 'counted from when it was due, not from when it was looked at')
  const closed = await play([pass(3 * hourMs), pass(48 * hourMs)], { from })
  t.match(closed, { state: 'parked', nodeId: 'bye', reason: null, isWindowOpen: false })
  t.equal(closed.steps.at(-1).at, '2026-11-21T20:00:00.000Z')
  t.same(await play([pass(3 * hourMs), pass(48 * hourMs)], { from }), closed, 'asked again it is the same')
  const written = await play([pass(3 * hourMs), pass(48 * hourMs), text('¿y?')], { from })
  t.match(written, { state: 'finished', isWindowOpen: true })
  t.equal(written.transcript.at(-1).text, 'Chau', 'it goes on when they write')
})

t.test('without an answer the timeout output or expiry follows; flow words always work', async t => {
  const { play } = await stage(t)
  const late = await play([pass(hourMs)])
  t.same(linesOf(late), ['< ¿Tu nombre?', '< ¿Seguís ahí?'])
  t.equal(late.state, 'finished')
  t.match(await play([text('Lucía'), pass(5 * hourMs)]), { state: 'expired', dueAt: null })
  t.match(await play([text('¡Salir!')]), { state: 'left' })
  t.match(await play([text('Asesor')]), { state: 'handedOff', reason: 'wanted' })
  const again = await play([text('Lucía'), text('menú')])
  t.match(again, { state: 'waitingAnswer', nodeId: 'name', path: ['s', 'name', 'choose', 's', 'name'] })
  t.same(again.variables, {})
  t.match((await play([{ kind: 'file' }])).steps.at(-1), { why: 'askedAgain' })
  t.match(await play([{ kind: 'option', nodeId: 'gone', optionId: 'x', title: 'Viejo' }]), { nodeId: 'choose' })
})

t.test('version, time and customer can be chosen', async t => {
  const graph = drawn(
    [
      [
        'open',
        'condition',
        { all: [{ hours: 'inside' }, { variable: 'contacto.nombre', is: 'equals', value: 'Ana' }] },
      ],
      ['yes', 'message', { text: 'Hola {{contacto.nombre}}: {{ultimo_mensaje}}' }],
      ['no', 'message', { text: 'Está cerrado' }],
    ],
    [
      ['s', 'next', 'open'],
      ['open', 'yes', 'yes'],
      ['open', 'no', 'no'],
    ],
  )
  const { call, flow, play } = await stage(t, graph)
  const day = { from: '2026-11-20T15:00:00Z', till: '18:00' }
  const spans = [{ from: '09:00', to: day.till }]
  const week = Object.fromEntries(
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map(name => [name, spans]),
  )
  t.equal(
    (await call('PUT', '/organization/business-hours', { hours: { week, exceptions: [] } })).status,
    200,
    'the organization has hours',
  )
  const ana = { customer: { name: 'Ana' }, opening: 'turno' }
  t.same(linesOf(await play([], { ...ana, from: day.from })), ['> turno', '< Hola Ana: turno'])
  t.same(linesOf(await play([], { ...ana, from: '2026-11-20T23:00:00Z' })).at(-1), '< Está cerrado')
  t.same(linesOf(await play([], { ...ana, from: '2026-11-20T23:00:00Z', isOpen: true })).at(-1), '< Hola Ana: turno')
  t.equal((await call('POST', `/whatsapp/flows/${flow.id}/publish`, {})).status, 200)
  await call('PUT', `/whatsapp/flows/${flow.id}`, { revision: 1, graph: drawn([], []) })
  t.match(await play([]), { version: null, revision: 2, path: ['s'], state: 'finished' })
  t.match(await play([], { version: 1 }), { version: 1, path: ['s', 'open', 'no'] })
  const path = `/whatsapp/flows/${flow.id}/simulate`
  t.equal((await call('POST', path, { inputs: [], version: 7 })).body.code, 'FLOWS_VERSION_NOT_FOUND')
})

t.test('a simulation is limited, and invalid input is refused by name', async t => {
  const round = drawn(
    [['tick', 'wait', { ms: 1000 }]],
    [
      ['s', 'next', 'tick'],
      ['tick', 'next', 'tick'],
    ],
  )
  const { call, flow, play } = await stage(t, round)
  const long = await play([pass(90 * 24 * hourMs), text('hola')])
  t.match(long, { state: 'tooLong', nodeId: null })
  t.ok(long.steps.length >= 300 && long.steps.length < 360, 'it stops there')
  t.same(long.transcript, [], 'and nothing is said to it any more')
  const path = `/whatsapp/flows/${flow.id}/simulate`
  for (const [body, field] of [
    [{}, 'body.inputs'],
    [{ inputs: Array.from({ length: 201 }, () => text('a')) }, 'body.inputs'],
    [{ inputs: [], from: 'ayer' }, 'body.from'],
    [{ inputs: [], from: '2026-02-31T25:00:00Z' }, 'body.from'],
  ] as const) {
    const { status, body: refusal } = await call('POST', path, body)
    t.equal(status, 400, JSON.stringify(refusal))
    t.equal(refusal.details[0].field, field)
  }
  t.equal((await call('POST', '/whatsapp/flows/nothing/simulate', { inputs: [] })).status, 404)
})

t.test('a simulation gives the same messages as a real session, step by step', async t => {
  const { backend, call, flow, play } = await stage(t)
  await call('POST', '/whatsapp/connection/sandbox')
  await call('POST', `/whatsapp/flows/${flow.id}/publish`, {})
  const says = ['hola', 'Lucía', 'nada de eso']
  for (const one of says) {
    backend.clock.advance(1000)
    await call('POST', '/sandbox/inbound', { from: '5491155550404', text: one, name: 'Lucía' })
    await backend.settle()
  }
  const [run] = (await call('GET', `/whatsapp/flows/${flow.id}/runs`)).body.items
  const { timeline } = (await call('GET', `/whatsapp/flow-runs/${run.id}`)).body
  const played = await play(says.slice(1).map(text), { opening: says[0], version: 1 })
  const storyOf = (steps: Record<string, unknown>[]) =>
    steps.map(({ nodeId, input, output, why, changes }) => ({ nodeId, input, output, why, changes }))
  t.ok(timeline.length > 3)
  t.same(storyOf(played.steps), storyOf(timeline))
  t.equal(played.state, run.state)
})
