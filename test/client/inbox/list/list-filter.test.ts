import t from 'tap'
import { belongsTo, queryOf, readListFilter } from '#client/inbox/list/list-filter.ts'
import { isShown, showView, viewFilter } from '#client/inbox/list/views/view-filter.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { ViewFilter } from '#shared/saved-views/api.ts'

t.test('a conversation with bulk messages only is listed only in the archive and for its assignee', async t => {
  const row = { bulkOnly: true, archived: false, assignee: { id: 'ana', name: 'Ana' }, unread: 0, tags: [] }
  const chat = row as unknown as Conversation
  t.notOk(belongsTo(chat, { archived: false }))
  t.notOk(belongsTo({ ...chat, assignee: null }, { archived: false, assignee: 'none' }))
  t.ok(belongsTo(chat, { archived: false, assignee: 'ana' }))
  t.ok(belongsTo({ ...chat, archived: true }, { archived: true }))
  const { bulkOnly: _, ...begun } = chat
  t.ok(belongsTo(begun, { archived: false }))
})

t.test('the list of another member has an address', async t => {
  const filter = readListFilter(new URLSearchParams({ assignee: 'ana' }))
  t.equal(queryOf(filter, 'luis').assignee, 'ana')
  t.equal(queryOf(readListFilter(new URLSearchParams({ assignee: 'me' })), 'luis').assignee, 'luis')
  t.equal(queryOf(readListFilter(new URLSearchParams({ assignee: 'none' })), 'luis').assignee, 'none')
  t.equal(readListFilter(new URLSearchParams({ assignee: 'a'.repeat(65) })).assignee, undefined)
})

t.test('the address of a saved view shows that view and nothing else', async t => {
  const views: ViewFilter[] = [
    { unread: true, tags: ['a', 'b'] },
    { assignee: 'me', archived: true, number: '5491150000000' },
    { snoozed: true },
  ]
  for (const view of views) {
    const address = new URLSearchParams('q=pan&within=5491150000001&failed=1&tag=z&assignee=none&around=m1')
    showView(address, view)
    const filter = readListFilter(address)
    t.same(viewFilter(filter), view)
    t.same(
      views.filter(one => isShown(filter, one)),
      [view],
    )
    t.notOk(isShown({ ...filter, search: 'pan' }, view), 'words narrow it')
    showView(address, {})
    t.equal(address.toString(), 'around=m1')
  }
  t.ok(isShown(readListFilter(new URLSearchParams('tag=b&tag=a&unread=1')), { unread: true, tags: ['a', 'b'] }))
  t.notOk(isShown(readListFilter(new URLSearchParams('tag=a&unread=1')), { unread: true, tags: ['a', 'b'] }))
})
