import t from 'tap'
import type { FlowDraft } from '#client/flows/editor/draft/draft.ts'
import { beginHistory, type History, type HistoryAction, reduceHistory } from '#client/flows/editor/draft/history.ts'
import { emptyGraph } from '#shared/flows/graph.ts'

const draft: FlowDraft = { name: '', graph: emptyGraph(), triggers: [] }
const run = (history: History, ...actions: HistoryAction[]) => actions.reduce(reduceHistory, history)
const named = (name: string, key?: string): HistoryAction => ({
  type: 'change',
  change: one => ({ ...one, name }),
  key,
})

t.test('a thousand changes are undone one by one, and redone', async t => {
  const names = Array.from({ length: 1000 }, (_, i) => `n${i}`)
  const changed = run(beginHistory(draft), ...names.map(name => named(name)))
  const back = run(changed, ...names.map((): HistoryAction => ({ type: 'undo' })))
  t.equal(back.present, draft)
  t.equal(run(back, { type: 'undo' }), back)
  const again = run(back, ...names.map((): HistoryAction => ({ type: 'redo' })))
  t.equal(again.present.name, 'n999')
  t.equal(run(again, { type: 'redo' }), again)
  t.strictSame(
    [changed.went, back.went, again.went, run(back, named('x')).went],
    [undefined, 'back', 'forth', undefined],
  )
})

t.test('typing in one field is one undo step, in another field a second', async t => {
  const typed = run(beginHistory(draft), named('H', 'a'), named('Ho', 'a'), named('Hol', 'b'))
  t.equal(typed.past.length, 2)
  t.equal(run(typed, { type: 'undo' }).present.name, 'Ho')
  t.equal(run(typed, { type: 'undo' }, { type: 'undo' }).present.name, '')
})

t.test('after an undo the same field starts a new step', async t => {
  const back = run(beginHistory(draft), named('H', 'a'), named('x'), { type: 'undo' }, named('Ho', 'a'))
  t.equal(run(back, { type: 'undo' }).present.name, 'H')
  t.same(back.future, [])
})

t.test('loading somebody else’s draft can be undone, too', async t => {
  const mine = run(beginHistory(draft), named('mine'))
  const theirs = run(mine, { type: 'replace', draft: { ...draft, name: 'theirs' } })
  t.equal(theirs.present.name, 'theirs')
  t.equal(run(theirs, { type: 'undo' }).present.name, 'mine')
})

t.test('a change without effect is no step', async t => {
  const history = beginHistory(draft)
  t.equal(run(history, { type: 'change', change: one => one }), history)
})
