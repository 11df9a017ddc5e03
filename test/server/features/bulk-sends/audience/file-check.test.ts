import t from 'tap'
import { checkFile } from '#server/features/bulk-sends/audience/file-check.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { maxRecipients } from '#shared/bulk-sends/limits.ts'

const check = (text: string, phoneColumn?: string) =>
  checkFile({ text, ...(phoneColumn ? { phoneColumn } : {}) }, { country: 'AR', giveWay: async () => undefined })
const refusedField = async (asked: Promise<unknown>) =>
  asked.then(
    () => 'taken',
    error => (error instanceof InvalidInput ? error.faults.map(({ field, code }) => `${field} ${code}`).join() : error),
  )

t.test('a file check returns columns, first rows and the errors of each row', async t => {
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

t.test('if several unnamed columns could hold the number, one must be chosen', async t => {
  const text = 'a,b,c\n1155551001,x,1155551002\n'
  t.match(await check('a,b\n1155551001,x\n'), { phoneColumn: 'a' }, 'by its cells')
  t.match(await check(text), { phoneColumn: null, phoneColumns: [], faulty: 0, rows: 1 })
  t.match(await check(text, 'a'), { phoneColumn: 'a', faulty: 0 })
  t.match(await check(text, 'b'), { phoneColumn: 'b', faulty: 1 })
})

t.test('a file with hardly any rows with a number yields to other work, too', async t => {
  let turns = 0
  const giveWay = async () => {
    turns += 1
  }
  t.match(await checkFile({ text: `tel\n${'\n'.repeat(9000)}1155551001\n` }, { country: 'AR', giveWay }), { rows: 1 })
  t.equal(turns, 9)
})

t.test('missing headers, unknown columns and too many rows are refused by their field', async t => {
  t.equal(await refusedField(check(' \n')), 'body.csv.text required')
  t.equal(await refusedField(check('a\n1', 'z')), 'body.csv.phoneColumn invalid')
  t.equal(await refusedField(check(`tel\n${'1\n'.repeat(maxRecipients + 1)}`)), 'body.csv.text maxItems')
})

t.test('other work runs every few rows, however many there are', async t => {
  let turns = 0
  const giveWay = async () => {
    turns += 1
  }
  await checkFile({ text: `tel\n${'1155551234\n'.repeat(1_050)}` }, { country: 'AR', giveWay })
  t.equal(turns, 43)
})

t.test(
  'of several number columns the first valid one is used, and numbers rounded by a spreadsheet are reported',
  async t => {
    const text =
      'Número de pedido;Teléfono;Celular\n43215678;11 4444-1001;11 5555-1001\n43215679;11 4444-1002;\n43215680;;5,49116E+12\n'
    const found = await check(text)
    t.match(found, {
      phoneColumn: 'Celular',
      phoneColumns: ['Celular', 'Teléfono'],
      hasHeader: true,
      rows: 3,
      faulty: 1,
    })
    t.same(found.faults, [
      { row: 4, fault: 'numberRounded', value: '5,49116E+12', cells: ['43215680', '', '5,49116E+12'] },
    ])
  },
)

t.test('a first row with a number is a person, unless the caller says that it is a header', async t => {
  const text = '1155551001;Ana\n1155551002;Beto\n'
  t.match(await check(text), { columns: ['A', 'B'], hasHeader: false, rows: 2, phoneColumn: 'A' })
  const asked = checkFile({ text, hasHeader: true }, { country: 'AR', giveWay: async () => undefined })
  t.match(await asked, { columns: ['1155551001', 'Ana'], rows: 1 })
})
