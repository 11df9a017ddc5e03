import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { reportHead, reportLines } from '#server/features/bulk-sends/reports/report-csv.ts'
import { csvCell } from '#server/platform/text/csv-line.ts'
import { readCsv } from '#shared/people-files/csv.ts'

const row = { id: 'x', given: '5491155551234', name: null, state: 'sent', reason: null, conversation_id: null } as const
const say = (_language: string, key: string) => key.split(':')[1] as string

t.test('a name that looks like a formula is plain text in a spreadsheet', async t => {
  for (const name of ['=HYPERLINK("x")', '+1', '-1', '@a', '\t=1']) t.match(csvCell(name), /^"?'/, name)
  for (const name of [
    '＝1+1',
    '＋1',
    '－1',
    '＠a',
    '\u200b=1',
    '\ufeff=1',
    ' =1',
    '\u00a0+1',
    '\u2060\u200d@a',
    '\u3164=1',
    '\u0000=1',
    '−1',
  ])
    t.match(csvCell(name), /^"?'/, `${name} ${escape(name)}`)
  for (const name of ['Ana', ' Ana', 'a=1', '', '3-4', '5491155550100', '(-1)']) t.notMatch(csvCell(name), /'/, name)
  t.equal(csvCell('Ana; "la" de\nla esquina'), '"Ana; ""la"" de\nla esquina"')
})

t.test('each recipient is a line with number, name, state, reason and time, with the language’s separator', async t => {
  const rows = [
    { ...row, place: 0, name: 'Ana, Paz', changed_at: '2026-11-22T19:00:00.000Z' },
    { ...row, place: 1, given: 'nada', state: 'omitted' as const, reason: 'invalidNumber', changed_at: null },
  ]
  t.equal(reportHead('es', say), 'column.number;column.who;column.state;column.why;column.at\r\n')
  t.equal(
    reportLines(rows, 'en', say),
    '5491155551234,"Ana, Paz",recipient.sent,,2026-11-22 19:00:00\r\nnada,,recipient.omitted,omission.invalidNumber,\r\n',
  )
})

t.test('the report is parsed back unchanged for any names', async t => {
  const name = fc.string({ unit: fc.constantFrom('a', 'ñ', '"', ',', ';', '\n', ' ', '\t', '=', '-') })
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(name, { maxLength: 10 }), names => {
        const rows = names.map((one, place) => ({ ...row, place, name: one, changed_at: null }))
        const read = [...readCsv(reportHead('es', say) + reportLines(rows, 'es', say)).entries()].filter(
          one => one !== undefined,
        )
        assert.deepEqual(
          read.map(({ values }) => values['column.who']),
          names.map(one => (/^[\s]*[=+\-@]|^[\t\r]/.test(one) ? `'${one}` : one).trim()),
        )
      }),
    ),
  )
})
