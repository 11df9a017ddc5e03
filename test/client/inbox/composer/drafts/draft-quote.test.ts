import t from 'tap'
import { keptQuote, quotedNow } from '#client/inbox/composer/drafts/draft-quote.ts'
import type { Message } from '#shared/inbox/messages.ts'

const message = (facts: Partial<Message> = {}): Message => ({
  id: 'm1',
  wamid: 'w1',
  direction: 'in',
  type: 'text',
  text: '¿A qué hora abren?',
  at: '2026-11-20T17:05:00.000Z',
  status: 'received',
  ...facts,
})

t.test('the quoted message is restored in its current form', async t => {
  const kept = keptQuote(message({ text: 'x'.repeat(5000) }))
  t.ok(kept.length < 1000, 'bounded')
  t.match(quotedNow(kept, []), { id: 'm1', wamid: 'w1', direction: 'in' }, 'further up than what is loaded')
  t.equal(quotedNow(kept, [message({ text: 'cambiado' })])?.text, 'cambiado')
})

t.test('a message deleted meanwhile is no longer quoted', async t => {
  t.equal(quotedNow(keptQuote(message()), [message({ revokedAt: '2026-11-20T18:00:00.000Z' })]), null)
})

t.test('missing or invalid stored text restores no quote', async t => {
  for (const kept of [undefined, '', '{', 'x']) t.equal(quotedNow(kept, []), null)
})
