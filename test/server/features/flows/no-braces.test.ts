/** No text of a flow is sent with an unfilled variable, or longer than WhatsApp accepts. */
import t from 'tap'
import { messagesOfAdvance } from '#server/features/flows/sessions/advance-messages.ts'
import { advanceSession } from '#server/features/flows/step/advance-session.ts'
import type { FlowStep, FlowWorld, SessionPosition } from '#server/features/flows/step/advance-types.ts'
import { messageBody } from '#server/whatsapp/message-body.ts'
import { validateMessage } from '#server/whatsapp/serving/validate-message.ts'
import { type FlowNode, type FlowNodeType, indexGraph, type NodeOf } from '#shared/flows/graph.ts'
import { nodeKinds } from '#shared/flows/nodes/all.ts'
import { fillIn } from '#shared/flows/variables.ts'
import { outboundLimits } from '#shared/outbound/api.ts'

const at = { x: 0, y: 0 }
const held = (name: string) => `{{flujo.${name}}}`
/** Technical fields: names of variables and templates, ids, addresses, request contents. */
const technical =
  /^(id|type|variable|template|language|kind|url|expects|pattern|unit|until|method|send|contact|action|tagId|flowId|nodeId|teamId|memberId|name|color|op|left)$/

type Drawn = { readonly [T in FlowNodeType]?: readonly NodeOf<T>[] }
const options = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `o${i}`, title: `x${i}`, description: 'x' }))
const choice = {
  template: 'aviso',
  language: 'es_AR',
  values: { 'body.1': 'x', 'header.media': 'x', 'buttons.0': 'x' },
}
/** Each kind of node that sends something, with every field it can have. */
const drawn: Drawn = {
  message: [
    { id: 'n', ...at, type: 'message', text: 'x' },
    {
      ...{ id: 'n', ...at, type: 'message', text: 'x' },
      media: { kind: 'document', url: 'https://a.example/x.pdf', name: 'x.pdf' },
    },
  ],
  template: [{ id: 'n', ...at, type: 'template', ...choice }],
  question: [
    {
      ...{ id: 'n', ...at, type: 'question', text: 'x', expects: 'number', variable: 'v', retryText: 'x' },
      ...{ attempts: 3, timeoutMs: 0 },
    },
  ],
  buttons: [2, 4].map(count => ({
    ...{ id: 'n', ...at, type: 'buttons', text: 'x', options: options(count), listLabel: 'x', timeoutMs: 0 },
  })),
  handoff: [{ id: 'n', ...at, type: 'handoff', message: 'x', note: 'x' }],
}

/** Adds a variable to every text of a step that people read. */
const braced = (value: unknown, key = ''): unknown => {
  if (typeof value === 'string') return technical.test(key) && key !== 'name' ? value : `${held('hotel')} ${value}`
  if (Array.isArray(value)) return value.map(one => braced(one, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, braced(inner, name)]))
}

const world = (more: Partial<FlowWorld> = {}): FlowWorld => ({
  now: '2026-11-23T12:00:00.000Z',
  customerId: 'c1',
  timeZone: 'UTC',
  isOpen: true,
  builtIn: {
    ...{ 'contacto.nombre': 'Lucía', 'contacto.telefono': '549', 'agente.nombre': '', 'org.nombre': 'Don Luis' },
    ultimo_mensaje: '',
  },
  tagIds: [],
  isWindowOpen: true,
  expiresAfterHours: 4,
  expiredText: `${held('hotel')} adiós`,
  listLabel: 'Ver opciones',
  knownTagIds: [],
  fillTemplate: ({ values }) => ({
    ...{ id: 'i', message: { name: 'aviso', language: { code: 'es_AR' }, values }, text: JSON.stringify(values) },
    shown: { id: 'i', name: 'aviso', language: 'es_AR', header: null, footer: null, buttons: [] },
  }),
  ...more,
})
const session = { id: 's', steps: 0, conversationId: 'c' } as Parameters<typeof messagesOfAdvance>[0]
const by = { kind: 'bot', id: 'f', name: 'Flujo' } as const

/** The messages to the customer, in WhatsApp's format. */
const sentBy = (steps: readonly FlowStep[]) =>
  messagesOfAdvance(session, steps, { by, at: world().now }).sent.messages.map(({ content }) =>
    messageBody({
      to: '5491155550101',
      content: content.type === 'template' ? { type: 'template', template: content.ready.message } : content,
    }),
  )

const play = (node: FlowNode, hotel: string, more: Partial<FlowWorld> = {}) => {
  const graph = indexGraph({
    nodes: [{ id: 'start', type: 'start', ...at }, node],
    edges: [{ id: 'e', from: 'start', output: 'next', to: node.id }],
  })
  const place: SessionPosition = { nodeId: '', variables: { hotel }, tries: 0 }
  const first = advanceSession(graph, place, { kind: 'begin' }, world(more))
  if (first.outcome.kind !== 'waits') return first
  const then = [
    { kind: 'message', text: 'no es un número', isText: true, tapped: null } as const,
    { kind: 'time' } as const,
  ].flatMap(
    input => advanceSession(graph, (first.outcome as { place: SessionPosition }).place, input, world(more)).steps,
  )
  return { ...first, steps: [...first.steps, ...then] }
}

t.test('every text field of every step is sent with its values filled in', async t => {
  // The texts of these two kinds are not sent to customers.
  const silent = ['set', 'http']
  const speaking = Object.entries(nodeKinds).flatMap(([type, kind]) =>
    kind.texts && !silent.includes(type) ? [type] : [],
  )
  t.same(Object.keys(drawn).sort(), speaking.sort(), 'every kind that says something is drawn')
  for (const node of Object.values(drawn).flat())
    for (const hotel of ['Bristol', '', 'Gran Hotel Internacional del Centro '.repeat(40)]) {
      const { steps } = play(braced(node) as FlowNode, hotel)
      const sent = sentBy(steps)
      t.ok(sent.length, `${node.type} says something`)
      for (const body of sent) {
        t.notMatch(JSON.stringify(body), /\{\{|flujo\./, `${node.type}: ${hotel.slice(0, 20)}`)
        if (body.type !== 'template') t.doesNotThrow(() => validateMessage(body), `${node.type}: WhatsApp takes it`)
      }
    }
})

const buttons = (titles: readonly string[], more: object = {}): FlowNode => ({
  ...{ id: 'n', ...at, type: 'buttons', text: 'Elegí', timeoutMs: 0 },
  options: titles.map((title, i) => ({ id: `o${i}`, title })),
  ...more,
})
const askedBy = (node: FlowNode, hotel: string) => {
  const { steps } = play(node, hotel)
  const step = steps.find(({ effect }) => effect?.kind === 'options')
  return { why: step?.why, interactive: sentBy(steps).find(({ type }) => type === 'interactive') as object | undefined }
}

t.test('titles too long once filled become list rows, then are cut at a word', async t => {
  const two = buttons([`Hotel ${held('hotel')}`, 'Otro'])
  t.match(askedBy(two, 'Bristol'), {
    why: 'asked',
    interactive: { interactive: { type: 'button', action: { buttons: [{ reply: { title: 'Hotel Bristol' } }, {}] } } },
  })
  t.match(askedBy(two, 'Plaza San Martín'), {
    why: 'askedAsList',
    interactive: {
      interactive: {
        type: 'list',
        action: {
          button: 'Ver opciones',
          sections: [{ rows: [{ title: 'Hotel Plaza San Martín' }, { title: 'Otro' }] }],
        },
      },
    },
  })
  t.match(askedBy(two, 'Internacional del Centro'), {
    why: 'askedCut',
    interactive: {
      interactive: {
        action: {
          sections: [
            { rows: [{ title: 'Hotel Internacional del…', description: 'Hotel Internacional del Centro' }, {}] },
          ],
        },
      },
    },
  })
  const same = buttons([held('hotel'), 'Bristol'])
  t.match(askedBy(same, 'Bristol'), {
    interactive: {
      interactive: { action: { buttons: [{ reply: { title: 'Bristol' } }, { reply: { title: 'Bristol (2)' } }] } },
    },
  })
  const { interactive } = askedBy(buttons([held('hotel'), 'Otro']), '')
  t.match(interactive, { interactive: { action: { buttons: [{ reply: { title: 'Otro' } }] } } })
  const none = play(buttons([held('hotel')]), '')
  t.match(none.outcome, { kind: 'handedOff', reason: 'nothingToSay' }, 'nobody is asked without an option')
})

t.test('an option is recognized by its displayed title, and stored in full', async t => {
  const node = buttons([`Hotel ${held('hotel')}`, 'Otro'], { variable: 'elegido' })
  const graph = indexGraph({ nodes: [node], edges: [] })
  const place = { nodeId: 'n', variables: { hotel: 'Internacional del Centro' }, tries: 0 }
  const whole = 'Hotel Internacional del Centro'
  for (const [text, tapped] of [
    ['hotel internacional del centro', null],
    ['Hotel Internacional del…', null],
    ['1', null],
    ['x', { nodeId: 'n', optionId: 'o0' }],
  ] as const) {
    const { steps } = advanceSession(graph, place, { kind: 'message', text, isText: true, tapped }, world())
    t.match(steps[0], { output: 'o0', why: 'chosen', changes: { elegido: { after: whole } } }, text)
  }
})

t.test('a text too long once filled is cut at a word, and the run says so', async t => {
  const long = 'palabra '.repeat(500)
  const { steps } = play({ id: 'n', ...at, type: 'message', text: `${'uno dos '.repeat(100)}${held('hotel')}` }, long)
  const step = steps.find(({ effect }) => effect?.kind === 'text')
  const { text = '' } = (step?.effect ?? {}) as { text?: string }
  t.equal(step?.why, 'textCut')
  t.ok([...text].length <= outboundLimits.text)
  t.match(text, /palabra…$/)
  t.equal(fillIn('{{flujo.a}}', { a: 'x'.repeat(5000) }, world().builtIn).length, 4096, 'variables stay bounded')
})
