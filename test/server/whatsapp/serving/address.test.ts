import t from 'tap'
import { bsuidCountry, waIdOfSpelling } from '#server/whatsapp/serving/address.ts'

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
    t.equal(waIdOfSpelling(text), '5491155551234', text)
  t.equal(waIdOfSpelling('525512345678'), '5215512345678')
  t.equal(waIdOfSpelling('5215512345678'), '5215512345678')
  t.equal(waIdOfSpelling('551187654321'), '5511987654321')
  t.equal(waIdOfSpelling('5511987654321'), '5511987654321')
  t.equal(waIdOfSpelling('+1 650 555 1234'), '16505551234')
})

t.test('invalid numbers are refused', async t => {
  for (const text of ['', '12', '123456', '+549115555', '+', '99999999999999999'])
    t.equal(waIdOfSpelling(text), undefined, text)
})

t.test('a number has a country', async t => {
  t.equal(bsuidCountry('5491155551234'), 'AR')
  t.equal(bsuidCountry('5215512345678'), 'MX')
  t.equal(bsuidCountry('5511987654321'), 'BR')
})
