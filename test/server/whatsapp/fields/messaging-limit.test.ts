import t from 'tap'
import { limitOfWebhook, readMessagingLimit } from '#server/whatsapp/fields/messaging-limit.ts'

t.test('a limit is read from Meta’s word and from its number', async t => {
  const said: readonly [unknown, number | undefined][] = [
    ['TIER_50', 50],
    ['TIER_250', 250],
    ['TIER_1K', 1000],
    ['TIER_2K', 2000],
    ['TIER_100K', 100_000],
    ['TIER_UNLIMITED', Number.POSITIVE_INFINITY],
    [-1, Number.POSITIVE_INFINITY],
    [2000, 2000],
    ['TIER_NOT_SET', undefined],
    ['', undefined],
    [0, undefined],
    [-7, undefined],
    [1.5, undefined],
    [null, undefined],
    [{}, undefined],
  ]
  for (const [word, limit] of said) t.equal(readMessagingLimit(word), limit, JSON.stringify(word))
})

t.test("in a webhook the business's limit has priority over the number's own", async t => {
  const both = { max_daily_conversations_per_business: 2000, max_daily_conversation_per_phone: 250 }
  t.equal(limitOfWebhook(both), 2000)
  t.equal(limitOfWebhook({ max_daily_conversation_per_phone: 250 }), 250)
  t.equal(limitOfWebhook({ event: 'UPGRADE', current_limit: 'TIER_10K' }), 10_000)
  t.equal(limitOfWebhook({ max_daily_conversations_per_business: 'TIER_2K' }), 2000)
  t.equal(limitOfWebhook({ event: 'FLAGGED' }), undefined)
  t.equal(limitOfWebhook('x'), undefined)
})
