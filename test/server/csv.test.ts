import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { readCsv } from '#server/csv.ts'

const rows = (text: string) => [...readCsv(text).entries()].map(({ values }) => values)

t.test('semicolons, a byte order mark, quotes over lines and doubled quotes are read', async t => {
  const text = '\uFEFFtelefono;nombre;nota\r\n"11 5555-1234";"Ana ""la"" de\nla esquina";x\r\n\r\n2;B;\r\n'
  t.same(readCsv(text).columns, ['telefono', 'nombre', 'nota'])
  t.same(rows(text), [
    { telefono: '11 5555-1234', nombre: 'Ana "la" de\nla esquina', nota: 'x' },
    { telefono: '2', nombre: 'B', nota: '' },
  ])
})

t.test(
  'missing cells are empty, cells beyond the columns are left out, doubled and empty names are told apart',
  async t => {
    t.same(readCsv('a,a,,a\n').columns, ['a', 'a 2', '3', 'a 3'])
    t.same(rows('a,b\n1\n1,2,3\n'), [
      { a: '1', b: '' },
      { a: '1', b: '2' },
    ])
  },
)

t.test('a separator inside quotes does not decide', async t => {
  t.same(readCsv('"a,b,c";d\n').columns, ['a,b,c', 'd'])
})

t.test('nothing, blank lines and a quote that never ends are no trouble', async t => {
  t.same(readCsv('').columns, [])
  t.same(rows('\n\n'), [])
  t.same(rows('a\n"x\ny'), [{ a: 'x\ny' }])
})

t.test('a row knows its place in the spreadsheet, how many cells it has and whether its quote ends', async t => {
  const facts = [...readCsv('\na,b\n\n1\n1,2,3\n"x\ny').entries()].map(({ values: _, ...rest }) => rest)
  t.same(facts, [
    { row: 4, cells: 1, isUnclosed: false },
    { row: 5, cells: 3, isUnclosed: false },
    { row: 6, cells: 1, isUnclosed: true },
  ])
})

t.test('a line of a million separators makes no million columns', async t => {
  t.equal(readCsv(`a${','.repeat(1_000_000)}\n1,2\n`).columns.length, 200)
})

t.test('what is written by the rules is read as it was', async t => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'ñ', '"', ',', ';', '\n', '\r', ' ', '\t', '=') })
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 20 }), fc.constantFrom(',', ';', '\t'), (cells, by) => {
        const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`
        const text = [['x', 'y'], ...cells].map(line => line.map(quoted).join(by)).join('\r\n')
        const expected = cells.filter(line => line.some(value => value.trim() !== ''))
        assert.deepEqual(
          rows(text),
          expected.map(([x, y]) => ({ x: x.trim(), y: y.trim() })),
        )
      }),
    ),
  )
})
