import t from 'tap'
import { keywordLimits } from '#shared/flows/triggers/keyword-limits.ts'
import { flowStage, graphOf } from '#test/helpers/flow-stage.ts'

t.test('live flows have at most a hundred patterns together, and a refusal names the field', async t => {
  const { call } = await flowStage(t, graphOf([], []))
  const withPatterns = (from: number, match = 'pattern') =>
    [0, 1].map(k => ({
      ...{ id: `t${k}`, kind: 'keyword', match },
      words: Array.from({ length: keywordLimits.patterns / 2 }, (_, i) => `pedido ${from + k * 50 + i}`),
    }))
  const made = async (triggers: object) =>
    (await call('POST', '/whatsapp/flows', { name: 'P', triggers, graph: graphOf([], []) })).body.id
  const publish = (id: string) => call('POST', `/whatsapp/flows/${id}/publish`, {})
  const [one, other] = [await made(withPatterns(0)), await made(withPatterns(200))]
  t.equal((await publish(one)).status, 200)
  const refused = await publish(other)
  t.equal(refused.status, 422)
  t.match(JSON.stringify(refused.body), 'triggers.t0.words')
  t.equal((await call('POST', `/whatsapp/flows/${one}/pause`, {})).status, 200)
  t.equal((await publish(other)).status, 200, 'a paused flow counts for nothing')
  t.equal(
    (await call('POST', `/whatsapp/flows/${one}/pause`, { paused: false })).status,
    422,
    'nor comes it back beside',
  )
  const tooLarge = await made([{ id: 'big', kind: 'keyword', match: 'pattern', words: ['(.{0,100}){9}"0!'] }])
  const large = await publish(tooLarge)
  t.equal(large.status, 422)
  t.match(JSON.stringify(large.body), 'triggers.big.words')
})
