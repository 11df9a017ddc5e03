/**
 * Only the distinct tag combinations of the recipients are stored; they answer the same questions as every person's
 * tags.
 */
import fc from 'fast-check'
import t from 'tap'
import { coversPeople, createPeopleTags, limitedRoles } from '#server/features/bulk-sends/rights/people-tags.ts'

const noted = (people: readonly (readonly string[])[]) => {
  const tags = createPeopleTags()
  for (const own of people) tags.add(own)
  return tags.all()
}

t.test('a role covers the combinations exactly if it has a tag of each person', async () => {
  const tag = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const person = fc.uniqueArray(tag, { maxLength: 4 })
  fc.assert(
    fc.property(fc.array(person, { minLength: 1, maxLength: 30 }), fc.uniqueArray(tag), (people, granted) => {
      const has = new Set(granted)
      return coversPeople(noted(people), has) === people.every(own => own.some(one => has.has(one)))
    }),
  )
})

t.test('for no recipients, or more combinations than are stored, nothing is known', async t => {
  t.equal(noted([]), null)
  const kinds = Array.from({ length: 2000 }, (_, i) => [`a${i}`, `b${i}`])
  t.equal(noted(kinds), null)
  t.equal(noted([...kinds, []]), null)
  t.equal(coversPeople(null, new Set(['a0'])), null)
  t.equal(coversPeople(null, null), true, 'who sends to everybody sees all')
  t.same(noted([['a'], ['b', 'a'], ['a']]), [['a']])
})

t.test('shared sends are shared with a single role', async t => {
  // With a second limited role, one flag per row would not be enough.
  t.same(limitedRoles, ['member'])
})
