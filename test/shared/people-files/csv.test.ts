import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { readCsv } from '#shared/people-files/csv.ts'

const rowsOf = (text: string) => [...readCsv(text).entries()].filter(row => row !== undefined)
const rows = (text: string) => rowsOf(text).map(({ values }) => values)

t.test('semicolons, a byte order mark, multi-line quotes and doubled quotes are read', async t => {
  const text = '\uFEFFtelefono;nombre;nota\r\n"11 5555-1234";"Ana ""la"" de\nla esquina";x\r\n\r\n2;B;\r\n'
  t.same(readCsv(text).columns, ['telefono', 'nombre', 'nota'])
  t.same(rows(text), [
    { telefono: '11 5555-1234', nombre: 'Ana "la" de\nla esquina', nota: 'x' },
    { telefono: '2', nombre: 'B', nota: '' },
  ])
})

t.test('missing cells are empty, extra cells are dropped, duplicate and empty names are distinguished', async t => {
  t.same(readCsv('a,a,,a\n').columns, ['a', 'a 2', '3', 'a 3'])
  t.same(rows('a,b\n1\n1,2,3\n'), [
    { a: '1', b: '' },
    { a: '1', b: '2' },
  ])
})

t.test('a separator inside quotes does not count', async t => {
  t.same(readCsv('"a,b,c";d\n').columns, ['a,b,c', 'd'])
})

t.test('an empty text, blank lines and an unclosed quote are read without error', async t => {
  t.same(readCsv('').columns, [])
  t.same(rows('\n\n'), [])
  t.same(rows('a\n"x\ny'), [{ a: 'x\ny' }])
})

t.test('a row knows its line in the spreadsheet, its number of cells and whether its quote is closed', async t => {
  const facts = rowsOf('\na,b\n\n1\n1,2,3\n"x\ny').map(({ values: _, ...rest }) => rest)
  t.same(facts, [
    { row: 4, cells: 1, isUnclosed: false },
    { row: 5, cells: 3, isUnclosed: false },
    { row: 6, cells: 1, isUnclosed: true },
  ])
})

t.test('a line of a million separators does not make a million columns', async t => {
  t.equal(readCsv(`a${','.repeat(1_000_000)}\n1,2\n`).columns.length, 200)
})

t.test('text written by the rules is read back unchanged', async t => {
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

t.test('separator and header are detected from the beginning of the file only', async t => {
  const oneColumn = `tel\n${'1\n'.repeat(40_000)}`
  t.same(readCsv(`${oneColumn}a;b;c\n`).columns, ['tel'])
  t.equal(rows(`${oneColumn}a;b;c\n`).at(-1)?.tel, 'a;b;c', 'not by what stands at its end')
  t.same(readCsv(`${'\n'.repeat(70_000)}tel\n1\n`).columns, [])
})

t.test('many empty lines are skipped in small steps', async t => {
  const read = [...readCsv(`tel\n${'\n'.repeat(5000)}1\n`).entries()]
  t.equal(read.filter(row => row === undefined).length, 5)
  t.match(read.at(-1), { row: 5002, values: { tel: '1' } })
})

t.test('a long column name is cut, and names stay distinct', async t => {
  const long = 'é'.repeat(5000)
  const { columns } = readCsv(`${long},${long}\n1,2\n`, { hasHeader: true })
  t.same(columns, ['é'.repeat(200), `${'é'.repeat(200)} 2`])
})
