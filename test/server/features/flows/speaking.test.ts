import t from 'tap'
import { type Drawn, flowPhone, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const asks = (expects: 'file' | 'location' | 'text', more: Partial<Drawn> = {}) =>
  graphOf(
    [
      {
        id: 'q',
        type: 'question',
        text: 'Mandanos eso',
        expects,
        variable: 'eso',
        attempts: 2,
        timeoutMs: 0,
        ...more,
      } as Drawn,
      { id: 'm', type: 'message', text: 'Llegó: {{flujo.eso}}' },
      { id: 'n', type: 'message', text: 'Así no sirve.' },
    ],
    [
      ['s', 'next', 'q'],
      ['q', 'next', 'm'],
      ['q', 'invalid', 'n'],
    ],
  )

t.test('a message sends an image from its address, with its text as caption', async t => {
  const url = 'https://example.com/menu.jpg'
  const graph = graphOf(
    [{ id: 'm', type: 'message', text: 'Hola {{contacto.nombre}}', media: { kind: 'image', url } }],
    [['s', 'next', 'm']],
  )
  const { say, said, later, backend, call } = await flowStage(t, graph)
  await say('hola')
  t.same(await said(), [`Hola Lucía\n${url}`])
  // Sending it takes some seconds.
  for (let n = 0; n < 3; n += 1) await later(5000)
  const got = JSON.stringify((await call('GET', `/sandbox/customers/${flowPhone}/messages`)).body)
  t.match(got, /image/)
  t.ok(got.includes(url), 'WhatsApp was told where it lies')
  t.same(backend.errors(), [])
})

t.test('a media address must be public, and audio has no caption', async t => {
  const { call, flow } = await flowStage(t, asks('text'))
  const faults = async (media: object, text = '') => {
    const graph = graphOf([{ id: 'm', type: 'message', text, media } as Drawn], [['s', 'next', 'm']])
    const { revision } = (await call('GET', `/whatsapp/flows/${flow}`)).body
    await call('PUT', `/whatsapp/flows/${flow}`, { revision, graph })
    const { status, body } = await call('POST', `/whatsapp/flows/${flow}/publish`, {})
    return status === 200 ? [] : body.details.map(({ code }: { code: string }) => code)
  }
  t.same(await faults({ kind: 'image', url: 'http://example.com/a.jpg' }), ['mediaAddress'])
  t.same(await faults({ kind: 'image', url: 'https://10.0.0.1/a.jpg' }), ['mediaAddress'])
  t.same(await faults({ kind: 'audio', url: 'https://example.com/a.mp3' }, 'Escuchá'), ['mediaCaption'])
  t.same(await faults({ kind: 'image', url: 'https://example.com/a.jpg' }, 'x'.repeat(1025)), ['textTooLong'])
  t.same(await faults({ kind: 'document', url: 'https://example.com/a.pdf', name: 'Lista.pdf' }), [])
})

t.test('the typing indicator is shown before a message, and a restart in between changes nothing', async t => {
  const graph = graphOf(
    [
      { id: 'm', type: 'message', text: 'Un momento, {{ultimo_mensaje}}', typingMs: 3000 },
      {
        id: 'q',
        type: 'question',
        text: '¿Tu nombre?',
        expects: 'text',
        variable: 'x',
        attempts: 1,
        timeoutMs: 0,
      },
    ],
    [
      ['s', 'next', 'm'],
      ['m', 'next', 'q'],
    ],
  )
  const { say, said, later, sessions, call, flow } = await flowStage(t, graph)
  await say('hola')
  t.same(await said(), [])
  t.same(await sessions(), ['waitingTime'])
  t.match((await call('GET', '/sandbox/customers')).body, { items: [{ typingShown: true }] })
  await say('¿hay alguien?')
  t.same(await said(), [], 'what is written meanwhile is no answer to what was not asked')
  await later(3001)
  t.same(await said(), ['Un momento, hola', '¿Tu nombre?'])
  t.same(await sessions(), ['waitingAnswer'])
  const { body } = await call('GET', `/whatsapp/flows/${flow}/runs`)
  const { timeline } = (await call('GET', `/whatsapp/flow-runs/${body.items[0].id}`)).body
  t.match(timeline, [{ nodeId: 's' }, { nodeId: 'm', why: 'typing' }, { nodeId: 'm' }, { nodeId: 'q', why: 'asked' }])
  const played = await call('POST', `/whatsapp/flows/${flow}/simulate`, { opening: 'hola', inputs: [] })
  t.match(played.body, { state: 'waitingAnswer', transcript: [{ by: 'customer' }, { text: 'Un momento, hola' }, {}] })
})

t.test('a file answers a question for a file, text does not', async t => {
  const { say, said, sessions } = await flowStage(t, asks('file'))
  await say('hola')
  await say('te lo paso después')
  await say('', { type: 'document', text: undefined, filename: 'comprobante.pdf' })
  t.same(await said(), ['Mandanos eso', 'Mandanos eso', 'Llegó: comprobante.pdf'])
  t.same(await sessions(), ['finished'])
})

t.test('a location answers a question for one, shared or as typed coordinates', async t => {
  const { say, said } = await flowStage(t, asks('location'))
  await say('hola')
  await say('', { type: 'location', text: undefined, latitude: -34.6, longitude: -58.38 })
  await say('hola')
  await say('-34.6037, -58.3816')
  await say('hola')
  await say('200,10')
  await say('Corrientes 1234')
  t.same(await said(), [
    ...['Mandanos eso', 'Llegó: -34.6,-58.38'],
    ...['Mandanos eso', 'Llegó: -34.6037,-58.3816'],
    ...['Mandanos eso', 'Mandanos eso', 'Así no sirve.'],
  ])
})

t.test('files sent together are one answer', async t => {
  const { backend, call, said, say, sessions } = await flowStage(t, asks('text', { attempts: 3 } as Partial<Drawn>))
  await say('hola')
  for (let n = 0; n < 4; n += 1) {
    backend.clock.advance(900)
    await call('POST', '/sandbox/inbound', { from: flowPhone, type: 'image' })
    await backend.settle()
  }
  t.same(await said(), ['Mandanos eso', 'Mandanos eso'], 'four pictures are one answer that does not fit')
  t.same(await sessions(), ['waitingAnswer'])
  backend.clock.advance(4000)
  await call('POST', '/sandbox/inbound', { from: flowPhone, type: 'image' })
  await backend.settle()
  t.equal((await said()).length, 3, 'a later one is another')
})
