import t from 'tap'
import {
  contactTermsOf,
  contactWordsOf,
  isFoundByTerms,
  needlesOf,
  partMeant,
  termsMeant,
} from '#server/messaging/search/contact-terms.ts'

/** Searches like the product: by terms, then by comparing the candidates where terms are not exact. */
const finds = (names: string, typed: string, home?: string) => {
  const known = contactWordsOf(names)
  const terms = new Set(contactTermsOf(known))
  const isMeant = (start: string) => {
    const { column, text } = partMeant(start)
    const isSaid = known[column].includes(text)
    const isUnder = termsMeant(start).every(term => terms.has(term))
    if (isSaid && !isUnder) throw new Error(`${start} is in ${names}, and would not be found`)
    if (isFoundByTerms(start) && isUnder !== isSaid)
      throw new Error(`${start} is found by terms alone, and is not in ${names}`)
    return isUnder && isSaid
  }
  const needles = needlesOf(typed, home)
  return needles.length > 0 && needles.every(needle => needle.some(isMeant))
}

t.test('a number is found by every part of at least three digits', async t => {
  const number = '5491155551234'
  for (let from = 0; from < number.length; from += 1)
    for (let to = from + 1; to <= number.length; to += 1)
      t.equal(finds(`ana ${number}`, number.slice(from, to)), to - from >= 3, number.slice(from, to))
})

t.test('old and new spellings of a number are equal', async t => {
  for (const typed of ['+55 11 8765-4321', '55 11 98765 4321', '011 8765-4321', '8765-4321'])
    t.ok(finds('5511987654321', typed, '55'), typed)
  for (const typed of ['52 55 1234 5678', '+521 55 1234-5678', '01 55 1234 5678'])
    t.ok(finds('5215512345678', typed, '52'), typed)
})

t.test('a long text is reduced to a few short words', async t => {
  const known = contactWordsOf(`${'x'.repeat(500)} ${Array.from({ length: 90 }, (_, i) => `w${i}`).join(' ')}`)
  t.equal(known.words.split(' ').length, 1 + 40)
  t.ok(known.words.split(' ').every(word => word.length <= 40))
  t.ok(contactTermsOf(known).every(term => term.length <= 8))
  t.ok(needlesOf('a b '.repeat(60)).length <= 12)
  t.ok(finds('x'.repeat(500), 'x'.repeat(100)), 'what is typed is cut alike')
})

t.test('words with the same beginning are distinguished, however long they are', async t => {
  t.ok(finds('maximiliano', 'maximilia'))
  t.notOk(finds('maximiliana', 'maximiliano'))
  t.notOk(finds('5491155551234', '12345'), 'digits of one part and of another')
  t.notOk(finds('549115555123', '555123555'))
  t.notOk(finds('ana5555', '555'), 'a word with digits is no number')
  t.ok(finds('𝒜𝒜𝒜𝒜𝒜𝒜𝒜𝒜𝒜 ana', '𝒜𝒜𝒜𝒜𝒜𝒜𝒜𝒜𝒜'), 'letters of two halves')
})
