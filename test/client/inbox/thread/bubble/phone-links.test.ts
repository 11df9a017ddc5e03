import t from 'tap'
import { formattedHtml } from '#client/inbox/thread/bubble/bubble-html.ts'
import { numberMeant } from '#client/inbox/thread/bubble/phone-links.ts'

const linked = (text: string, beside = '') =>
  [...formattedHtml(text, beside).__html.matchAll(/<a href="tel:([^"]*)" data-phone="\1">([^<]*)<\/a>/g)].map(
    ([, , said]) => said,
  )

t.test('phone numbers are links, however they are written', async t => {
  for (const said of [
    '+54 9 11 5555-0100',
    '+5491155550100',
    '+1 555 0100',
    '+34 612 345 678',
    '11 5555-0100',
    '1155550100',
    '(011) 4555-0100',
    '5491155550100',
    '54 9 11 5555 0100',
    '55 1234 5678',
    '(11) 91234-5678',
    '11.5555.0100',
    '011.4555-0100',
    '54.9.11.5555.0100',
    '415.555.0100',
    '(11) 91234.5678',
    '+54.9.11.5555.0100',
    '+34 612.345.678',
  ])
    t.strictSame(linked(`Llamá al ${said}, por favor.`), [said], said)
  t.strictSame(linked('de 11 5555-0100 o *+54 9 221 555-0101*'), ['11 5555-0100', '+54 9 221 555-0101'])
})

t.test('other numbers are not links', async t => {
  for (const said of [
    'el 2026-11-20 10:30',
    'el 20-11-2026 18:30',
    'son $1500 2500 3000',
    'de 1500 2500 3000',
    'CBU 0170099220000067797370',
    '1.500.000,50',
    'DNI 32.456.789',
    'pedido #1234567890',
    'código A1234567890',
    '10 20 30 40 50 60',
    '9-10 11-12 13-14',
    'https://wa.me/5491155550100?x=11 555',
    'ana1155550100@panes.example',
    '12345678',
    '1155550100%',
    '1.234.567.890',
    '12.345.678.901',
    '+1.234.567',
    '192.168.100.200',
    '10.0.19041.1234',
    '20.11.2026 18.30',
    '20.11.2026',
    '150.00 2500.00 1200.50',
    'RUT 12.345.678-9',
    'v2.10.1234.5',
    '1155550100.50',
  ])
    t.strictSame(linked(said), [], said)
})

t.test('nine digits are a phone number if the customer’s country has such numbers', async t => {
  for (const [said, beside] of [
    ['612 345 678', '34612000111'],
    ['612345678', '34612000111'],
    ['9 1234 5678', '56912340000'],
    ['912345678', '51912340000'],
    ['099 123 456', '59899123000'],
  ] as const) {
    t.strictSame(linked(`Llamá al ${said}.`, beside), [said], said)
    t.strictSame(linked(`Llamá al ${said}.`), [], 'nobody knows of which country')
    t.strictSame(linked(`Llamá al ${said}.`, '5491155550100'), [], 'numbers are longer there')
  }
  t.strictSame(linked('pedido 412345678', '34612000111'), [])
  t.strictSame(linked('*612 345 678*', '34612000111'), ['612 345 678'])
  t.equal(numberMeant('612345678', '34612000111'), '34612345678')
  t.equal(numberMeant('099123456', '59899123000'), '59899123456')
})

t.test('a long row of digits takes linear time', async t => {
  const from = performance.now()
  for (const text of [
    '1'.repeat(65_000),
    '1 '.repeat(32_500),
    '+1('.repeat(21_000),
    '(1) '.repeat(16_000),
    '1.'.repeat(32_500),
    '+1.'.repeat(21_000),
  ])
    t.ok(formattedHtml(text).__html.length >= text.length)
  // Quadratic time would be a minute.
  t.ok(performance.now() - from < 10_000)
})

t.test('a number without a country code has the customer’s country', async t => {
  const argentine = '5491166667777'
  t.equal(numberMeant('1155550100', argentine), '5491155550100')
  t.equal(numberMeant('01145550100', argentine), '5491145550100')
  t.equal(numberMeant('0111555550100', argentine), '5491155550100')
  t.equal(numberMeant('5491155550100', argentine), '5491155550100')
  t.equal(numberMeant('+13155550100', argentine), '13155550100')
  t.equal(numberMeant('5512345678', '5215599998888'), '5215512345678')
  t.equal(numberMeant('11912345678', '5511988887777'), '5511912345678')
  t.equal(numberMeant('4155550100', '14155550199'), '14155550100')
  t.equal(numberMeant('5491155550100', 'AR.123'), '5491155550100')
})
