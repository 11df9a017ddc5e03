import t from 'tap'
import { columnsOf, maxColumns, withColumn } from '#client/contacts/columns.ts'

const fieldsNamed = (...ids: string[]) => ids.map(id => ({ id, label: id, kind: 'text' as const, options: [] }))
const shown = (choice: string, ...ids: string[]) => columnsOf(fieldsNamed(...ids), choice).map(({ id }) => id)

t.test('the first two fields are columns until somebody chooses', async t => {
  t.same(shown('', 'a', 'b', 'c'), ['a', 'b'])
  t.same(shown('-a', 'a', 'b', 'c'), ['b'])
  t.same(shown('-a,c', 'a', 'b', 'c'), ['b', 'c'])
  t.equal(shown('a,b,c,d,e', 'a', 'b', 'c', 'd', 'e').length, maxColumns)
})

t.test('a choice replaces the one before of the same field, and keeps those of other organizations', async t => {
  t.equal(withColumn('', 'a', false), '-a')
  t.equal(withColumn('-a,other', 'a', true), 'other,a')
  const many = Array.from({ length: 100 }, (_, at) => `f${at}`).join(',')
  t.notMatch(withColumn(many, 'a', true), /\bf0\b/, 'the oldest go first')
  t.match(withColumn(many, 'a', true), /,a$/)
})
