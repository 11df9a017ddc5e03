import t from 'tap'
import { isRounded, readPhone } from '#server/phone-input.ts'

t.test('one line is recognized in every spelling people use', async t => {
  const spellings = [
    '+54 9 11 5555-1234',
    '5491155551234',
    '0054 9 11 5555 1234',
    '011 15 5555-1234',
    '(011) 15-5555-1234',
    '11 15 5555 1234',
    '11 5555-1234',
    '+54 11 5555 1234',
  ]
  for (const typed of spellings) t.equal(readPhone(typed, 'AR'), '5491155551234', typed)
})

t.test('a number of another country is read with its country, a bare one as of the organization', async t => {
  t.equal(readPhone('+52 1 55 1234 5678', 'AR')?.endsWith('5512345678'), true)
  t.equal(readPhone('525512345678', 'AR'), '525512345678')
  t.equal(readPhone('55 1234 5678', 'MX'), '525512345678')
  t.equal(readPhone('+1 555 078 3881', 'AR'), '15550783881')
})

t.test('what is no number is none', async t => {
  for (const typed of ['', 'Ana', '12', 'ana@example.com', '999999999999999999', '=SUM(A1)'])
    t.equal(readPhone(typed, 'AR'), undefined, typed)
})

t.test('addresses, other digits and what spreadsheets make of a number are read', async t => {
  const spellings = [
    'tel:+54-9-11-5555-1234',
    'tel:+5491155551234;ext=1',
    'https://wa.me/5491155551234',
    'wa.me/+5491155551234?text=Hola',
    'https://api.whatsapp.com/send?text=Hola&phone=5491155551234',
    'whatsapp://send?phone=5491155551234',
    '5491155551234@c.us',
    '5491155551234@s.whatsapp.net',
    '5491155551234:12@s.whatsapp.net',
    '5491155551234.0',
    '5491155551234,00',
    '5.491155551234E+12',
    '5,491155551234e12',
    '="5491155551234"',
    "'+54 9 11 5555-1234",
    '+５４　９　１１　５５５５－１２３４',
    '+٥٤ ٩ ١١ ٥٥٥٥ ١٢٣٤',
    '۰۱۱ ۱۵ ۵۵۵۵ ۱۲۳۴',
    '\u202a+54\u00a09\u00a011\u00a05555\u20111234\u202c',
  ]
  for (const typed of spellings) t.equal(readPhone(typed, 'AR'), '5491155551234', typed)
})

t.test('a number that lost digits is none, and known as such', async t => {
  for (const typed of ['5,49116E+12', '5.4911E+12', '5E12']) {
    t.equal(readPhone(typed, 'AR'), undefined, typed)
    t.equal(isRounded(typed), true, typed)
  }
  for (const typed of ['5.491155551234E+12', '5491155551234', 'Ana', '']) t.equal(isRounded(typed), false, typed)
})

t.test('nothing as long as a text is read as a number', async t => {
  t.equal(readPhone('9'.repeat(8_000_000), 'AR'), undefined)
  t.equal(isRounded('9'.repeat(8_000_000)), false)
})
