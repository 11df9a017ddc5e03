import fc from 'fast-check'
import t from 'tap'
import { createSeenNumbers } from '#server/features/bulk-sends/audience/seen-numbers.ts'

t.test('gives the same answers as a set of strings, for any input', async () => {
  const key = fc.oneof(
    fc.integer({ min: 1, max: 40 }).map(String),
    fc.bigInt({ min: 1n, max: 999_999_999_999_999n }).map(String),
    fc.constantFrom('', '0', '00541155550001', '541155550001', '1234567890123456', 'x'),
  )
  fc.assert(
    fc.property(fc.array(key, { maxLength: 4000 }), keys => {
      const seen = createSeenNumbers()
      const expected = new Set<string>()
      for (const one of keys) {
        if (seen.add(one) === expected.has(one)) return false
        expected.add(one)
      }
      return true
    }),
    { numRuns: 60 },
  )
})

t.test('consecutive numbers are all distinguished', async t => {
  const seen = createSeenNumbers()
  const keyOf = (i: number) => String(5_491_140_000_000 + i)
  let fresh = 0
  for (let i = 0; i < 30_000; i += 1) if (seen.add(keyOf(i))) fresh += 1
  t.equal(fresh, 30_000)
  for (let i = 0; i < 30_000; i += 1) if (seen.add(keyOf(i))) fresh += 1
  t.equal(fresh, 30_000)
})
