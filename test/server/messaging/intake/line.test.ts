import t from 'tap'
import { estimateMessages, intakeLine, sharedLine } from '#server/messaging/intake/line.ts'
import { envelope, metaJson, textWebhook } from '#test/helpers/webhooks.ts'

t.test('webhooks of a connection belong to its line, others to the line of the single account they name', async t => {
  t.equal(intakeLine('con', textWebhook()), 'con')
  t.equal(intakeLine(null, textWebhook({ wabaId: '77' })), 'account 77')
  const entries = (...ids: string[]) => metaJson({ entry: ids.map(id => ({ id, time: 1, changes: [] })) })
  t.equal(intakeLine(null, entries('77', '77')), 'account 77')
  t.equal(intakeLine(null, entries('77', '88')), sharedLine)
  t.equal(intakeLine(null, Buffer.from('not JSON')), sharedLine)
})

t.test('the number of messages in a webhook is estimated from its objects and bytes', async t => {
  t.equal(estimateMessages(textWebhook()), 2)
  const messages = Array.from({ length: 500 }, (_, i) => ({ id: `${i}`, text: { body: 'x' } }))
  t.equal(estimateMessages(metaJson(envelope({ messages }))), 499)
  t.equal(estimateMessages(Buffer.alloc(1_000_000)), 976)
  t.equal(estimateMessages(Buffer.alloc(0)), 1)
})
