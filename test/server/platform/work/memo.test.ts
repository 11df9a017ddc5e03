import t from 'tap'
import { createMemo, versionAtFirstCall } from '#server/platform/work/memo.ts'

/** A memo with a version set by hand, recording how often each key was made. */
const aMemo = (bounds: { maxBytes?: number; maxAnswers?: number } = {}) => {
  const state = { version: 1 as number | undefined }
  const asked: string[] = []
  const memo = createMemo({ version: () => state.version, ...bounds })
  const ask = async (key: string, text = key) =>
    String(
      await memo.recall(key, async () => {
        asked.push(key)
        return Buffer.from(text)
      }),
    )
  return { memo, state, asked, ask }
}

/** An answer that the test completes. */
const slow = () => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  return { make: () => promise, answer: (text: string) => resolve(Buffer.from(text)), fail: reject }
}

t.test('an answer is cached until the version changes, in either direction', async t => {
  const { state, asked, ask } = aMemo()
  t.equal(await ask('a', 'first'), 'first')
  t.equal(await ask('a', 'second'), 'first')
  for (const version of [2, 1, 7]) {
    state.version = version
    t.equal(await ask('a', `at ${version}`), `at ${version}`)
    t.equal(await ask('a', 'later'), `at ${version}`)
  }
  t.equal(asked.length, 4)
})

t.test('a request accepts answers of its own version, and reads the version once', async t => {
  const { memo, state } = aMemo()
  const asked: number[] = []
  const asOf = versionAtFirstCall(() => {
    asked.push(state.version as number)
    return state.version
  })
  const recall = async (text: string, of?: typeof asOf) =>
    String(await memo.recall('a', async () => Buffer.from(text), of))
  t.equal(await recall('first', asOf), 'first')
  state.version = 2
  t.equal(await recall('never made', asOf), 'first')
  t.equal(await recall('second'), 'second', 'a request of a later version')
  t.equal(await recall('third', asOf), 'second', 'its version is recent enough')
  t.equal(await recall('fourth'), 'second', 'and it did not replace the cached answer')
  t.same(asked, [1])
})

t.test('each key has an answer of its own', async t => {
  const { ask } = aMemo()
  t.same([await ask('a'), await ask('b'), await ask('a')], ['a', 'b', 'a'])
})

t.test('without a version nothing is cached, and earlier answers are not returned', async t => {
  const { state, asked, ask } = aMemo()
  state.version = undefined
  await ask('a')
  await ask('a')
  t.equal(asked.length, 2)
})

t.test('concurrent callers share one computation', async t => {
  const { memo } = aMemo()
  const one = slow()
  const both = [memo.recall('a', one.make), memo.recall('a', () => t.fail('asked twice') as never)]
  one.answer('shared')
  t.same((await Promise.all(both)).map(String), ['shared', 'shared'])
})

t.test('an answer begun before a commit goes only to callers from before it', async t => {
  const { memo, state, ask } = aMemo()
  const old = slow()
  const early = memo.recall('a', old.make)
  state.version = 2
  t.equal(await ask('a', 'new'), 'new', 'not the one still being made')
  old.answer('old')
  t.equal(String(await early), 'old')
  t.equal(await ask('a', 'newer'), 'new', 'and its late end does not replace the answer')
})

t.test('an error reaches all waiting callers and is not cached', async t => {
  const { memo, ask } = aMemo()
  const one = slow()
  const both = [memo.recall('a', one.make), memo.recall('a', one.make)]
  one.fail(new Error('no'))
  for (const each of both) await t.rejects(each, { message: 'no' })
  t.equal(await ask('a', 'yes'), 'yes')
})

t.test('it is bounded in answers and bytes; the oldest are dropped first', async t => {
  const few = aMemo({ maxAnswers: 3 })
  for (const key of ['a', 'b', 'c', 'd']) await few.ask(key)
  for (const key of ['d', 'c', 'b']) await few.ask(key)
  t.same(few.asked, ['a', 'b', 'c', 'd'])
  await few.ask('a')
  t.equal(few.asked.length, 5)

  const small = aMemo({ maxBytes: 5_000 })
  const page = 'x'.repeat(1_500)
  for (const key of ['a', 'b', 'c']) await small.ask(key, page)
  await small.ask('b', page)
  t.same(small.asked, ['a', 'b', 'c'], 'two of them have room')
  await small.ask('a', page)
  t.same(small.asked, ['a', 'b', 'c', 'a'])
  await small.ask('huge', 'x'.repeat(6_000))
  await small.ask('huge', 'x'.repeat(6_000))
  await small.ask('a', page)
  t.same(small.asked.slice(4), ['huge', 'huge'], 'an answer too large to cache displaces nothing')
})

t.test('space is freed: many versions do not fill it', async t => {
  const { state, asked, ask } = aMemo({ maxBytes: 3_000 })
  for (let version = 1; version <= 50; version += 1) {
    state.version = version
    await ask('a', 'x'.repeat(1_000))
    await ask('a')
  }
  t.equal(asked.length, 50)
})
