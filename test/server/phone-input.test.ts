import t from 'tap'
import { findPhoneColumn, readPhone, splitNumbers } from '#server/phone-input.ts'

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

t.test('pasted numbers are parted by lines, commas, semicolons and tabs, never by spaces', async t => {
  t.same([...splitNumbers(' 11 5555-1234\r\n\n2, 3;4\t5\n')], ['11 5555-1234', '2', '3', '4', '5'])
})

t.test('the column with the numbers is found by its name', async t => {
  t.equal(findPhoneColumn(['Nombre', 'Teléfono']), 'Teléfono')
  t.equal(findPhoneColumn(['id', 'Nro. de celular', 'phone']), 'phone')
  t.equal(findPhoneColumn(['id', 'Nro. de celular']), 'Nro. de celular')
  t.equal(findPhoneColumn(['id', 'hotel']), undefined)
})
