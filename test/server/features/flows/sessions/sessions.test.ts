import t, { type Test } from 'tap'
import { flowStage, graphOf, onHello, flowPhone as phone } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** Asks for a name, offers two buttons, hands over at one of them. */
const menu = graphOf(
  [
    {
      id: 'name',
      type: 'question',
      text: '¿Tu nombre?',
      expects: 'text',
      variable: 'nombre',
      attempts: 3,
      timeoutMs: 3_600_000,
    },
    {
      id: 'choose',
      type: 'buttons',
      text: 'Hola {{flujo.nombre}}, ¿qué querés?',
      options: [
        { id: 'a', title: 'Comprar' },
        { id: 'b', title: 'Una persona' },
      ],
      variable: 'pedido',
      timeoutMs: 0,
    },
    { id: 'thanks', type: 'message', text: '¡Gracias, {{flujo.nombre}}! ({{flujo.pedido}})' },
    { id: 'person', type: 'handoff', message: 'Ya te atienden.', note: 'Quiere: {{flujo.pedido}}' },
    { id: 'late', type: 'message', text: '¿Seguís ahí, {{ultimo_mensaje}}?' },
  ],
  [
    ['s', 'next', 'name'],
    ['name', 'next', 'choose'],
    ['name', 'timeout', 'late'],
    ['choose', 'a', 'thanks'],
    ['choose', 'b', 'person'],
  ],
)
const stage = (t: Test, graph = menu) => flowStage(t, graph)

t.test('a customer goes through a flow: asked, answered, an option chosen by text, and finished', async t => {
  const { backend, say, said, control, sessions, call, flow } = await stage(t)
  await say('¡Hola!'.slice(1, -1))
  t.same(await said(), ['¿Tu nombre?'])
  t.equal(await control(), 'bot')
  await say('Lucía')
  await say('comprar')
  t.same(await said(), ['¿Tu nombre?', 'Hola Lucía, ¿qué querés?', '¡Gracias, Lucía! (Comprar)'])
  t.same(await sessions(), ['finished'])
  t.equal(await control(), 'none')
  const { body } = await call('GET', `/whatsapp/flows/${flow}/runs`)
  t.match(body.items, [{ state: 'finished', trigger: 'hello', version: 1, steps: 6 }])
  const run = (await call('GET', `/whatsapp/flow-runs/${body.items[0].id}`)).body
  t.match(run.timeline, [
    { nodeId: 's', output: 'next' },
    { nodeId: 'name', why: 'asked' },
    { nodeId: 'name', input: 'Lucía', why: 'answered', changes: { nombre: { before: null, after: 'Lucía' } } },
    { nodeId: 'choose', why: 'asked' },
    { nodeId: 'choose', input: 'comprar', output: 'a', why: 'chosen' },
    { nodeId: 'thanks', output: 'next' },
  ])
  t.match((await call('GET', '/whatsapp/flows')).body.items, [{ week: { started: 1, finished: 1, handedOff: 0 } }])
  t.same(backend.errors(), [])
})

t.test('a tapped button follows its output; a handoff calls a person with a note', async t => {
  const { backend, say, said, control, sessions, options, databases } = await stage(t)
  await say('hola')
  await say('Lucía')
  const [, person] = await options()
  t.equal(person?.title, 'Una persona')
  await say('', { type: 'button_reply', text: undefined, choiceId: person?.id, choiceTitle: person?.title })
  t.equal((await said()).at(-1), 'Ya te atienden.')
  t.same(await sessions(), ['handedOff: asked'])
  t.equal(await control(), 'needsHuman')
  const note = await databases.read.selectFrom('message').select('text').where('type', '=', 'note').executeTakeFirst()
  t.equal(note?.text, 'Quiere: Una persona')
  await say('hola')
  t.equal((await said()).length, 3, 'who waits for a person starts no flow')
  t.same(backend.errors(), [])
})

t.test('a message that starts nothing waits for a person, in a group too', async t => {
  const { say, control, sessions } = await stage(t)
  await say('¿precio?')
  t.same(await sessions(), [])
  t.equal(await control(), 'needsHuman')
})

t.test('without an answer the session takes the timeout output, and ends if nothing follows', async t => {
  const { say, said, later, sessions, control } = await stage(t)
  await say('hola')
  await later(59 * 60_000)
  t.same(await said(), ['¿Tu nombre?'])
  await later(2 * 60_000)
  t.same(await said(), ['¿Tu nombre?', '¿Seguís ahí, hola?'])
  t.same(await sessions(), ['finished'])
  t.equal(await control(), 'none')
})

t.test('without a timeout of its own a session expires after four hours silently', async t => {
  const { say, said, later, sessions } = await stage(t)
  await say('hola')
  await say('Lucía')
  const before = await said()
  await later(4 * 60 * 60_000 + 1000)
  t.same(await sessions(), ['expired'])
  t.same(await said(), before)
})

t.test('a person who takes over ends the session at once', async t => {
  const { backend, say, said, sessions, control, call, owner } = await stage(t)
  await say('hola')
  await call('PUT', `/whatsapp/conversations/${phone}/assignment`, { userId: owner.user.id })
  await call('POST', '/whatsapp/messages', { message: 'Hola, soy Ana', numberTel: phone })
  await backend.settle()
  t.same(await sessions(), ['taken'])
  t.equal(await control(), 'human')
  await say('Lucía')
  t.same(await said(), ['¿Tu nombre?'])
})

t.test('words that apply anywhere: leave, restart, person', async t => {
  const { say, sessions, control, said } = await stage(t)
  await say('hola')
  await say('Menú')
  t.same(await sessions(), ['restarted', 'waitingAnswer'])
  await say('salir')
  t.same(await sessions(), ['restarted', 'left'])
  t.equal(await control(), 'none')
  await say('hola')
  await say('ASESOR.')
  t.same(await sessions(), ['restarted', 'left', 'handedOff: wanted'])
  t.equal(await control(), 'needsHuman')
  t.same(await said(), ['¿Tu nombre?', '¿Tu nombre?', '¿Tu nombre?'])
})

t.test('a running session stays on its version; deleting the flow ends it', async t => {
  const { say, said, call, flow, sessions, control } = await stage(t)
  await say('hola')
  const other = graphOf([{ id: 'x', type: 'message', text: 'Otra cosa' }], [['s', 'next', 'x']])
  await call('PUT', `/whatsapp/flows/${flow}`, { revision: 1, graph: other })
  await call('POST', `/whatsapp/flows/${flow}/publish`, { revision: 2 })
  await say('Lucía')
  t.equal((await said()).at(-1), 'Hola Lucía, ¿qué querés?')
  t.equal((await call('DELETE', `/whatsapp/flows/${flow}`)).body.code, 'FLOWS_HAS_SESSIONS')
  t.equal((await call('DELETE', `/whatsapp/flows/${flow}?endSessions=true`)).status, 200)
  t.same(await sessions(), ['stopped'])
  t.equal(await control(), 'none')
})

t.test('invalid answers are asked for again, and too many take their own output', async t => {
  const graph = graphOf(
    [
      {
        id: 'q',
        type: 'question',
        text: '¿Cuántos?',
        expects: 'number',
        variable: 'n',
        retryText: 'Un número',
        attempts: 2,
        timeoutMs: 0,
      },
      { id: 'h', type: 'handoff' },
    ],
    [
      ['s', 'next', 'q'],
      ['q', 'invalid', 'h'],
    ],
  )
  const { say, said, sessions } = await stage(t, graph)
  await say('hola')
  await say('muchos')
  t.same(await said(), ['¿Cuántos?', 'Un número'])
  await say('un montón')
  t.same(await sessions(), ['handedOff: asked'])
})

/** A question after a wait of two days. */
const lateQuestion = graphOf(
  [
    { id: 'w', type: 'wait', ms: 172_800_000 },
    { id: 'q', type: 'question', text: '¿Cómo te fue?', expects: 'text', variable: 'v', attempts: 1, timeoutMs: 0 },
    { id: 'm', type: 'message', text: 'Anotado: {{flujo.v}}' },
  ],
  [
    ['s', 'next', 'w'],
    ['w', 'next', 'q'],
    ['q', 'next', 'm'],
  ],
)
const twoDaysMs = 2 * 24 * 60 * 60_000

t.test('a wait that ends after the window parks the session, shown as parked, until the customer writes', async t => {
  const { backend, call, flow, say, said, later, sessions, control } = await stage(t, lateQuestion)
  await say('hola')
  t.same(await sessions(), ['waitingTime'])
  await later(twoDaysMs + 1000)
  t.same(await said(), [])
  t.same(await sessions(), ['parked'])
  t.equal(await control(), 'bot')
  t.match((await call('GET', `/whatsapp/conversations/${phone}/flow`)).body, { session: { state: 'parked' } })
  const { body: figures } = await call('GET', `/whatsapp/flows/${flow}/figures`)
  t.match(
    figures.nodes.find(({ nodeId }: { nodeId: string }) => nodeId === 'q'),
    { here: 1, gaveUp: 0 },
  )
  await say('¿Siguen ahí?')
  t.same(await said(), ['¿Cómo te fue?'], 'what they wrote opened the window; it is no answer to what nobody asked')
  t.same(await sessions(), ['waitingAnswer'])
  await say('Bien')
  t.same(await said(), ['¿Cómo te fue?', 'Anotado: Bien'])
  t.same(await sessions(), ['finished'])
  const { body: runs } = await call('GET', `/whatsapp/flows/${flow}/runs`)
  const { body: run } = await call('GET', `/whatsapp/flow-runs/${runs.items[0].id}`)
  t.same(
    run.timeline.map(({ nodeId, why }: { nodeId: string; why: string | null }) => `${nodeId} ${why}`),
    ['s null', 'w waits', 'w waited', 'q windowClosed', 'q windowOpened', 'q asked', 'q answered', 'm null'],
  )
  t.same(backend.errors(), [])
})

t.test('a parked customer can leave or ask for a person by a word, and the session ends after thirty days', async t => {
  for (const [word, state, owner] of [
    ['salir', 'left', 'none'],
    ['humano', 'handedOff: wanted', 'needsHuman'],
  ] as const) {
    const { say, said, later, sessions, control } = await stage(t, lateQuestion)
    await say('hola')
    await later(twoDaysMs + 1000)
    await say(word)
    t.same(await said(), [])
    t.same(await sessions(), [state])
    t.equal(await control(), owner)
  }
  const { say, said, later, sessions, control } = await stage(t, lateQuestion)
  await say('hola')
  await later(twoDaysMs + 1000)
  await later(30 * 24 * 60 * 60_000 + 1000)
  t.same(await said(), [])
  t.same(await sessions(), ['expired'])
  t.equal(await control(), 'none')
})

t.test('a deleted tag hands over, an existing one is added', async t => {
  const backend = await stage(t)
  const { body: tag } = await backend.call('POST', '/whatsapp/tags', { label: 'Interesado' })
  const graph = graphOf(
    [
      { id: 'l', type: 'tag', action: 'add', tagId: tag.id },
      { id: 'm', type: 'message', text: 'Listo' },
    ],
    [
      ['s', 'next', 'l'],
      ['l', 'next', 'm'],
    ],
  )
  await backend.call('PUT', `/whatsapp/flows/${backend.flow}`, { revision: 1, graph })
  await backend.call('POST', `/whatsapp/flows/${backend.flow}/publish`, { revision: 2 })
  await backend.say('hola')
  t.match((await backend.call('GET', `/whatsapp/conversations/${phone}`)).body.tags, [{ id: tag.id }])
  await backend.call('DELETE', `/whatsapp/tags/${tag.id}`)
  await backend.say('hola')
  t.same(await backend.sessions(), ['finished', 'handedOff: tagGone'])
})

t.test('a flow is started by hand for one customer at a time', async t => {
  const { backend, say, call, flow, said, control, sessions } = await stage(t)
  await say('¿precio?')
  t.equal(await control(), 'needsHuman')
  const started = await call('POST', `/whatsapp/flows/${flow}/start`, { phone })
  await backend.settle()
  t.match(started, { status: 201, body: { trigger: 'manual', state: 'waitingAnswer' } })
  t.equal((await call('POST', `/whatsapp/flows/${flow}/start`, { phone })).body.code, 'FLOWS_IN_A_FLOW')
  t.same(await said(), ['¿Tu nombre?'])
  t.equal(await control(), 'bot')
  t.same(await sessions(), ['waitingAnswer'])
})

t.test('a tag added by a member starts its flow', async t => {
  const first = await stage(t)
  const { body: tag } = await first.call('POST', '/whatsapp/tags', { label: 'Encuesta' })
  await first.call('PUT', `/whatsapp/flows/${first.flow}`, {
    revision: 1,
    triggers: [{ id: 'tagged', kind: 'tagAdded', changedTagId: tag.id }, ...onHello],
  })
  await first.call('POST', `/whatsapp/flows/${first.flow}/publish`, { revision: 2 })
  await first.say('hola')
  await first.say('salir')
  await first.call('PUT', `/whatsapp/chats/${phone}/tags/${tag.id}`)
  await first.backend.settle()
  t.same(await first.sessions(), ['left', 'waitingAnswer'])
})

t.test('two concurrent messages are one session, processed one after the other', async t => {
  const { backend, call, said, sessions } = await stage(t)
  await Promise.all([
    // Their order is undefined: either may start the flow.
    call('POST', '/sandbox/inbound', { from: phone, text: 'hola', name: 'Lucía' }),
    call('POST', '/sandbox/inbound', { from: phone, text: 'hola' }),
  ])
  await backend.settle()
  t.same(await sessions(), ['waitingAnswer'])
  t.same(await said(), ['¿Tu nombre?', 'Hola hola, ¿qué querés?'])
})

t.test('an opt-out word is never a flow’s answer, even during a session', async t => {
  const { say, said, sessions } = await stage(t)
  await say('hola')
  const before = (await said()).length
  await say('BAJA')
  t.same(await sessions(), ['handedOff: optWord'])
  t.equal((await said()).filter(text => text.startsWith('Hola BAJA')).length, 0)
  t.ok((await said()).length >= before)
})

t.test('a conversation names the flow that handles it, until a person takes over', async t => {
  const { call, say, owner, sessions } = await stage(t)
  const attending = async () => (await call('GET', `/whatsapp/conversations/${phone}/flow`)).body
  await say('buenas')
  t.same(await attending(), { session: null })
  await call('POST', `/whatsapp/conversations/${phone}/control`, { owner: 'bot' })
  await say('hola')
  t.match(await attending(), { session: { name: 'Bienvenida' } })
  t.equal((await call('GET', '/whatsapp/conversations/5491155559999/flow')).status, 404)
  t.match(await call('POST', `/whatsapp/conversations/${phone}/control`, { owner: 'human' }), {
    status: 200,
    body: { control: 'human', assignee: { id: owner.user.id } },
  })
  t.same(await attending(), { session: null })
  t.same(await sessions(), ['taken'])
})
