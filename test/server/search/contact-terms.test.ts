import t from 'tap'
import { contactTermsOf, needlesOf } from '#server/search/contact-terms.ts'

/** As the index does: every needle is the beginning of some term. */
const finds = (names: string, typed: string, home?: string) => {
  const terms = contactTermsOf(names)
  const needles = needlesOf(typed, home)
  return needles.length > 0 && needles.every(needle => needle.some(start => terms.some(term => term.startsWith(start))))
}

t.test('a number is found by every part of it, from three digits on', async t => {
  const number = '5491155551234'
  for (let from = 0; from < number.length; from += 1)
    for (let to = from + 1; to <= number.length; to += 1)
      t.equal(finds(`ana ${number}`, number.slice(from, to)), to - from >= 3, number.slice(from, to))
})

t.test('old and new spellings of a number are one', async t => {
  for (const typed of ['+55 11 8765-4321', '55 11 98765 4321', '011 8765-4321', '8765-4321'])
    t.ok(finds('5511987654321', typed, '55'), typed)
  for (const typed of ['52 55 1234 5678', '+521 55 1234-5678', '01 55 1234 5678'])
    t.ok(finds('5215512345678', typed, '52'), typed)
})

t.test('a long text is a few short words', async t => {
  const terms = contactTermsOf(`${'x'.repeat(500)} ${Array.from({ length: 90 }, (_, i) => `w${i}`).join(' ')}`)
  t.ok(terms.length <= 40)
  t.ok(terms.every(term => term.length <= 40))
  t.ok(needlesOf('a b '.repeat(60)).length <= 12)
  t.ok(finds('x'.repeat(500), 'x'.repeat(100)), 'what is typed is cut alike')
})
