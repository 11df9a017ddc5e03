import t from 'tap'
import { countryOf, waIdOf } from '#server/whatsapp/serving/address.ts'

t.test('all spellings of one line are one WhatsApp id', async t => {
  for (const text of [
    '5491155551234',
    '+54 9 11 5555-1234',
    '541155551234',
    '54111555551234',
    '1155551234',
    '011 15 5555-1234',
    '11 15 5555 1234',
  ])
    t.equal(waIdOf(text), '5491155551234', text)
  t.equal(waIdOf('525512345678'), '5215512345678')
  t.equal(waIdOf('5215512345678'), '5215512345678')
  t.equal(waIdOf('551187654321'), '5511987654321')
  t.equal(waIdOf('5511987654321'), '5511987654321')
  t.equal(waIdOf('+1 650 555 1234'), '16505551234')
})

t.test('invalid numbers are refused', async t => {
  for (const text of ['', '12', '123456', '+549115555', '+', '99999999999999999'])
    t.equal(waIdOf(text), undefined, text)
})

t.test('a number has a country', async t => {
  t.equal(countryOf('5491155551234'), 'AR')
  t.equal(countryOf('5215512345678'), 'MX')
  t.equal(countryOf('5511987654321'), 'BR')
})
