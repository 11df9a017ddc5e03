import t from 'tap'
import { ApiError } from '#client/app/calls/api-error.ts'
import { createAutosave, type SaveState } from '#client/app/input/autosave.ts'

/** A server that responds when the test says so. */
const aServer = (revision = 1) => {
  const saves: { value: string; revision: number }[] = []
  const answers: PromiseWithResolvers<number>[] = []
  const states: SaveState['kind'][] = []
  const autosave = createAutosave<string>(
    {
      save: (value, of) => {
        saves.push({ value, revision: of })
        const answer = Promise.withResolvers<number>()
        answers.push(answer)
        return answer.promise
      },
      onState: ({ kind }) => states.push(kind),
      delayMs: 1_000_000,
    },
    revision,
  )
  t.teardown(() => autosave.settle(0))
  return { autosave, saves, answers, states }
}
const stale = () => new ApiError({ status: 409, code: 'FLOWS_STALE', message: 'Ana guardó otros cambios.' })

t.test('changes made during a save are sent with the next one, based on its revision', async t => {
  const { autosave, saves, answers, states } = aServer()
  autosave.change('a')
  const flushed = autosave.flush()
  autosave.change('ab')
  autosave.change('abc')
  answers[0]?.resolve(2)
  await new Promise(setImmediate)
  t.same(saves, [
    { value: 'a', revision: 1 },
    { value: 'abc', revision: 2 },
  ])
  t.ok(autosave.isPending)
  answers[1]?.resolve(3)
  t.ok(await flushed)
  t.notOk(autosave.isPending)
  t.equal(autosave.revision, 3)
  t.equal(states.at(-1), 'saved')
})

t.test('a failed save is kept and sent again on request', async t => {
  const { autosave, saves, answers, states } = aServer()
  autosave.change('a')
  const first = autosave.flush()
  answers[0]?.reject(new ApiError({ status: 0, code: 'APP_OFFLINE', message: '' }))
  t.notOk(await first)
  t.equal(states.at(-1), 'failed')
  const second = autosave.flush()
  answers[1]?.resolve(2)
  t.ok(await second)
  t.equal(saves[1]?.value, 'a')
})

t.test('after somebody else saved, nothing is sent until the user decides; keeping mine overwrites theirs', async t => {
  const { autosave, saves, answers, states } = aServer()
  autosave.change('mine')
  const flushed = autosave.flush()
  answers[0]?.reject(stale())
  t.notOk(await flushed)
  t.equal(states.at(-1), 'stale')
  autosave.change('mine still')
  t.notOk(await autosave.flush())
  t.equal(saves.length, 1)
  autosave.settle(7, 'mine still')
  t.same(saves[1], { value: 'mine still', revision: 7 })
  answers[1]?.resolve(8)
  t.ok(await autosave.flush())
})

t.test('after choosing theirs nothing is left to send', async t => {
  const { autosave, saves, answers } = aServer()
  autosave.change('mine')
  const flushed = autosave.flush()
  answers[0]?.reject(stale())
  await flushed
  autosave.settle(7)
  t.notOk(autosave.isPending)
  t.ok(await autosave.flush())
  t.equal(saves.length, 1)
  t.equal(autosave.revision, 7)
})
