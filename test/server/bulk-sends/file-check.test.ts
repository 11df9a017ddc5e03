import t from 'tap'
import { checkFile } from '#server/bulk-sends/file-check.ts'
import { InvalidInput } from '#server/validate.ts'
import { maxRecipients } from '#shared/bulk-sends.ts'

const check = (text: string, phoneColumn?: string) =>
  checkFile({ text, ...(phoneColumn ? { phoneColumn } : {}) }, { country: 'AR', giveWay: async () => undefined })
const refusedField = async (asked: Promise<unknown>) =>
  asked.then(
    () => 'taken',
    error => (error instanceof InvalidInput ? error.faults.map(({ field, code }) => `${field} ${code}`).join() : error),
  )

t.test('a file is told by its columns, its first rows and, row by row, what is wrong', async t => {
  const text = [
    'Nombre;Teléfono;Nombre',
    'Ana;11 5555-1001;Paz',
    'Beto;+54 9 11 5555 1001;',
    '',
    '=1+1;hola;x',
    'Carla;;',
    'Dora;="5491155551002";',
    'Elsa;1155551003',
    '"Fin;1155551004;',
  ].join('\r\n')
  const found = await check(text)
  t.same(found.columns, ['Nombre', 'Teléfono', 'Nombre 2'])
  t.equal(found.phoneColumn, 'Teléfono')
  t.same([found.rows, found.first.length, found.faulty], [7, 5, 5])
  t.same(found.first[0], ['Ana', '11 5555-1001', 'Paz'])
  t.same(found.first[2], ['=1+1', 'hola', 'x'], 'a formula is plain text')
  t.same(
    found.faults.map(({ row, fault }) => `${row} ${fault}`),
    ['3 duplicate', '5 invalidNumber', '6 numberMissing', '8 unequalCells', '9 unclosedQuote'],
  )
})

t.test('without a column called like a number one has to be chosen', async t => {
  const text = 'a,b\n1155551001,x\n'
  t.match(await check(text), { phoneColumn: null, faulty: 0, rows: 1 })
  t.match(await check(text, 'a'), { phoneColumn: 'a', faulty: 0 })
  t.match(await check(text, 'b'), { phoneColumn: 'b', faulty: 1 })
})

t.test('a file with hardly anybody in it gives way to others as well', async t => {
  let turns = 0
  const giveWay = async () => {
    turns += 1
  }
  t.match(await checkFile({ text: `tel\n${'\n'.repeat(9000)}1155551001\n` }, { country: 'AR', giveWay }), { rows: 1 })
  t.equal(turns, 9)
})

t.test('no names, no such column and too many rows are refused by their field', async t => {
  t.equal(await refusedField(check(' \n')), 'body.csv.text required')
  t.equal(await refusedField(check('a\n1', 'z')), 'body.csv.phoneColumn invalid')
  t.equal(await refusedField(check(`tel\n${'1\n'.repeat(maxRecipients + 1)}`)), 'body.csv.text maxItems')
})

t.test('others have their turn every few rows, however many there are', async t => {
  let turns = 0
  const giveWay = async () => {
    turns += 1
  }
  await checkFile({ text: `tel\n${'1155551234\n'.repeat(1_050)}` }, { country: 'AR', giveWay })
  t.equal(turns, 42)
})
