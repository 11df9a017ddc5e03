import t from 'tap'
import { goodText, isGoodText, withoutNul } from '#server/platform/text/good-text.ts'

t.test('text that a database cannot store is recognized, and repaired', async t => {
  for (const text of ['', 'hola', '¿Qué? 👍🏽', 'dos\nlíneas\ty \u0001']) {
    t.ok(isGoodText(text), JSON.stringify(text))
    t.equal(goodText(text), text)
    t.equal(withoutNul(text), text)
  }
  for (const [text, good] of [
    ['\u0000a\u0000\u0000b\u0000', 'ab'],
    ['medio \ud83d emoji', 'medio \ufffd emoji'],
    ['\ude00\u0000', '\ufffd'],
  ] as const) {
    t.notOk(isGoodText(text), JSON.stringify(text))
    t.equal(goodText(text), good)
    t.ok(isGoodText(goodText(text)))
  }
  t.equal(withoutNul('medio \ud83d\u0000'), 'medio \ud83d', 'the rest is unchanged')
})
