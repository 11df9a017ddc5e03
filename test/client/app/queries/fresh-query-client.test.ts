import { QueryObserver } from '@tanstack/react-query'
import t, { type Test } from 'tap'
import { FreshQueryClient } from '#client/app/queries/fresh-query-client.ts'

const queryKey = ['pan', 'inbox.countUnread']

/** A query whose responses the test gives one by one. */
const aQuestion = (t: Test) => {
  const client = new FreshQueryClient()
  t.teardown(() => client.clear())
  const asked: PromiseWithResolvers<number>[] = []
  const query = {
    queryKey,
    staleTime: 30_000,
    queryFn: () => {
      const answer = Promise.withResolvers<number>()
      asked.push(answer)
      return answer.promise
    },
  }
  /** Waits for everything that follows from a response. */
  const answer = async (index: number, value: number) => {
    asked[index]?.resolve(value)
    for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setTimeout(resolve))
  }
  const show = () => {
    const observer = new QueryObserver(client, query)
    t.teardown(observer.subscribe(() => undefined))
    return observer
  }
  return { client, query, asked, answer, show }
}

t.test('a first request in progress is repeated after an invalidation, because its response may be older', async t => {
  const { client, asked, answer, show } = aQuestion(t)
  const shown = show()
  void client.invalidateQueries({ queryKey })
  t.equal(asked.length, 1)
  await answer(0, 1)
  t.equal(asked.length, 2, 'once more, and only once')
  await answer(1, 0)
  t.equal(shown.getCurrentResult().data, 0)
  t.equal(client.getQueryState(queryKey)?.isInvalidated, false)
  t.equal(asked.length, 2)
})

t.test('several invalidations during one request cause one more request', async t => {
  const { client, asked, answer, show } = aQuestion(t)
  show()
  for (let i = 0; i < 5; i += 1) void client.invalidateQueries({ queryKey })
  await answer(0, 1)
  await answer(1, 0)
  t.equal(asked.length, 2)
})

t.test('a query not shown yet is stale when its response arrives', async t => {
  const { client, query, asked, answer } = aQuestion(t)
  client.setQueryData(queryKey, 2)
  const loading = client.fetchQuery({ ...query, staleTime: 0 })
  void client.invalidateQueries({ queryKey })
  await answer(0, 1)
  t.equal(await loading, 1)
  t.equal(client.getQueryState(queryKey)?.isInvalidated, true)
  t.equal(asked.length, 1, 'it is asked when it is opened')
})

t.test('a loaded query that is shown is requested at once, and the running request is dropped', async t => {
  const { client, asked, answer, show } = aQuestion(t)
  client.setQueryData(queryKey, 2)
  const shown = show()
  void client.invalidateQueries({ queryKey })
  void client.invalidateQueries({ queryKey })
  t.equal(asked.length, 2)
  await answer(1, 0)
  await answer(0, 1)
  t.equal(shown.getCurrentResult().data, 0)
  t.equal(asked.length, 2)
})

t.test('a query that failed meanwhile is requested again', async t => {
  const { client, asked, answer, show } = aQuestion(t)
  client.setDefaultOptions({ queries: { retry: false } })
  const shown = show()
  void client.invalidateQueries({ queryKey })
  asked[0]?.reject(new Error('gone'))
  await answer(0, 0)
  await answer(1, 0)
  t.equal(shown.getCurrentResult().data, 0)
})

t.test('data that an event writes into a stale query leaves it stale', async t => {
  const { client, asked, answer, show } = aQuestion(t)
  const before = show()
  await answer(0, 1)
  before.destroy()
  void client.invalidateQueries({ queryKey })
  client.setQueryData(queryKey, 2)
  t.equal(client.getQueryData(queryKey), 2)
  show()
  t.equal(asked.length, 2, 'it is asked once it is shown')
  await answer(1, 3)
  client.setQueryData(queryKey, 4)
  show()
  t.equal(asked.length, 2, 'and is as it should be from then on')
})
