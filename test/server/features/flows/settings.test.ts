import t from 'tap'
import { firstFlowSettings } from '#shared/flows/settings.ts'
import { type Drawn, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const hourMs = 3_600_000
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const never = { week: Object.fromEntries(weekdays.map(day => [day, []])), exceptions: [] }
const path = '/whatsapp/flow-settings'

const asks = graphOf(
  [
    { id: 'q', type: 'question', text: '¿Qué?', expects: 'text', variable: 'x', attempts: 3, timeoutMs: 0 },
    { id: 'm', type: 'message', text: 'Anotado: {{flujo.x}}' },
  ] satisfies Drawn[],
  [
    ['s', 'next', 'q'],
    ['q', 'next', 'm'],
  ],
)

t.test('a new organization has the default words and times', async t => {
  const { call } = await flowStage(t, asks)
  t.same((await call('GET', path)).body, firstFlowSettings)
})

t.test('new words apply immediately, and former ones are ordinary answers', async t => {
  const { call, say, said, sessions } = await flowStage(t, asks)
  await say('hola')
  const set = await call('PUT', path, {
    ...firstFlowSettings,
    ...{ restartWords: ['0', 'volver a empezar'], leaveWords: ['Chau'], personWords: ['ayuda'] },
  })
  t.equal(set.status, 200, JSON.stringify(set.body))
  await say(' 0. ')
  await say('¡Volver  a EMPEZAR!')
  await say('CHAU')
  t.same(await said(), ['¿Qué?', '¿Qué?', '¿Qué?'])
  t.same(await sessions(), ['restarted', 'restarted', 'left'])
  await say('hola')
  await say('salir')
  t.same((await said()).slice(3), ['¿Qué?', 'Anotado: salir'])
  await say('hola')
  await say('Ayuda')
  t.equal((await sessions()).at(-1), 'handedOff: wanted')
})

t.test('words must be distinct and include one for a person; a refused change stores nothing', async t => {
  const { call } = await flowStage(t, asks)
  const refused = async (change: object, field: string) => {
    const { status, body } = await call('PUT', path, { ...firstFlowSettings, ...change })
    t.equal(status, 400, field)
    t.equal(body.details?.[0]?.field, field)
  }
  await refused({ leaveWords: ['Ménu'] }, 'body.leaveWords.0')
  await refused({ personWords: ['agente', 'AGENTE!'] }, 'body.personWords.1')
  await refused({ personWords: [] }, 'body.personWords')
  await refused({ restartWords: ['?!'] }, 'body.restartWords.0')
  await refused({ expiresAfterHours: 49 }, 'body.expiresAfterHours')
  await refused({ closedText: ' ' }, 'body.closedText')
  t.same((await call('GET', path)).body, firstFlowSettings)
})

t.test('a session without an answer ends after the organization’s time, with its text', async t => {
  const { call, say, said, later, sessions } = await flowStage(t, asks)
  await call('PUT', path, {
    ...firstFlowSettings,
    expiresAfterHours: 1,
    expiredText: 'Hasta luego, {{contacto.nombre}}',
  })
  await say('hola')
  await later(hourMs - 60_000)
  t.same(await sessions(), ['waitingAnswer'])
  await later(120_000)
  t.same(await sessions(), ['expired'])
  t.same(await said(), ['¿Qué?', 'Hasta luego, Lucía'])
})

t.test('without a limit a session lasts a month', async t => {
  const { call, say, later, sessions } = await flowStage(t, asks)
  await call('PUT', path, { ...firstFlowSettings, expiresAfterHours: 0, expiredText: 'Nadie lo oye' })
  await say('hola')
  await later(29 * 24 * hourMs)
  t.same(await sessions(), ['waitingAnswer'])
  await later(2 * 24 * hourMs)
  t.same(await sessions(), ['expired'])
})

t.test('outside business hours a message without a flow gets the closed text once and waits for a person', async t => {
  const { call, say, said, control } = await flowStage(t, asks)
  await call('PUT', path, { ...firstFlowSettings, closedText: 'Abrimos a las 9, {{contacto.nombre}}' })
  await say('buenas')
  t.same(await said(), [], 'it attends at all times')
  await call('POST', `/whatsapp/conversations/5491155550404/control`, { owner: 'bot' })
  await call('PUT', '/organization/business-hours', { hours: never })
  await say('buenas')
  await say('¿hay alguien?')
  t.same(await said(), ['Abrimos a las 9, Lucía'])
  t.equal(await control(), 'needsHuman')
})

t.test('outside business hours a new contact gets the closed text once too, and waits for a person', async t => {
  const { call, say, said, control } = await flowStage(t, asks)
  await call('PUT', path, { ...firstFlowSettings, closedText: 'Abrimos a las 9' })
  await call('PUT', '/organization/business-hours', { hours: never })
  await say('buenas')
  await say('¿hay alguien?')
  t.same(await said(), ['Abrimos a las 9'])
  t.equal(await control(), 'needsHuman')
})

t.test('outside business hours a flow’s answer is enough, and conversations with a person get no text', async t => {
  const { call, say, said } = await flowStage(t, asks)
  await call('PUT', path, { ...firstFlowSettings, closedText: 'Abrimos a las 9' })
  await call('PUT', '/organization/business-hours', { hours: never })
  await say('hola')
  await say('pan')
  t.same(await said(), ['¿Qué?', 'Anotado: pan'])
  await call('POST', `/whatsapp/conversations/5491155550404/control`, { owner: 'human' })
  await say('buenas')
  t.same((await said()).slice(2), [])
})
