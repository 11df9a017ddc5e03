import t from 'tap'
import { withKeptWords } from '#client/inbox/inbox-words.ts'
import type { InboxT } from '#client/inbox/words.ts'

t.test('a word is looked up once, also for one number, and again while it is missing', async t => {
  const asked: unknown[][] = []
  const there = new Set(['row.draft', 'row.unread'])
  const looksUp = (...all: [string, { count?: number; name?: string }?]) => {
    asked.push(all)
    const [key, values] = all
    return there.has(key) ? `${key} ${values?.count ?? values?.name ?? 'said'}` : key
  }
  const words = withKeptWords(looksUp as unknown as InboxT)
  t.equal(words('row.draft'), 'row.draft said')
  t.equal(words('row.draft'), 'row.draft said')
  t.equal(asked.length, 1)
  t.equal(words('row.unread', { count: 1 }), 'row.unread 1')
  t.equal(words('row.unread', { count: 2 }), 'row.unread 2')
  t.equal(words('row.unread', { count: 1 }), 'row.unread 1')
  t.equal(asked.length, 3)
  for (let i = 0; i < 2; i += 1) t.equal(words('row.unread', { name: 'Ana' }), 'row.unread Ana')
  for (let i = 0; i < 2; i += 1) t.equal(words('row.unread', { count: 1, name: 'Ana' }), 'row.unread 1')
  t.equal(asked.length, 7)
  t.equal(words('row.nobody'), 'row.nobody', 'its file has not come')
  there.add('row.nobody')
  t.equal(words('row.nobody'), 'row.nobody said')
})
