import fc from 'fast-check'
import t from 'tap'
import { createOutline, isAt, partsOfOutline, spotOfTyped } from '#server/messaging/search/outline.ts'
import { hasWords, searchWords, wordsIn } from '#server/messaging/search/words.ts'

const mayHave = (parts: readonly Buffer[], orgKey: number, typed: string) =>
  searchWords(typed).every(word => {
    const spot = spotOfTyped(orgKey, word)
    return !spot || isAt(parts[spot.part] as Buffer, spot)
  })

t.test('an outline never rejects a text that contains the words', async t => {
  const text = fc.stringMatching(/^([a-zñ0-9]|🧁|👍|🇦🇷){1,12}( [a-z0-9]{1,12}){0,5}$/u)
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), text, fc.nat({ max: 11 }), (texts, typed, length) => {
      const outline = createOutline()
      for (const one of texts) outline.add(7, wordsIn(one))
      const parts = outline.parts()
      for (const sought of [typed, ...texts, ...texts.map(one => one.slice(0, length))])
        if (texts.some(one => hasWords(one, searchWords(sought)))) t.ok(mayHave(parts, 7, sought), sought)
    }),
  )
})

t.test('with forty thousand words an outline rejects nearly all words that do not occur', async t => {
  const outline = createOutline()
  const wordOf = (i: number) => `${(i * 2_654_435_761) % 1_000_003}pan${i}`
  const count = 40_000
  for (let i = 0; i < count; i += 1) outline.add(1, [wordOf(i)])
  const parts = outline.parts()
  t.equal(parts.length, partsOfOutline)
  t.ok(parts.reduce((sum, part) => sum + part.length, 0) <= 128 * 1024)
  const others = Array.from({ length: 2_000 }, (_, i) => `otra${i}cosa`)
  t.ok(others.filter(word => mayHave(parts, 1, word)).length < 200)
  t.ok(
    Array.from({ length: 2_000 }, (_, i) => wordOf(i)).filter(word => mayHave(parts, 2, word)).length < 200,
    'nor what another organization said',
  )
  t.notOk(Buffer.concat(parts).includes('pan1'), 'no word stands in it')
})

t.test('an empty outline stores nothing and rejects all words long enough to test', async t => {
  const parts = createOutline().parts()
  t.ok(parts.every(part => part.length === 0))
  t.notOk(mayHave(parts, 1, 'pan'))
  t.ok(mayHave(parts, 1, 'p'))
})
