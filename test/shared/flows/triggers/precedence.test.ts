import t from 'tap'
import { buildKeywords, readKeywords, runBlocking } from '#server/features/flows/step/keywords.ts'
import { goesFirst, type PrecedenceFacts, whoAnswers } from '#shared/flows/triggers/precedence.ts'
import { type Occasion, rankTriggers, type Triggered, whyNot } from '#shared/flows/triggers/triggers.ts'

const precedenceFacts: PrecedenceFacts = {
  isHeld: false,
  isOptWord: false,
  isPersonWord: false,
  isInFlow: false,
  saysClosed: false,
}
const occasion = (over: Partial<Occasion> = {}): Occasion => ({
  what: { kind: 'message', text: 'hola', tappedId: null },
  isOpen: true,
  isFirst: false,
  wasArchived: false,
  silentHours: 1,
  tagIds: [],
  flowsBefore: [],
  ...over,
})
const hitsIn = (flows: Triggered[]) => runBlocking(readKeywords(runBlocking(buildKeywords(flows)), 'hola'))
const answerOf = (flows: Triggered[], what: Occasion, how: PrecedenceFacts) =>
  whoAnswers(rankTriggers(flows), what, { precedenceFacts: how, hits: hitsIn(flows) })
const onHello: Triggered[] = [
  { flowId: 'a', triggers: [{ id: 't', kind: 'keyword', match: 'equals', words: ['hola'] }] },
  { flowId: 'b', triggers: [{ id: 'u', kind: 'keyword', match: 'equals', words: ['chau'] }] },
]

t.test('a person precedes flow words, those the running session, and that any trigger', t => {
  const order = [
    ['held', { isHeld: true }],
    ['optWord', { isOptWord: true }],
    ['personWord', { isPersonWord: true }],
    ['session', { isInFlow: true }],
  ] as const
  for (const [place, [by]] of order.entries()) {
    const all = Object.assign({}, precedenceFacts, ...order.slice(place).map(([, part]) => part))
    t.equal(goesFirst(all), by)
    const answer = answerOf(onHello, occasion(), all)
    t.match(answer, { by, chosen: null })
    t.same(
      whyNot(onHello, occasion(), hitsIn(onHello), answer.chosen).map(({ flowId, why }) => `${flowId} ${why}`),
      ['a later', 'b notThis'],
      'what would begin says that something goes before it',
    )
  }
  t.equal(goesFirst(precedenceFacts), undefined)
  t.match(answerOf(onHello, occasion(), precedenceFacts), { by: 'flow', chosen: { flowId: 'a', triggerId: 't' } })
  t.end()
})

t.test('the closed text comes after every flow', t => {
  const says = { ...precedenceFacts, saysClosed: true }
  const by = (flows: Triggered[], isOpen: boolean, how: PrecedenceFacts) =>
    answerOf(flows, occasion({ isOpen }), how).by
  t.equal(by(onHello, false, says), 'flow')
  t.equal(by([], false, says), 'closed')
  t.equal(by([], true, says), 'nobody')
  t.equal(by([], false, precedenceFacts), 'nobody')
  t.end()
})
