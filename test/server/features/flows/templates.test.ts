import t from 'tap'
import type { TemplateChoice } from '#shared/flows/nodes/fields.ts'
import { flowPhone, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const dayMs = 86_400_000
const chosen: TemplateChoice = {
  template: 'recordatorio',
  language: 'es_AR',
  values: { 'body.1': '{{contacto.nombre|cliente}}', 'body.2': 'las   10\nde la mañana' },
}
const nothing = graphOf([{ id: 'e', type: 'end' }], [['s', 'next', 'e']])
const reminder = graphOf(
  [
    { id: 'w', type: 'wait', ms: 172_800_000 },
    { id: 'p', type: 'template', ...chosen },
  ],
  [
    ['s', 'next', 'w'],
    ['w', 'next', 'p'],
  ],
)

/** With a template approved by Meta. */
const stage = async (t: Parameters<typeof flowStage>[0]) => {
  const staged = await flowStage(t, nothing)
  const { call, later, backend, flow, databases, owner } = staged
  const made = await call('POST', '/whatsapp/template', {
    template: {
      name: 'recordatorio',
      language: 'es_AR',
      category: 'UTILITY',
      components: [
        {
          type: 'BODY',
          text: 'Hola {{1}}, te esperamos a {{2}} en el local.',
          example: { body_text: [['Ana', '10']] },
        },
      ],
    },
  })
  await later(60_000)
  const stands = async (status: string) => {
    await call('POST', `/sandbox/template/${made.body.id}`, { status })
    await backend.settle()
    await call('POST', '/whatsapp/template/sync')
    await backend.settle()
  }
  let revision = 1
  const draw = async (graph: object) => {
    await call('PUT', `/whatsapp/flows/${flow}`, { revision, graph })
    revision += 1
    return call('POST', `/whatsapp/flows/${flow}/publish`, { revision })
  }
  const notes = async () =>
    (
      await databases.read
        .selectFrom('message')
        .select('text')
        .where('org_id', '=', owner.org.id)
        .where('type', '=', 'note')
        .execute()
    ).map(({ text }) => text)
  return { ...staged, stands, draw, notes, template: made.body.id as string }
}

t.test('a template is sent after the window closed, with each value on one line', async t => {
  const { stands, draw, say, later, said, sessions, call, template, backend, databases } = await stage(t)
  await stands('APPROVED')
  t.equal((await draw(reminder)).status, 200)
  await say('hola')
  await later(2 * dayMs + 1000)
  t.same(await said(), ['Hola Lucía, te esperamos a las 10 de la mañana en el local.'])
  t.same(await sessions(), ['finished'])
  const sent = await databases.read
    .selectFrom('message')
    .select(['type', 'wamid'])
    .where('author_kind', '=', 'bot')
    .executeTakeFirst()
  t.match(sent, { type: 'template', wamid: /^wamid/ }, 'it left')
  t.equal((await call('GET', `/whatsapp/template/${template}`)).body.uses, 1)
  t.same(backend.errors(), [])
})

t.test('a template that Meta withdraws calls a person with a note of the reason', async t => {
  const { stands, draw, say, later, said, sessions, control, notes } = await stage(t)
  await stands('APPROVED')
  await draw(reminder)
  await say('hola')
  // A pause would end by itself before the wait does.
  await stands('DISABLED')
  await later(2 * dayMs + 1000)
  t.same(await said(), [])
  t.same(await sessions(), ['handedOff: templateNotApproved'])
  t.equal(await control(), 'needsHuman')
  t.same(await notes(), ['El flujo «Bienvenida» no pudo seguir: Meta ya no aprueba la plantilla.'])
})

t.test('a customer who opted out during the wait gets no marketing template, and a person learns why', async t => {
  const { stands, draw, say, later, said, sessions, control, notes, call, template, backend } = await stage(t)
  await stands('APPROVED')
  await draw(reminder)
  await say('hola')
  await call('POST', `/sandbox/template/${template}`, { category: 'MARKETING' })
  await backend.settle()
  await call('PUT', `/whatsapp/chats/${flowPhone}/opt-out`, {})
  await later(2 * dayMs + 1000)
  t.same(await said(), [])
  t.same(await sessions(), ['handedOff: templateOptedOut'])
  t.equal(await control(), 'needsHuman')
  t.same(await notes(), ['El flujo «Bienvenida» no pudo seguir: el cliente no quiere marketing.'])
})

t.test('a customer who opted out still gets utility templates', async t => {
  const { stands, draw, say, later, said, sessions, call } = await stage(t)
  await stands('APPROVED')
  await draw(reminder)
  await say('hola')
  await call('PUT', `/whatsapp/chats/${flowPhone}/opt-out`, {})
  await later(2 * dayMs + 1000)
  t.same(await said(), ['Hola Lucía, te esperamos a las 10 de la mañana en el local.'])
  t.same(await sessions(), ['finished'])
})

t.test(
  'an unapproved, unknown or incomplete template cannot be published, and each problem names its step',
  async t => {
    const { stands, draw } = await stage(t)
    const fields = ({ body }: { body: { details?: { field: string; code: string }[] } }) =>
      body.details?.map(({ field, code }) => `${field} ${code}`)
    await stands('PAUSED')
    t.same(fields(await draw(reminder)), ['graph.nodes.p.template templateNotApproved'])
    await stands('APPROVED')
    const withChoice = (choice: Partial<TemplateChoice>) =>
      draw(graphOf([{ id: 'p', type: 'template', ...chosen, ...choice }], [['s', 'next', 'p']]))
    t.same(fields(await withChoice({ template: 'otra' })), ['graph.nodes.p.template templateGone'])
    t.same(fields(await withChoice({ template: '' })), ['graph.nodes.p.template templateMissing'])
    t.same(fields(await withChoice({ values: { 'body.1': 'Ana', 'body.2': '  ' } })), [
      'graph.nodes.p.values.body.2 templateValueMissing',
    ])
    t.same(fields(await withChoice({ values: { 'body.1': '{{flujo.nada}}', 'body.2': 'x' } })), [
      'graph.nodes.p.values.body.1 variableUnknown',
    ])
  },
)

t.test('a question outside the window is sent by its template, and answered as usual', async t => {
  const { stands, draw, say, later, said, sessions, call, flow } = await stage(t)
  await stands('APPROVED')
  const graph = graphOf(
    [
      { id: 'w', type: 'wait', ms: 172_800_000 },
      {
        id: 'q',
        type: 'question',
        text: '¿Venís?',
        fallback: chosen,
        expects: 'text',
        variable: 'viene',
        attempts: 2,
        timeoutMs: 36_000_000,
      },
      { id: 'm', type: 'message', text: 'Anotado: {{flujo.viene}}' },
    ],
    [
      ['s', 'next', 'w'],
      ['w', 'next', 'q'],
      ['q', 'next', 'm'],
    ],
  )
  t.equal((await draw(graph)).status, 200)
  await say('hola')
  await later(2 * dayMs + 1000)
  await say('Sí, voy')
  t.same(await said(), ['Hola Lucía, te esperamos a las 10 de la mañana en el local.', 'Anotado: Sí, voy'])
  t.same(await sessions(), ['finished'])
  const played = await call('POST', `/whatsapp/flows/${flow}/simulate`, {
    customer: { name: 'Eva' },
    inputs: [{ kind: 'advance', ms: 3 * dayMs }],
  })
  t.match(played.body.transcript, [{ by: 'flow', text: 'Hola Eva, te esperamos a las 10 de la mañana en el local.' }])
})

t.test('an empty value calls a person instead of sending a message that would be refused', async t => {
  const { stands, draw, say, said, sessions } = await stage(t)
  await stands('APPROVED')
  await draw(
    graphOf(
      [
        { id: 'v', type: 'set', variable: 'hora', value: '' },
        { id: 'p', type: 'template', ...chosen, values: { 'body.1': 'Ana', 'body.2': '{{flujo.hora}}' } },
      ],
      [
        ['s', 'next', 'v'],
        ['v', 'next', 'p'],
      ],
    ),
  )
  await say('hola')
  t.same(await said(), [])
  t.same(await sessions(), ['handedOff: templateValues'])
})

t.test('with the window closed a person can start only flows that begin with a template', async t => {
  const { stands, draw, say, later, said, sessions, call, flow, control } = await stage(t)
  await stands('APPROVED')
  await say('¿precio?')
  await later(2 * dayMs)
  const begin = () => call('POST', `/whatsapp/flows/${flow}/start`, { phone: flowPhone })
  await draw(graphOf([{ id: 'm', type: 'message', text: 'Hola' }], [['s', 'next', 'm']]))
  t.match(await begin(), { status: 409, body: { code: 'FLOWS_WINDOW_CLOSED' } })
  t.same(await sessions(), [], 'nothing of it is left')
  t.not(await control(), 'bot')
  const first = graphOf(
    [
      { id: 'p', type: 'template', ...chosen },
      { id: 'm', type: 'message', text: '¿Venís?' },
    ],
    [
      ['s', 'next', 'p'],
      ['p', 'next', 'm'],
    ],
  )
  await draw(first)
  t.match(await begin(), { status: 201, body: { state: 'parked' } })
  await later(1000)
  t.same(await said(), ['Hola Lucía, te esperamos a las 10 de la mañana en el local.'])
  await say('hola')
  t.equal((await said()).at(-1), '¿Venís?')
  t.same(await sessions(), ['finished'])
})

t.test('a body too long with its values is cut at a word, and the run says so', async t => {
  const { stands, draw, say, later, said, sessions, databases, backend } = await stage(t)
  await stands('APPROVED')
  const values = { 'body.1': 'palabra '.repeat(110).trim(), 'body.2': 'hora '.repeat(60).trim() }
  await draw(graphOf([{ id: 'p', type: 'template', ...chosen, values }], [['s', 'next', 'p']]))
  await say('hola')
  await later(1000)
  const [text = ''] = await said()
  t.ok(text.length <= 1024 && text.length > 1000, String(text.length))
  t.match(text, /^Hola (palabra )+palabra…, te esperamos a hora/)
  t.same(await sessions(), ['finished'])
  const steps = await databases.read.selectFrom('flow_step').selectAll().execute()
  t.ok(JSON.stringify(steps).includes('textCut'))
  t.same(backend.errors(), [])
})

t.test('an offer expired at its step calls a person, with the reason', async t => {
  const { call, backend, later, stands, draw, say, said, sessions, notes } = await stage(t)
  const made = await call('POST', '/whatsapp/template', {
    template: {
      ...{ name: 'oferta', language: 'es_AR', category: 'MARKETING' },
      components: [
        { type: 'BODY', text: 'Dos por uno en facturas.' },
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Solo hoy', has_expiration: true } },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Ver', url: 'https://example.com/oferta' }] },
      ],
    },
  })
  await later(60_000)
  await call('POST', `/sandbox/template/${made.body.id}`, { status: 'APPROVED' })
  await backend.settle()
  await stands('APPROVED')
  const endsAt = new Date(backend.clock.now().getTime() + dayMs).toISOString()
  const offer = { template: 'oferta', language: 'es_AR', values: { 'offer.endsAt': endsAt } }
  const published = await draw(
    graphOf(
      [
        { id: 'now', type: 'template', ...offer },
        { id: 'w', type: 'wait', ms: 172_800_000 },
        { id: 'late', type: 'template', ...offer },
      ],
      [
        ['s', 'next', 'now'],
        ['now', 'next', 'w'],
        ['w', 'next', 'late'],
      ],
    ),
  )
  t.equal(published.status, 200, JSON.stringify(published.body))
  await say('hola')
  t.same(await said(), ['Dos por uno en facturas.'])
  await later(2 * dayMs + 1000)
  t.same(await said(), ['Dos por uno en facturas.'], 'once')
  t.same(await sessions(), ['handedOff: templateOfferOver'])
  t.same(await notes(), ['El flujo «Bienvenida» no pudo seguir: la oferta de la plantilla ya había vencido.'])
})
