import t from 'tap'
import type { FlowDraft } from '#client/flows/editor/draft/draft.ts'
import type { HistoryAction } from '#client/flows/editor/draft/history.ts'
import { createKeptDraft } from '#client/flows/editor/draft/kept-draft.ts'
import { emptyGraph } from '#shared/flows/graph.ts'

const first: FlowDraft = { name: '', graph: emptyGraph(), triggers: [] }
const named = (name: string, key?: string): HistoryAction => ({
  type: 'change',
  change: one => ({ ...one, name }),
  key,
})

/** A draft whose typing pause never ends by itself. */
const aDraft = () => {
  const saves: { name: string; revision: number }[] = []
  const kept = createKeptDraft({
    ...{ draft: first, revision: 1, stillMs: 1_000_000, atMostMs: 1_000_000 },
    save: async ({ name }, revision) => {
      saves.push({ name, revision })
      return revision + 1
    },
  })
  t.teardown(() => kept.flush())
  return { kept, saves }
}

t.test('typed letters are in the draft at once, and shown elsewhere with the next other change', async t => {
  const { kept } = aDraft()
  let heard = 0
  kept.subscribe(() => {
    heard += 1
  })
  kept.dispatch(named('H', 'name'))
  kept.dispatch(named('Ho', 'name'))
  t.equal(kept.now().present.name, 'Ho')
  t.equal(kept.shown(), first)
  t.ok(heard >= 2)
  kept.dispatch(named('Hola'))
  t.equal(kept.shown().name, 'Hola')
  kept.dispatch({ type: 'undo' })
  t.equal(kept.shown().name, 'Ho')
})

t.test('typed letters are shown after a moment, even while typing continues', async t => {
  const shows = async (timing: { stillMs: number; atMostMs: number }) => {
    const kept = createKeptDraft({ draft: first, revision: 1, save: async (_, revision) => revision + 1, ...timing })
    t.teardown(() => kept.flush())
    const { promise, resolve } = Promise.withResolvers<void>()
    kept.subscribe(() => kept.shown().name === 'H' && resolve())
    kept.dispatch(named('H', 'name'))
    await promise
    return kept.shown().name
  }
  t.equal(await shows({ stillMs: 1, atMostMs: 1_000_000 }), 'H')
  t.equal(await shows({ stillMs: 1_000_000, atMostMs: 1 }), 'H')
})

t.test('a save includes every letter, and shows it', async t => {
  const { kept, saves } = aDraft()
  kept.dispatch(named('Ho', 'name'))
  t.notOk(kept.isSaved(), 'leaving would lose it')
  t.ok(await kept.flush())
  t.same(saves, [{ name: 'Ho', revision: 1 }])
  t.equal(kept.shown().name, 'Ho')
  t.equal(kept.revision(), 2)
  t.equal(kept.saveState().kind, 'saved')
})

t.test('somebody else’s draft replaces this one, and is not sent back', async t => {
  const { kept, saves } = aDraft()
  kept.settle(7, { ...first, name: 'theirs' })
  t.equal(kept.shown().name, 'theirs')
  t.ok(await kept.flush())
  t.same(saves, [])
  t.equal(kept.revision(), 7)
  kept.dispatch({ type: 'undo' })
  t.equal(kept.now().present, first, 'one step back')
})

t.test('a quietly typed letter is in the draft at once, and subscribers are notified after painting', async t => {
  const painted: (() => void)[] = []
  const kept = createKeptDraft({
    ...{ draft: first, revision: 1, stillMs: 1_000_000, atMostMs: 1_000_000 },
    save: async (_, revision) => revision + 1,
    afterPaint: work => void painted.push(work),
  })
  t.teardown(() => kept.flush())
  const heard: string[] = []
  kept.subscribe(() => heard.push(kept.now().present.name))
  let calls = 0
  const type = (name: string) =>
    kept.quietly(
      () => kept.dispatch(named(name, 'name')),
      () => {
        calls += 1
      },
    )
  type('H')
  type('Ho')
  t.equal(kept.now().present.name, 'Ho')
  t.equal(kept.isSaved(), false, 'it is sent all the same')
  t.same([heard, calls, painted.length], [[], 0, 1])
  painted[0]?.()
  t.same([heard, calls], [['Ho'], 2])
  type('Hol')
  kept.dispatch({ type: 'undo' })
  t.equal(calls, 3, 'with the next that is no letter')
  t.equal(heard.at(-1), '')
  type('X')
  kept.catchUp()
  t.same([heard.at(-1), calls], ['X', 4])
  const before = heard.length
  for (const work of painted) work()
  t.same([heard.length, calls], [before, 4], 'each is told once')
})
