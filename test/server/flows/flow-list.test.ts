import t from 'tap'
import { flowStage, graphOf } from '../../helpers/flow-stage.ts'

t.test('the list of flows has the first of their triggers, shortened, whatever a flow has', async t => {
  const { call } = await flowStage(t, graphOf([], []))
  const words = Array.from({ length: 50 }, (_, i) => `${i} ${'x'.repeat(190)}`)
  const keyword = { kind: 'keyword', match: 'contains', words }
  const triggers = [...Array.from({ length: 19 }, () => keyword), { kind: 'default' }]
  for (let i = 0; i < 25; i += 1)
    t.equal((await call('POST', '/whatsapp/flows', { name: `Flujo ${i}`, triggers })).status, 201)
  const { body } = await call('GET', '/whatsapp/flows')
  t.equal(body.items.length, 26)
  t.ok(JSON.stringify(body).length < 26 * 4000, `${JSON.stringify(body).length} characters`)
  const [last] = body.items.slice(-1)
  t.equal(last.name, 'Flujo 24')
  t.equal(last.triggers.length, 6)
  t.same(last.triggers.at(-1).kind, 'default', 'what answers the rest is always said')
  const whole = await call('GET', `/whatsapp/flows/${last.id}`)
  t.same(whole.body.triggers, triggers, 'the flow itself has all of them')
})
