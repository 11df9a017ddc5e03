import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { createRepeats, textWithout } from '#client/bulk-sends/audience/part-repeats.ts'
import { checkFile } from '#server/features/bulk-sends/audience/file-check.ts'
import { readCsv } from '#shared/people-files/csv.ts'

const numbersIn = async (text: string) =>
  (await checkFile({ text }, { country: 'AR', giveWay: async () => undefined, withNumbers: true })).numbers ?? ''

t.test('a number of an earlier part is recognized in a later one, however it is spelled', async t => {
  const repeats = createRepeats()
  const head = 'celular,nombre\n'
  t.same([...repeats.take(await numbersIn(`${head}+5491155550101,Ana\n11 5555-0102,Beto\nnada,Eva\n`))], [])
  const second = `${head}1155550103,Caro\n\n"011 15 5555 0101","Ana\nMaría"\n,\n549 11 5555 0102,Beto\n`
  const rows = repeats.take(await numbersIn(second))
  t.same([...rows], [4, 6], 'as a spreadsheet counts them')
  t.equal(await textWithout(second, rows), `${head}1155550103,Caro\n\n,\n`)
  t.same([...repeats.take(await numbersIn(second))], [2, 4, 6], 'by then all of them came')
})

t.test('the remainder of a file is every other row, exactly as written', async () => {
  const cell = fc.constantFrom('a', 'ñandú', '🥐', '"a\nb"', '"dijo ""hola"""', ' x', '')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 999 }), cell, fc.boolean()), { maxLength: 30 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.boolean(),
      async (rows, end, isOpen) => {
        const text = ['n,x', ...rows.map(([n, x]) => `${n},${x}`)].join(end) + (isOpen ? '' : end)
        const out = new Set(rows.flatMap(([, , isOut], i) => (isOut ? [i + 2] : [])))
        const left = [...readCsv(await textWithout(text, out)).entries()].flatMap(row => (row ? [row.values] : []))
        const all = [...readCsv(text).entries()].flatMap(row => (row ? [row] : []))
        assert.deepEqual(
          left,
          all.filter(({ row }) => !out.has(row)).map(({ values }) => values),
        )
      },
    ),
    { numRuns: 300 },
  )
})
