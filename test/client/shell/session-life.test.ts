import { QueryObserver } from '@tanstack/react-query'
import t, { type Test } from 'tap'
import { FreshQueryClient } from '#client/app/queries/fresh-query-client.ts'
import { becomeAnother, keepSession, leave } from '#client/shell/session-life.ts'

const nextTurn = () => new Promise(resolve => setTimeout(resolve))

/** A displayed list, its requests, and those that were sent. */
const aShownList = async (t: Test) => {
  const client = new FreshQueryClient()
  const asked: AbortSignal[] = []
  const queryKey = ['pan', 'inbox.listConversations']
  const sent = () => asked.filter(({ aborted }) => !aborted)
  const queryFn = async ({ signal }: { signal: AbortSignal }) => {
    await nextTurn()
    asked.push(signal)
    await new Promise(resolve => setTimeout(resolve, 20))
    return 'fresh'
  }
  client.setQueryData(queryKey, 'shown')
  const observer = new QueryObserver(client, { queryKey, queryFn, staleTime: 30_000 })
  t.teardown(observer.subscribe(() => undefined))
  t.teardown(() => client.clear())
  return { client, observer, asked, sent, refresh: () => client.invalidateQueries({ queryKey }) }
}

t.test('signing out stops all requests, and resumes them if the session could not be ended', async t => {
  const { client, observer, asked, sent, refresh } = await aShownList(t)
  // There are no other tabs, and an open channel would keep the process alive.
  t.intercept(globalThis, 'BroadcastChannel', { value: undefined })
  keepSession(client)
  const underWay = refresh()
  await nextTurn()
  t.equal(sent().length, 1)
  const left = leave(undefined, async () => {
    t.ok(asked[0]?.aborted, 'what was asked before is called off first')
    await refresh()
    t.same(sent(), [], 'and nothing goes out afterwards')
    t.equal(observer.getCurrentResult().data, 'shown')
    throw new Error('the session goes on')
  })
  await t.rejects(left, { message: 'the session goes on' })
  await underWay
  while (observer.getCurrentResult().data !== 'fresh') await nextTurn()
  t.equal(sent().length, 1, 'what was called off is asked again')
})

t.test('a user who stays signed in repeats the requests that got no response', async t => {
  const { client, observer, sent, refresh } = await aShownList(t)
  t.intercept(globalThis, 'BroadcastChannel', { value: undefined })
  keepSession(client)
  const change = async () => {
    await refresh()
    t.same(sent(), [])
    throw new Error('nobody else')
  }
  await t.rejects(becomeAnother(change, '/organizations'), { message: 'nobody else' })
  while (observer.getCurrentResult().data !== 'fresh') await nextTurn()
  t.equal(sent().length, 1)
})
