import fc from 'fast-check'
import t from 'tap'
import { statementsOf } from '#server/platform/db/sqlite/word-index-store.ts'

t.test('everything is indexed once, in order, in small steps', async () => {
  const terms = fc.array(fc.string({ minLength: 1, maxLength: 600 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(fc.array(terms, { maxLength: 60 }), lists => {
      const rows = lists.map((terms, i) => ({ seq: i + 1, terms }))
      const statements = [...statementsOf(rows)]
      const lengths = statements.map(some => some.reduce((sum, [, text]) => sum + text.length, 0))
      const isLittle = statements.every((some, i) => some.length === 1 || (lengths[i] as number) <= 8192)
      const expected = rows.map(({ seq, terms }) => [seq, terms.join(' ')])
      return isLittle && JSON.stringify(statements.flat()) === JSON.stringify(expected)
    }),
  )
})

t.test('a slice of ordinary messages takes several statements', async t => {
  const rows = Array.from({ length: 400 }, (_, i) => ({ seq: i, terms: Array(10).fill('1·0·palabra') as string[] }))
  const counts = [...statementsOf(rows)].map(some => some.length)
  t.ok(Math.max(...counts) <= 80, `${counts}`)
})
