import { QueryObserver } from '@tanstack/react-query'
import t from 'tap'
import { createFetchApi } from '#client/app/calls/api.ts'
import { loadNextPage, nextPageState, refreshPages } from '#client/app/queries/paged-list.ts'
import { createQueryClient } from '#client/app/queries/queries.ts'
import { placeMessage } from '#client/inbox/placing.ts'
import { conversationsQuery, flatMessages, messagesQuery } from '#client/inbox/queries.ts'
import { listQuery, refreshNotifications } from '#client/notifications/queries.ts'
import { messagesOf, threadQuery } from '#client/simulator/queries.ts'
import type { Message } from '#shared/inbox/messages.ts'

interface Asked {
  readonly url: string
  readonly isCancelled: () => boolean
  answer(body: unknown, status?: number): void
}

/** A fake network: every request waits until the test answers it. */
const network = () => {
  const open: Asked[] = []
  const all: string[] = []
  const fetcher = ((url: string, { signal }: RequestInit) => {
    all.push(url)
    return new Promise<Response>((resolve, reject) => {
      let gone = false
      const drop = (asked: Asked) => open.splice(open.indexOf(asked), 1)
      const asked: Asked = {
        url,
        isCancelled: () => gone,
        answer(body, status = 200) {
          drop(asked)
          resolve(new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }))
        },
      }
      open.push(asked)
      signal?.addEventListener('abort', () => {
        gone = true
        drop(asked)
        reject(signal.reason)
      })
    })
  }) as unknown as typeof fetch
  const settled = async () => {
    for (let i = 0; i < 20; i += 1) await new Promise(resolve => setImmediate(resolve))
  }
  /** The only open request whose address matches. */
  const find = async (pattern: RegExp) => {
    await settled()
    const found = open.filter(({ url }) => pattern.test(url))
    if (found.length !== 1) throw new Error(`${found.length} of ${JSON.stringify(open.map(({ url }) => url))}`)
    return found[0] as Asked
  }
  return { client: createQueryClient(createFetchApi(fetcher)), open, all, find, settled }
}

const org = 'pan'
const note = (id: number, viewed = false) => ({
  id: `n${String(id).padStart(4, '0')}`,
  title: '',
  message: '',
  viewed,
  createdAt: '2026-11-20T12:00:00.000Z',
  redirect: null,
})
/** Newest first, twenty at a time, as the server returns them. */
const notesFrom = (newest: number, viewed = false) =>
  Array.from({ length: Math.min(20, newest) }, (_, i) => note(newest - i, viewed))

const firstPage = /notify$/
const before = (id: number) => new RegExp(`notify\\?before=n${String(id).padStart(4, '0')}$`)

/** An open notification list with its first page loaded. */
const bell = async (newest: number) => {
  const net = network()
  const list = listQuery(org)
  const observer = new QueryObserver(net.client, list)
  t.teardown(observer.subscribe(() => undefined))
  t.teardown(() => net.client.clear())
  const first = await net.find(firstPage)
  first.answer(notesFrom(newest))
  await net.settled()
  const more = () => loadNextPage(net.client, list.listOf(net.client))
  const shown = () =>
    observer
      .getCurrentResult()
      .data?.pages.flat()
      .map(({ id }) => Number(id.slice(1)))
  return { ...net, list, observer, more, shown }
}
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i)

t.test('a requested next page arrives, however often the list is refreshed meanwhile', async t => {
  const { client, find, more, shown, settled } = await bell(60)
  const coming = more()
  const second = await find(before(41))
  for (let i = 0; i < 3; i += 1) {
    refreshNotifications(client, org, 'newest')
    await settled()
  }
  t.notOk(second.isCancelled(), 'the news did not call it off')
  second.answer(notesFrom(40))
  await coming
  t.same(shown(), range(60, 21), 'it is there before the refresh has come')
  ;(await find(firstPage)).answer([note(61), ...notesFrom(60).slice(0, 19)])
  await settled()
  t.same(shown(), range(61, 21), 'and so is the news, without a gap or a double')
})

t.test('requesting a next page during a refresh does not cancel the refresh', async t => {
  const { client, find, more, shown, settled } = await bell(60)
  refreshNotifications(client, org, 'newest')
  const refresh = await find(firstPage)
  const coming = more()
  const second = await find(before(41))
  t.notOk(refresh.isCancelled())
  refresh.answer([note(61), ...notesFrom(60).slice(0, 19)])
  await settled()
  // The first page now ends earlier; the page in progress began after its old end.
  second.answer(notesFrom(40))
  await settled()
  const again = await find(before(42))
  again.answer(notesFrom(41))
  await coming
  t.same(shown(), range(61, 22))
})

t.test('two responses at the same instant are both kept', async t => {
  const { client, find, more, shown, settled } = await bell(60)
  refreshNotifications(client, org, 'newest')
  const coming = more()
  const second = await find(before(41))
  const refresh = await find(firstPage)
  second.answer(notesFrom(40))
  refresh.answer(notesFrom(60))
  await coming
  await settled()
  t.same(shown(), range(60, 21))
})

t.test('news request the first page only, however many pages are loaded', async t => {
  const { all, client, find, more, shown, settled } = await bell(80)
  for (const end of [61, 41]) {
    const coming = more()
    ;(await find(before(end))).answer(notesFrom(end - 1))
    await coming
  }
  const asked = all.length
  void client.invalidateQueries({ queryKey: listQuery(org).queryKey })
  ;(await find(firstPage)).answer([note(82), note(81), ...notesFrom(80).slice(0, 18)])
  await settled()
  t.equal(all.length, asked + 1)
  t.same(shown(), range(82, 21))
})

t.test('a full invalidation requests the list once, not page by page', async t => {
  const { client, find, open, more, observer, settled } = await bell(60)
  const coming = more()
  ;(await find(before(41))).answer(notesFrom(40))
  await coming
  refreshPages(client, listQuery(org).queryKey)
  await settled()
  t.equal(open.length, 2, 'both are asked before either has come')
  ;(await find(before(41))).answer(notesFrom(40, true))
  ;(await find(firstPage)).answer(notesFrom(60, true))
  await settled()
  t.ok(
    observer
      .getCurrentResult()
      .data?.pages.flat()
      .every(({ viewed }) => viewed),
  )
  t.equal(open.length, 0)
})

t.test('a page in progress during a full invalidation is requested once more', async t => {
  const { client, find, more, observer, settled } = await bell(60)
  const coming = more()
  const second = await find(before(41))
  refreshPages(client, listQuery(org).queryKey)
  ;(await find(firstPage)).answer(notesFrom(60, true))
  second.answer(notesFrom(40))
  await coming
  ;(await find(before(41))).answer(notesFrom(40, true))
  ;(await find(firstPage)).answer(notesFrom(60, true))
  await settled()
  t.ok(
    observer
      .getCurrentResult()
      .data?.pages.flat()
      .every(({ viewed }) => viewed),
  )
})

t.test('more news than fit on a page reset the list, because there may be a gap', async t => {
  const { client, find, more, shown, settled } = await bell(60)
  const coming = more()
  ;(await find(before(41))).answer(notesFrom(40))
  await coming
  refreshNotifications(client, org, 'newest')
  ;(await find(firstPage)).answer(notesFrom(90))
  await settled()
  t.same(shown(), range(90, 71))
  void more()
  await find(before(71))
})

t.test('a failed next page shows an error, and loads when requested again', async t => {
  const { client, list, find, more, shown } = await bell(60)
  const coming = more()
  ;(await find(before(41))).answer({ statusCode: 403, code: 'APP_FORBIDDEN', message: 'No', requestId: 'r' }, 403)
  await coming
  t.equal(nextPageState(client, list.queryKey), 'failed')
  const again = more()
  ;(await find(before(41))).answer(notesFrom(40))
  await again
  t.equal(nextPageState(client, list.queryKey), undefined)
  t.same(shown(), range(60, 21))
})

t.test('concurrent requests are one, and nothing is requested after the end', async t => {
  const { all, find, more } = await bell(30)
  const asked = all.length
  const coming = [more(), more()]
  ;(await find(before(11))).answer(notesFrom(10))
  await Promise.all(coming)
  await more()
  t.equal(all.length, asked + 1)
})

const message = (id: number, status = 'sent') =>
  ({ id: `m${id}`, at: new Date(Date.UTC(2026, 10, 20) + id * 1000).toISOString(), status }) as unknown as Message
/** Oldest first. */
const messages = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => message(from + i))
const messagePage = (items: Message[]) => ({ items, page: 1, pageSize: 50, hasMore: items[0]?.id !== 'm1' })

t.test('older messages load while the conversation is refreshed, and live messages stay', async t => {
  const { client, find, settled } = network()
  const phone = '5491155550001'
  const list = messagesQuery(org, phone)
  const observer = new QueryObserver(client, list)
  t.teardown(observer.subscribe(() => undefined))
  t.teardown(() => client.clear())
  ;(await find(/chats/)).answer(messagePage(messages(51, 100)))
  await settled()
  const coming = loadNextPage(client, list.listOf(client))
  const older = await find(/before=m51/)
  void client.invalidateQueries({ queryKey: list.queryKey })
  const refresh = await find(/chats\/\d+$/)
  refresh.answer(messagePage(messages(52, 101)))
  await settled()
  older.answer(messagePage(messages(1, 50)))
  await settled()
  ;(await find(/before=m52/)).answer(messagePage(messages(2, 51)))
  await coming
  placeMessage(client, org, phone, message(102))
  const shown = () => flatMessages(observer.getCurrentResult().data as never).map(({ id }) => Number(id.slice(1)))
  t.same(shown(), range(102, 2).reverse())
  void client.invalidateQueries({ queryKey: list.queryKey })
  ;(await find(/chats\/\d+$/)).answer(messagePage(messages(54, 103)))
  await settled()
  t.same(shown(), range(103, 2).reverse(), 'and a later refresh leaves no gap behind the first page')
})

t.test('numbered pages use the server’s count, and refreshing the first page keeps the others', async t => {
  const { client, find, settled } = network()
  const list = conversationsQuery(org, { archived: false, search: '' }, 'ana')
  const observer = new QueryObserver(client, list)
  t.teardown(observer.subscribe(() => undefined))
  t.teardown(() => client.clear())
  const page = (number: number, from: number) => ({
    items: range(from, from - 2).map(id => ({ id: `c${id}` })),
    page: number,
    pageSize: 3,
    hasMore: number < 3,
  })
  const shown = () => observer.getCurrentResult().data?.pages.flatMap(({ items }) => items.map(({ id }) => id))
  ;(await find(/page=1/)).answer(page(1, 9))
  await settled()
  const coming = loadNextPage(client, list.listOf(client))
  ;(await find(/page=2/)).answer(page(2, 6))
  await coming
  void client.invalidateQueries({ queryKey: list.queryKey })
  ;(await find(/page=1/)).answer(page(1, 10))
  await settled()
  t.same(shown(), ['c10', 'c9', 'c8', 'c7', 'c6', 'c5', 'c4'])
  refreshPages(client, list.queryKey)
  ;(await find(/page=1/)).answer(page(1, 10))
  ;(await find(/page=2/)).answer(page(2, 7))
  await settled()
  t.same(shown(), ['c10', 'c9', 'c8', 'c7', 'c6', 'c5'])
})

t.test('the simulator polls the newest messages every few seconds, and loaded older ones stay', async t => {
  const { all, client, find, settled } = network()
  const list = threadQuery(org, '5491155550001')
  const observer = new QueryObserver(client, list)
  t.teardown(observer.subscribe(() => undefined))
  t.teardown(() => client.clear())
  const page = (from: number, to: number) => ({
    customer: {},
    items: range(to, from)
      .reverse()
      .map(seq => ({ seq })),
    before: from > 1 ? from : null,
  })
  ;(await find(/messages$/)).answer(page(11, 20))
  await settled()
  const coming = loadNextPage(client, list.listOf(client))
  ;(await find(/before=11/)).answer(page(1, 10))
  await coming
  const asked = all.length
  void client.invalidateQueries({ queryKey: list.queryKey })
  ;(await find(/messages$/)).answer(page(12, 21))
  await settled()
  t.equal(all.length, asked + 1)
  const { pages } = observer.getCurrentResult().data ?? { pages: [] }
  t.same(
    messagesOf(pages).map(({ seq }) => seq),
    range(21, 1).reverse(),
  )
})

t.test('a row that left a numbered list leaves no gap before the next page', async t => {
  const { client, find, settled } = network()
  const list = conversationsQuery(org, { archived: false, search: '' }, 'ana')
  const observer = new QueryObserver(client, list)
  t.teardown(observer.subscribe(() => undefined))
  t.teardown(() => client.clear())
  const pageOf = (page: number, numbers: readonly number[], hasMore: boolean) => ({
    items: numbers.map(n => ({ id: `c${n}`, phone: `${n}` })),
    ...{ page, pageSize: 3, hasMore },
  })
  ;(await find(/conversations\?/)).answer(pageOf(1, [9, 8, 7], true))
  await settled()
  client.setQueryData(list.queryKey as readonly unknown[], (data: unknown) => {
    const { pages, pageParams } = data as { pages: ReturnType<typeof pageOf>[]; pageParams: number[] }
    return { pages: pages.map(page => ({ ...page, items: page.items.slice(1) })), pageParams }
  })
  const coming = loadNextPage(client, list.listOf(client))
  // 6 is on the server's first page by now.
  ;(await find(/page=2/)).answer(pageOf(2, [5, 4, 3], false))
  await coming
  await settled()
  ;(await find(/page=2/)).answer(pageOf(2, [5, 4, 3], false))
  ;(await find(/conversations\?(?!.*page=2)/)).answer(pageOf(1, [8, 7, 6], true))
  await settled()
  const shown = observer.getCurrentResult().data?.pages.flatMap(page => page.items.map(({ id }) => id))
  t.same(shown, ['c8', 'c7', 'c6', 'c5', 'c4', 'c3'])
})
