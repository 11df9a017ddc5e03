import t from 'tap'
import { flowPhone, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const asks = graphOf(
  [{ id: 'q', type: 'question', text: '¿Qué?', expects: 'text', variable: 'x', attempts: 3, timeoutMs: 0 }],
  [['s', 'next', 'q']],
)

t.test('the predicted answer to a message is the actual one', async t => {
  const { backend, call, say, said, sessions, control } = await flowStage(t, asks, [{ id: 'any', kind: 'default' }])
  const by = async (text: string, more: object = {}) =>
    (await call('POST', '/whatsapp/flow-match', { text, ...more })).body.by
  const bot = () => call('POST', `/whatsapp/conversations/${flowPhone}/control`, { owner: 'bot' })

  t.equal(await by('BAJA'), 'optWord')
  await say('BAJA')
  t.same(await sessions(), [], 'a word to opt out begins nothing')

  t.equal(await by('¡Agente!'), 'personWord')
  await say('¡Agente!')
  t.same(await sessions(), [], 'who asks for a person is in no flow')
  t.equal(await control(), 'needsHuman')

  t.equal(await by('hola', { attendedBy: 'person' }), 'held')
  await say('hola')
  t.same(await sessions(), [], 'whom a person has no flow begins for')

  await bot()
  t.equal(await by('hola'), 'flow')
  await say('hola')
  t.same(await sessions(), ['waitingAnswer'])
  t.equal(await by('pan', { attendedBy: 'flow' }), 'session')
  await say('pan')
  t.same(await sessions(), ['finished'])

  await say('hola')
  t.equal(await by('agente', { attendedBy: 'flow' }), 'personWord')
  await say('agente')
  t.same(await sessions(), ['finished', 'handedOff: wanted'])
  t.same((await said()).filter(text => text === '¿Qué?').length, 2)

  const { body: settings } = await call('GET', '/whatsapp/flow-settings')
  await call('PUT', '/whatsapp/flow-settings', { ...settings, closedText: 'Está cerrado.' })
  const { body } = await call('GET', '/whatsapp/flows')
  await call('POST', `/whatsapp/flows/${body.items[0].id}/pause`, {})
  t.equal(await by('hola', { isOpen: false }), 'closed')
  t.equal(await by('hola', { isOpen: true }), 'nobody')
  t.same(backend.errors(), [])
})

t.test('everything a trigger depends on can be set for the simulated sender', async t => {
  const { call, flow } = await flowStage(t, asks)
  const match = async (trigger: object, more: object) => {
    const { revision } = (await call('GET', `/whatsapp/flows/${flow}`)).body
    await call('PUT', `/whatsapp/flows/${flow}`, { revision, triggers: [{ id: 't', ...trigger }] })
    const { body } = await call('POST', '/whatsapp/flow-match', { text: 'x', draftId: flow, ...more })
    return body.chosen ? 'begins' : body.others[0].why
  }
  t.equal(await match({ kind: 'reopened', afterHours: 24 }, { silentHours: 30 }), 'begins')
  t.equal(await match({ kind: 'reopened', afterHours: 24 }, { wasArchived: true }), 'begins')
  t.equal(await match({ kind: 'reopened', afterHours: 24 }, { silentHours: 2 }), 'notThis')
  t.equal(await match({ kind: 'action', ids: ['turno'] }, { tappedId: 'turno' }), 'begins')
  t.equal(await match({ kind: 'default', hours: 'outside' }, { isOpen: false }), 'begins')
  t.equal(await match({ kind: 'default', hours: 'outside' }, { isOpen: true }), 'hours')
  t.equal(await match({ kind: 'default', oncePerContact: true }, { flowsBefore: [flow] }), 'beforeAlready')
})
