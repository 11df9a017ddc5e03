import t from 'tap'
import { aboveHtml, belowHtml, linkedHtml } from '#client/inbox/bubble-html.ts'
import type { InboxT } from '#client/inbox/words.ts'
import type { Message } from '#shared/inbox.ts'

const words = ((key: string) => key) as unknown as InboxT
const zone = 'America/Argentina/Buenos_Aires'
const hostile = '<script>alert("1")</script>'

const message = (facts: Partial<Message>): Message => ({
  id: 'm1',
  wamid: 'w1',
  direction: 'in',
  type: 'text',
  text: 'hola',
  at: '2026-11-20T17:05:00.000Z',
  status: 'received',
  ...facts,
})

t.test('addresses of http and https are links, without the sign that ends the sentence', async t => {
  t.equal(
    linkedHtml('mirá https://a.example/x?b=1&c=2.').__html,
    'mirá <a href="https://a.example/x?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow">https://a.example/x?b=1&amp;c=2</a>.',
  )
})

t.test('nothing else becomes a link or a tag', async t => {
  for (const text of ['javascript:alert(1)', 'data:text/html,x', hostile, 'ftp://a.example'])
    t.notMatch(linkedHtml(text).__html, /<a|<script/)
  t.notMatch(linkedHtml(`https://a.example/"onmouseover="x`).__html, '"onmouseover')
})

t.test('names, quotes, advertisements and reactions are text', async t => {
  const said = message({
    author: { kind: 'person', name: hostile },
    replyTo: { id: 'm0', text: hostile, direction: 'out' },
    referral: { sourceId: 'a', headline: hostile },
    reactions: [{ by: 'contact', emoji: hostile }],
  } as Partial<Message>)
  t.notMatch(aboveHtml(said, words).__html + belowHtml(said, false, zone, words).__html, '<script')
})

t.test('a time stands in the zone of the reader', async t =>
  t.match(belowHtml(message({}), false, zone, words).__html, '>14:05</time>'),
)

t.test('whoever goes on writing is named once', async t => {
  const said = message({ author: { kind: 'person', name: 'Ana' } } as Partial<Message>)
  t.match(belowHtml(said, false, zone, words).__html, 'Ana')
  t.notMatch(belowHtml(said, true, zone, words).__html, 'Ana')
})
