import t from 'tap'
import { belongsTo, filterOf, queryOf } from '#client/inbox/list/list-filter.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'

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
  const filter = filterOf(new URLSearchParams({ assignee: 'ana' }))
  t.equal(queryOf(filter, 'luis').assignee, 'ana')
  t.equal(queryOf(filterOf(new URLSearchParams({ assignee: 'me' })), 'luis').assignee, 'luis')
  t.equal(queryOf(filterOf(new URLSearchParams({ assignee: 'none' })), 'luis').assignee, 'none')
  t.equal(filterOf(new URLSearchParams({ assignee: 'a'.repeat(65) })).assignee, undefined)
})
