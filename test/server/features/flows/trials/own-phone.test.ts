import t, { type Test } from 'tap'
import { type Drawn, flowStage, graphOf, flowPhone as phone } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const live = graphOf([{ id: 'm', type: 'message', text: 'Lo publicado.' }], [['s', 'next', 'm']])
const ask: Drawn = {
  ...{ id: 'q', type: 'question', text: '¿Talle?', expects: 'text', variable: 'talle' },
  ...{ attempts: 1, timeoutMs: 0 },
}
const drawn = graphOf(
  [ask, { id: 'm', type: 'message', text: 'Talle {{flujo.talle}}.' }, { id: 'p', type: 'handoff', note: 'Ver talle' }],
  [
    ['s', 'next', 'q'],
    ['q', 'next', 'm'],
    ['m', 'next', 'p'],
  ],
)

/** A live flow with a changed draft, and a test of the draft. */
const stage = async (t: Test, graph = drawn) => {
  const all = await flowStage(t, live)
  const path = `/whatsapp/flows/${all.flow}`
  await all.call('PUT', path, { revision: 1, graph })
  const begin = async () =>
    (await all.call('POST', `${path}/test`)).body as { id: string; text: string; endsAt: string }
  const test = async () => (await all.call('GET', `${path}/test`)).body.test
  const week = async () => (await all.call('GET', '/whatsapp/flows')).body.items[0].week
  return { ...all, path, begin, test, week }
}

t.test('a draft runs where its author sends the code, and is excluded from statistics', async t => {
  const { backend, say, said, sessions, begin, test, week, call, path, control, databases } = await stage(t)
  t.same((await call('GET', `${path}/test`)).body, { test: null })
  const { text } = await begin()
  t.match(text, /^PROBAR [0-9]{6}$/)
  t.match(await test(), { text, sessions: [], numbers: [{ isSimulated: true }] })
  await say(` ${text.toLowerCase().replace(' ', '-')} `)
  t.same(await said(), ['¿Talle?'], 'the draft, and not what is published')
  t.match((await test()).sessions, [{ phone, isOver: false }])
  await say('42')
  t.same(await said(), ['¿Talle?', 'Talle 42.'])
  t.same(await sessions(), ['handedOff: asked'])
  t.equal(await control(), 'needsHuman')
  const note = await databases.read.selectFrom('message').select('text').where('type', '=', 'note').executeTakeFirst()
  t.equal(note?.text, 'Prueba del flujo «Bienvenida», de Ana: no es un cliente.\nVer talle')
  t.same(await week(), { started: 0, finished: 0, handedOff: 0 })
  t.same((await call('GET', `${path}/figures`)).body, { runs: 0, nodes: [] })
  const [run] = (await call('GET', `${path}/runs`)).body.items
  t.match(run, { isTest: true, version: 0, trigger: 'test' })
  const whole = (await call('GET', `/whatsapp/flow-runs/${run.id}`)).body
  t.match(whole, { isTest: true, flowName: 'Bienvenida' })
  t.same(
    whole.nodes.map(({ id }: { id: string }) => id),
    ['s', 'q', 'm', 'p'],
  )
  t.equal((await call('POST', `${path}/replay`, { days: 7 })).body.total, 0, 'and is played again by no replay')
  t.same(backend.errors(), [])
})

t.test('the code restarts it from any step, also from a conversation waiting for a person', async t => {
  const { say, said, sessions, begin, control } = await stage(t)
  const { text } = await begin()
  await say(text)
  await say(text)
  t.same(await sessions(), ['restarted', 'waitingAnswer'])
  await say('asesor')
  t.equal(await control(), 'needsHuman')
  await say(text)
  t.same(await sessions(), ['restarted', 'handedOff: wanted', 'waitingAnswer'])
  t.equal(await control(), 'bot')
  await say('Menú')
  t.same((await sessions()).slice(2), ['restarted', 'waitingAnswer'])
  t.same(await said(), ['¿Talle?', '¿Talle?', '¿Talle?', '¿Talle?'])
})

t.test('a later drawing needs a new test, which ends the earlier one', async t => {
  const { say, said, sessions, begin, test, call, path } = await stage(t)
  const first = await begin()
  await say(first.text)
  await call('PUT', path, {
    revision: 2,
    graph: graphOf([{ id: 'm', type: 'message', text: 'Lo nuevo.' }], [['s', 'next', 'm']]),
  })
  await say('42')
  t.same(await said(), ['¿Talle?', 'Talle 42.'], 'a test stays what it was')
  const second = await begin()
  t.not(second.text, first.text)
  t.equal((await test()).id, second.id)
  await say(first.text)
  t.equal((await said()).length, 2, 'the earlier word is a message like any other')
  await say(second.text)
  t.same(await said(), ['¿Talle?', 'Talle 42.', 'Lo nuevo.'])
  t.same(await sessions(), ['handedOff: asked', 'finished'])
})

t.test('it ends after an hour, or when its author ends it', async t => {
  const { say, said, later, sessions, begin, test, call, path, control, backend } = await stage(t)
  const { text } = await begin()
  await say(text)
  await later(59 * 60_000)
  t.same(await sessions(), ['waitingAnswer'])
  await later(2 * 60_000)
  t.same(await sessions(), ['stopped: testOver'])
  t.equal(await test(), null)
  t.equal(await control(), 'none')
  await say(text)
  t.equal((await said()).length, 1)
  t.same(await sessions(), ['stopped: testOver'])
  const again = await begin()
  await call('POST', '/whatsapp/conversations/5491155550404/control', { owner: 'bot' })
  await say(again.text)
  t.same(await sessions(), ['stopped: testOver', 'waitingAnswer'])
  t.same((await call('DELETE', `${path}/test`)).body, { success: true })
  t.same(await sessions(), ['stopped: testOver', 'stopped: testOver'])
  t.equal(await test(), null)
  t.same(backend.errors(), [])
})

t.test('customers are unaffected: nobody else is in it, and an unknown code is an ordinary message', async t => {
  const { say, said, sessions, begin, backend, call } = await stage(t)
  const { text } = await begin()
  const other = text.replace(/.$/, last => String((Number(last) + 1) % 10))
  await say(other)
  t.same(await said(), [])
  t.same(await sessions(), [])
  await call('POST', '/sandbox/inbound', { from: '5491155550405', text: 'hola', name: 'Pedro' })
  await backend.settle()
  t.same(await said(), ['Lo publicado.'])
})

t.test('a draft that could not be published cannot be tested, and its triggers do not matter', async t => {
  const { call, path } = await stage(t, graphOf([{ id: 'm', type: 'message', text: '' }], [['s', 'next', 'm']]))
  const refused = await call('POST', `${path}/test`)
  t.equal(refused.status, 422)
  t.match(refused.body.details ?? refused.body, [{ field: 'graph.nodes.m.text' }])
  await call('PUT', path, { revision: 2, graph: live, triggers: [{ kind: 'keyword', match: 'equals', words: [] }] })
  t.equal((await call('POST', `${path}/test`)).status, 201)
  await call('DELETE', '/whatsapp/connection')
  t.equal((await call('POST', `${path}/test`)).body.code, 'FLOWS_NO_NUMBER')
  t.equal((await call('POST', '/whatsapp/flows/nothing/test')).status, 404)
  t.equal((await call('GET', '/whatsapp/flows/nothing/test')).status, 404)
})
